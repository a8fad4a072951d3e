//! The bounds of one layer: the layer as a planner tree, and what the planner says of it.
//!
//! A layer is `deadline { retry { hedge { attempt } } }` without what it hasn't: its attempts are as many as fit, any of
//! them may fail at once, and a try takes as long as its bound. Layers are services of their own, each with its own clock,
//! so each is a policy of its own: a callee goes on when its caller has given up, and only counts multiply.

use std::time::Duration;

use retry_planner::{
    Attempt, Attempts as Tries, Backoff, Count, Hedge, Hint, Jitter as Spread, Kind, Levels, Node, Plan,
    Policy, Range, Retry,
};

use super::model::{Attempts, Jitter, Layer};

/// Bounds of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The latest end; `None` where it has none.
    pub worst: Option<Duration>,
    /// The most calls of the next layer; `None` where unbounded.
    pub calls: Option<u64>,
}

/// The bounds of `layer`.
#[must_use]
pub fn bounds(layer: &Layer) -> Bounds {
    let deadline = layer.deadline.map(|limit| Kind::Deadline(Range::exact(limit)));
    let bounds = planned(layer, &[deadline, Some(Kind::Retry(retry(layer)))]);
    let copies = layer.hedge.map_or(1, |hedge| u64::from(hedge.copies));
    let asked = match layer.attempts {
        Attempts::Count(count) => Some(u64::from(count) * copies),
        Attempts::Unlimited => None,
    };
    match (layer.deadline, bounds.calls) {
        // A client of another system sleeps into its deadline, where a policy of ours stops before the wait.
        (Some(limit), Some(calls)) if asked.is_none_or(|asked| calls < asked) => Bounds {
            worst: Some(limit),
            ..bounds
        },
        _ => bounds,
    }
}

/// The latest end of one try, its copies included; `None` where it has none.
#[must_use]
pub fn one_try(layer: &Layer) -> Option<Duration> {
    planned(layer, &[]).worst
}

/// What the planner says of a try inside of `around`.
fn planned(layer: &Layer, around: &[Option<Kind<'_>>]) -> Bounds {
    let hedge = layer.hedge.map(|hedge| {
        Kind::Hedge(Hedge {
            after: Range::exact(hedge.after),
            copies: Count::exact(hedge.copies),
            budget: None,
        })
    });
    let attempt = Kind::Attempt(Attempt {
        bound: layer.per_try_timeout.map(Range::exact),
        takes: None,
        idempotent: !layer.is_unsafe(),
        key: false,
    });
    let kinds: Vec<Kind<'_>> = around
        .iter()
        .copied()
        .chain([hedge, Some(attempt)])
        .flatten()
        .collect();
    // Each holds all that follow.
    let nodes: Vec<Node<'_>> = kinds
        .iter()
        .enumerate()
        .map(|(index, kind)| Node {
            name: "",
            size: kinds.len() - index,
            levels: Levels::DEFAULT,
            kind: *kind,
        })
        .collect();
    let plan = Plan::of(&Policy {
        name: &layer.name,
        nodes: &nodes,
    });
    Bounds {
        worst: plan.worst(),
        calls: plan.calls(),
    }
}

fn retry(layer: &Layer) -> Retry<'static> {
    Retry {
        attempts: match layer.attempts {
            Attempts::Count(count) => Tries::UpTo(Count::exact(count)),
            Attempts::Unlimited => Tries::Unlimited,
        },
        backoff: backoff(layer),
        jitter: Some(spread(layer.jitter)),
        budget: None,
        when: true,
        until: false,
        stop_on_timeout: false,
        hint: layer.hears_hints().then_some(Hint {
            max: layer.max_retry_after.map(Range::exact),
        }),
    }
}

fn backoff(layer: &Layer) -> Backoff<'static> {
    // `plus_minus` is drawn after the cap, the planner's spread before it; but a wait that is scaled after the cap is the
    // wait of a scaled base and a scaled cap.
    let range = |time| match layer.jitter {
        Jitter::PlusMinus(x) => Backoff::Fixed(Range::exact(time)).interval(1, Spread::Spread(x)),
        _ => Range::exact(time),
    };
    let (base, max) = (range(layer.base_delay), layer.max_delay.map(range));
    match layer.jitter {
        Jitter::Decorrelated => Backoff::Decorrelated { base, max },
        _ => Backoff::Exponential {
            base,
            factor: layer.multiplier,
            max,
        },
    }
}

fn spread(jitter: Jitter) -> Spread {
    match jitter {
        Jitter::Full => Spread::Full,
        Jitter::Equal => Spread::Equal,
        Jitter::None | Jitter::Decorrelated | Jitter::PlusMinus(_) => Spread::None,
    }
}

/// Whether a later wait is longer.
#[must_use]
pub fn grows(layer: &Layer) -> bool {
    backoff(layer).grows()
}

/// The shortest and the longest draw of wait `k`, counted from 1.
#[must_use]
pub fn delay(layer: &Layer, k: u32) -> (Duration, Duration) {
    let Range { lo, hi } = backoff(layer).interval(k, spread(layer.jitter));
    (lo, hi)
}

/// The longest time between two tries, a hint included; `None` where a hint has no bound.
#[must_use]
pub fn gap(layer: &Layer, k: u32) -> Option<Duration> {
    retry(layer).gap(k).1
}

/// The sum of the longest waits, hints left out; `None` for endlessly many.
#[must_use]
pub fn delay_total(layer: &Layer) -> Option<Duration> {
    let waits = layer.waits()?;
    Some(backoff(layer).total(waits, spread(layer.jitter)).hi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::model::Condition;
    use proptest::prelude::*;
    use retry_planner::Factor;

    fn layer(attempts: u32, jitter: Jitter) -> Layer {
        Layer {
            attempts: Attempts::Count(attempts),
            base_delay: Duration::from_millis(100),
            max_delay: Some(Duration::from_secs(1)),
            per_try_timeout: Some(Duration::from_secs(1)),
            jitter,
            ..Layer::new("x")
        }
    }

    #[test]
    fn a_decimal_factor_does_not_drift() {
        let layer = Layer {
            multiplier: Factor { digits: 11, scale: 1 },
            max_delay: None,
            ..layer(9, Jitter::None)
        };
        assert_eq!(delay(&layer, 3).1, Duration::from_millis(121));
        assert_eq!(delay(&layer, 7).1, Duration::from_nanos(177_156_100));
    }

    #[test]
    fn a_wait_never_passes_the_cap_but_for_plus_minus() {
        for jitter in [Jitter::None, Jitter::Full, Jitter::Equal, Jitter::Decorrelated] {
            assert_eq!(delay(&layer(99, jitter), 98).1, Duration::from_secs(1));
        }
        let fifth = Jitter::PlusMinus(Factor { digits: 2, scale: 1 });
        let ms = |lo, hi| (Duration::from_millis(lo), Duration::from_millis(hi));
        // gRPC's A6: 0.1 s doubling to at most 1 s, each drawn from a fifth below to a fifth above.
        let waits = [
            ms(80, 120),
            ms(160, 240),
            ms(320, 480),
            ms(640, 960),
            ms(800, 1200),
        ];
        for (k, wait) in (1..).zip(waits) {
            assert_eq!(delay(&layer(99, fifth), k), wait);
        }
        assert_eq!(delay_total(&layer(6, fifth)), Some(Duration::from_secs(3)));
    }

    #[test]
    fn fixed_waits_of_a_second_let_five_tries_start_in_five_seconds() {
        let layer = Layer {
            base_delay: Duration::from_secs(1),
            deadline: Some(Duration::from_secs(5)),
            ..layer(100, Jitter::None)
        };
        assert_eq!(bounds(&layer).calls, Some(5));
    }

    #[test]
    fn unlimited_tries_are_bounded_by_a_deadline_and_a_least_wait() {
        let unlimited = |jitter| Layer {
            attempts: Attempts::Unlimited,
            deadline: Some(Duration::from_secs(1)),
            ..layer(1, jitter)
        };
        assert_eq!(bounds(&unlimited(Jitter::None)).calls, Some(4));
        assert_eq!(bounds(&unlimited(Jitter::Full)).calls, None);
        assert_eq!(
            bounds(&unlimited(Jitter::None)).worst,
            Some(Duration::from_secs(1))
        );
    }

    #[test]
    fn a_hint_holds_a_retry_as_long_as_it_may() {
        let heard = |most| Layer {
            retry_on: vec![Condition::Status(503)],
            respect_retry_after: true,
            max_retry_after: most,
            ..layer(3, Jitter::None)
        };
        // Two waits of 100 and 200 ms, each replaced where a hint may be longer.
        let worst = |most| bounds(&heard(Some(Duration::from_millis(most)))).worst;
        assert_eq!(worst(50), Some(Duration::from_millis(3300)));
        assert_eq!(worst(150), Some(Duration::from_millis(3350)));
        assert_eq!(worst(9000), Some(Duration::from_secs(21)));
        assert_eq!(bounds(&heard(None)).worst, None);
    }

    #[test]
    fn copies_of_a_try_start_one_after_another_and_all_count() {
        let layer = Layer {
            hedge: Some(crate::chain::model::Hedge {
                after: Duration::from_millis(400),
                copies: 3,
            }),
            ..layer(2, Jitter::None)
        };
        let expected = Bounds {
            worst: Some(Duration::from_millis(2 * 1800 + 100)),
            calls: Some(6),
        };
        assert_eq!(bounds(&layer), expected);
    }

    #[test]
    fn figures_beyond_the_range_stop_at_its_end() {
        let layer = Layer {
            base_delay: Duration::MAX,
            max_delay: None,
            ..layer(u32::MAX, Jitter::None)
        };
        assert_eq!(bounds(&layer).worst, Some(Duration::MAX));
    }

    proptest! {
        #[test]
        fn the_worst_case_is_every_try_and_every_wait_cut_at_the_deadline(
            attempts in 1u32..30, base in 0u64..5_000, digits in 10u64..40, cap in prop::option::of(5_000u64..90_000),
            per_try in 1u64..3_000, deadline in prop::option::of(1u64..90_000), kind in 0usize..4,
        ) {
            let layer = Layer {
                base_delay: Duration::from_millis(base),
                multiplier: Factor { digits, scale: 1 },
                max_delay: cap.map(Duration::from_millis),
                per_try_timeout: Some(Duration::from_millis(per_try)),
                deadline: deadline.map(Duration::from_millis),
                ..layer(attempts, [Jitter::None, Jitter::Full, Jitter::Equal, Jitter::Decorrelated][kind])
            };
            let waits: Duration = (1..attempts).map(|k| delay(&layer, k).1).sum();
            prop_assert_eq!(delay_total(&layer), Some(waits));
            let uncut = waits + Duration::from_millis(per_try) * attempts;
            prop_assert_eq!(bounds(&layer).worst, Some(layer.deadline.map_or(uncut, |limit| uncut.min(limit))));
        }

        #[test]
        fn as_many_tries_start_as_walking_shows(
            attempts in 1u32..60, base in 0u64..500, digits in 10u64..40, cap in 500u64..900, deadline in 1u64..9_000,
            equal in any::<bool>(),
        ) {
            let layer = Layer {
                base_delay: Duration::from_millis(base),
                multiplier: Factor { digits, scale: 1 },
                max_delay: Some(Duration::from_millis(cap)),
                deadline: Some(Duration::from_millis(deadline)),
                ..layer(attempts, if equal { Jitter::Equal } else { Jitter::None })
            };
            let (mut start, mut tries) = (Duration::ZERO, 1);
            while tries < attempts && start + delay(&layer, tries).0 < layer.deadline.unwrap() {
                start += delay(&layer, tries).0;
                tries += 1;
            }
            prop_assert_eq!(bounds(&layer).calls, Some(u64::from(tries)));
        }
    }
}
