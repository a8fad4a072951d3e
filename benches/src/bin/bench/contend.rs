//! Prints how many million times a second a budget is paid into and drawn from, by threads that share it:
//! `BUDGET STATE THREADS MEDIAN LOW HIGH`, tab-separated. Rounds are interleaved.

use retry_bench::contention;
use retry_bench::measure::Spread;

const ROUNDS: usize = 101;
const THREADS: [usize; 3] = [1, 2, 4];

pub(super) fn print() {
    let contestants = contention::contestants();
    for threads in THREADS {
        let mut samples = vec![Vec::new(); contestants.len()];
        for round in 0..=ROUNDS {
            for (contestant, samples) in contestants.iter().zip(&mut samples) {
                let rate = contention::millions_per_second(contestant, threads);
                // The first round warms up.
                if round > 0 {
                    samples.push(rate);
                }
            }
        }
        for (contestant, samples) in contestants.iter().zip(samples) {
            let Spread { low, median, high } = Spread::of(samples);
            println!(
                "{}\t{}\t{threads}\t{median:.1}\t{low:.1}\t{high:.1}",
                contestant.name, contestant.state
            );
        }
    }
}
