//! The layer and its service.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use retry_runtime::{Attempt, Failure, Scope, SingleLeaf};
use tower_layer::Layer;
use tower_service::Service;

use super::super::lock::lock;
use super::super::{BoxFuture, Error};
use super::shape::Shape;
use super::{Answers, Http, Judge, Prepared, Template};

/// Runs each call under the policy `P`.
///
/// The policy is any with one leaf. Where it has hooks, its error type is that of the judge's failures: for HTTP
/// [`Failed`](crate::http::Failed), for [`Answers`] the service's own error.
///
/// ```
/// use retry_plan::retry_policy;
/// use retry_plan::tower::RetryLayer;
/// use tower::{ServiceBuilder, ServiceExt};
///
/// retry_policy! {
///     struct Charge { retry(attempts = 3, backoff = fixed(10ms), jitter = full) { attempt(500ms) } }
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let service = ServiceBuilder::new()
///     .layer(RetryLayer::<Charge, _>::answers())
///     .service_fn(async |amount: u32| if amount > 100 { Err("too much") } else { Ok(amount) });
/// assert_eq!(service.clone().oneshot(7).await, Ok(7));
/// let error = service.oneshot(101).await.unwrap_err();
/// assert_eq!(error.into_service(), Some("too much"), "the service's own last error, after three attempts");
/// # }
/// ```
pub struct RetryLayer<P, J = Http> {
    judge: J,
    policy: PhantomData<fn() -> P>,
}

impl<P> RetryLayer<P> {
    /// By HTTP's own rules.
    #[must_use]
    pub const fn http() -> Self {
        Self::judged_by(Http::new())
    }
}

impl<P> RetryLayer<P, Answers> {
    /// By the service's errors.
    #[must_use]
    pub const fn answers() -> Self {
        Self::judged_by(Answers)
    }
}

impl<P, J> RetryLayer<P, J> {
    /// By rules of one's own.
    pub const fn judged_by(judge: J) -> Self {
        Self {
            judge,
            policy: PhantomData,
        }
    }
}

impl<P, J: Clone, S> Layer<S> for RetryLayer<P, J> {
    type Service = Retry<P, J, S>;

    fn layer(&self, inner: S) -> Self::Service {
        Retry {
            inner,
            judge: self.judge.clone(),
            policy: PhantomData,
        }
    }
}

impl<P, J: Clone> Clone for RetryLayer<P, J> {
    fn clone(&self) -> Self {
        Self::judged_by(self.judge.clone())
    }
}

impl<P, J: fmt::Debug> fmt::Debug for RetryLayer<P, J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryLayer")
            .field("judge", &self.judge)
            .finish_non_exhaustive()
    }
}

/// A service under a policy; made by [`RetryLayer`].
///
/// - It is ready when the inner service is. The first attempt uses that readiness; each later one waits for a clone's own,
///   inside the policy's limits.
/// - The request is copied for an attempt only when another may follow; the last possible one gets the original.
/// - The answer is the last that the inner service gave, be it a success, a bad status or an error; only where it never
///   answered is the error [`Interrupted`](Error::Interrupted).
/// - One allocation for each call holds the run.
pub struct Retry<P, J, S> {
    inner: S,
    judge: J,
    policy: PhantomData<fn() -> P>,
}

impl<P, J, S> Retry<P, J, S> {
    /// The inner service.
    pub const fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The inner service, to change.
    pub const fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The inner service, without the policy.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<P, J: Clone, S: Clone> Clone for Retry<P, J, S> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            judge: self.judge.clone(),
            policy: PhantomData,
        }
    }
}

impl<P, J: fmt::Debug, S: fmt::Debug> fmt::Debug for Retry<P, J, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retry")
            .field("inner", &self.inner)
            .field("judge", &self.judge)
            .finish_non_exhaustive()
    }
}

impl<P, J, S, Req> Service<Req> for Retry<P, J, S>
where
    P: SingleLeaf<Result<S::Response, S::Error>, J::Failure> + 'static,
    J: Judge<Req, S::Response, S::Error> + Clone + Send + Sync + 'static,
    J::Failure: Send + 'static,
    J::Template: Send + 'static,
    S: Service<Req> + Clone + Send + 'static,
    S::Future: Send,
    S::Response: Send + 'static,
    S::Error: Send + 'static,
    Req: Send + 'static,
{
    type Response = S::Response;
    type Error = Error<S::Error>;
    type Future = BoxFuture<Result<S::Response, Error<S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx).map_err(Error::Service)
    }

    fn call(&mut self, request: Req) -> Self::Future {
        let spare = self.inner.clone();
        let ready = std::mem::replace(&mut self.inner, spare.clone());
        let prepared = self.judge.prepare(request, &P::TREE);
        let run = Run {
            repeatable: matches!(prepared, Prepared::Repeatable(_)),
            shape: Shape::of(&P::TREE),
            judge: self.judge.clone(),
            rest: Mutex::new(Rest {
                request: Some(prepared),
                ready: Some(ready),
                spare,
            }),
            last: Mutex::new(None),
        };
        Box::pin(async move {
            let run = Arc::new(run);
            let calls = Arc::clone(&run);
            let operation = P::run_single(move |attempt| Arc::clone(&calls).attempt(attempt));
            let outcome = if run.repeatable {
                operation.await
            } else {
                Scope::new().once().run(operation).await
            };
            run.answer(outcome)
        })
    }
}

/// What a service answers.
type Answer<S, Req> = Result<<S as Service<Req>>::Response, <S as Service<Req>>::Error>;

/// One call of the service: what its attempts share.
struct Run<J, S, Req>
where
    J: Judge<Req, S::Response, S::Error>,
    S: Service<Req>,
{
    repeatable: bool,
    shape: Shape,
    judge: J,
    rest: Mutex<Rest<S, Req, J::Template>>,
    last: Mutex<Option<Answer<S, Req>>>,
}

/// What is there for further attempts.
struct Rest<S, Req, T> {
    request: Option<Prepared<Req, T>>,
    /// The service that was polled ready, for the first attempt.
    ready: Option<S>,
    spare: S,
}

impl<J, S, Req> Run<J, S, Req>
where
    J: Judge<Req, S::Response, S::Error>,
    S: Service<Req> + Clone,
{
    async fn attempt(self: Arc<Self>, attempt: Attempt) -> Result<Answer<S, Req>, J::Failure> {
        let (mut request, mut service, is_ready) = self.take(&attempt);
        self.judge.stamp(&attempt, &mut request);
        let readiness = if is_ready {
            Ok(())
        } else {
            poll_fn(|cx| service.poll_ready(cx)).await
        };
        let answer = match readiness {
            Ok(()) => service.call(request).await,
            Err(error) => Err(error),
        };
        if !self.repeatable {
            return Ok(answer);
        }
        match self.judge.judge(&answer) {
            None => Ok(answer),
            Some(failure) => {
                *lock(&self.last) = Some(answer);
                Err(failure)
            }
        }
    }

    /// The request and the service for this attempt, and whether the service is ready.
    fn take(&self, attempt: &Attempt) -> (Req, S, bool) {
        let mut rest = lock(&self.rest);
        let request = match rest.request.take() {
            Some(Prepared::Repeatable(mut template)) if !self.shape.is_last_call(attempt) => {
                let copy = template.copy();
                rest.request = Some(Prepared::Repeatable(template));
                copy
            }
            Some(Prepared::Repeatable(template)) => template.last(),
            Some(Prepared::Once(request)) => request,
            None => {
                unreachable!("neither a scope that forbids repeats nor a last attempt is followed by another")
            }
        };
        match rest.ready.take() {
            Some(ready) => (request, ready, true),
            None => (request, rest.spare.clone(), false),
        }
    }

    /// What the run came to: the last answer, if there was one.
    fn answer(
        &self,
        outcome: Result<Answer<S, Req>, Failure<J::Failure>>,
    ) -> Result<S::Response, Error<S::Error>> {
        let answer = match outcome {
            Ok(answer) => answer,
            Err(failure) => match lock(&self.last).take() {
                Some(answer) => answer,
                None => return Err(Error::Interrupted(failure.interrupted())),
            },
        };
        answer.map_err(Error::Service)
    }
}
