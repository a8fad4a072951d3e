//! Prints the instructions of one run for every case, with optimisation across crates and with cargo's default release
//! profile: `DISCIPLINE NAME INSTRUCTIONS INSTRUCTIONS`, tab-separated. Where a scheduler takes part, its turns vary with the
//! time that passes: those are medians.

use retry_bench::case::{Case, Discipline, Drive};
use retry_bench::{contest, measure};

/// How often a case is counted in which a scheduler takes part.
const GOES: usize = 5;

type Cases<'a> = [(&'a Discipline, &'a Case)];

pub(super) fn print() -> Result<(), String> {
    let disciplines = contest::all();
    let cases: Vec<_> = disciplines
        .iter()
        .flat_map(|discipline| discipline.cases.iter().map(move |case| (discipline, case)))
        .collect();
    let tuned = counted("release", &cases)?;
    let plain = counted("plain", &cases)?;
    for ((discipline, case), (tuned, plain)) in cases.iter().zip(tuned.iter().zip(plain)) {
        println!("{}\t{}\t{tuned:.1}\t{plain:.1}", discipline.id, case.name);
    }
    Ok(())
}

fn counted(profile: &str, cases: &Cases<'_>) -> Result<Vec<f64>, String> {
    let bench = measure::sibling(profile);
    let mut counts = measure::instructions(&bench, cases)?;
    let varies = |discipline: &Discipline| !matches!(discipline.counted, Drive::Polled);
    let varying: Vec<_> = cases
        .iter()
        .copied()
        .filter(|(discipline, _)| varies(discipline))
        .collect();
    let again = (1..GOES)
        .map(|_| measure::instructions(&bench, &varying))
        .collect::<Result<Vec<_>, _>>()?;
    let first = cases
        .iter()
        .zip(&mut counts)
        .filter(|((discipline, _), _)| varies(discipline));
    for (at, (_, count)) in first.enumerate() {
        let mut goes: Vec<f64> = again.iter().map(|counts| counts[at]).chain([*count]).collect();
        goes.sort_by(f64::total_cmp);
        *count = goes[GOES / 2];
    }
    Ok(counts)
}
