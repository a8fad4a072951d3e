//! Prints what one of many runs takes that wait together: `CONTESTANT RUNS BYTES NANOSECONDS`, tab-separated.

use retry_bench::{contest, crowd};

pub(super) fn print() {
    for contestant in contest::CROWD {
        for count in [1, 10, 100, 1_000, 10_000, 100_000] {
            let share = crowd::share(contestant, count);
            println!(
                "{contestant}\t{count}\t{:.0}\t{:.0}",
                share.bytes, share.nanoseconds
            );
        }
    }
}
