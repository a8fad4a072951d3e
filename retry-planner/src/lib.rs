//! What a retry policy *means*: the tree, its arithmetic and its findings.
//!
//! Everything here is a `const fn` over plain data, so that one planner judges a policy while a macro expands, in
//! const evaluation, and at run time.
//!
//! A policy is a list of nodes in preorder. `retry_policy!` writes it; by hand it is
//!
//! ```
//! use core::time::Duration;
//! use retry_planner::{Attempt, Kind, Levels, Lint, Node, Plan, Policy, Range, plan};
//!
//! const fn node(size: usize, kind: Kind<'static>) -> Node<'static> {
//!     Node { name: "", size, levels: Levels::DEFAULT, kind }
//! }
//!
//! // timeout(2s) { attempt(takes = 3s..=4s) }
//! const POLICY: Policy<'static> = Policy {
//!     name: "Hopeless",
//!     nodes: &[
//!         node(2, Kind::Timeout(Range::exact(Duration::from_secs(2)))),
//!         node(1, Kind::Attempt(Attempt {
//!             bound: None,
//!             takes: Some(retry_planner::Takes {
//!                 min: Range::exact(Duration::from_secs(3)),
//!                 max: Some(Range::exact(Duration::from_secs(4))),
//!             }),
//!             idempotent: true,
//!             key: false,
//!         })),
//!     ],
//! };
//! const PLAN: Plan<'static> = Plan::of(&POLICY);
//! assert_eq!(PLAN.worst(), Some(Duration::from_secs(2)), "the limit cuts it");
//! assert!(plan::has(&POLICY, Lint::Impossible, 0), "it never succeeds");
//! ```
#![no_std]
#![expect(
    clippy::large_types_passed_by_value,
    reason = "texts are built by value, as const evaluation can't lend its temporaries to a chain of calls"
)]

extern crate alloc;

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
