//! A client with a policy.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;

use reqwest::{Request, Response};
use retry_runtime::{Attempt, SingleLeaf};

use super::run::{Outcome, run};
use super::{Error, fault};
use crate::http::Failed;
use crate::wire::Outgoing;

/// A `reqwest` client that sends each request under the policy `P`: see the [module](super)'s example.
pub struct Client<P> {
    inner: reqwest::Client,
    outgoing: Option<Outgoing>,
    policy: PhantomData<fn() -> P>,
}

impl<P> Client<P> {
    /// Sends through `client`.
    #[must_use]
    pub const fn new(client: reqwest::Client) -> Self {
        Self {
            inner: client,
            outgoing: None,
            policy: PhantomData,
        }
    }

    /// Tells servers what remains of each attempt.
    #[must_use]
    pub const fn tell(mut self, outgoing: Outgoing) -> Self {
        self.outgoing = Some(outgoing);
        self
    }

    /// The client, to build requests with.
    #[must_use]
    pub const fn get_ref(&self) -> &reqwest::Client {
        &self.inner
    }

    /// Sends the request.
    ///
    /// # Errors
    ///
    /// The client's last error where the server never answered, [`Error::Interrupted`] where there is none either, and
    /// [`Error::BodyNotCloneable`] before anything is sent. A bad status is an answer, as it is with `reqwest` itself.
    // With `Send` spelled out: else rustc looks for it through the policy's own future and finds it not general enough
    // (rust-lang/rust#100013).
    #[allow(clippy::manual_async_fn, reason = "`async fn` can't spell out `Send`")]
    pub fn send(&self, request: Request) -> impl Future<Output = Result<Response, Error>> + Send
    where
        P: SingleLeaf<Result<Response, reqwest::Error>, Failed>,
    {
        async move {
            let send = |request: Request, _: Attempt| self.inner.execute(request);
            let judge = |error: &reqwest::Error| fault(error).map(Failed::new);
            match run::<P, _, _, _>(request, self.outgoing, send, judge).await {
                Outcome::Answer(answer) => Ok(answer?),
                Outcome::Interrupted(interrupted) => Err(interrupted.into()),
                Outcome::BodyNotCloneable => Err(Error::BodyNotCloneable),
            }
        }
    }
}

impl<P> Clone for Client<P> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            ..*self
        }
    }
}

impl<P> fmt::Debug for Client<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("client", &self.inner)
            .field("outgoing", &self.outgoing)
            .finish_non_exhaustive()
    }
}
