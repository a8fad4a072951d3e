//! Policies executed against their plans.
//!
//! The trees are those that the planner's model walks ([`family`] and [`random`]), so that planner, model and execution judge
//! the same ones. [`case`] loads a tree as a policy and takes its figures from the planner; [`script`] is an adversary that
//! decides what each call of an operation does, [`aim`] what that has to be for a run to reach an extreme; [`execute`] runs a
//! policy under a script on tokio's paused clock and holds what happened against the figures. [`report`] keeps what
//! `EVIDENCE.md` says.
//!
//! By default every second tree is executed. All of them: `cargo test --release --test evidence --all-features -- --ignored`.
//! With `RETRY_PLAN_EVIDENCE=write` a run writes its part of `EVIDENCE.md`; without, it is compared with it.

#![allow(
    clippy::similar_names,
    clippy::cast_possible_truncation,
    clippy::match_same_arms,
    clippy::needless_pass_by_value,
    clippy::format_collect,
    clippy::option_option,
    clippy::trivially_copy_pass_by_ref,
    clippy::unreadable_literal,
    dead_code,
    reason = "the trees are the model's, which has more uses for them, and scripts are read case by case"
)]

mod aim;
mod case;
mod compiled;
#[path = "../../retry-planner/tests/model/convert.rs"]
mod convert;
mod documents;
mod enumerated;
mod execute;
#[path = "../../retry-planner/tests/model/family.rs"]
mod family;
mod faults;
#[cfg(feature = "serde")]
mod fuzzed;
mod kept;
#[path = "../../retry-planner/tests/model/random.rs"]
mod random;
mod report;
mod script;
#[path = "../../retry-planner/tests/model/tree.rs"]
mod tree;
