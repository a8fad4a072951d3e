//! What a retry policy *means*: the tree, its arithmetic and its findings.
//!
//! Everything here is a `const fn` over plain data, so that one planner judges a policy while a macro expands, in
//! const evaluation, and at run time.
#![no_std]
#![expect(
    clippy::large_types_passed_by_value,
    reason = "texts are built by value, as const evaluation can't lend its temporaries to a chain of calls"
)]

mod amount;
pub mod calling;
pub mod delay;
pub mod lint;
pub mod plan;
mod text;
pub mod tree;
pub mod value;

pub use lint::{Level, Levels, Lint};
pub use plan::Plan;
pub use text::Text;
pub use tree::*;
