//! What a scope shares: its cancellation and its allowances, those of the scopes around included.

use std::sync::Arc;

use super::cancel::{Cancel, Cancelled};
use crate::budget::{Allowance, Budget};

/// The shared part of a scope, flat: joining two scopes gathers what both have, so that nothing walks a chain.
#[derive(Debug, Clone, Default)]
pub struct Context {
    cancel: Option<Arc<Cancel>>,
    #[cfg(feature = "tokio-util")]
    tokens: Vec<tokio_util::sync::CancellationToken>,
    allowances: Vec<Arc<Allowance>>,
}

impl Context {
    pub(super) fn allow(&mut self, budget: &'static Budget, repeats: u32) {
        self.allowances.push(Arc::new(Allowance::new(budget, repeats)));
    }

    pub(super) fn cancellable(&mut self) {
        self.cancel.get_or_insert_default();
    }

    #[cfg(feature = "tokio-util")]
    pub(super) fn token(&mut self, token: tokio_util::sync::CancellationToken) {
        self.cancellable();
        self.tokens.push(token);
    }

    /// What holds inside of `own`, run where `around` holds. `source`: whether the run is cancelled by a future of its own,
    /// which must not cancel anything else.
    pub(super) fn joined(
        own: Option<Arc<Self>>,
        around: Option<Arc<Self>>,
        source: bool,
    ) -> Option<Arc<Self>> {
        let (own, around) = match (own, around) {
            (None, None) if !source => return None,
            (None, Some(one)) | (Some(one), None) if !source => return Some(one),
            (own, around) => (own.unwrap_or_default(), around.unwrap_or_default()),
        };
        let parents = [&own.cancel, &around.cancel].map(Option::clone);
        let cancel = match parents {
            // A scope that was carried to where it came from.
            [Some(one), Some(two)] if !source && Arc::ptr_eq(&one, &two) => Some(one),
            [Some(one), None] | [None, Some(one)] if !source => Some(one),
            [None, None] if !source => None,
            parents => Some(Cancel::below(parents.into_iter().flatten())),
        };
        let mut joined = Self {
            cancel,
            ..Self::clone(&own)
        };
        for allowance in &around.allowances {
            if !joined.allowances.iter().any(|own| Arc::ptr_eq(own, allowance)) {
                joined.allowances.push(Arc::clone(allowance));
            }
        }
        #[cfg(feature = "tokio-util")]
        joined.tokens.extend(around.tokens.iter().cloned());
        Some(Arc::new(joined))
    }

    /// Makes this what holds under a fresh allowance in `around`. The memory of an earlier allowance, the first in the
    /// list, is used again.
    pub(super) fn restart(&mut self, budget: &'static Budget, repeats: u32, around: Option<&Self>) {
        let fresh = Allowance::new(budget, repeats);
        match self.allowances.first_mut().and_then(Arc::get_mut) {
            Some(own) => *own = fresh,
            None => self.allowances = vec![Arc::new(fresh)],
        }
        if let Some(around) = around {
            self.cancel.clone_from(&around.cancel);
            self.allowances.extend(around.allowances.iter().cloned());
            #[cfg(feature = "tokio-util")]
            self.tokens.clone_from(&around.tokens);
        }
    }

    /// Lets go of everything but its own allowance.
    pub(super) fn release(&mut self) {
        self.allowances.truncate(1);
        self.cancel = None;
        #[cfg(feature = "tokio-util")]
        self.tokens.clear();
    }

    pub(super) fn is_cancelled(&self) -> bool {
        // A token may have been cancelled since the scope was last polled.
        #[cfg(feature = "tokio-util")]
        if self
            .tokens
            .iter()
            .any(tokio_util::sync::CancellationToken::is_cancelled)
        {
            return true;
        }
        self.cancel.as_ref().is_some_and(|cancel| cancel.is_cancelled())
    }

    pub(super) fn cancel(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| {
            cancel.cancel();
            true
        })
    }

    pub(super) fn cancelled(&self) -> Option<Cancelled> {
        self.cancel.clone().map(Cancelled::new)
    }

    pub(super) fn allowed(&self, budget: &'static Budget) -> Option<u32> {
        self.of(budget).map(Allowance::left).min()
    }

    /// Takes one repeat from every allowance for `budget`, or none.
    pub(crate) fn charge(&self, budget: &'static Budget) -> bool {
        for (taken, allowance) in self.of(budget).enumerate() {
            if !allowance.take() {
                self.of(budget).take(taken).for_each(Allowance::give_back);
                return false;
            }
        }
        true
    }

    /// Gives one repeat back to every allowance for `budget`.
    pub(crate) fn give_back(&self, budget: &'static Budget) {
        self.of(budget).for_each(Allowance::give_back);
    }

    fn of(&self, budget: &'static Budget) -> impl Iterator<Item = &Allowance> {
        self.allowances
            .iter()
            .map(|allowance| &**allowance)
            .filter(move |allowance| allowance.is_for(budget))
    }

    #[cfg(feature = "tokio-util")]
    pub(super) fn tokens(&self) -> &[tokio_util::sync::CancellationToken] {
        &self.tokens
    }
}
