//! Waits of every backoff and jitter, at every size up to overflow: what is drawn lies in the planner's interval, and the
//! interval is that of exact arithmetic on whole numbers of any length.
//!
//! A failure prints its seed and is shrunk; `PROPTEST_CASES` sets how many are tried.

use std::time::Duration;

use num_bigint::BigUint;
use proptest::prelude::*;
use retry_planner::{Attempts, Backoff, Factor, Jitter, Range, Retry};

/// Durations of every magnitude, from a nanosecond to the longest.
fn duration() -> impl Strategy<Value = Duration> + Clone {
    (any::<u64>(), any::<u32>(), 0u32..64).prop_map(|(seconds, nanos, shift)| {
        // Of seconds alone, two thirds would be longer than the age of the universe.
        Duration::new(seconds >> shift, nanos % 1_000_000_000)
    })
}

/// Durations below a minute, of every magnitude.
fn short() -> impl Strategy<Value = Duration> + Clone {
    (0..60_000_000_000_u64, 0u32..36).prop_map(|(nanos, shift)| Duration::from_nanos(nanos >> shift))
}

fn factor() -> impl Strategy<Value = Factor> {
    prop_oneof![
        3 => (1u64..10).prop_map(Factor::whole),
        3 => (10u64..50).prop_map(|digits| Factor { digits, scale: 1 }),
        2 => (1_000_000u64..1_100_000).prop_map(|digits| Factor { digits, scale: 6 }),
        1 => any::<u64>().prop_map(|digits| Factor::whole(digits.max(1))),
        1 => (0u32..=18, any::<u64>()).prop_map(|(scale, more)| {
            let one = 10_u64.pow(scale);
            Factor { digits: one.saturating_add(more), scale }
        }),
    ]
}

fn jitter() -> impl Strategy<Value = Jitter> {
    prop_oneof![
        Just(Jitter::None),
        Just(Jitter::Full),
        Just(Jitter::Equal),
        (0u64..=1_000).prop_map(|digits| Jitter::Spread(Factor { digits, scale: 3 })),
    ]
}

/// Every backoff but schedules, its cap at or above its base.
fn backoff(
    time: impl Strategy<Value = Duration> + Clone + 'static,
) -> impl Strategy<Value = Backoff<'static>> {
    let capped = (time.clone(), prop::option::of(time.clone())).prop_map(|(base, more)| {
        let max = more.map(|more| Range::exact(base.saturating_add(more)));
        (Range::exact(base), max)
    });
    prop_oneof![
        1 => Just(Backoff::None),
        1 => time.prop_map(|wait| Backoff::Fixed(Range::exact(wait))),
        2 => capped.clone().prop_map(|(base, max)| Backoff::Linear { base, max }),
        4 => (capped.clone(), factor())
            .prop_map(|((base, max), factor)| Backoff::Exponential { base, factor, max }),
        2 => capped.prop_map(|(base, max)| Backoff::Decorrelated { base, max }),
    ]
}

fn retry(backoff: Backoff<'_>, jitter: Jitter) -> Retry<'_> {
    let without = matches!(backoff, Backoff::None | Backoff::Decorrelated { .. });
    Retry {
        attempts: Attempts::Unlimited,
        backoff,
        jitter: (!without).then_some(jitter),
        budget: None,
        when: false,
        until: false,
        stop_on_timeout: false,
        hint: None,
    }
}

/// As a run has it: whole nanoseconds up to 584 years.
fn on_the_clock(wait: Duration) -> u64 {
    u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX)
}

/// Draws one wait after another, and holds each to its interval.
fn all_inside(retry: &Retry<'_>, bits: &[u64]) -> Result<(), TestCaseError> {
    let mut previous = 0;
    for (k, &bits) in (1..).zip(bits) {
        let Range { lo, hi } = retry.interval(k);
        let draw = retry.draw(k, previous);
        let wait = draw.pick(bits);
        prop_assert!(
            (on_the_clock(lo)..=on_the_clock(hi)).contains(&wait),
            "wait {k} of {wait} ns isn't in {lo:?}..={hi:?}"
        );
        prop_assert!(!draw.is_certain() || draw.pick(!bits) == wait);
        previous = wait;
    }
    Ok(())
}

/// Every bit pattern, the ends often.
fn bits() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(
        prop_oneof![2 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX)],
        1..60,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_draw_lies_in_the_planners_interval(backoff in backoff(duration()), jitter in jitter(), bits in bits()) {
        all_inside(&retry(backoff, jitter), &bits)?;
    }

    #[test]
    fn so_do_those_of_short_waits(backoff in backoff(short()), jitter in jitter(), bits in bits()) {
        all_inside(&retry(backoff, jitter), &bits)?;
    }

    #[test]
    fn so_do_those_of_schedules(
        waits in prop::collection::vec(duration(), 1..20), jitter in jitter(), bits in bits(), repeat_last in any::<bool>(),
    ) {
        let waits: Vec<_> = waits.into_iter().map(Range::exact).collect();
        all_inside(&retry(Backoff::Schedule { waits: &waits, repeat_last }, jitter), &bits)?;
    }

    #[test]
    fn both_ends_of_an_interval_are_drawn(backoff in backoff(short()), jitter in jitter(), k in 1u32..40) {
        // Decorrelated waits reach their ends over several draws.
        prop_assume!(!matches!(backoff, Backoff::Decorrelated { .. }));
        let retry = retry(backoff, jitter);
        let Range { lo, hi } = retry.interval(k);
        prop_assert_eq!(retry.draw(k, 0).pick(0), on_the_clock(lo));
        prop_assert_eq!(retry.draw(k, 0).pick(u64::MAX), on_the_clock(hi));
    }

    #[test]
    fn no_wait_is_above_its_cap_and_none_is_below_zero(
        backoff in backoff(duration()), jitter in jitter(), k in any::<u32>(),
    ) {
        let retry = retry(backoff, jitter);
        let Range { lo, hi } = retry.interval(k.max(1));
        prop_assert!(lo <= hi);
        if let Some(max) = backoff.max() {
            prop_assert!(hi <= max.hi);
        }
    }

    #[test]
    fn a_wait_is_that_of_exact_arithmetic(
        base in duration(), factor in factor(), more in prop::option::of(duration()), share in 0u64..=1_000, k in 1u32..80,
    ) {
        let max = more.map(|more| Range::exact(base.saturating_add(more)));
        let backoff = Backoff::Exponential { base: Range::exact(base), factor, max };
        let cap = BigUint::from(max.map_or(Duration::MAX, |max| max.hi).as_nanos());
        // d(k) = base · digits^(k-1) / 10^(scale · (k-1)), cut, and then spread; rounded down once.
        let grown = BigUint::from(base.as_nanos()) * BigUint::from(factor.digits).pow(k - 1);
        let one = BigUint::from(10_u32).pow(factor.scale * (k - 1));
        let (grown, one) = if grown > &cap * &one { (cap.clone(), BigUint::from(1_u32)) } else { (grown, one) };
        let spread = |thousandths: u64| (&grown * thousandths / (&one * 1_000_u32)).min(cap.clone());
        let told = backoff.interval(k, Jitter::Spread(Factor { digits: share, scale: 3 }));
        prop_assert_eq!(BigUint::from(told.lo.as_nanos()), spread(1_000 - share));
        prop_assert_eq!(BigUint::from(told.hi.as_nanos()), spread(1_000 + share));
        prop_assert_eq!(BigUint::from(backoff.delay(k).hi.as_nanos()), &grown / &one);
    }

    #[test]
    fn a_sum_is_that_of_its_waits(backoff in backoff(duration()), jitter in jitter(), n in 0u32..120) {
        let sum = |end: fn(Range) -> Duration| {
            (1..=n).fold(Duration::ZERO, |sum, k| sum.saturating_add(end(backoff.interval(k, jitter))))
        };
        let told = backoff.total(n, jitter);
        prop_assert_eq!((told.lo, told.hi), (sum(|wait| wait.lo), sum(|wait| wait.hi)));
    }
}
