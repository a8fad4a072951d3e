//! Real incidents, as chains and as the configurations that caused them, have the verdict that hindsight gives.

mod support;

use serde_json::{Value, json};
use support::run;

fn incident(id: &str) -> Value {
    let all: Value =
        serde_json::from_str(include_str!("../../retry-planner/tests/data/incidents.json")).unwrap();
    let found = all["incidents"]
        .as_array()
        .unwrap()
        .iter()
        .find(|incident| incident["id"] == id);
    found.expect("it is in the file").clone()
}

fn hop(name: &str, attempts: u32, per_try: u64, deadline: Option<u64>) -> Value {
    json!({ "name": name, "attempts": attempts, "per_try_timeout_ms": per_try, "deadline_ms": deadline })
}

fn product(attempts: &[u32]) -> Value {
    attempts
        .iter()
        .map(|attempts| hop("hop", *attempts, 1000, None))
        .collect()
}

/// Each with its chain and what has to be found in it; nothing where it has to pass.
fn chains() -> Vec<(&'static str, Value, &'static str)> {
    let outlives = "INNER_OUTLIVES_CALLER";
    vec![
        (
            "scn-1779",
            json!([hop("hystrix", 1, 1000, None), hop("ribbon", 2, 5000, None)]),
            outlives,
        ),
        (
            "scn-2987",
            json!([hop("hystrix", 1, 20_000, None), hop("ribbon", 2, 20_000, None)]),
            outlives,
        ),
        (
            "lambda-sdk-120",
            json!([
                hop("apigw", 1, 29_000, None),
                hop("lambda", 1, 30_000, None),
                hop("dynamodb sdk", 11, 120_000, None)
            ]),
            outlives,
        ),
        (
            "tachyon-92",
            json!([hop("apigw", 1, 29_000, None), hop("lambda", 1, 60_000, None)]),
            outlives,
        ),
        ("nanobot-2760", product(&[4, 3]), "AMPLIFICATION"),
        ("code-puppy-317", product(&[3, 3, 5]), "AMPLIFICATION"),
        ("codestream-1914", product(&[3, 3, 3]), "AMPLIFICATION"),
        (
            "polly-512",
            json!([{ "attempts": 4, "base_delay_ms": 2000, "deadline_ms": 3000, "retry_on": [503, 504, "timeout"] }]),
            "NO_PER_TRY_TIMEOUT",
        ),
        (
            "polly-711",
            json!([{ "attempts": 6, "deadline_ms": 400, "retry_on": ["5xx", 408, "timeout"] }]),
            "HOT_LOOP",
        ),
        (
            "dynamodb-2015",
            json!([{ "attempts": "unlimited", "per_try_timeout_ms": 100 }]),
            "HOT_LOOP",
        ),
        (
            "gcp-2025-06-12",
            json!([{ "attempts": "unlimited", "per_try_timeout_ms": 100 }]),
            "HOT_LOOP",
        ),
        (
            "netgear-2003",
            json!([{ "attempts": "unlimited", "base_delay_ms": 1000, "multiplier": 1 }]),
            "NO_JITTER",
        ),
        (
            "seatbelt-hint",
            json!([{ "attempts": 4, "base_delay_ms": 10, "max_delay_ms": 1000, "jitter": "full", "retry_on": [503],
                "respect_retry_after": true }]),
            "NO_DEADLINE",
        ),
        (
            "twilio-2013",
            json!([{ "attempts": "unlimited", "base_delay_ms": 100, "per_try_timeout_ms": 100, "idempotent": false }]),
            "RETRY_UNSAFE",
        ),
        (
            "aspire-4631",
            json!([{ "attempts": 4, "per_try_timeout_ms": 10_000, "idempotent": false }]),
            "RETRY_UNSAFE",
        ),
        (
            "hedgedhttp-61",
            json!([{ "per_try_timeout_ms": 1000, "idempotent": false, "hedge": { "after_ms": 10, "copies": 2 } }]),
            "RETRY_UNSAFE",
        ),
        (
            "cosmos-5746",
            json!([{ "attempts": 9, "per_try_timeout_ms": 1000, "idempotent": false, "hedge": { "after_ms": 10, "copies": 2 } }]),
            "AMPLIFICATION",
        ),
        (
            "ok-envoy",
            json!([{ "attempts": 3, "base_delay_ms": 25, "max_delay_ms": 250, "jitter": "full", "per_try_timeout_ms": 250,
                "deadline_ms": 1000, "budget": { "ratio": 0.2, "burst": 3 } }]),
            "",
        ),
        (
            "ok-smithy",
            json!([{ "attempts": 3, "base_delay_ms": 1000, "max_delay_ms": 20_000, "jitter": "full",
                "per_try_timeout_ms": 6200, "deadline_ms": 21_600 }]),
            "",
        ),
    ]
}

#[test]
fn incidents_of_chains_are_refused_for_their_reason_and_good_ones_pass() {
    let chains = chains();
    for (id, layers, code) in &chains {
        let verdict = incident(id)["verdict"].as_str().unwrap().to_owned();
        let ran = run(
            &["chain", "-", "--json"],
            json!({ "layers": layers }).to_string().as_bytes(),
        );
        assert_eq!(
            ran.exit,
            i32::from(verdict == "reject"),
            "{id}: {}{}",
            ran.out,
            ran.err
        );
        assert!(ran.out.contains(code), "{id} lacks {code}: {}", ran.out);
        if verdict == "accept" {
            assert!(!ran.out.contains("\"severity\""), "{id}: {}", ran.out);
        }
    }
    let all: Value =
        serde_json::from_str(include_str!("../../retry-planner/tests/data/incidents.json")).unwrap();
    let told = |id: &Value| chains.iter().any(|(known, ..)| id == known);
    for incident in all["incidents"].as_array().unwrap() {
        assert!(
            incident["checkable"] != "chain-cli" || told(&incident["id"]),
            "{} is missing",
            incident["id"]
        );
    }
}

#[test]
fn a_cap_below_the_first_wait_is_no_input() {
    assert_eq!(incident("tryhard-24")["verdict"], "reject");
    let ran = run(
        &["chain", "-"],
        br#"{"layers":[{"attempts":101,"base_delay_ms":1000,"max_delay_ms":10}]}"#,
    );
    assert_eq!(ran.exit, 2);
    assert!(ran.err.contains("layers[0].max_delay_ms"), "{}", ran.err);
}

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
    for (id, verdict, target, text, code) in IMPORTED {
        assert_eq!(incident(id)["verdict"], verdict);
        let ran = run(&["import", target, "-"], text.as_bytes());
        assert_eq!(ran.exit, i32::from(verdict == "reject"), "{id}: {}", ran.err);
        assert!(ran.err.contains(&format!("[{code}]")), "{id}: {}", ran.err);
        let judged = run(&["chain", "-", "--json"], ran.out.as_bytes());
        assert_ne!(judged.exit, 2, "{id}: {}", judged.err);
    }
}
