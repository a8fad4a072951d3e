//! What went wrong with the arithmetic of waits in other retry libraries, each fault pinned to the figure that is right. Each
//! test names the libraries in which it was seen.

mod judge;

use std::collections::BTreeSet;
use std::time::Duration;

use judge::{refused, with};
use retry_planner::{Attempts, Backoff, Factor, Jitter, Kind, Plan, Range, Retry, value};

const fn time(ms: u64) -> Range {
    Range::exact(Duration::from_millis(ms))
}

const fn exponential(base: u64, factor: u64, max: Option<u64>) -> Backoff<'static> {
    Backoff::Exponential {
        base: time(base),
        factor: Factor::whole(factor),
        max: match max {
            Some(max) => Some(time(max)),
            None => None,
        },
    }
}

fn highs(backoff: &Backoff<'_>, jitter: Jitter, n: u32) -> Vec<u128> {
    (1..=n)
        .map(|k| backoff.interval(k, jitter).hi.as_millis())
        .collect()
}

fn retry(backoff: Backoff<'_>, jitter: Jitter) -> Retry<'_> {
    Retry {
        attempts: Attempts::Unlimited,
        backoff,
        jitter: Some(jitter),
        budget: None,
        when: false,
        until: false,
        stop_on_timeout: false,
        hint: None,
    }
}

/// Uniform bits that cover the range evenly.
fn bits(n: u64) -> impl Iterator<Item = u64> {
    (0..n).map(move |i| u64::MAX / n * i)
}

const SPREAD: Jitter = Jitter::Spread(Factor { digits: 5, scale: 1 });

/// backon (jitter up to twice the cap), backoff (1.5 times), tesla, agenda, iggy (1.2 times).
#[test]
fn jitter_never_passes_the_cap() {
    for jitter in [Jitter::Full, Jitter::Equal, SPREAD] {
        let retry = retry(exponential(100, 2, Some(400)), jitter);
        for k in 1..=6 {
            for bits in bits(1_000) {
                assert!(
                    retry.draw(k, 0).pick(bits) <= 400_000_000,
                    "{jitter:?}, retry {k}"
                );
            }
        }
    }
}

/// backon takes a least wait of 5 s with a cap of 1 s and waits 5 s.
#[test]
fn a_cap_below_the_first_wait_is_refused() {
    let faults = refused("retry(attempts = 4, backoff = exponential(5s, max = 1s)) { attempt(1s) }");
    assert!(faults[0].contains("`max`"), "{faults:?}");
    let by_const = std::panic::catch_unwind(|| value::cap(Duration::from_secs(5), Duration::from_secs(1)));
    assert!(by_const.is_err());
}

/// backon's Fibonacci passes its cap; here growth is linear or exponential, and the cap is the last word in both.
#[test]
fn no_shape_of_growth_passes_the_cap() {
    let linear = Backoff::Linear {
        base: time(100),
        max: Some(time(400)),
    };
    assert_eq!(highs(&linear, Jitter::None, 6), [100, 200, 300, 400, 400, 400]);
    let doubling = exponential(100, 2, Some(400));
    assert_eq!(highs(&doubling, Jitter::None, 5), [100, 200, 400, 400, 400]);
    let faults = refused("retry(attempts = 4, backoff = fibonacci(100ms)) { attempt(1s) }");
    assert!(faults[0].contains("fibonacci"), "{faults:?}");
}

/// backon doubles 100 ms to 200.000003 ms, as its factor is an `f32`.
#[test]
fn factors_do_not_drift() {
    let doubling = exponential(100, 2, None);
    for k in 1..=20 {
        let exact = 100_000_000_u128 << (k - 1);
        assert_eq!(doubling.delay(k).hi.as_nanos(), exact);
    }
    let tenth = Backoff::Exponential {
        base: time(100),
        factor: Factor { digits: 11, scale: 1 },
        max: None,
    };
    // 100 ms · 1.1^8 = 214.358881 ms.
    assert_eq!(tenth.delay(9).hi, Duration::from_nanos(214_358_881));
}

/// tryhard and backon panic after 64 doublings of a second, tokio-retry on its multiplication, with a cap of 10 ms.
#[test]
fn a_product_beyond_every_range_meets_the_cap() {
    let doubling = exponential(1_000, 2, Some(1_000));
    for k in [1, 63, 64, 65, 100, 1_000, u32::MAX] {
        assert_eq!(doubling.delay(k).hi, Duration::from_secs(1), "retry {k}");
    }
    let without = exponential(1_000, 2, None);
    assert_eq!(without.delay(100).hi, Duration::MAX);
}

/// mulligan's `2.pow(attempt)` panics at attempt 32, or is zero in a release build: a hot loop.
#[test]
fn the_32nd_wait_is_neither_a_panic_nor_zero() {
    let doubling = exponential(100, 2, None);
    assert_eq!(doubling.delay(32).hi, Duration::from_millis(100 << 31));
    assert_eq!(doubling.delay(33).hi, Duration::from_millis(100 << 32));
}

/// retry-policies panics on a base of 2^34 s at the 64th retry.
#[test]
fn the_longest_waits_saturate() {
    let long = Backoff::Exponential {
        base: Range::exact(Duration::from_secs(1 << 34)),
        factor: Factor::whole(2),
        max: Some(Range::exact(Duration::MAX)),
    };
    assert_eq!(long.delay(30).hi, Duration::from_secs(1 << 63));
    assert_eq!(long.delay(31).hi, Duration::MAX);
    assert_eq!(long.delay(64).hi, Duration::MAX);
}

/// again ends its waits early when the product overflows, though the cap would apply: 4 attempts for 11.
#[test]
fn an_overflow_never_ends_the_attempts() {
    let text = "retry(attempts = 11, backoff = exponential(1h, factor = 1000000000, max = 2000000000h), jitter = none) { attempt(1ms) }";
    with(text, |policy| assert_eq!(Plan::of(policy).calls(), Some(11)));
    let huge = Backoff::Exponential {
        base: Range::exact(Duration::from_secs(u64::MAX / 4)),
        factor: Factor::whole(2),
        max: Some(Range::exact(Duration::from_secs(u64::MAX / 4))),
    };
    assert!((1..=10).all(|k| huge.delay(k).hi == Duration::from_secs(u64::MAX / 4)));
}

/// reinhardt, librefang and latte: infinite floats panic, negative ones become zero or wrap; here no factor is either.
#[test]
fn no_factor_is_infinite_negative_or_below_one() {
    for factor in ["0.5", "0", "-1", "1e400", "inf", "nan"] {
        let text =
            format!("retry(attempts = 9, backoff = exponential(1ms, factor = {factor})) {{ attempt(1ms) }}");
        assert!(!refused(&text).is_empty(), "{factor}");
    }
    let steep = exponential(1, u64::MAX, None);
    assert_eq!(highs(&steep, SPREAD, 1), [1]);
    assert_eq!(steep.interval(3, SPREAD).hi, Duration::MAX);
    assert!(steep.interval(3, SPREAD).lo > Duration::ZERO);
}

/// tokio-retry2 draws its jitter once and waits the same six times.
#[test]
fn every_wait_is_drawn_anew() {
    let retry = retry(Backoff::Fixed(time(100)), SPREAD);
    let drawn: BTreeSet<u64> = bits(6).map(|bits| retry.draw(1, 0).pick(bits)).collect();
    assert_eq!(drawn.len(), 6);
}

/// tokio-retry takes the base to the power of n: 200 ms, 40 s, 8000 s. So does qldb's driver.
#[test]
fn the_base_is_multiplied_and_never_raised() {
    assert_eq!(
        highs(&exponential(200, 2, None), Jitter::None, 3),
        [200, 400, 800]
    );
}

/// iggy gives a 1-based attempt to a 0-based helper, which doubles the first wait.
#[test]
fn the_first_wait_is_the_base() {
    for backoff in [
        exponential(250, 2, None),
        Backoff::Linear {
            base: time(250),
            max: None,
        },
        Backoff::Fixed(time(250)),
    ] {
        assert_eq!(backoff.delay(1).hi, Duration::from_millis(250));
    }
}

/// jp: a cap after jitter pins all clients to one wait; here they stay spread below it.
#[test]
fn jitter_stays_visible_at_the_cap() {
    for jitter in [Jitter::Full, Jitter::Equal, SPREAD] {
        let retry = retry(exponential(100, 2, Some(400)), jitter);
        let drawn: BTreeSet<u64> = bits(100).map(|bits| retry.draw(50, 0).pick(bits)).collect();
        assert!(drawn.len() >= 100, "{jitter:?}: {} waits", drawn.len());
    }
}

/// agenda and tesla add jitter where they mean to multiply it.
#[test]
fn a_spread_is_a_share_of_the_wait() {
    let range = exponential(100, 2, None).interval(3, SPREAD);
    assert_eq!((range.lo.as_millis(), range.hi.as_millis()), (200, 600));
}

/// qldb's driver draws from an empty range at a cap of zero.
#[test]
fn a_wait_of_zero_is_drawn_as_zero() {
    for jitter in [Jitter::Full, Jitter::Equal, SPREAD] {
        let retry = retry(exponential(0, 2, Some(0)), jitter);
        assert_eq!(retry.draw(7, 0).pick(u64::MAX), 0);
    }
}

/// execution-policy seeds its jitter from a clock that reads nearly the same in every process: a draw takes its bits from the
/// caller alone, and all 64 of them matter.
#[test]
fn a_draw_is_of_the_bits_that_it_is_given() {
    let long = retry(
        Backoff::Fixed(Range::exact(Duration::from_nanos(u64::MAX))),
        Jitter::Full,
    );
    let drawn: BTreeSet<u64> = (0..64).map(|bit| long.draw(1, 0).pick(1 << bit)).collect();
    assert_eq!(drawn.len(), 64);
}

/// restate and Azure's SDK are off by one between attempts and retries.
#[test]
fn attempts_count_the_first_one_and_waits_are_one_less() {
    let text = "retry(attempts = 3, backoff = fixed(10ms), jitter = none) { attempt(1ms) }";
    with(text, |policy| {
        assert!(matches!(policy.nodes[0].kind, Kind::Retry(_)));
        let plan = Plan::of(policy);
        assert_eq!(
            (plan.calls(), plan.worst()),
            (Some(3), Some(Duration::from_millis(23)))
        );
    });
}
