//! Where jitter comes from: a fast generator per thread, seeded by the operating system.
//!
//! A generator that is seeded from the clock gives processes that start together nearly equal waits, which is what
//! jitter is there to prevent; so each thread takes its own 256 bits from the operating system, once. The period of
//! `Xoshiro256++` and the width of the seed make shared sequences impossible in practice. It is no cryptographic
//! generator: idempotency keys take their bytes from the operating system itself.

use core::cell::Cell;
use core::hash::{BuildHasher, Hasher};
use core::marker::PhantomData;
use std::hash::RandomState;

use rand::rngs::{SmallRng, SysRng};
use rand::{Rng, SeedableRng, TryRng};

thread_local! {
    static GENERATOR: Cell<Option<Source>> = const { Cell::new(None) };
}

/// Where a thread's bits come from.
#[derive(Debug)]
enum Source {
    Drawn(SmallRng),
    /// The same bits each time.
    Always(u64),
}

/// The next 64 uniform bits of this thread's generator.
#[must_use]
pub fn next() -> u64 {
    GENERATOR.with(|cell| {
        let mut source = cell.take().unwrap_or_else(fresh);
        let bits = match &mut source {
            Source::Drawn(generator) => generator.next_u64(),
            Source::Always(bits) => *bits,
        };
        cell.set(Some(source));
        bits
    })
}

/// A uniform whole number in `0..=max`, as waits are drawn.
#[must_use]
#[inline]
pub fn up_to(max: u64) -> u64 {
    retry_planner::delay::up_to(max, next())
}

/// Makes this thread's jitter reproducible until the guard is dropped.
///
/// ```
/// # use retry_runtime::rng;
/// let draw = || {
///     let _seeded = rng::seed(42);
///     [rng::next(), rng::next()]
/// };
/// assert_eq!(draw(), draw());
/// ```
///
/// The guard belongs to its thread, as the generator does: seed a test on a current-thread runtime.
#[must_use = "the seed holds until the guard is dropped"]
pub fn seed(seed: u64) -> Seeded {
    with(Source::Drawn(SmallRng::seed_from_u64(seed)))
}

/// Makes every draw of this thread fall on the same part of its interval until the guard is dropped: `0` is the least,
/// `u64::MAX` the greatest, `1 << 63` the middle.
///
/// What a test of the shortest and the longest run needs.
///
/// ```
/// # use retry_runtime::rng;
/// let _longest = rng::always(u64::MAX);
/// assert_eq!([rng::next(), rng::next()], [u64::MAX; 2]);
/// ```
#[must_use = "it holds until the guard is dropped"]
pub fn always(bits: u64) -> Seeded {
    with(Source::Always(bits))
}

fn with(source: Source) -> Seeded {
    Seeded {
        before: GENERATOR.with(|cell| cell.replace(Some(source))),
        this_thread: PhantomData,
    }
}

/// Restores the thread's own generator when dropped; made by [`seed`] and [`always`].
#[derive(Debug)]
pub struct Seeded {
    before: Option<Source>,
    this_thread: PhantomData<*const ()>,
}

impl Drop for Seeded {
    fn drop(&mut self) {
        GENERATOR.with(|cell| cell.set(self.before.take()));
    }
}

#[cold]
fn fresh() -> Source {
    let mut seed = <SmallRng as SeedableRng>::Seed::default();
    system_bytes(seed.as_mut());
    Source::Drawn(SmallRng::from_seed(seed))
}

/// Fills `bytes` from the operating system.
///
/// Where that fails (a sandbox without entropy), the hash keys of the standard library stand in, so that a retry never
/// panics for want of jitter.
pub(crate) fn system_bytes(bytes: &mut [u8]) {
    if SysRng.try_fill_bytes(bytes).is_err() {
        for chunk in bytes.chunks_mut(8) {
            let word = RandomState::new().build_hasher().finish().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_threads_share_a_sequence() {
        let threads: Vec<_> = (0..16)
            .map(|_| std::thread::spawn(|| (0..1000).map(|_| next()).collect::<Vec<_>>()))
            .collect();
        let drawn: Vec<u64> = threads.into_iter().flat_map(|t| t.join().unwrap()).collect();
        let distinct: HashSet<u64> = drawn.iter().copied().collect();
        assert_eq!(distinct.len(), drawn.len());
    }

    #[test]
    fn a_seed_repeats_its_sequence_and_another_seed_does_not() {
        let draw = |value| {
            let _seeded = seed(value);
            (0..100).map(|_| next()).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn dropping_the_seed_gives_the_thread_its_own_generator_back() {
        let _outer = seed(1);
        let _ = next();
        let second = {
            let _again = seed(1);
            let _ = next();
            next()
        };
        {
            let _inner = seed(99);
            let _ = next();
        }
        assert_eq!(next(), second, "the outer sequence goes on where it was");
    }

    #[test]
    fn scripted_bits_come_each_time_until_the_guard_is_dropped() {
        {
            let _always = always(17);
            assert_eq!([next(), next()], [17; 2]);
        }
        assert_ne!([next(), next()], [17; 2]);
    }
}
