//! Whatever a text holds: a result or a fault, never a panic. The fuzz targets in `fuzz/` run the same checks for longer.

#[path = "../fuzz/checks.rs"]
mod checks;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use retry_cli::import::TARGETS;

const CHAIN: &str = r#"{"name":"n","failure_rate":0.2,"layers":[{"name":"x","attempts":3,"base_delay_ms":100,"multiplier":1.5,"max_delay_ms":1000,"jitter":"plus_minus(0.2)","per_try_timeout_ms":400,"deadline_ms":2000,"retry_on":[503,"timeout"],"idempotent":false,"hedge":{"after_ms":5,"copies":2},"budget":{"ratio":0.1}},{}]}"#;

const POLICIES: &str = "struct A { deadline(2s) { retry(attempts = 3, backoff = exponential(100ms, factor = 2, max = 1s), jitter = full, budget = PAY) { attempt(500ms) } } } \
     struct B { timeout(9s) { parallel { a: hedge(after = 5ms, copies = 2) { attempt(1s) }, b: call(A), c: race { d: attempt(1ms), e: attempt(2ms) } } } } \
     allowance(PAY = 2) { fallback { a: attempt(takes = 1ms..=5ms), b: attempt(1ms) } }";

const SOURCE: &str = "retry_policy! { pub struct Charge { deadline(1s) { retry(attempts = 3) { attempt(500ms) } } } }\n\
     #[retry(attempts = 2, attempt = LIMIT, deadline = 2s)]\nasync fn pay(&self) -> Result<(), E> { x }\n\
     let page = retry_policy!(attempts = 3, attempt = 5ms, async |cx| get(cx).await).await?;";

/// A sample with pieces cut out, doubled and put elsewhere, so that most texts are nearly right.
fn mutated(sample: &'static str) -> impl Strategy<Value = String> {
    let pieces = vec![
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
        "(",
        ")",
        ",",
        ":",
        "=",
        "..",
        "\n",
        " ",
        "ä",
        "\u{0}",
        "\u{1b}[31m",
        "NaN",
        "unlimited",
        "1ns",
        "call(A)",
    ];
    let edit = (any::<Index>(), 0usize..12, select(pieces));
    prop::collection::vec(edit, 0..4).prop_map(move |edits| {
        let mut chars: Vec<char> = sample.chars().collect();
        for (at, cut, put) in edits {
            let at = at.index(chars.len().max(1)).min(chars.len());
            let end = (at + cut).min(chars.len());
            chars.splice(at..end, put.chars());
        }
        chars.into_iter().collect()
    })
}

fn sample(target: &str) -> &'static str {
    match target {
        "aws" => include_str!("data/samples/aws.ini"),
        "envoy" => include_str!("data/samples/envoy.yaml"),
        "grpc" => include_str!("data/samples/grpc.json"),
        "istio" => include_str!("data/samples/istio.yaml"),
        _ => include_str!("data/samples/temporal.json"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn no_chain_breaks_the_reader(text in mutated(CHAIN)) {
        checks::chain(&text);
    }

    #[test]
    fn no_policy_breaks_the_planner(text in mutated(POLICIES)) {
        checks::policies(&text);
    }

    #[test]
    fn no_source_breaks_the_scan(text in mutated(SOURCE)) {
        checks::source(&text);
    }

    #[test]
    fn no_configuration_breaks_an_importer(
        (target, text) in select(TARGETS.to_vec()).prop_flat_map(|target| (Just(target), mutated(sample(target)))),
        other in select(TARGETS.to_vec()),
    ) {
        checks::import(target, &text);
        checks::import(other, &text);
    }
}

/// Where fuzzing starts from, and what it found.
#[test]
fn the_seeds_pass() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds");
    let mut read = 0;
    for (folder, check) in [
        ("chain", &checks::chain as &dyn Fn(&str)),
        ("plan", &checks::policies),
        ("scan", &checks::source),
        ("import_grpc", &|text| checks::import("grpc", text)),
        ("import_envoy", &|text| checks::import("envoy", text)),
        ("import_istio", &|text| checks::import("istio", text)),
        ("import_temporal", &|text| checks::import("temporal", text)),
        ("import_aws", &|text| checks::import("aws", text)),
    ] {
        for entry in std::fs::read_dir(format!("{seeds}/{folder}")).expect("each target has seeds") {
            if let Ok(text) = std::fs::read_to_string(entry.expect("it can be listed").path()) {
                check(&text);
                read += 1;
            }
        }
    }
    assert!(read >= 100, "only {read} texts");
}
