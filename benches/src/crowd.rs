//! Many runs at once: what each of them holds while it waits.

use crate::allocations::bytes;
use crate::contest::crowd_of;
use crate::measure::{as_f64, nanos};
use std::time::Instant;

/// What one of many runs takes.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// The bytes on the heap, its task included.
    pub bytes: f64,
    /// The nanoseconds to start it, up to where it waits.
    pub nanoseconds: f64,
}

/// Spawns `count` runs of a contestant, each of which waits for an operation that never answers.
///
/// # Panics
///
/// Where the system refuses a runtime.
#[must_use]
pub fn share(contestant: &str, count: usize) -> Share {
    let runtime = crate::measure::runtime();
    // What the runtime allocates once isn't a run's.
    runtime.block_on(async {
        crowd_of(contestant).abort();
        tokio::task::yield_now().await;
    });
    let before = bytes();
    let start = Instant::now();
    let mut tasks = Vec::with_capacity(count);
    let handles = bytes() - before;
    runtime.block_on(async {
        tasks.extend((0..count).map(|_| crowd_of(contestant)));
        tokio::task::yield_now().await;
    });
    let took = start.elapsed();
    let held = bytes() - before - handles;
    let count = as_f64(count as u64);
    Share {
        bytes: as_f64(held) / count,
        nanoseconds: nanos(took) / count,
    }
}
