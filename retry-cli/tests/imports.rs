//! Targets' configurations through the real binary.

mod support;

use serde_json::Value;
use support::{run, sample};

/// Incidents of importers: the file's verdict, the target, the text and what has to be found.
const IMPORTED: [(&str, &str, &str, &str, &str); 9] = [
    (
        "grpc-go-6811",
        "reject",
        "grpc",
        r#"{"methodConfig":[{"name":[{"service":"s"}],"timeout":"2s","retryPolicy":{"maxAttempts":5,
        "initialBackoff":"0.1s","maxBackoff":"1s","backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE","DEADLINE_EXCEEDED"]}}]}"#,
        "UNREACHABLE_RETRY",
    ),
    (
        "grpc-35060",
        "warn",
        "grpc",
        r#"{"methodConfig":[{"name":[{"service":"s"}],"retryPolicy":{"maxAttempts":5,
        "initialBackoff":"0.1s","maxBackoff":"60s","backoffMultiplier":10,"retryableStatusCodes":["UNAVAILABLE"]}}]}"#,
        "NO_TIMEOUT",
    ),
    (
        "gapic-545",
        "warn",
        "grpc",
        r#"{"methodConfig":[{"name":[{"service":"s"}],"retryPolicy":{"maxAttempts":8,
        "initialBackoff":"0.25s","maxBackoff":"2s","backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE"]}}]}"#,
        "CLAMPED",
    ),
    (
        "istio-13167",
        "warn",
        "istio",
        "spec: {http: [{retries: {attempts: 1, perTryTimeout: 200ms, retryOn: 5xx}}]}",
        "VERSION_DEPENDENT",
    ),
    (
        "istio-39097",
        "warn",
        "istio",
        "spec: {http: [{timeout: 3s, retries: {attempts: 3, perTryTimeout: 1s, retryOn: 'gateway-error,5xx'}}]}",
        "LAST_TRY_UNREACHABLE",
    ),
    (
        "istio-21137",
        "reject",
        "istio",
        "spec: {http: [{timeout: 2s, retries: {attempts: 3}}]}",
        "NO_PER_TRY_TIMEOUT",
    ),
    (
        "istio-55748",
        "reject",
        "istio",
        "spec: {http: [{retries: {attempts: 3, perTryTimeout: 2s, retryOn: '503'}}]}",
        "TIMEOUT_NOT_RETRIED",
    ),
    (
        "istio-17613",
        "reject",
        "istio",
        "spec: {http: [{retries: {attempts: 3, perTryTimeout: 1s, retryOn: 'connect-failure,refused-stream,unavailable,cancelled'}}]}",
        "TIMEOUT_NOT_RETRIED",
    ),
    (
        "istio-20928",
        "warn",
        "istio",
        "spec: {http: [{fault: {delay: {fixedDelay: 2s}}, retries: {attempts: 10, perTryTimeout: 1s, retryOn: 5xx}}]}",
        "IGNORED_BY_TARGET",
    ),
];

#[test]
fn incidents_of_importers_have_the_verdict_of_the_file() {
    let incidents: Value = serde_json::from_str(include_str!("data/incidents.json")).unwrap();
    for (id, verdict, target, text, code) in IMPORTED {
        let incident = incidents["incidents"]
            .as_array()
            .unwrap()
            .iter()
            .find(|incident| incident["id"] == id)
            .unwrap();
        assert_eq!(incident["verdict"], verdict);
        let ran = run(&["import", target, "-"], text.as_bytes());
        assert_eq!(ran.exit, i32::from(verdict == "reject"), "{id}: {}", ran.err);
        assert!(ran.err.contains(&format!("[{code}]")), "{id}: {}", ran.err);
        let judged = run(&["chain", "-", "--json"], ran.out.as_bytes());
        assert_ne!(judged.exit, 2, "{id}: {}", judged.err);
    }
}

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
