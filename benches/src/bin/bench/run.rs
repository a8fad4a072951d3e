//! Makes few and many runs of each case that it is told, with a mark around each: what `callgrind` watches.
//!
//! `bench run [DISCIPLINE NAME]..`

use retry_bench::measure::callgrind_counts_up_to_here;
use retry_bench::{contest, measure};

pub(super) fn cases(arguments: &[String]) {
    let (runtime, remote) = (measure::runtime(), measure::remote());
    for pair in arguments.chunks(2) {
        let [id, name] = pair else {
            panic!("DISCIPLINE NAME, in pairs");
        };
        let discipline = contest::discipline(id);
        let case = discipline
            .cases
            .iter()
            .find(|case| case.name == name)
            .expect("a case of that name");
        // What a thread does once is done before.
        measure::runs(case, discipline.counted, &runtime, remote, 1);
        for n in measure::few_and_many(&discipline) {
            callgrind_counts_up_to_here();
            measure::runs(case, discipline.counted, &runtime, remote, n);
        }
        callgrind_counts_up_to_here();
    }
}
