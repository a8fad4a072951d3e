//! Every wait is drawn anew, from its own interval, by a generator that no two share.

use retry_plan::{retry_policy, testing};

use crate::script::{Script, err};

retry_policy! {
    struct Full {
        retry(attempts = 6, backoff = exponential(100ms, factor = 2, max = 400ms), jitter = full) { attempt(1ms) }
    }
    struct Equal {
        retry(attempts = 6, backoff = exponential(100ms, factor = 2, max = 400ms), jitter = equal) { attempt(1ms) }
    }
    struct Spread {
        retry(attempts = 6, backoff = exponential(100ms, factor = 2, max = 400ms), jitter = spread(0.5)) { attempt(1ms) }
    }
    struct Decorrelated {
        retry(attempts = 6, backoff = decorrelated(100ms, max = 400ms)) { attempt(1ms) }
    }
    struct Growing {
        retry(attempts = 6, backoff = decorrelated(100ms, max = 5s)) { attempt(1ms) }
    }
}

const MS: u128 = 1_000_000;

macro_rules! waits {
    ($policy:ident) => {{
        let mut waits = Vec::new();
        let op = Script::new([err(0, 1)]);
        for _ in 0..300 {
            let began = tokio::time::Instant::now();
            let mut drawn = Vec::new();
            let mut before = began;
            let _ = retry_policy!($policy, async |_| {
                let now = tokio::time::Instant::now();
                drawn.push((now - before).as_nanos());
                before = now;
                op.call().await
            })
            .await;
            drawn.remove(0);
            waits.push(drawn);
        }
        waits
    }};
}

/// Timers fire on whole milliseconds, up to one late.
fn within(waits: &[Vec<u128>], bounds: [(u128, u128); 5]) {
    for drawn in waits {
        assert_eq!(drawn.len(), 5);
        for (wait, (lo, hi)) in drawn.iter().zip(bounds) {
            assert!((lo * MS..(hi + 1) * MS).contains(wait), "{drawn:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn each_kind_stays_within_its_interval_and_never_passes_the_cap() {
    within(&waits!(Full), [(0, 100), (0, 200), (0, 400), (0, 400), (0, 400)]);
    within(
        &waits!(Equal),
        [(50, 100), (100, 200), (200, 400), (200, 400), (200, 400)],
    );
    within(
        &waits!(Spread),
        [(50, 150), (100, 300), (200, 400), (200, 400), (200, 400)],
    );
    within(
        &waits!(Decorrelated),
        [(100, 300), (100, 400), (100, 400), (100, 400), (100, 400)],
    );
}

#[tokio::test(start_paused = true)]
async fn a_decorrelated_wait_is_drawn_from_the_one_before() {
    let greatest = {
        let _drawn = testing::always(u64::MAX);
        waits!(Growing)
    };
    within(
        &greatest,
        [300, 900, 2_700, 5_000, 5_000].map(|wait| (wait - 1, wait)),
    );
    let least = {
        let _drawn = testing::always(0);
        waits!(Growing)
    };
    within(&least, [(100, 100); 5]);
}

#[tokio::test(start_paused = true)]
async fn clients_at_the_cap_are_still_spread_apart() {
    let waits = waits!(Spread);
    let at_the_cap = waits.iter().filter(|drawn| drawn[4] >= 399 * MS).count();
    assert!(at_the_cap < 15, "{at_the_cap} of 300 sit on the cap");
}

#[tokio::test(start_paused = true)]
async fn every_wait_is_drawn_anew() {
    let waits = waits!(Full);
    assert!(waits.iter().any(|drawn| drawn[3] != drawn[4]));
    assert!(waits.windows(2).any(|pair| pair[0] != pair[1]));
}

#[tokio::test(start_paused = true)]
async fn a_seed_makes_runs_reproducible() {
    let one = {
        let _seeded = testing::seed(11);
        waits!(Full)
    };
    let two = {
        let _seeded = testing::seed(11);
        waits!(Full)
    };
    assert_eq!(one, two);
}
