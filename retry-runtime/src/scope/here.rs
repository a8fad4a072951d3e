//! Where something is polled: its limit, its scope and its span, taken along to where its operation is polled.

use std::sync::Arc;

use super::{Context, Inside, Limit, context, enter, frame};

/// What holds where it was made, to hold elsewhere in the same task.
#[derive(Debug)]
pub(crate) struct Here {
    limit: Limit,
    context: Option<Arc<Context>>,
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

impl Here {
    pub(crate) fn now() -> Self {
        Self {
            limit: frame().limit(),
            context: context(),
            #[cfg(feature = "tracing")]
            span: tracing::Span::current(),
        }
    }

    /// A place of which only the limit matters.
    pub(crate) fn under(limit: Limit) -> Self {
        Self {
            limit,
            context: None,
            #[cfg(feature = "tracing")]
            span: tracing::Span::none(),
        }
    }

    /// Whether there is more to it than a limit.
    pub(crate) fn is_more(&self) -> bool {
        #[cfg(feature = "tracing")]
        if !self.span.is_none() {
            return true;
        }
        self.context.is_some()
    }

    pub(crate) const fn limit(&self) -> Limit {
        self.limit
    }

    /// Another limit holds there now, since a run's clock may have started; the rest doesn't change.
    pub(crate) const fn moved(&mut self, limit: Limit) {
        self.limit = limit;
    }

    /// Polls something as if it were polled there.
    pub(crate) fn within<R>(&mut self, poll: impl FnOnce() -> R) -> R {
        #[cfg(feature = "tracing")]
        let _span = self.span.enter();
        let _scope = Inside::of(Limit::NONE, &mut self.context);
        let _limit = enter(self.limit);
        poll()
    }
}
