//! Which requests may be sent again, and which answers ask for it.

use http::{HeaderMap, HeaderName, Method, StatusCode};

/// The header that makes a request safe to repeat whatever its method (draft-ietf-httpapi-idempotency-key-header).
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Whether the method is idempotent: `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE` ([RFC 9110, 9.2.2]).
///
/// A method that isn't known here isn't idempotent, since nothing says that it is.
///
/// [RFC 9110, 9.2.2]: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
///
/// ```
/// # use http::Method;
/// assert!(retry_plan::http::is_idempotent(&Method::PUT));
/// assert!(!retry_plan::http::is_idempotent(&Method::POST));
/// ```
#[must_use]
pub fn is_idempotent(method: &Method) -> bool {
    matches!(
        *method,
        Method::GET | Method::HEAD | Method::OPTIONS | Method::TRACE | Method::PUT | Method::DELETE
    )
}

/// Whether the request may be sent again without knowing what became of it: its method is idempotent, or it carries an
/// [`Idempotency-Key`](IDEMPOTENCY_KEY) that isn't blank.
///
/// ```
/// # use http::{HeaderMap, HeaderValue, Method};
/// # use retry_plan::http::{IDEMPOTENCY_KEY, may_repeat};
/// let mut headers = HeaderMap::new();
/// assert!(!may_repeat(&Method::POST, &headers));
/// headers.insert(IDEMPOTENCY_KEY, HeaderValue::from_static("\"8e03978e\""));
/// assert!(may_repeat(&Method::POST, &headers));
/// ```
#[must_use]
pub fn may_repeat(method: &Method, headers: &HeaderMap) -> bool {
    is_idempotent(method)
        || headers
            .get(IDEMPOTENCY_KEY)
            .is_some_and(|key| !key.as_bytes().trim_ascii().is_empty())
}

/// Whether the same request may well get another answer later.
///
/// | status | why |
/// |---|---|
/// | 408 Request Timeout | the server didn't get the whole request in time ([RFC 9110, 15.5.9]) |
/// | 425 Too Early | it would not risk a replay ([RFC 8470, 5.2]) |
/// | 429 Too Many Requests | a rate limit, which passes ([RFC 6585, 4]) |
/// | 500 Internal Server Error | an unexpected condition; practice retries it where a repeat is safe |
/// | 502 Bad Gateway, 504 Gateway Timeout | the proxy had no answer ([RFC 9110, 15.6.3]) |
/// | 503 Service Unavailable | overload or maintenance ([RFC 9110, 15.6.4]) |
///
/// All others say something about the request itself, and would say it again: 501 and 505 are lacks of the server that
/// don't pass by waiting, 421 wants another connection rather than another attempt, and 511 wants a login.
///
/// Whether a repeat is *safe* is another question: [`may_repeat`].
///
/// [RFC 9110, 15.5.9]: https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9
/// [RFC 8470, 5.2]: https://www.rfc-editor.org/rfc/rfc8470#section-5.2
/// [RFC 6585, 4]: https://www.rfc-editor.org/rfc/rfc6585#section-4
/// [RFC 9110, 15.6.3]: https://www.rfc-editor.org/rfc/rfc9110#section-15.6.3
/// [RFC 9110, 15.6.4]: https://www.rfc-editor.org/rfc/rfc9110#section-15.6.4
#[must_use]
pub fn is_transient(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::REQUEST_TIMEOUT
            | StatusCode::TOO_EARLY
            | StatusCode::TOO_MANY_REQUESTS
            | StatusCode::INTERNAL_SERVER_ERROR
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
    )
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn of_all_methods_only_the_idempotent_may_be_repeated_bare() {
        let table = [
            ("GET", true),
            ("HEAD", true),
            ("OPTIONS", true),
            ("TRACE", true),
            ("PUT", true),
            ("DELETE", true),
            ("POST", false),
            ("PATCH", false),
            ("CONNECT", false),
            ("PROPFIND", false),
            // Methods are case-sensitive (RFC 9110, 9.1): this one is nobody's GET.
            ("get", false),
        ];
        for (name, idempotent) in table {
            let method = Method::from_bytes(name.as_bytes()).unwrap();
            assert_eq!(is_idempotent(&method), idempotent, "{name}");
            assert_eq!(may_repeat(&method, &HeaderMap::new()), idempotent, "{name}");
        }
    }

    #[test]
    fn a_key_makes_a_post_repeatable_and_a_blank_one_does_not() {
        for (key, repeatable) in [("\"abc\"", true), ("abc", true), ("", false), ("  ", false)] {
            let mut headers = HeaderMap::new();
            headers.insert(IDEMPOTENCY_KEY, HeaderValue::from_static(key));
            assert_eq!(may_repeat(&Method::POST, &headers), repeatable, "{key:?}");
            assert_eq!(may_repeat(&Method::PATCH, &headers), repeatable, "{key:?}");
        }
    }

    #[test]
    fn of_all_statuses_seven_are_transient() {
        let transient: Vec<u16> = (100..1000)
            .filter(|code| is_transient(StatusCode::from_u16(*code).unwrap()))
            .collect();
        assert_eq!(transient, [408, 425, 429, 500, 502, 503, 504]);
    }
}
