//! Policies at run time: read from a file, planned when they are loaded, and run by an interpreter.
//!
//! A [`DynPolicy`] is what `retry_policy!` makes of the same words, without the compiler: the same grammar, the same
//! planner, the same findings at the same levels, and the same nodes that run it. What the compiler would refuse is
//! [`Refused`] when it is loaded, with every finding and its place in the file, and nothing of it ever runs.
//!
//! ```
//! use retry_plan::dynamic::{DynPolicy, Loader};
//! use retry_plan::{Budget, Interrupted};
//!
//! static PAYMENTS: Budget = Budget::ratio(0.1, 100);
//!
//! # #[derive(Debug)]
//! # enum ChargeError { Busy, Interrupted(Interrupted) }
//! # impl ChargeError { fn is_transient(&self) -> bool { true } }
//! # impl From<Interrupted> for ChargeError { fn from(i: Interrupted) -> Self { Self::Interrupted(i) } }
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! let text = "
//!     struct Charge {
//!         deadline(2s) {
//!             retry(attempts = 3, backoff = exponential(100ms, max = 1s), budget = PAYMENTS, when = is_transient) {
//!                 attempt(500ms)
//!             }
//!         }
//!     }";
//! let policy: DynPolicy<u32, ChargeError> = Loader::new()
//!     .budget("PAYMENTS", &PAYMENTS)
//!     .when("is_transient", ChargeError::is_transient)
//!     .text(text)
//!     .expect("a policy that fits");
//! let receipt = policy.run(async |attempt| if attempt.number() == 1 { Err(ChargeError::Busy) } else { Ok(17) }).await;
//! assert_eq!(receipt.unwrap(), 17);
//!
//! let refused = Loader::<u32, ChargeError>::new()
//!     .text("timeout(1s) { retry(attempts = 3, backoff = fixed(100ms)) { attempt(500ms) } }")
//!     .unwrap_err();
//! assert!(refused.to_string().starts_with("1:1: error: `policy` cannot fit: worst case 1.7 s, limit 1 s"));
//! # }
//! ```
//!
//! What runs costs more than generated code: each node that starts is an allocation. What a file can't hold is code, so
//! hooks and budgets come from the program, by the names that the file uses; an operation is the program's in any case.
//!
//! `loader` takes what the program knows, and hands text, tree or document to `read`, which parses and judges; `program` is what is
//! left to run, `run` runs it, and `chain` holds as many branches as a file has.

mod chain;
#[cfg(feature = "serde")]
mod document;
mod hooks;
mod loader;
mod output;
mod program;
mod read;
mod refused;
mod run;

use std::sync::Arc;

use retry_runtime::{Attempt, Failure, FromInterrupted, IdempotencyKey};

#[cfg(feature = "serde")]
pub use document::Document;
pub use loader::{Loader, One, Several};
pub use output::Output;
pub use refused::{Fault, Place, Refused};

use program::Program;

/// A policy that was loaded at run time, and fits; made by a [`Loader`].
///
/// `T` and `E` are what its operation returns. With `Several` leaves, it runs one operation that is told the leaf's name.
///
/// It is cheap to clone, and clones share all. Swapping one for another while runs are out is safe: a run keeps the policy
/// that it began with.
pub struct DynPolicy<T, E, L = One> {
    program: Arc<Program<T, E>>,
    key: Option<IdempotencyKey>,
    leaves: core::marker::PhantomData<fn() -> L>,
}

impl<T, E, L> DynPolicy<T, E, L> {
    const fn new(program: Arc<Program<T, E>>) -> Self {
        Self {
            program,
            key: None,
            leaves: core::marker::PhantomData,
        }
    }

    /// The policy's name; `policy` where the file gives none.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.program.name
    }

    /// Hands out the policy as the planner takes it, to plan it or to print it.
    ///
    /// ```
    /// use retry_plan::dynamic::{DynPolicy, Loader};
    /// use retry_plan::Plan;
    ///
    /// let policy: DynPolicy<(), std::io::Error> = Loader::new().text("retry(attempts = 3, backoff = fixed(1s)) { attempt(2s) }").unwrap();
    /// assert_eq!(policy.with_tree(|tree| Plan::of(tree).worst()), Some(std::time::Duration::from_secs(8)));
    /// ```
    pub fn with_tree<R>(&self, look: impl FnOnce(&retry_planner::Policy<'_>) -> R) -> R {
        self.program.tree.with(look)
    }

    /// What was found and is only warned of.
    #[must_use]
    pub fn warnings(&self) -> &[Fault] {
        &self.program.warnings
    }

    /// The same policy with this idempotency key in place of a random one, for leaves with `idempotency_key`.
    #[must_use]
    pub fn keyed(&self, key: impl Into<IdempotencyKey>) -> Self {
        Self {
            key: Some(key.into()),
            ..self.clone()
        }
    }
}

impl<T, E> DynPolicy<T, E, One>
where
    T: Send,
    E: Send,
{
    /// Runs the operation under the policy.
    ///
    /// # Errors
    ///
    /// The operation's last error as it was, else what its type makes of `Interrupted`.
    pub async fn run<Op, Fut>(&self, operation: Op) -> Result<T, E>
    where
        Op: Fn(Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
        E: FromInterrupted,
    {
        self.run_detailed(operation).await.map_err(Failure::into_error)
    }

    /// Runs the operation under the policy, and tells all about a failure.
    ///
    /// # Errors
    ///
    /// Why the run ended, the operation's last error, and how many attempts and how long it took.
    pub async fn run_detailed<Op, Fut>(&self, operation: Op) -> Result<T, Failure<E>>
    where
        Op: Fn(Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
    {
        let output = run::run(&self.program, self.key, |_, attempt| operation(attempt)).await?;
        Ok(output.only())
    }
}

impl<T, E> DynPolicy<T, E, Several>
where
    T: Send,
    E: Send,
{
    /// Runs the operation under the policy, each time told which leaf it is for.
    ///
    /// # Errors
    ///
    /// The operation's last error as it was, else what its type makes of `Interrupted`.
    pub async fn run<Op, Fut>(&self, operation: Op) -> Result<Output<T>, E>
    where
        Op: Fn(&'static str, Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
        E: FromInterrupted,
    {
        self.run_detailed(operation).await.map_err(Failure::into_error)
    }

    /// Runs the operation under the policy, and tells all about a failure.
    ///
    /// # Errors
    ///
    /// Why the run ended, the operation's last error, and how many attempts and how long it took.
    pub async fn run_detailed<Op, Fut>(&self, operation: Op) -> Result<Output<T>, Failure<E>>
    where
        Op: Fn(&'static str, Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
    {
        run::run(&self.program, self.key, operation).await
    }
}

impl<T, E, L> Clone for DynPolicy<T, E, L> {
    fn clone(&self) -> Self {
        Self {
            program: Arc::clone(&self.program),
            ..*self
        }
    }
}

impl<T, E, L> core::fmt::Debug for DynPolicy<T, E, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.with_tree(retry_syntax::text::print))
    }
}
