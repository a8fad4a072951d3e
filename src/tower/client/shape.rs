//! What a policy's tree says about how often its leaf may be called.

use retry_planner::{Kind, Policy};
use retry_runtime::Attempt;

/// Which attempt, if any, is known to be the leaf's last call when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// At most one retry around the leaf: its last attempt is the last call.
    Straight,
    /// Nested retries or hedges: a last attempt here may be followed by calls from there.
    Woven,
}

impl Shape {
    pub(crate) fn of(policy: &Policy<'_>) -> Self {
        let (mut retries, mut others) = (0, 0);
        for node in policy.nodes {
            match node.kind {
                Kind::Retry(_) => retries += 1,
                Kind::Hedge(_) => others += 1,
                _ => {}
            }
        }
        if retries <= 1 && others == 0 {
            Self::Straight
        } else {
            Self::Woven
        }
    }

    pub(crate) fn is_last_call(self, attempt: &Attempt) -> bool {
        self == Self::Straight && attempt.is_last()
    }
}
