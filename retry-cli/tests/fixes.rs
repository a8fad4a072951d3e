//! What `--fix` prints passes, and changes nothing that needn't be.

mod support;

use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;
use retry_cli::chain::fix::propose;
use retry_cli::chain::model::{Attempts, Budget, Chain, Condition, Hedge, Jitter, Layer};
use retry_cli::chain::{Judged, input, write};
use retry_cli::fault::Faults;
use support::{cases, run};

#[test]
fn a_fixed_case_passes_when_it_is_judged_again() {
    for case in cases() {
        if case["expect"]["exit"] == 2 {
            continue;
        }
        let fixed = run(&["chain", "-", "--fix"], case["chain"].to_string().as_bytes());
        let again = run(&["chain", "-", "--json"], fixed.out.as_bytes());
        assert_eq!(again.exit, 0, "{}: {}{}", case["name"], fixed.out, again.out);
    }
}

fn time(most: u64) -> impl Strategy<Value = Duration> {
    (0..=most).prop_map(Duration::from_millis)
}

fn limit(most: u64) -> impl Strategy<Value = Option<Duration>> {
    prop::option::of((1..=most).prop_map(Duration::from_millis))
}

fn layer() -> impl Strategy<Value = Layer> {
    let waits = (
        prop_oneof![9 => (1u32..9).prop_map(Attempts::Count), 1 => Just(Attempts::Unlimited)],
        time(400),
        10u64..30,
        prop::option::of(time(5_000)),
        select(vec![
            Jitter::None,
            Jitter::Full,
            Jitter::Equal,
            Jitter::Decorrelated,
        ]),
    );
    let limits = (
        limit(5_000),
        limit(20_000),
        time(100),
        prop::option::of(time(3_000)),
    );
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let conditions = prop::collection::vec(
        select(vec![
            Condition::Status(404),
            Condition::Status(429),
            Condition::Status(503),
            Condition::Word("timeout".to_owned()),
        ]),
        0..3,
    );
    let more = (
        conditions,
        prop::option::of((time(300), 1u32..4)),
        prop::option::of(0.0..1.0f64),
    );
    (waits, limits, flags, more).prop_map(|(waits, limits, flags, (retry_on, hedge, ratio))| Layer {
        attempts: waits.0,
        base_delay: waits.1,
        multiplier: retry_planner::Factor {
            digits: waits.2,
            scale: 1,
        },
        max_delay: waits.3.map(|cap| cap.max(waits.1)),
        jitter: waits.4,
        per_try_timeout: limits.0,
        deadline: limits.1,
        margin: limits.2,
        max_retry_after: limits.3,
        idempotent: flags.0,
        idempotency_key: flags.1,
        respect_retry_after: flags.2,
        retry_on,
        hedge: hedge.map(|(after, copies)| Hedge { after, copies }),
        budget: ratio.map(|ratio| Budget { ratio, burst: 3 }),
        ..Layer::new("x")
    })
}

fn chain() -> impl Strategy<Value = Chain> {
    (prop::collection::vec(layer(), 1..6), 1u32..30, 0.0..=1.0f64).prop_map(|(layers, limit, rate)| Chain {
        name: "any".to_owned(),
        failure_rate: rate,
        max_amplification: f64::from(limit),
        layers,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_chain_passes_once_it_is_fixed(chain in chain()) {
        let judged = Judged::new(chain);
        let Some(fix) = propose(&judged) else {
            prop_assert!(judged.findings.is_empty());
            return Ok(());
        };
        let text = write::text(&fix.after.chain);
        let again = input::read(&text, &Faults::default()).map(Judged::new);
        let again = again.expect("a chain file");
        prop_assert_eq!(&again.figures, &fix.after.figures, "the figures are not those of the text");
        prop_assert!(again.findings.is_empty(), "{:?} in {}\n{}", again.findings, write::text(&judged.chain), text);
        prop_assert!(propose(&again).is_none());
    }

    #[test]
    fn every_change_of_a_fix_is_needed(chain in chain()) {
        let judged = Judged::new(chain);
        let Some(fix) = propose(&judged) else { return Ok(()) };
        for change in &fix.changes {
            let mut chain = fix.after.chain.clone();
            let (now, before) = (&mut chain.layers[change.layer], &judged.chain.layers[change.layer]);
            match change.key {
                "attempts" => now.attempts = before.attempts,
                "hedge" => now.hedge = before.hedge,
                "base_delay_ms" => now.base_delay = before.base_delay,
                "max_delay_ms" => now.max_delay = before.max_delay,
                "jitter" => now.jitter = before.jitter,
                "per_try_timeout_ms" => now.per_try_timeout = before.per_try_timeout,
                "deadline_ms" => now.deadline = before.deadline,
                "retry_on" => now.retry_on.clone_from(&before.retry_on),
                "respect_retry_after" => now.respect_retry_after = before.respect_retry_after,
                _ => now.max_retry_after = before.max_retry_after,
            }
            // A cap below the first wait is no chain file, though nothing is found in it.
            let readable = now.max_delay.is_none_or(|cap| cap >= now.base_delay);
            prop_assert!(!readable || !Judged::new(chain).findings.is_empty(), "{:?}", change);
        }
    }
}
