//! Retry policies that are proven to fit before they run.
//!
//! A policy is a tree of limits, retries, hedges and compositions around your operations. The same planner judges it while
//! the macro expands, in const evaluation and at run time; what can't work doesn't compile, and what compiles runs with the
//! cost of a hand-written loop.
//!
//! ```
//! use retry_plan::{Interrupted, retry_policy};
//!
//! #[derive(Debug, thiserror::Error)]
//! enum ChargeError {
//!     #[error("the provider is busy")]
//!     Busy,
//!     #[error("declined")]
//!     Declined,
//!     #[error(transparent)]
//!     Interrupted(#[from] Interrupted),
//! }
//!
//! retry_policy! {
//!     /// Charge a card within the two seconds that a checkout has.
//!     pub struct Charge {
//!         type Error = ChargeError;
//!         deadline(2s) {
//!             retry(attempts = 3, backoff = exponential(100ms, factor = 2, max = 1s),
//!                   when = |error| matches!(error, ChargeError::Busy)) {
//!                 attempt(500ms)
//!             }
//!         }
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), ChargeError> {
//! let receipt = Charge::run(async |cx| {
//!     // The operation: `cx` tells which attempt this is and what it has left.
//!     if cx.number() < 2 { Err(ChargeError::Busy) } else { Ok(format!("paid in {cx}")) }
//! })
//! .await?;
//! assert_eq!(receipt, "paid in attempt 2 of 3");
//! assert_eq!(Charge::PLAN.calls(), Some(3));
//! # Ok(())
//! # }
//! ```
//!
//! - [`retry_policy!`] declares policies or runs them in place; [`#[retry]`](macro@retry) puts one around a function.
//! - An operation gets an [`Attempt`] and returns a [`Result`], or any other [`Outcome`]. What ends without a value is the
//!   operation's last error, or in full a [`Failure`] with its [`Stop`].
//! - A [`Budget`] bounds what retries cost together; a [`Scope`] is what a caller imposes on all that runs inside it.
//! - [`Policy`] and [`Plan`] are what the planner judges and answers; [`planner`] holds the rest of it.
//!
//! # Features
//!
//! None is on by itself. Each is shown by an example that runs.
//!
//! | feature | what it brings | shown by |
//! |---|---|---|
//! | `http` | the modules `http` (what may be retried, `Retry-After`) and `wire` (deadlines and attempts in headers) | their docs |
//! | `tower` | the module `tower`: policies and deadlines as layers | `cargo run --example tower_client --features tower` |
//! | `axum` | its body in requests that are sent again | `axum_proxy`, likewise |
//! | `tonic` | the module `tonic`: statuses, pushback, deadlines | `grpc` |
//! | `reqwest`, `reqwest-middleware` | the module `reqwest`: a client, and a middleware | `deadline_chain`, and their docs |
//! | `metrics` | the module `metrics`: runs as figures | `metrics`, with a page for Prometheus |
//! | `tracing` | runs as spans, decisions as events | `tracing` |
//! | `observe` | [`Observer`]s of the process and of scopes | its docs |
//! | `tokio-util` | scopes that a `CancellationToken` cancels | the docs of `Scope::token` |
//! | `uuid` | idempotency keys made of a `Uuid` | the docs of [`IdempotencyKey`] |
//! | `dynamic` | the module `dynamic`: policies from a file, planned when they are loaded | `cargo run --example reload --features dynamic -- --test-run` |
//! | `serde` | the same from JSON, TOML and YAML | the docs of `dynamic::Document` |

/// Runs a function's body under a policy: the shorthand's keys, a whole tree, or the name of a policy.
///
/// It stands on functions and methods of every shape: `async fn`, `fn … -> impl Future`, `#[async_trait]`'s methods, and a
/// plain `fn`, which waits on its thread. `?`, `return`, `&mut` arguments, the signature and the visibility are those of
/// the plain function, and so is what happens when the first attempt succeeds. What can't fit is refused as in
/// [`retry_policy!`], and the function's documentation shows its plan.
///
/// Each attempt borrows the arguments; an argument that is `mut` is cloned for it, so that no attempt sees what another
/// left. Hooks (`when`, `until`, `on_retry`, `retry_after`, `idempotency_key = …`) see the arguments, too. An `async fn` whose
/// arguments are shared references, numbers and the like may become what it is short for, `fn … -> impl Future`: that
/// future is the run then. Beside the policy may stand:
///
/// | argument | what it does |
/// |---|---|
/// | `context = cx` | brings the [`Attempt`] into the body |
/// | `clone(order, self)` | clones these for each attempt, whose body moves them |
/// | `interrupted = \|i\| …` | makes the error of a run that a limit ended, where its type has no `From<Interrupted>` |
/// | `export = CHARGE_PLAN` | gives the function's [`Plan`] as a constant beside it, as visible as the function |
/// | `calls(CHARGE_PLAN, Refund)` | says what the body calls: exported plans and named policies, of any crate |
/// | `crate = path` | the path of this crate, where it isn't `::retry_plan` |
///
/// ```
/// use std::io::Error;
/// use retry_plan::retry;
///
/// #[retry(attempts = 3, attempt = 200ms, deadline = 1s, export = PROFILE_PLAN)]
/// async fn profile(name: &str) -> Result<String, Error> {
///     Ok(format!("profile of {name}"))
/// }
///
/// #[retry(deadline(3s) { retry(attempts = 2, backoff = fixed(50ms), jitter = full) { attempt } }, calls(PROFILE_PLAN))]
/// async fn orders(name: &str) -> Result<u32, Error> {
///     Ok(profile(name).await?.len() as u32)
/// }
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Error> {
/// assert_eq!(orders("ada").await?, 14);
/// # Ok(())
/// # }
/// ```
///
/// Functions that declare what they call are judged together. A body is taken to call each of them at most once, one after
/// another; what isn't declared isn't judged. What hangs on a type parameter (`attempt = T::LIMIT`) is judged where the
/// function is instantiated; in an `impl` with parameters, a constant of the type is written by its name
/// (`Shop::LIMIT`, `Shop::<T>::LIMIT`), for rustc allows no `Self` there. Three attempts around these four would be
/// twelve, which is refused:
///
/// ```compile_fail
/// use std::io::Error;
/// use retry_plan::retry;
///
/// #[retry(attempts = 4, attempt = 200ms, export = CHARGE_PLAN)]
/// async fn charge() -> Result<u32, Error> {
///     Ok(7)
/// }
///
/// #[retry(attempts = 3, calls(CHARGE_PLAN))]
/// async fn checkout() -> Result<u32, Error> {
///     charge().await
/// }
/// ```
pub use retry_macros::retry;
/// A retry policy: a named type with a typed executor, or a run in place.
///
/// A named policy is a type with `run` and `run_detailed`, and the constants `POLICY` and `PLAN`; one with several leaves
/// takes an operation for each:
///
/// ```
/// use std::io::Error;
/// use retry_plan::retry_policy;
///
/// retry_policy! {
///     pub struct LoadPage {
///         deadline(1s) {
///             parallel {
///                 profile: retry(attempts = 2) { attempt(200ms) },
///                 orders: hedge(after = 80ms, copies = 2) { attempt(300ms) },
///             }
///         }
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Error> {
/// let page = LoadPage::new()
///     .profile(async |_| Ok::<_, Error>("ada"))
///     .orders(async |_| Ok::<_, Error>(3))
///     .run()
///     .await?;
/// assert_eq!((page.profile, page.orders), ("ada", 3));
///
/// // In place, captures and `&mut` state are those of plain code.
/// let mut tried = 0;
/// let done = retry_policy!(attempts = 3, attempt = 500ms, deadline = 3s, async |_| {
///     tried += 1;
///     if tried < 2 { Err(Error::other("not yet")) } else { Ok(tried) }
/// })
/// .await?;
/// assert_eq!(done, 2);
/// # Ok(())
/// # }
/// ```
///
/// A policy that can't work doesn't compile, and the error says what would fit:
///
/// ```compile_fail
/// retry_plan::retry_policy! {
///     struct Provider {
///         timeout(2s) { retry(attempts = 4, backoff = fixed(100ms)) { attempt(800ms) } }
///     }
/// }
/// ```
pub use retry_macros::retry_policy;
pub use retry_planner as planner;
pub use retry_planner::{Plan, Policy, plan};
pub use retry_runtime::{
    Attempt, Budget, Charge, End, Event, Failure, FromInterrupted, IdempotencyKey, Interrupted, Missing,
    Observer, Outcome, Penalties, Repeat, RetryAfter, Retrying, Scheme, Scope, Scoped, SingleLeaf, Stats,
    Stop, carry, observer,
};

#[cfg(feature = "dynamic")]
pub mod dynamic;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "metrics")]
pub mod metrics;
#[cfg(feature = "reqwest")]
pub mod reqwest;
#[cfg(feature = "tonic")]
pub mod tonic;
#[cfg(feature = "tower")]
pub mod tower;
#[cfg(feature = "http")]
pub mod wire;

/// What tests of your own need.
pub mod testing {
    pub use retry_runtime::rng::{Seeded, always, seed};
}

mod words;

/// The README's code, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The migration guide's code, likewise.
#[cfg(doctest)]
#[doc = include_str!("../docs/migration.md")]
struct Migration;

/// The stamp of generated code: [`__private`] is not the same in any two versions.
#[doc(hidden)]
#[macro_export]
macro_rules! __version {
    ("0.1.0") => {};
    ($macros:literal) => {
        ::core::compile_error!(::core::concat!(
            "this code is generated by retry-macros ",
            $macros,
            ", and would run on retry-plan 0.1.0: both have to be of one version\n",
            "  help: one retry-plan in `cargo tree -d`, and that one behind `crate = …`"
        ));
    };
}

/// What generated code uses. No part of the interface, and not the same in any two versions.
#[doc(hidden)]
pub mod __private {
    pub use crate::__version as version;
    pub use retry_planner as planner;
    pub use retry_runtime::__in_span as in_span;
    pub use retry_runtime::bare::{Bare, NoFuture};
    pub use retry_runtime::branch::{Branch, NoMore};
    pub use retry_runtime::budget::{Account, Trial};
    pub use retry_runtime::called::{called, calling, fell as call_fell};
    pub use retry_runtime::course::{Course, Lenient, Manner, Strict, error_or};
    pub use retry_runtime::fall::{Fall, Fell};
    pub use retry_runtime::given::{Given, Operation};
    pub use retry_runtime::hedge::{Counted, HedgeSpec, Known};
    pub use retry_runtime::hook::{
        earlier, fails_with, on_retry, on_retry_async, operation, retry_after, until, when, when_async,
    };
    pub use retry_runtime::observer::{InSpan, Site, Watch, entered, refused, waits, won};
    pub use retry_runtime::parallel::parallel;
    pub use retry_runtime::plain::{
        AnyError, Free, Limited, Plain, PlainPolicy, Unlimited, always, run as run_plain,
    };
    pub use retry_runtime::port::{Port, one_at_a_time};
    pub use retry_runtime::race::race;
    pub use retry_runtime::retry::{RetrySpec, Tries, Verdict};
    pub use retry_runtime::scope::allowing;
    pub use retry_runtime::solo::Solo;
    pub use retry_runtime::timer::{Alarm, Timer, limit, ms, within};
    pub use retry_runtime::{
        Attempt, Budget, End, Failure, FromInterrupted, IdempotencyKey, Outcome, Repeat, Retrying,
        SingleLeaf, Stop,
    };

    /// The words of the language, documented on hover.
    pub mod words {
        pub use crate::words::{argument, node};
    }
}
