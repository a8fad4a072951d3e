//! The server's side: a caller's deadline around the handler.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, header};
use pin_project_lite::pin_project;
use retry_runtime::Scoped;
use tokio::time::{Sleep, sleep_until};
use tower_layer::Layer;
use tower_service::Service;

use crate::wire::{Header, Incoming};

/// Reads the caller's deadline and attempt from each request and runs the handler in a [`Scope`](retry_runtime::Scope)
/// of them.
///
/// - Every policy that the handler runs inherits the deadline, and [`Scope::current`](retry_runtime::Scope::current)
///   shows it. [`Incoming`] is in the request's extensions, with what was malformed.
/// - What is late when it arrives is refused without calling the handler; a handler that works past the deadline is
///   dropped. The answer is then `504 Gateway Timeout`, or the status `DEADLINE_EXCEEDED` where the request is gRPC.
///   Bodies that are still streaming are left alone.
/// - [`once_if_retried`](Self::once_if_retried) keeps retries from multiplying along a chain.
///
/// ```
/// use std::time::Duration;
/// use axum::{Router, routing::get};
/// use retry_plan::{Scope, tower::InboundLayer};
///
/// let page = async || format!("{:?} left", Scope::current().remaining());
/// let router: Router = Router::new()
///     .route("/", get(page))
///     .layer(InboundLayer::new().longest(Duration::from_secs(10)).once_if_retried());
/// ```
///
/// Any caller can send these headers. They only ever shorten the time that the service takes; a stranger's deadline can't
/// do more harm than a stranger's hanging up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InboundLayer {
    rules: Rules,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Rules {
    headers: &'static [Header],
    margin: Duration,
    longest: Option<Duration>,
    once_if_retried: bool,
}

impl InboundLayer {
    /// Believes all three deadline headers, without a margin.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            rules: Rules {
                headers: &Header::ALL,
                margin: Duration::ZERO,
                longest: None,
                once_if_retried: false,
            },
        }
    }

    /// Reads only these headers.
    #[must_use]
    pub const fn only(mut self, headers: &'static [Header]) -> Self {
        self.rules.headers = headers;
        self
    }

    /// Ends this much before the caller does: the time of the answer's way back.
    #[must_use]
    pub const fn margin(mut self, margin: Duration) -> Self {
        self.rules.margin = margin;
        self
    }

    /// Gives no request longer than this, also where its caller says nothing.
    #[must_use]
    pub const fn longest(mut self, longest: Duration) -> Self {
        self.rules.longest = Some(longest);
        self
    }

    /// Repeats nothing for a request that is itself a repeat: of a chain of services that retry, only the first does, and
    /// an outage makes twice the calls instead of two to the power of the chain's length.
    #[must_use]
    pub const fn once_if_retried(mut self) -> Self {
        self.rules.once_if_retried = true;
        self
    }
}

impl Default for InboundLayer {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Layer<S> for InboundLayer {
    type Service = Inbound<S>;

    fn layer(&self, inner: S) -> Inbound<S> {
        Inbound {
            inner,
            rules: self.rules,
        }
    }
}

/// A service in its callers' scopes; made by [`InboundLayer`].
#[derive(Clone, Copy, Debug)]
pub struct Inbound<S> {
    inner: S,
    rules: Rules,
}

impl<S, B, ResBody> Service<Request<B>> for Inbound<S>
where
    S: Service<Request<B>, Response = Response<ResBody>>,
    ResBody: Default,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = InboundFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let rules = &self.rules;
        let incoming =
            Incoming::read_only(request.headers(), rules.headers, SystemTime::now()).less(rules.margin);
        let grpc = is_grpc(request.headers());
        if incoming.is_late() {
            return InboundFuture {
                grpc,
                state: State::Late,
                sleep: None,
            };
        }
        let mut scope = incoming.scope();
        if let Some(longest) = rules.longest {
            scope = scope.within(longest);
        }
        if rules.once_if_retried && incoming.attempt() > 1 {
            scope = scope.once();
        }
        let deadline = scope.deadline();
        request.extensions_mut().insert(incoming);
        InboundFuture {
            grpc,
            sleep: deadline.map(sleep_until),
            state: State::Running {
                handler: scope.run(self.inner.call(request)),
            },
        }
    }
}

pin_project! {
    /// A handler in its caller's scope, or the refusal of what is late.
    #[must_use = "futures do nothing unless polled"]
    pub struct InboundFuture<F> {
        grpc: bool,
        #[pin]
        sleep: Option<Sleep>,
        #[pin]
        state: State<F>,
    }
}

pin_project! {
    #[project = StateView]
    enum State<F> {
        Running {
            #[pin]
            handler: Scoped<F>,
        },
        Late,
    }
}

impl<F> std::fmt::Debug for InboundFuture<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InboundFuture")
            .field("late", &matches!(self.state, State::Late))
            .finish_non_exhaustive()
    }
}

impl<F, ResBody, E> Future for InboundFuture<F>
where
    F: Future<Output = Result<Response<ResBody>, E>>,
    ResBody: Default,
{
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        if let StateView::Running { handler } = this.state.as_mut().project() {
            // What ends exactly at the deadline is in time.
            if let Poll::Ready(answer) = handler.poll(cx) {
                return Poll::Ready(answer);
            }
            let passed = this
                .sleep
                .as_mut()
                .as_pin_mut()
                .is_some_and(|sleep| sleep.poll(cx).is_ready());
            if !passed {
                return Poll::Pending;
            }
            // The handler is dropped before the answer is on its way.
            this.state.set(State::Late);
        }
        Poll::Ready(Ok(late(*this.grpc)))
    }
}

fn is_grpc(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"))
}

/// The answer to what is late, without a handler's help.
fn late<B: Default>(grpc: bool) -> Response<B> {
    let mut response = Response::new(B::default());
    if grpc {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
        headers.insert("grpc-status", HeaderValue::from_static("4"));
        headers.insert("grpc-message", HeaderValue::from_static("the deadline passed"));
    } else {
        *response.status_mut() = StatusCode::GATEWAY_TIMEOUT;
    }
    response
}
