//! The client's side: what is left of an attempt, in its request.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::Request;
use pin_project_lite::pin_project;
use retry_runtime::Attempt;
use tower_layer::Layer;
use tower_service::Service;

use super::Error;
use crate::wire::{Late, Outgoing};

/// Writes what remains, and which attempt it is, into each request.
///
/// Inside of a [`RetryLayer`](super::RetryLayer) that is the attempt's own time, as of that attempt; elsewhere it is that
/// of the [`Scope`](retry_runtime::Scope) around. A request for which nothing is left isn't sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OutboundLayer {
    outgoing: Outgoing,
}

impl OutboundLayer {
    /// Writes so.
    #[must_use]
    pub const fn new(outgoing: Outgoing) -> Self {
        Self { outgoing }
    }
}

impl<S> Layer<S> for OutboundLayer {
    type Service = Outbound<S>;

    fn layer(&self, inner: S) -> Outbound<S> {
        Outbound {
            inner,
            outgoing: self.outgoing,
        }
    }
}

/// A service that tells its servers what is left; made by [`OutboundLayer`].
#[derive(Clone, Copy, Debug)]
pub struct Outbound<S> {
    inner: S,
    outgoing: Outgoing,
}

impl<S, B> Service<Request<B>> for Outbound<S>
where
    S: Service<Request<B>>,
{
    type Response = S::Response;
    type Error = Error<S::Error>;
    type Future = OutboundFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx).map_err(Error::Service)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let attempt = request.extensions().get::<Attempt>().copied();
        let told = match attempt {
            Some(attempt) => self.outgoing.write(&attempt, request.headers_mut()),
            None => self.outgoing.write_scope(request.headers_mut()),
        };
        OutboundFuture {
            answer: told.ok().map(|()| self.inner.call(request)),
        }
    }
}

pin_project! {
    /// A request on its way, or not worth sending.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct OutboundFuture<F> {
        // `None` where nothing was left.
        #[pin]
        answer: Option<F>,
    }
}

impl<F, T, E> Future for OutboundFuture<F>
where
    F: Future<Output = Result<T, E>>,
{
    type Output = Result<T, Error<E>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project().answer.as_pin_mut() {
            Some(answer) => answer.poll(cx).map_err(Error::Service),
            None => Poll::Ready(Err(Error::Interrupted(Late.into()))),
        }
    }
}
