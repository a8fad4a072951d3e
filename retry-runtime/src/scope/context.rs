//! What a scope shares: its cancellation and its allowances, those of the scopes around included.

use core::fmt;
use core::mem;
use core::num::NonZeroU32;
use std::sync::Arc;

use super::cancel::{Cancel, Cancelled};
use crate::Stop;
use crate::budget::{Allowance, Budget};

/// The shared part of a scope, flat: joining two scopes gathers what both have, so that nothing walks a chain.
#[derive(Clone, Default)]
pub struct Context {
    cancel: Option<Arc<Cancel>>,
    #[cfg(feature = "tokio-util")]
    tokens: Vec<tokio_util::sync::CancellationToken>,
    #[cfg(feature = "observe")]
    observers: Vec<Arc<dyn crate::Observer>>,
    allowances: Vec<Arc<Allowance>>,
    /// Whether nothing inside is repeated.
    once: bool,
    /// Which attempt of the caller this is part of.
    attempt: Option<NonZeroU32>,
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

    #[cfg(feature = "observe")]
    pub(super) fn observed(&mut self, observer: Arc<dyn crate::Observer>) {
        self.observers.push(observer);
    }

    #[cfg(feature = "observe")]
    pub(crate) fn observers(&self) -> impl Iterator<Item = &dyn crate::Observer> {
        self.observers.iter().map(|observer| &**observer)
    }

    pub(super) const fn once(&mut self) {
        self.once = true;
    }

    pub(super) const fn of_attempt(&mut self, attempt: u32) {
        self.attempt = NonZeroU32::new(attempt);
    }

    pub(super) const fn attempt(&self) -> Option<NonZeroU32> {
        self.attempt
    }

    /// Why nothing inside may be repeated, if so.
    pub(super) fn refusal(&self) -> Option<Stop> {
        if self.is_cancelled() {
            Some(Stop::Cancelled)
        } else if self.once {
            Some(Stop::NotRetryable)
        } else {
            None
        }
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
            once: own.once || around.once,
            attempt: own.attempt.or(around.attempt),
            ..Self::clone(&own)
        };
        add(&mut joined.allowances, &around.allowances);
        #[cfg(feature = "observe")]
        add(&mut joined.observers, &around.observers);
        #[cfg(feature = "tokio-util")]
        joined.tokens.extend(around.tokens.iter().cloned());
        Some(Arc::new(joined))
    }

    /// Makes this what holds under a fresh allowance in `around`. The memory of an earlier allowance, the first in the
    /// list, is used again.
    pub(super) fn restart(&mut self, budget: &'static Budget, repeats: u32, around: Option<&Self>) {
        let fresh = Allowance::new(budget, repeats);
        let mut allowances = mem::take(&mut self.allowances);
        match allowances.first_mut().and_then(Arc::get_mut) {
            Some(own) => *own = fresh,
            None => allowances = vec![Arc::new(fresh)],
        }
        *self = around.map(Self::without_allowances).unwrap_or_default();
        allowances.extend(around.iter().flat_map(|around| around.allowances.iter().cloned()));
        self.allowances = allowances;
    }

    /// Lets go of everything but its own allowance.
    pub(super) fn release(&mut self) {
        let mut allowances = mem::take(&mut self.allowances);
        allowances.truncate(1);
        *self = Self {
            allowances,
            ..Self::default()
        };
    }

    fn without_allowances(&self) -> Self {
        Self {
            cancel: self.cancel.clone(),
            #[cfg(feature = "tokio-util")]
            tokens: self.tokens.clone(),
            #[cfg(feature = "observe")]
            observers: self.observers.clone(),
            allowances: Vec::new(),
            ..*self
        }
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

/// Adds what isn't there yet: a scope that was carried to where it came from counts once.
fn add<T: ?Sized>(own: &mut Vec<Arc<T>>, around: &[Arc<T>]) {
    for one in around {
        if !own.iter().any(|other| Arc::ptr_eq(one, other)) {
            own.push(Arc::clone(one));
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("cancelled", &self.is_cancelled())
            .field("allowances", &self.allowances)
            .field("once", &self.once)
            .field("attempt", &self.attempt)
            .finish_non_exhaustive()
    }
}
