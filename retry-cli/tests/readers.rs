//! Whatever a text holds: a result or a fault, never a panic. The fuzz targets in `fuzz/` go further.

use proptest::prelude::*;
use retry_cli::chain::{Judged, fix, input, write};
use retry_cli::fault::Faults;
use retry_cli::import::{TARGETS, layers};

/// The samples with pieces cut out, doubled and put elsewhere, so that most texts are nearly right.
fn mutated() -> impl Strategy<Value = String> {
    let samples = vec![
        include_str!("data/samples/aws.ini"),
        include_str!("data/samples/envoy.yaml"),
        include_str!("data/samples/grpc.json"),
        include_str!("data/samples/istio.yaml"),
        include_str!("data/samples/temporal.json"),
        r#"{"name":"n","failure_rate":0.2,"layers":[{"name":"x","attempts":3,"base_delay_ms":100,"multiplier":1.5,"max_delay_ms":1000,"jitter":"plus_minus(0.2)","per_try_timeout_ms":400,"deadline_ms":2000,"retry_on":[503,"timeout"],"idempotent":false,"hedge":{"after_ms":5,"copies":2},"budget":{"ratio":0.1}}]}"#,
    ];
    let edit = (
        any::<prop::sample::Index>(),
        0usize..12,
        prop::sample::select(vec![
            "",
            "0",
            "9999999999",
            "-1",
            "1e308",
            "null",
            "true",
            "\"",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\n",
            " ",
            "ä",
            "\u{0}",
            "NaN",
        ]),
    );
    (prop::sample::select(samples), prop::collection::vec(edit, 0..4)).prop_map(|(sample, edits)| {
        let mut chars: Vec<char> = sample.chars().collect();
        for (at, cut, put) in edits {
            let at = at.index(chars.len().max(1)).min(chars.len());
            let end = (at + cut).min(chars.len());
            chars.splice(at..end, put.chars());
        }
        chars.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn no_text_breaks_a_reader(text in mutated()) {
        for target in TARGETS {
            let faults = Faults::default();
            match layers(target, &text, &faults) {
                Some(_) => prop_assert!(faults.is_empty()),
                None => prop_assert!(!faults.render("text", &text).is_empty(), "{target} says nothing of {text}"),
            }
        }
        let faults = Faults::default();
        match input::read(&text, &faults) {
            Some(chain) => {
                let again = input::read(&write::text(&chain), &faults);
                prop_assert_eq!(again.as_ref().map(|chain| &chain.layers), Some(&chain.layers));
                let judged = Judged::new(chain);
                if let Some(fix) = fix::propose(&judged) {
                    prop_assert!(fix.after.high() == 0, "{}", write::text(&fix.after.chain));
                }
            }
            None => prop_assert!(!faults.is_empty()),
        }
    }
}
