//! Retry policies that are proven to fit before they run.

pub use retry_macros::{retry, retry_policy};
pub use retry_runtime::*;

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
