//! Retry policies that are proven to fit before they run.
//!
//! A policy is a tree of limits, retries, hedges and compositions around your operations. The same planner judges it while
//! the macro expands, in const evaluation and at run time; what can't work doesn't compile, and what compiles runs with the
//! cost of a hand-written loop.

pub use retry_macros::{retry, retry_policy};
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

/// What generated code uses. No part of the interface, and not the same in any two versions.
#[doc(hidden)]
pub mod __private {
    pub use retry_planner as planner;
    pub use retry_runtime::branch::{Branch, NoMore};
    pub use retry_runtime::fall::{Fall, Fell};
    pub use retry_runtime::given::{Given, Operation};
    pub use retry_runtime::hedge::{Counted, HedgeSpec};
    pub use retry_runtime::hook::{
        earlier, fails_with, on_retry, on_retry_async, operation, retry_after, run, until, when, when_async,
    };
    pub use retry_runtime::parallel::parallel;
    pub use retry_runtime::port::{Asked, Port, one_at_a_time};
    pub use retry_runtime::race::race;
    pub use retry_runtime::retry::{RetrySpec, Tries, Verdict};
    pub use retry_runtime::scope::allowing;
    pub use retry_runtime::timer::{Drive, Timer, limit, ms};
    pub use retry_runtime::{
        Attempt, Budget, Failure, FromInterrupted, IdempotencyKey, Outcome, Repeat, Retrying, SingleLeaf,
        Stop,
    };

    /// The words of the language, documented on hover.
    pub mod words {
        pub use crate::words::{argument, node};
    }
}
