//! The `Idempotency-Key` that a policy supplies.

use http::{HeaderMap, HeaderValue};
use retry_planner::{Kind, Policy};
use retry_runtime::Attempt;

use super::IDEMPOTENCY_KEY;

/// Whether the policy supplies a key, so that whatever it sends may be repeated.
pub(crate) fn keyed(policy: &Policy<'_>) -> bool {
    policy
        .nodes
        .iter()
        .any(|node| matches!(node.kind, Kind::Attempt(attempt) if attempt.key))
}

/// Writes the run's key, unless the request brought its own: that one names the effect for the caller's repeats, too.
pub(crate) fn set_key(attempt: &Attempt, headers: &mut HeaderMap) {
    let Some(key) = attempt.idempotency_key() else {
        return;
    };
    let own = headers.get(IDEMPOTENCY_KEY);
    if own.is_some_and(|own| !own.as_bytes().trim_ascii().is_empty()) {
        return;
    }
    let mut buffer = [0; 36];
    let text = key.encode(&mut buffer);
    let value = HeaderValue::from_str(text).unwrap_or_else(|_| escaped(text));
    headers.insert(IDEMPOTENCY_KEY, value);
}

/// A text with bytes that no header may hold, in hex: another text, but one for each key.
fn escaped(text: &str) -> HeaderValue {
    let hex = text
        .bytes()
        .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    HeaderValue::try_from(hex).expect("hex digits make a header")
}

#[cfg(test)]
mod tests {
    use retry_runtime::IdempotencyKey;
    use retry_runtime::scope::Limit;

    use super::*;

    fn attempt(key: &str) -> Attempt {
        Attempt::new(1, 3, 1, Limit::NONE, Some(IdempotencyKey::from(key)))
    }

    #[test]
    fn every_attempt_of_a_run_carries_the_same_key() {
        let mut headers = HeaderMap::new();
        set_key(&attempt("order-17"), &mut headers);
        assert_eq!(headers[IDEMPOTENCY_KEY], "order-17");
        set_key(&attempt("order-18"), &mut headers);
        assert_eq!(
            headers[IDEMPOTENCY_KEY], "order-17",
            "the request's own key stays"
        );
    }

    #[test]
    fn a_key_that_would_split_the_header_is_escaped_and_not_dropped() {
        let mut headers = HeaderMap::new();
        set_key(&attempt("a\r\nb: c"), &mut headers);
        assert_eq!(headers[IDEMPOTENCY_KEY], "610d0a623a2063");
    }

    #[test]
    fn a_blank_key_is_replaced() {
        let mut headers = HeaderMap::new();
        headers.insert(IDEMPOTENCY_KEY, HeaderValue::from_static(" "));
        set_key(&attempt("order-17"), &mut headers);
        assert_eq!(headers[IDEMPOTENCY_KEY], "order-17");
    }
}
