//! How a retry policy *runs*: nodes, budgets, scopes and failures, on tokio's clock.
//!
//! An operation gets an [`Attempt`] and returns an [`Outcome`]; what its policy may spend is bounded by a [`Scope`] and by
//! [`Budget`]s; a run that ends without a value ends with a [`Failure`].

pub mod attempt;
pub mod bare;
pub mod branch;
pub mod budget;
pub mod called;
pub mod clock;
pub mod course;
pub mod end;
pub mod failure;
pub mod fall;
pub mod given;
pub mod hedge;
pub mod hint;
pub mod hook;
pub mod key;
pub mod least;
pub mod observer;
pub mod outcome;
pub mod parallel;
pub mod plain;
pub mod port;
pub mod race;
mod rare;
pub mod retry;
pub mod rng;
pub mod scope;
pub mod single;
mod sleep;
pub mod solo;
pub mod timer;
pub mod wait;

pub use attempt::Attempt;
pub use budget::{Budget, Charge, Penalties, Repeat, Scheme, Stats};
pub use end::End;
pub use failure::{Failure, FromInterrupted, Interrupted, Stop};
pub use hint::RetryAfter;
pub use key::IdempotencyKey;
pub use observer::{Event, Observer};
pub use outcome::{Missing, Outcome};
pub use retry::Retrying;
pub use scope::{Scope, Scoped, carry};
pub use single::SingleLeaf;
