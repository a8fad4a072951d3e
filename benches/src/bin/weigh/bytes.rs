//! Prints the bytes of each case's future and what one run allocates: `DISCIPLINE NAME BYTES ALLOCATIONS`,
//! tab-separated.

use retry_bench::allocations::allocations;
use retry_bench::{contest, measure};

pub(super) fn print() {
    let runtime = measure::runtime();
    let remote = measure::remote();
    for discipline in contest::all() {
        for case in &discipline.cases {
            let size = {
                let _inside = runtime.enter();
                (case.size)(remote)
            };
            // Few and many runs differ by the runs alone: what is set up once falls out, and so does what is allocated
            // on first use.
            let count = |n| {
                let before = allocations();
                measure::runs(case, discipline.counted, &runtime, remote, n);
                allocations() - before
            };
            count(2);
            let (few, many) = (count(2), count(22));
            let per_run = (measure::as_f64(many) - measure::as_f64(few)) / 20.0;
            println!("{}\t{}\t{size}\t{per_run:.2}", discipline.id, case.name);
        }
    }
}
