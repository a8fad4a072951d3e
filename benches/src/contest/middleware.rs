//! Policies for tower's middleware, which leaves them to its user.

use crate::operation::Refusal;
use rand::RngExt;
use std::sync::Arc;
use std::time::Duration;
use tower::retry::Policy;
use tower::retry::budget::{Budget, TpsBudget};

/// Three attempts, a predicate, waits as the hand loop's, and a budget or none.
#[derive(Clone)]
pub(super) struct Attempts {
    pub(super) left: u32,
    pub(super) wait: Option<Duration>,
    pub(super) budget: Option<Arc<TpsBudget>>,
}

impl Attempts {
    pub(super) fn jittered() -> Self {
        Self {
            left: 2,
            wait: None,
            budget: None,
        }
    }

    pub(super) fn fixed(wait: Duration) -> Self {
        Self {
            left: 2,
            wait: Some(wait),
            budget: None,
        }
    }

    pub(super) fn with_budget(mut self) -> Self {
        self.budget = Some(Arc::default());
        self
    }

    fn wait(&self) -> Duration {
        self.wait.unwrap_or_else(|| {
            let cap = Duration::from_millis(100)
                .saturating_mul(1 << (2 - self.left))
                .min(Duration::from_secs(1));
            rand::rng().random_range(Duration::ZERO..=cap)
        })
    }
}

/// The predicate, on either error that tower's stacks end with.
pub(super) trait Judge {
    fn transient(&self) -> bool;
}

impl Judge for Refusal {
    fn transient(&self) -> bool {
        self.is_transient()
    }
}

impl Judge for tower::BoxError {
    fn transient(&self) -> bool {
        self.downcast_ref::<Refusal>().is_none_or(Refusal::is_transient)
    }
}

impl<T, E: Judge> Policy<(), T, E> for Attempts {
    type Future = tokio::time::Sleep;

    fn retry(&mut self, (): &mut (), result: &mut Result<T, E>) -> Option<Self::Future> {
        match result {
            Ok(_) => {
                if let Some(budget) = &self.budget {
                    budget.deposit();
                }
                None
            }
            Err(error) => {
                if self.left == 0 || !error.transient() {
                    return None;
                }
                if self.budget.as_ref().is_some_and(|budget| !budget.withdraw()) {
                    return None;
                }
                let wait = self.wait();
                self.left -= 1;
                Some(tokio::time::sleep(wait))
            }
        }
    }

    fn clone_request(&mut self, (): &()) -> Option<()> {
        Some(())
    }
}

/// A hedge's policy that always hedges.
#[derive(Clone)]
pub(super) struct Always;

impl tower::hedge::Policy<()> for Always {
    fn clone_request(&self, (): &()) -> Option<()> {
        Some(())
    }

    fn can_retry(&self, (): &()) -> bool {
        true
    }
}
