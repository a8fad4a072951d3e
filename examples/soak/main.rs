//! Mixed policies under random failures, until every count has to add up and memory has to be flat:
//!
//! ```text
//! cargo run --release --example soak [RUNS [SEED]]
//! ```
//!
//! A million runs by default, on two threads. `tests/soak.rs` makes a shorter one.

mod load;

use std::time::Instant;

fn main() {
    let mut args = std::env::args()
        .skip(1)
        .map(|arg| arg.parse::<u64>().expect("a whole number"));
    let runs = args.next().unwrap_or(1_000_000);
    let seed = args.next().unwrap_or_else(|| std::process::id().into());
    let began = Instant::now();
    let report = load::soak(runs, seed);
    println!("{report}");
    println!("{runs} runs in {:.1?}, seed {seed}", began.elapsed());
}
