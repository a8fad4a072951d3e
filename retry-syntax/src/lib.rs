//! How a retry policy is *written*: from tokens or text to a spanned tree, and on to the planner's tree.
//!
//! tokens → [`parse`] → [`ast`] → planner.

pub mod ast;
mod errors;
mod literal;
pub mod lower;
pub mod parse;
pub mod text;
mod tokens;
mod validate;
pub mod words;

pub use errors::{Diagnostic, Errors};
pub use literal::{spell, spell_factor};
