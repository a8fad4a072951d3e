//! Which attempt of its caller a request is.

use http::HeaderName;

use super::Malformed;

/// `grpc-previous-rpc-attempts`: how many attempts went before; absent on the first (gRFC A6).
pub const GRPC_PREVIOUS_ATTEMPTS: HeaderName = HeaderName::from_static("grpc-previous-rpc-attempts");

/// `x-envoy-attempt-count`: which attempt this is, from 1.
pub const ENVOY_ATTEMPT_COUNT: HeaderName = HeaderName::from_static("x-envoy-attempt-count");

/// Reads a count: digits, saturating.
///
/// # Errors
///
/// Anything but digits.
///
/// ```
/// # use retry_plan::wire::parse_count;
/// assert_eq!(parse_count(b"3"), Ok(3));
/// assert_eq!(parse_count(b"99999999999"), Ok(u32::MAX));
/// assert!(parse_count(b"-1").is_err());
/// ```
pub fn parse_count(value: &[u8]) -> Result<u32, Malformed> {
    if value.is_empty() {
        return Err(Malformed::Digits);
    }
    value.iter().try_fold(0_u32, |count, byte| {
        byte.is_ascii_digit()
            .then(|| count.saturating_mul(10).saturating_add(u32::from(byte - b'0')))
            .ok_or(Malformed::Form)
    })
}
