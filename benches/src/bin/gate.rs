//! Counts our own cases again and compares them with the recorded figures; ends with 1 where one grew.
//!
//! The recorded counts hold for one compiler. Under another one only the ratio to the hand-written loop of the same
//! discipline, counted in the same go, is compared, with more room.

use retry_bench::{contest, figures, measure};
use std::process::ExitCode;

/// How much more than recorded passes: two instructions and 2 %, or 10 % of a ratio under another compiler.
const ROOM: f64 = 1.02;
const ROOM_INSTRUCTIONS: f64 = 2.0;
const ROOM_RATIO: f64 = 1.10;

fn main() -> ExitCode {
    match judge() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("gate: {error}");
            ExitCode::FAILURE
        }
    }
}

fn judge() -> Result<bool, String> {
    let recorded = figures::counts()?;
    let same_compiler = figures::compiler()? == measure::compiler();
    if !same_compiler {
        println!("gate: another compiler than the recorded counts': ratios to the hand loop are compared");
    }
    let run_case = measure::sibling("release", "run_case");
    let (mut passed, mut failed) = (0, 0);
    for discipline in contest::all() {
        let reference = &discipline.cases[0];
        let recorded_reference = recorded.of(discipline.id, reference.name)?;
        let mut counted_reference = None;
        for case in discipline.cases.iter().filter(|case| case.is_ours()) {
            let before = recorded.of(discipline.id, case.name)?;
            let now = measure::instructions(&run_case, &discipline, case)?;
            let fits = if same_compiler {
                now <= before * ROOM + ROOM_INSTRUCTIONS
            } else {
                let reference = match counted_reference {
                    Some(counted) => counted,
                    None => {
                        *counted_reference.insert(measure::instructions(&run_case, &discipline, reference)?)
                    }
                };
                now / reference <= before / recorded_reference * ROOM_RATIO
            };
            let (verdict, count) = if fits {
                ("ok", &mut passed)
            } else {
                ("GREW", &mut failed)
            };
            *count += 1;
            println!(
                "{verdict}\t{}\t{}\trecorded {before:.1}, counted {now:.1}",
                discipline.id, case.name
            );
        }
    }
    println!("gate: {passed} passed, {failed} failed");
    Ok(failed == 0)
}
