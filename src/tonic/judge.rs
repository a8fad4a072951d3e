//! The judge for gRPC, as a layer sees it.

use http::{Request, Response};
use retry_planner::Policy;
use retry_runtime::Attempt;
use tonic::{Code, Status};

use super::status::{Pushback, asks_for_another};
use crate::tower::{Judge, Prepared, Recordable, Recorded, record};

/// gRPC's rules: see [`may_retry`](super::may_retry).
///
/// - Whether a call may be sent twice isn't to be seen from outside, since every one is a `POST`: the policy says it
///   (`idempotent = false`, which the planner then doesn't let repeat).
/// - Unary messages are recorded, up to [`message_limit`](Self::message_limit) bytes; streams go out once.
/// - A status is seen where the answer consists of nothing else, as failed unary calls do. One that follows a message
///   comes after the response was given to the caller.
/// - A broken connection counts as `UNAVAILABLE`.
/// - A call that a limit interrupted fails with [`Error::Interrupted`](crate::tower::Error), which tonic's clients show
///   as a status of code `UNKNOWN` with it as the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grpc {
    message_limit: usize,
}

impl Grpc {
    /// The rules, with messages of up to 4 MiB, tonic's own limit.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            message_limit: 4 * 1024 * 1024,
        }
    }

    /// Records messages of up to so many bytes.
    #[must_use]
    pub const fn message_limit(self, bytes: usize) -> Self {
        Self { message_limit: bytes }
    }
}

impl Default for Grpc {
    fn default() -> Self {
        Self::new()
    }
}

impl<B: Recordable, ResBody, Err> Judge<Request<B>, Response<ResBody>, Err> for Grpc {
    type Failure = Status;
    type Template = Recorded<B>;

    fn prepare(&self, request: Request<B>, _: &Policy<'static>) -> Prepared<Request<B>, Recorded<B>> {
        record(request, self.message_limit)
    }

    fn stamp(&self, attempt: &Attempt, request: &mut Request<B>) {
        request.extensions_mut().insert(*attempt);
    }

    fn judge(&self, answer: &Result<Response<ResBody>, Err>) -> Option<Status> {
        match answer {
            Ok(response) => {
                let status = Status::from_header_map(response.headers())?;
                let pushback = Pushback::read(response.headers());
                asks_for_another(status.code(), pushback).then_some(status)
            }
            Err(_) => Some(Status::new(Code::Unavailable, "the connection failed")),
        }
    }
}
