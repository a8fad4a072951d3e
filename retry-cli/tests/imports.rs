//! Targets' configurations through the real binary.

mod support;

use serde_json::Value;
use support::{run, sample};

#[test]
fn the_samples_become_one_chain() {
    let files = [
        "istio.yaml",
        "envoy.yaml",
        "grpc.json",
        "temporal.json",
        "aws.ini",
    ]
    .map(sample);
    let targets = ["istio", "envoy", "grpc", "temporal", "aws"];
    let mut arguments = vec!["import"];
    for (target, file) in targets.iter().zip(&files) {
        arguments.extend([target, file.as_str()]);
    }
    let ran = run(&arguments, b"");
    assert_eq!(ran.exit, 0, "{}", ran.err);
    insta::assert_snapshot!("import_samples", ran.out);
    let chain: Value = serde_json::from_str(&ran.out).unwrap();
    // Istio counts retries: `attempts: 2` is three requests.
    assert_eq!(chain["layers"][0]["attempts"], 3);
}

#[test]
fn a_pushback_of_grpc_may_last_as_long_as_the_call() {
    let ran = run(&["import", "grpc", &sample("grpc.json")], b"");
    let judged = run(&["chain", "-", "--json"], ran.out.as_bytes());
    let report: Value = serde_json::from_str(&judged.out).unwrap();
    assert_eq!(report["layers"][0]["worst_case_ms"], 1200);
    let endless = ran
        .out
        .replace("\"deadline_ms\": 1200,", "\"per_try_timeout_ms\": 100,");
    let report: Value =
        serde_json::from_str(&run(&["chain", "-", "--json"], endless.as_bytes()).out).unwrap();
    assert_eq!(report["layers"][0]["worst_case_ms"], Value::Null);
}

/// What the targets fill in or change, each as its layer shows it.
#[test]
fn every_hidden_default_is_made_visible() {
    let layer = |target: &str, text: &str| -> (Value, String) {
        let ran = run(&["import", target, "-"], text.as_bytes());
        let chain: Value = serde_json::from_str(&ran.out).expect("a chain file");
        (chain["layers"][0].clone(), ran.err)
    };
    let assumed = |layer: &Value, key: &str| {
        layer["assumed"]
            .as_array()
            .is_some_and(|keys| keys.iter().any(|one| one == key))
    };

    // Istio: `attempts` are further ones; without `retries` there are two.
    let (istio, _) = layer(
        "istio",
        "spec: {http: [{retries: {attempts: 2, perTryTimeout: 1s, retryOn: 5xx}}]}",
    );
    assert_eq!(istio["attempts"], 3);
    let (istio, _) = layer("istio", "spec: {http: [{}]}");
    assert_eq!(istio["attempts"], 3);
    assert!(assumed(&istio, "attempts") && assumed(&istio, "retry_on"));

    // Envoy: 15 s for the route, waits from 25 ms up to ten times that.
    let (envoy, told) = layer(
        "envoy",
        "route: {retry_policy: {retry_on: 503, per_try_timeout: 1s}}",
    );
    assert_eq!(envoy["deadline_ms"], 15_000);
    assert_eq!(
        (&envoy["base_delay_ms"], &envoy["max_delay_ms"]),
        (&Value::from(25), &Value::from(250))
    );
    assert!(
        [
            "deadline_ms",
            "attempts",
            "base_delay_ms",
            "max_delay_ms",
            "jitter"
        ]
        .iter()
        .all(|key| assumed(&envoy, key))
    );
    assert!(told.contains("TIMEOUT_NOT_RETRIED"), "{told}");
    let (envoy, told) = layer(
        "envoy",
        "route: {timeout: 1s, retry_policy: {retry_on: 5xx, per_try_timeout: 2s}}",
    );
    assert_eq!(envoy["per_try_timeout_ms"], Value::Null);
    assert!(told.contains("IGNORED_BY_TARGET"), "{told}");

    // gRPC: at most five attempts, waits of a fifth more or less, one timeout for all, throttling.
    let (grpc, told) = layer(
        "grpc",
        r#"{"methodConfig":[{"name":[{"service":"s"}],"timeout":"2s","retryPolicy":{"maxAttempts":9,"initialBackoff":"0.1s",
        "maxBackoff":"1s","backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE"]}}],"retryThrottling":{"maxTokens":10,"tokenRatio":0.5}}"#,
    );
    assert_eq!(
        (&grpc["attempts"], &grpc["deadline_ms"]),
        (&Value::from(5), &Value::from(2000))
    );
    assert_eq!(grpc["jitter"], "plus_minus(0.2)");
    assert_eq!(grpc["budget"], serde_json::json!({ "ratio": 0.5, "burst": 5 }));
    assert!(assumed(&grpc, "jitter") && told.contains("CLAMPED"), "{told}");

    // Temporal: zero is without end, and the waits end at a hundred times the first.
    let (temporal, _) = layer(
        "temporal",
        r#"{"startToCloseTimeout":"5s","retryPolicy":{"maximumAttempts":0,"initialInterval":"2s"}}"#,
    );
    assert_eq!(
        (&temporal["attempts"], &temporal["max_delay_ms"]),
        (&Value::from("unlimited"), &Value::from(200_000))
    );
    assert!(assumed(&temporal, "max_delay_ms"));

    // AWS: three attempts in standard mode, five in legacy; full jitter up to 20 s, and a quota.
    let (aws, _) = layer("aws", "[default]\nretry_mode = standard\n");
    assert_eq!(
        (&aws["attempts"], &aws["max_delay_ms"], &aws["jitter"]),
        (&3.into(), &20_000.into(), &"full".into())
    );
    assert_eq!(aws["budget"], serde_json::json!({ "ratio": 0.2, "burst": 100 }));
    assert!(
        ["attempts", "base_delay_ms", "max_delay_ms", "jitter", "budget"]
            .iter()
            .all(|key| assumed(&aws, key))
    );
    let (aws, _) = layer("aws", "[profile old]\nretry_mode = legacy\n");
    assert_eq!((&aws["attempts"], &aws["budget"]), (&5.into(), &Value::Null));
}
