//! What a layer has to know about its requests and answers.

use retry_planner::Policy;
use retry_runtime::Attempt;

/// Which requests may be sent again, and which answers ask for it.
///
/// [`Http`](super::Http) and [`Answers`](super::Answers) are the ones to start with; with the feature `tonic` there is
/// one for gRPC.
///
/// One of your own, for a service that answers with a number and may be asked again while that is odd:
///
/// ```
/// use retry_plan::tower::{Judge, Prepared, RetryLayer};
/// use retry_plan::{Policy, retry_policy};
/// use tower::{ServiceBuilder, ServiceExt};
///
/// #[derive(Clone, Copy)]
/// struct Even;
///
/// impl Judge<u32, u32, String> for Even {
///     type Failure = String;
///     type Template = u32;
///
///     fn prepare(&self, request: u32, _: &Policy<'static>) -> Prepared<u32, u32> {
///         Prepared::Repeatable(request)
///     }
///
///     fn judge(&self, answer: &Result<u32, String>) -> Option<String> {
///         answer.as_ref().ok().filter(|number| *number % 2 == 1).map(|number| format!("{number} is odd"))
///     }
/// }
///
/// retry_policy! {
///     struct Count { retry(attempts = 3, backoff = fixed(10ms), jitter = full) { attempt(500ms) } }
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// # let calls = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
/// # let count = move |more: u32| {
/// #     let call = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
/// #     std::future::ready(Ok(call + more))
/// # };
/// // The service counts its calls.
/// let service = ServiceBuilder::new().layer(RetryLayer::<Count, _>::judged_by(Even)).service_fn(count);
/// assert_eq!(service.oneshot(7).await, Ok(8), "7 was odd");
/// # }
/// ```
pub trait Judge<Req, Res, Err> {
    /// What the policy's hooks see of an answer that asks for another attempt.
    type Failure;
    /// What copies of a request are made from.
    type Template: Template<Req>;

    /// Makes a request ready, before its first attempt. `policy` is the one that it will run under.
    fn prepare(&self, request: Req, policy: &Policy<'static>) -> Prepared<Req, Self::Template>;

    /// Writes into a copy which attempt it is.
    fn stamp(&self, attempt: &Attempt, request: &mut Req) {
        let _ = (attempt, request);
    }

    /// What the policy sees of this answer; `None` where it is final, be it good or bad.
    fn judge(&self, answer: &Result<Res, Err>) -> Option<Self::Failure>;
}

/// A request before its first attempt.
#[derive(Debug)]
pub enum Prepared<Req, T> {
    /// It must not, or can't, be sent twice: the policy's limits hold, but nothing is repeated, also not what timed out.
    Once(Req),
    /// It may be sent as often as the policy says.
    Repeatable(T),
}

/// Makes copies of a request.
pub trait Template<Req> {
    /// One more copy.
    fn copy(&mut self) -> Req;

    /// The last copy, which may be the original: asked for instead of [`copy`](Self::copy) when no other can follow.
    fn last(self) -> Req;
}

/// A request that can be cloned is its own template.
impl<Req: Clone> Template<Req> for Req {
    fn copy(&mut self) -> Req {
        self.clone()
    }

    fn last(self) -> Req {
        self
    }
}
