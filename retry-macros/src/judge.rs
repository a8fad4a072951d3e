//! What is known of a policy when its code is generated.

use proc_macro2::TokenStream;
use retry_syntax::ast::{LevelAttr, Node};
use retry_syntax::lower;

/// A policy with what the planner has to say about it.
pub(crate) struct Judged {
    /// The policy as a constant expression, of the planner's `Policy<'static>`.
    pub(crate) policy: TokenStream,
}

impl Judged {
    /// `name` is what errors call the policy; `faulty` says that its text had faults, so that its plan means nothing.
    pub(crate) fn of(
        name: &str,
        levels: &[LevelAttr],
        root: &Node,
        facade: &TokenStream,
        _faulty: bool,
    ) -> Self {
        Self {
            policy: lower::policy_tokens(name, levels, root, facade),
        }
    }
}
