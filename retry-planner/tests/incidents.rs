//! Real incidents, each written as a policy: what the planner says of it, against the verdict of `data/incidents.json`.
//!
//! A case marked checkable by a macro or by a chain is judged here as one tree; what chain files and importers add (many
//! files, foreign settings) is tested where they are. `reject` means that a macro denies the policy. `warn` in the file
//! is said of policies whose last attempts are cut, on purpose or not; here that is `cannot_fit`, denied by default and
//! accepted once `#[allow(cannot_fit)]` says that it's meant, so each such case is checked both ways. `accept` means
//! neither a denial nor a warning.

mod judge;

use std::collections::BTreeMap;

use judge::{judge, refused};
use retry_planner::Lint;
use serde_json::Value;

/// What the file's codes are called here; a case has to show one of the names of each of its codes.
const NAMES: &[(&str, &[Lint])] = &[
    // An inner limit no shorter than the enclosing one: it never fires, nothing inside can succeed in time, or not all.
    ("E01", &[Lint::NeverFires, Lint::Impossible, Lint::CannotFit]),
    ("E02", &[Lint::Unreachable]),
    // One timed-out attempt takes the whole deadline: it has no bound of its own, or one as long as the deadline.
    ("E03", &[Lint::NoAttemptTimeout, Lint::CannotFit]),
    ("W04", &[Lint::CannotFit]),
    ("E05", &[Lint::Unbounded]),
    // No delay; a delay that is there but tiny is left to the count, which is what makes it harmful.
    ("E06", &[Lint::HotLoop, Lint::Unbounded]),
    ("E07", &[Lint::NoJitter]),
    ("E10", &[Lint::Amplification]),
    ("E11", &[Lint::RetryUnsafe, Lint::HedgeUnsafe]),
    // A lease guards its work like any limit.
    ("E14", &[Lint::CannotFit]),
    ("E15", &[Lint::Unbounded]),
];

/// Codes that name a fault which can't be written here, and why.
const CANNOT_BE_WRITTEN: &[(&str, &str)] = &[
    (
        "E08",
        "delays are computed exactly and capped before a product can overflow",
    ),
    ("E09", "`max` below the base is refused by the language"),
    (
        "E22",
        "what a retry retries is code (`when`), and an outer limit's end passes no retry inside it",
    ),
];

/// The incidents as policies.
const POLICIES: &[(&str, &str)] = &[
    (
        "polly-512",
        "timeout(3s) { retry(attempts = 4, backoff = exponential(2s, factor = 2, max = 8s), jitter = none) { attempt } }",
    ),
    ("scn-1779", "timeout(1s) { retry(attempts = 2, backoff = none) { attempt(5s) } }"),
    ("scn-2987", "timeout(20s) { retry(attempts = 2, backoff = none) { attempt(20s) } }"),
    (
        "kafka-7705",
        "deadline(30s) { series {
            linger: attempt(takes = 1ms..=1ms),
            request: retry(attempts = ..=2147483647, backoff = fixed(100ms), jitter = none) { attempt(30s) },
        } }",
    ),
    (
        "librdkafka-3709",
        "deadline(5ms) { series { linger: attempt(takes = 100ms..=100ms), request: attempt(5ms) } }",
    ),
    (
        "neurolink-1630",
        "deadline(300ms) { retry(attempts = 3, backoff = fixed(10ms), jitter = none) { attempt(100ms) } }",
    ),
    (
        "sentry-223",
        "deadline(24h) { retry(attempts = 4, backoff = exponential(2s, factor = 2), jitter = none) { attempt(21598.5s) } }",
    ),
    (
        "lambda-sdk-120",
        "timeout(29s) { timeout(30s) {
            retry(attempts = 11, backoff = exponential(50ms, factor = 2, max = 20s)) { attempt(120s) }
        } }",
    ),
    ("tachyon-92", "timeout(29s) { timeout(60s) { attempt } }"),
    (
        // The lease is 10 s; renewing may take its 10 s too, and then stepping down comes too late.
        "clientgo-lease",
        "timeout(10s) { series {
            renew: attempt(takes = 0ms..=10s),
            step_down: attempt(takes = 1ms..=1s),
        } }",
    ),
    (
        "nanobot-2760",
        "retry(attempts = 4, backoff = exponential(1s, factor = 2, max = 8s)) {
            retry(attempts = 3, backoff = exponential(500ms, factor = 2, max = 8s)) { attempt(60s) }
        }",
    ),
    (
        "code-puppy-317",
        "retry(attempts = 3, backoff = exponential(1s, factor = 2, max = 8s)) {
            retry(attempts = 3, backoff = exponential(500ms, factor = 2, max = 8s)) {
                retry(attempts = 5, backoff = exponential(500ms, factor = 2, max = 8s)) { attempt(60s) }
            }
        }",
    ),
    (
        "codestream-1914",
        "retry(attempts = 3, backoff = exponential(1s, factor = 2, max = 8s)) {
            retry(attempts = 3, backoff = exponential(1s, factor = 2, max = 8s)) {
                retry(attempts = 3, backoff = exponential(1s, factor = 2, max = 8s)) { attempt(60s) }
            }
        }",
    ),
    ("netgear-2003", "retry(attempts = unlimited, backoff = fixed(1s)) { attempt(1s) }"),
    ("aiokafka-1014", "retry(attempts = unlimited, backoff = fixed(1ms)) { attempt(1s) }"),
    (
        "tryhard-24",
        "retry(attempts = 101, backoff = exponential(1s, factor = 2, max = 10ms)) { attempt(1s) }",
    ),
    ("mulligan-31", "retry(attempts = unlimited, backoff = exponential(1s, factor = 2)) { attempt(1s) }"),
    (
        "twilio-2013",
        "retry(attempts = unlimited, backoff = fixed(1s)) { attempt(10s, idempotent = false) }",
    ),
    (
        "aspire-4631",
        "retry(attempts = 4, backoff = exponential(2s, factor = 2, max = 30s)) { attempt(10s, idempotent = false) }",
    ),
    ("hedgedhttp-61", "hedge(after = 10ms, copies = 2) { attempt(1s, idempotent = false) }"),
    (
        "cosmos-5746",
        "hedge(after = 500ms, copies = 2) {
            retry(attempts = 9, backoff = exponential(100ms, factor = 2, max = 5s)) { attempt(5s, idempotent = false) }
        }",
    ),
    (
        "seatbelt-hint",
        "retry(attempts = 4, backoff = exponential(10ms, factor = 2, max = 1s), retry_after = hint) { attempt(1s) }",
    ),
    (
        "moonmind-987",
        "deadline(600s) { retry(attempts = 2, backoff = exponential(5s, factor = 2), jitter = none) { attempt(300s) } }",
    ),
    ("polly-711", "timeout(400ms) { retry(attempts = 6, backoff = none) { attempt } }"),
    ("autogpt-14021", "deadline(12s) { retry(attempts = 2, backoff = none) { attempt(10s) } }"),
    (
        "caura-862",
        "deadline(15s) { retry(attempts = 2, backoff = fixed(1s), jitter = none) { attempt(15s) } }",
    ),
    (
        "ok-envoy",
        "deadline(1s) {
            retry(attempts = 3, backoff = exponential(25ms, factor = 2, max = 250ms), jitter = full, budget = ROUTE) {
                attempt(250ms)
            }
        }",
    ),
    (
        "ok-smithy",
        "deadline(21.6s) {
            retry(attempts = 3, backoff = exponential(1s, factor = 2, max = 20s), jitter = full) { attempt(6.2s) }
        }",
    ),
];

fn incidents() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("data/incidents.json")).expect("the file is JSON");
    file["incidents"].as_array().expect("a list of incidents").clone()
}

fn text<'v>(incident: &'v Value, field: &str) -> &'v str {
    incident[field].as_str().expect("a text")
}

/// Whether one tree can show the fault; the rest needs what only an importer or a measurement knows.
fn judged_here(incident: &Value) -> bool {
    let checkable = text(incident, "checkable");
    checkable == "macro" || checkable == "chain-cli" || checkable == "needs-idempotency-mark"
}

fn codes(incident: &Value) -> Vec<&str> {
    incident["codes"]
        .as_array()
        .expect("a list of codes")
        .iter()
        .map(|code| code.as_str().expect("a text"))
        .collect()
}

#[test]
fn every_checkable_incident_gets_the_verdict_of_the_file() {
    let policies: BTreeMap<&str, &str> = POLICIES.iter().copied().collect();
    let mut judged = 0;
    for incident in incidents().iter().filter(|incident| judged_here(incident)) {
        let id = text(incident, "id");
        let policy = policies
            .get(id)
            .unwrap_or_else(|| panic!("`{id}` isn't written as a policy"));
        judged += 1;
        if codes(incident).contains(&"E09") {
            assert!(
                refused(policy).iter().any(|fault| fault.contains("`max`")),
                "`{id}` is refused for its cap"
            );
            continue;
        }
        let told = judge(policy);
        match text(incident, "verdict") {
            "reject" => assert!(told.denied(), "`{id}` is denied: {told:?}"),
            "warn" => {
                assert!(
                    told.denied(),
                    "`{id}` is denied until it says that it's meant: {told:?}"
                );
                let allowed = judge(&format!("#[allow(cannot_fit)] {policy}"));
                assert!(!allowed.denied(), "`{id}` passes once it says so: {allowed:?}");
            }
            "accept" => assert_eq!(told.reported(), [], "`{id}` is accepted"),
            other => panic!("a verdict `{other}` isn't known"),
        }
        for code in codes(incident) {
            let Some((_, names)) = NAMES.iter().find(|(known, _)| *known == code) else {
                assert!(
                    CANNOT_BE_WRITTEN.iter().any(|(known, _)| *known == code),
                    "`{id}` has a code `{code}` without a name"
                );
                continue;
            };
            assert!(
                names.iter().any(|&name| told.has(name)),
                "`{id}` shows `{code}`, one of {names:?}: {told:?}"
            );
        }
    }
    assert_eq!(judged, POLICIES.len());
}

#[test]
fn what_is_not_judged_here_needs_an_importer_or_a_measurement() {
    for incident in incidents().iter().filter(|incident| !judged_here(incident)) {
        let checkable = text(incident, "checkable");
        assert!(
            checkable == "importer" // foreign settings: their versions, clamps and error classes
                || checkable.starts_with("needs-load") // rates and quantiles that no policy holds
                || checkable.starts_with("illustrative"), // no figures are public
            "`{}` is left out for a reason: {checkable}",
            text(incident, "id")
        );
    }
}

#[test]
fn the_lease_of_client_go_is_accepted_with_the_figures_of_its_fix() {
    let told = judge(
        "timeout(15s) { series {
            renew: attempt(takes = 0ms..=10s),
            step_down: attempt(takes = 1ms..=1s),
        } }",
    );
    assert_eq!(told.reported(), []);
}

#[test]
fn the_file_controls_meet_their_deadlines_exactly() {
    let figures = |id| {
        judge(
            POLICIES
                .iter()
                .find(|(known, _)| *known == id)
                .expect("a policy")
                .1,
        )
        .worst_ms()
    };
    assert_eq!(figures("ok-envoy"), Some(825.0));
    assert_eq!(figures("ok-smithy"), Some(21_600.0));
}
