//! Prints the nanoseconds of one run for every case: `DISCIPLINE NAME MEDIAN LOW HIGH`, tab-separated.
//!
//! Criterion and divan measure one case to its end before the next, and so compare moments of a machine that is faster at one
//! time than at another. Here the contestants of a discipline take turns, round by round.

use retry_bench::case::Drive;
use retry_bench::{contest, measure};

pub(super) fn print() {
    for discipline in contest::all() {
        let rounds = if discipline.timed == Drive::Polled { 41 } else { 15 };
        for (case, spread) in discipline
            .cases
            .iter()
            .zip(measure::nanoseconds(&discipline, rounds))
        {
            println!(
                "{}\t{}\t{:.1}\t{:.1}\t{:.1}",
                discipline.id, case.name, spread.median, spread.low, spread.high
            );
        }
    }
}
