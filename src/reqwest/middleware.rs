//! The same for `reqwest-middleware`.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

use http::Extensions;
use reqwest::{Request, Response};
use reqwest_middleware::Next;
use retry_runtime::{Attempt, SingleLeaf};

use super::run::{Outcome, run};
use super::{Error, fault};
use crate::http::Failed;
use crate::wire::Outgoing;

/// A middleware that sends each request under the policy `P`.
///
/// What stands after it in the chain runs once for each attempt, with a copy of the extensions in which the
/// [`Attempt`] is; what stands before it sees one request.
///
/// ```
/// use retry_plan::http::Failed;
/// use retry_plan::reqwest::Middleware;
/// use retry_plan::retry_policy;
///
/// retry_policy! {
///     struct Fetch {
///         type Error = Failed;
///         retry(attempts = 3, backoff = fixed(10ms), jitter = full) { attempt(500ms) }
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use axum::{Router, http::StatusCode, routing::get};
/// # use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
/// # static CALLS: AtomicU32 = AtomicU32::new(0);
/// # let page = || async {
/// #     if CALLS.fetch_add(1, Relaxed) < 2 { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK }
/// # };
/// # let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// # let url = format!("http://{}/", listener.local_addr()?);
/// # tokio::spawn(async move { axum::serve(listener, Router::new().route("/", get(page))).await });
/// let client = reqwest_middleware::ClientBuilder::new(reqwest::Client::new())
///     .with(Middleware::<Fetch>::new())
///     .build();
/// let page = client.get(url).send().await?;
/// assert_eq!(page.status(), 200, "after two times 503");
/// # Ok(()) }
/// ```
pub struct Middleware<P> {
    outgoing: Option<Outgoing>,
    policy: PhantomData<fn() -> P>,
}

impl<P> Middleware<P> {
    /// The policy around what stands after it.
    #[must_use]
    pub const fn new() -> Self {
        Self {
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
}

impl<P> reqwest_middleware::Middleware for Middleware<P>
where
    P: SingleLeaf<Result<Response, reqwest_middleware::Error>, Failed> + 'static,
{
    // What `async_trait` makes of `async fn handle`.
    fn handle<'s, 'e, 'n, 'f>(
        &'s self,
        request: Request,
        extensions: &'e mut Extensions,
        next: Next<'n>,
    ) -> Pin<Box<dyn Future<Output = reqwest_middleware::Result<Response>> + Send + 'f>>
    where
        's: 'f,
        'e: 'f,
        'n: 'f,
        Self: 'f,
    {
        Box::pin(async move {
            let before = &*extensions;
            let send = move |request, attempt: Attempt| {
                let next = next.clone();
                let mut extensions = before.clone();
                extensions.insert(attempt);
                async move { next.run(request, &mut extensions).await }
            };
            match run::<P, _, _, _>(request, self.outgoing, send, judge).await {
                Outcome::Answer(answer) => answer,
                Outcome::Interrupted(interrupted) => Err(reqwest_middleware::Error::middleware(interrupted)),
                Outcome::BodyNotCloneable => {
                    Err(reqwest_middleware::Error::middleware(Error::BodyNotCloneable))
                }
            }
        })
    }
}

/// Errors of other middlewares are final: nobody knows what they mean.
fn judge(error: &reqwest_middleware::Error) -> Option<Failed> {
    match error {
        reqwest_middleware::Error::Reqwest(error) => fault(error).map(Failed::new),
        reqwest_middleware::Error::Middleware(_) => None,
    }
}

impl<P> Default for Middleware<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P> Clone for Middleware<P> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<P> fmt::Debug for Middleware<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Middleware")
            .field("outgoing", &self.outgoing)
            .finish_non_exhaustive()
    }
}
