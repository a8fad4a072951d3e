//! One arithmetic for chains and policies: a layer's bounds are those that the planner gives the same policy.

use std::time::Duration;

use proptest::prelude::*;
use retry_cli::chain::bounds::{Hint as ChainHint, bounds, delay, delay_total};
use retry_cli::chain::model::{Attempts, Hedge as ChainHedge, Jitter, Layer};
use retry_planner::{
    Attempt, Attempts as Planned, Backoff, Count, Factor, Hedge, Hint, Jitter as Spread, Kind, Levels, Node,
    Plan, Policy, Range, Retry,
};

fn backoff(layer: &Layer) -> Backoff<'static> {
    let (base, max) = (Range::exact(layer.base_delay), layer.max_delay.map(Range::exact));
    match layer.jitter {
        Jitter::Decorrelated => Backoff::Decorrelated { base, max },
        _ => Backoff::Exponential {
            base,
            factor: layer.multiplier,
            max,
        },
    }
}

fn jitter(layer: &Layer) -> Spread {
    match layer.jitter {
        Jitter::Full => Spread::Full,
        Jitter::Equal => Spread::Equal,
        _ => Spread::None,
    }
}

/// `deadline { retry { hedge { attempt } } }`, without what the layer hasn't.
fn plan(layer: &Layer, hint: ChainHint) -> (Option<Duration>, Option<u64>) {
    let mut kinds = Vec::new();
    kinds.extend(layer.deadline.map(|limit| Kind::Deadline(Range::exact(limit))));
    let attempts = match layer.attempts {
        Attempts::Count(count) => Planned::UpTo(Count::exact(count)),
        Attempts::Unlimited => Planned::Unlimited,
    };
    kinds.push(Kind::Retry(Retry {
        attempts,
        backoff: backoff(layer),
        jitter: Some(jitter(layer)),
        budget: None,
        when: true,
        until: false,
        stop_on_timeout: false,
        hint: match hint {
            ChainHint::None => None,
            ChainHint::AtMost(most) => Some(Hint {
                max: Some(Range::exact(most)),
            }),
            ChainHint::Anything => Some(Hint { max: None }),
        },
    }));
    kinds.extend(layer.hedge.map(|hedge| {
        Kind::Hedge(Hedge {
            after: Range::exact(hedge.after),
            copies: Count::exact(hedge.copies),
            budget: None,
        })
    }));
    kinds.push(Kind::Attempt(Attempt {
        bound: layer.per_try_timeout.map(Range::exact),
        takes: None,
        idempotent: true,
        key: false,
    }));
    let size = kinds.len();
    let nodes: Vec<Node<'_>> = kinds
        .into_iter()
        .enumerate()
        .map(|(index, kind)| Node {
            name: "",
            size: size - index,
            levels: Levels::DEFAULT,
            kind,
        })
        .collect();
    let plan = Plan::of(&Policy {
        name: "layer",
        nodes: &nodes,
    });
    (plan.worst(), plan.calls())
}

fn layer() -> impl Strategy<Value = (Layer, ChainHint)> {
    let times = (
        0u64..400,
        0u64..4_000,
        prop::option::of(1u64..900),
        prop::option::of(1u64..9_000),
    );
    let counts = (
        1u32..30,
        10u64..35,
        0usize..4,
        prop::option::of((1u64..500, 2u32..4)),
    );
    let hint = prop_oneof![
        3 => Just(ChainHint::None),
        1 => (0u64..3_000).prop_map(|most| ChainHint::AtMost(Duration::from_millis(most))),
        1 => Just(ChainHint::Anything),
    ];
    (times, counts, any::<bool>(), hint).prop_map(
        |((base, room, per_try, deadline), (count, digits, kind, hedge), capped, hint)| {
            let layer = Layer {
                attempts: Attempts::Count(count),
                base_delay: Duration::from_millis(base),
                multiplier: Factor { digits, scale: 1 },
                max_delay: capped.then(|| Duration::from_millis(base + room)),
                jitter: [Jitter::None, Jitter::Full, Jitter::Equal, Jitter::Decorrelated][kind],
                per_try_timeout: per_try.map(Duration::from_millis),
                deadline: deadline.map(Duration::from_millis),
                hedge: hedge.map(|(after, copies)| ChainHedge {
                    after: Duration::from_millis(after),
                    copies,
                }),
                ..Layer::new("layer")
            };
            (layer, if count > 1 { hint } else { ChainHint::None })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn waits_are_the_planners((layer, _) in layer(), k in 1u32..40) {
        let planned = backoff(&layer).interval(k, jitter(&layer));
        prop_assert_eq!(delay(&layer, u64::from(k)), (planned.lo, planned.hi));
        let Attempts::Count(count) = layer.attempts else { unreachable!() };
        prop_assert_eq!(delay_total(&layer), Some(backoff(&layer).total(count - 1, jitter(&layer)).hi));
    }

    #[test]
    fn worst_cases_are_the_planners((layer, hint) in layer()) {
        let ours = bounds(&layer, hint);
        let (worst, _) = plan(&layer, hint);
        prop_assert_eq!(ours.worst, worst, "{:?} {:?}", layer, hint);
    }

    #[test]
    fn calls_are_the_planners_without_a_hedge((layer, hint) in layer()) {
        let layer = Layer { hedge: None, ..layer };
        let (_, calls) = plan(&layer, hint);
        prop_assert_eq!(bounds(&layer, hint).calls, calls, "{:?}", layer);
    }
}
