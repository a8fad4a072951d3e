//! Prints the instructions of one run for every case, with optimisation across crates and with cargo's default release
//! profile: `DISCIPLINE NAME INSTRUCTIONS INSTRUCTIONS`, tab-separated.

use retry_bench::{contest, measure};

fn main() -> Result<(), String> {
    let run_case = measure::sibling("release", "run_case");
    let plain = measure::sibling("plain", "run_case");
    for discipline in contest::all() {
        for case in &discipline.cases {
            let tuned = measure::instructions(&run_case, &discipline, case)?;
            let plain = measure::instructions(&plain, &discipline, case)?;
            println!("{}\t{}\t{tuned:.1}\t{plain:.1}", discipline.id, case.name);
        }
    }
    Ok(())
}
