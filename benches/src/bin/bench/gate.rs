//! Counts our own cases again and compares them with the recorded figures.
//!
//! A count has grown if it is above the recorded one *and* its ratio to the hand-written case of the same discipline,
//! counted in the same go, is above the recorded ratio: what another C library or processor adds to both isn't ours. The
//! recorded counts hold for one compiler; under another one only the ratio counts, with more room.

use retry_bench::case::{Case, Discipline, Drive};
use retry_bench::{contest, figures, measure};

/// What passes: so much more than recorded, and so many instructions on top, which are the noise of a short case.
struct Room {
    factor: f64,
    instructions: f64,
}

impl Room {
    /// Where a scheduler takes part, its turns vary with the time that passes.
    fn of(discipline: &Discipline) -> Self {
        let factor = match discipline.counted {
            Drive::Polled => 1.03,
            Drive::Awaited | Drive::Idle => 1.10,
        };
        Self {
            factor,
            instructions: 4.0,
        }
    }

    fn fits(&self, now: f64, before: f64) -> bool {
        now <= before * self.factor + self.instructions
    }
}

/// What passes of a ratio under another compiler.
const OTHER_COMPILER: f64 = 1.10;

/// Whether none grew.
pub(super) fn judge() -> Result<bool, String> {
    let recorded = figures::counts()?;
    let same_compiler = figures::compiler()? == measure::compiler();
    if !same_compiler {
        println!("gate: another compiler than the recorded counts': ratios to the hand loop are compared");
    }
    let disciplines = contest::all();
    // Ours, and the first of each discipline, which is the hand-written one.
    let cases: Vec<(&Discipline, &Case)> = disciplines
        .iter()
        .flat_map(|discipline| {
            let hand = discipline.cases.iter().take(1);
            let ours = discipline.cases.iter().skip(1).filter(|case| case.is_ours());
            hand.chain(ours).map(move |case| (discipline, case))
        })
        .collect();
    let counted = measure::instructions(&measure::sibling("release"), &cases)?;
    let (mut passed, mut failed) = (0, 0);
    let mut reference = None;
    for ((discipline, case), now) in cases.into_iter().zip(counted) {
        let before = recorded.of(discipline.id, case.name)?;
        if case.name == discipline.cases[0].name {
            reference = (!case.is_ours()).then_some((before, now));
            if reference.is_some() {
                continue;
            }
        }
        let room = Room::of(discipline);
        let fits = match reference {
            _ if same_compiler && room.fits(now, before) => true,
            Some((hand_before, hand_now)) => {
                let factor = if same_compiler {
                    room.factor
                } else {
                    OTHER_COMPILER
                };
                now / hand_now <= before / hand_before * factor
            }
            // Growth has no hand-written row; another compiler may move all of its rows.
            None => !same_compiler,
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
    println!("gate: {passed} passed, {failed} failed");
    Ok(failed == 0)
}
