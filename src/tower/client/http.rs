//! The judge for HTTP.

use http::request::Parts;
use http::{Request, Response};
use retry_planner::Policy;
use retry_runtime::Attempt;

use super::super::recording::Recordable;
use super::{Judge, Prepared, Template};
use crate::http::{Failed, Fault, asks_for_another, keyed, may_repeat, set_key};

/// HTTP's own rules: see [`retry_plan::http`](crate::http).
///
/// - A request is sent again if its method is idempotent, it brings an `Idempotency-Key`, or the policy supplies one
///   (`attempt(500ms, idempotency_key)`). Any other is sent once, whatever the policy says; its limits hold all the same.
/// - Its body is recorded before the first attempt, as far as it is there: up to [`body_limit`](Self::body_limit) bytes.
///   A body that is longer, or that has to be waited for (a stream), goes out once, untouched.
/// - Each copy carries its [`Attempt`] in its extensions, where [`OutboundLayer`](crate::tower::OutboundLayer) finds it.
/// - A failed answer is kept until a later one replaces it, and with it, under HTTP/1, its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Http {
    body_limit: usize,
}

impl Http {
    /// The rules, with bodies of up to 64 KiB.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            body_limit: 64 * 1024,
        }
    }

    /// Records bodies of up to so many bytes.
    #[must_use]
    pub const fn body_limit(self, bytes: usize) -> Self {
        Self { body_limit: bytes }
    }
}

impl Default for Http {
    fn default() -> Self {
        Self::new()
    }
}

impl<B: Recordable, ResBody, Err> Judge<Request<B>, Response<ResBody>, Err> for Http {
    type Failure = Failed;
    type Template = Recorded<B>;

    fn prepare(&self, request: Request<B>, policy: &Policy<'static>) -> Prepared<Request<B>, Recorded<B>> {
        if keyed(policy) || may_repeat(request.method(), request.headers()) {
            record(request, self.body_limit)
        } else {
            Prepared::Once(request)
        }
    }

    fn stamp(&self, attempt: &Attempt, request: &mut Request<B>) {
        set_key(attempt, request.headers_mut());
        request.extensions_mut().insert(*attempt);
    }

    fn judge(&self, answer: &Result<Response<ResBody>, Err>) -> Option<Failed> {
        match answer {
            Ok(response) => asks_for_another(response.status(), response.headers()),
            Err(_) => Some(Failed::new(Fault::Transport)),
        }
    }
}

/// An HTTP request whose body is at hand.
#[derive(Clone, Debug)]
pub struct Recorded<B: Recordable> {
    parts: Parts,
    body: B::Recording,
}

/// Records the body if it is at hand; else the request goes out once, as it is.
pub(crate) fn record<B: Recordable>(request: Request<B>, limit: usize) -> Prepared<Request<B>, Recorded<B>> {
    let (parts, body) = request.into_parts();
    match body.record(limit) {
        Ok(body) => Prepared::Repeatable(Recorded { parts, body }),
        Err(body) => Prepared::Once(Request::from_parts(parts, body)),
    }
}

impl<B: Recordable> Template<Request<B>> for Recorded<B> {
    fn copy(&mut self) -> Request<B> {
        Request::from_parts(self.parts.clone(), B::play(self.body.clone()))
    }

    fn last(self) -> Request<B> {
        Request::from_parts(self.parts, B::play(self.body))
    }
}
