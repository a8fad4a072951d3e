//! Policies with one leaf, for code that is generic over them: a layer, a middleware, a client.

use core::future::Future;

use retry_planner::Policy;

use crate::{Attempt, Failure};

/// A policy with exactly one leaf, whose operation may return `Result<T, E>`.
///
/// `retry_policy!` implements it for every such policy, generic ones included: for all `E`, or for its `type Error` where
/// it names one. Only one whose hooks are `async` is left out, since nobody knows whether their futures are `Send`. It is
/// what generic code asks for, where a named type would call `run_detailed`:
///
/// ```
/// # use retry_runtime::{Failure, SingleLeaf};
/// async fn fetch<P: SingleLeaf<String, std::io::Error>>(host: &str) -> Result<String, Failure<std::io::Error>> {
///     P::run_single(|attempt| async move { Ok(format!("{host}, {attempt}")) }).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a policy with one leaf that can fail with `{E}`",
    label = "neither declared by `retry_policy!` with one leaf, nor for this error",
    note = "a policy with `type Error = ..;` runs only operations with that error, and one with `async` hooks none of generic code"
)]
pub trait SingleLeaf<T, E> {
    /// The policy's tree, its name included.
    const TREE: Policy<'static>;

    /// Runs the policy: what `run_detailed` does, with `Send` spelled out, since generic code can't look into the future.
    ///
    /// The operation is `Fn`, since a hedge calls it while earlier copies are out.
    ///
    /// # Errors
    ///
    /// Why the run ended without a value, with the operation's last error.
    fn run_single<Op, Fut>(operation: Op) -> impl Future<Output = Result<T, Failure<E>>> + Send
    where
        Op: Fn(Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
        T: Send,
        E: Send;
}
