//! How a retry policy is *written*: from tokens or text to a spanned tree, and on to the planner's tree.
//!
//! tokens → [`ast`] → planner.

pub mod ast;
mod errors;

pub use errors::{Diagnostic, Errors};
