//! Makes `n` runs of one case and prints nothing: what `callgrind` watches.
//!
//! `run_case DISCIPLINE NAME N`

use retry_bench::operation::Remote;
use retry_bench::{contest, measure};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut argument = || arguments.next().expect("DISCIPLINE NAME N");
    let discipline = contest::discipline(&argument());
    let name = argument();
    let n = argument().parse().expect("N is a number");
    let case = discipline
        .cases
        .iter()
        .find(|case| case.name == name)
        .expect("a case of that name");
    measure::runs(
        case,
        discipline.counted,
        &measure::runtime(),
        &Remote::default(),
        n,
    );
}
