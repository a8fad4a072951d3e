//! Retry policies that are proven to fit before they run.

pub use retry_macros::{retry, retry_policy};
pub use retry_runtime::*;

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

mod words;

/// What generated code reaches; no part of it is for people.
#[doc(hidden)]
pub mod __private {
    pub use retry_planner as planner;
    pub use retry_runtime as runtime;

    pub mod words {
        pub use crate::words::{argument, node};
    }
}
