//! Prints the instructions of one run for every case, with optimisation across crates and with cargo's default release
//! profile: `DISCIPLINE NAME INSTRUCTIONS INSTRUCTIONS`, tab-separated.

use retry_bench::{contest, measure};

pub(super) fn print() -> Result<(), String> {
    let disciplines = contest::all();
    let cases: Vec<_> = disciplines
        .iter()
        .flat_map(|discipline| discipline.cases.iter().map(move |case| (discipline, case)))
        .collect();
    let tuned = measure::instructions(&measure::sibling("release"), &cases)?;
    let plain = measure::instructions(&measure::sibling("plain"), &cases)?;
    for ((discipline, case), (tuned, plain)) in cases.iter().zip(tuned.iter().zip(plain)) {
        println!("{}\t{}\t{tuned:.1}\t{plain:.1}", discipline.id, case.name);
    }
    Ok(())
}
