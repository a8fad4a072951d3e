//! An allowance as a node: a scope with nothing but one allowance, without an allocation for each start.
//!
//! The counter has to be shared, for it travels into inner runs, charges and carried tasks, so it lives behind an `Arc`.
//! A node that ends takes its memory back, if nobody else holds it, for the next one that starts on the thread.

use core::cell::RefCell;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context as Task, Poll};
use std::sync::Arc;

use pin_project_lite::pin_project;

use super::{Context, Inside, Limit, context};
use crate::budget::Budget;

/// As many as nest or take turns on one thread in practice.
const KEPT: usize = 16;

thread_local! {
    static SPARE: RefCell<Vec<Arc<Context>>> = const { RefCell::new(Vec::new()) };
}

/// Runs `future` with at most `repeats` retries and hedges charged to `budget` in it, whoever spends them.
///
/// The allowance is full when the future is first polled. Allowances around hold as well.
pub const fn allowing<F: Future>(budget: &'static Budget, repeats: u32, future: F) -> Allowing<F> {
    Allowing {
        budget,
        repeats,
        context: None,
        future,
    }
}

pin_project! {
    /// A future under an allowance; made by [`allowing`].
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Allowing<F> {
        budget: &'static Budget,
        repeats: u32,
        // Made when it is first polled.
        context: Option<Arc<Context>>,
        #[pin]
        future: F,
    }

    impl<F> PinnedDrop for Allowing<F> {
        fn drop(this: Pin<&mut Self>) {
            if let Some(context) = this.project().context.take() {
                keep(context);
            }
        }
    }
}

impl<F: Future> Future for Allowing<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<F::Output> {
        let this = self.project();
        if this.context.is_none() {
            *this.context = Some(start(this.budget, *this.repeats));
        }
        let _inside = Inside::shared(Limit::NONE, this.context);
        this.future.poll(task)
    }
}

fn start(budget: &'static Budget, repeats: u32) -> Arc<Context> {
    let spare = SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten();
    let mut own = spare.unwrap_or_default();
    match Arc::get_mut(&mut own) {
        Some(own) => own.restart(budget, repeats, context().as_deref()),
        // Only what nobody else holds is kept, and nobody can find it there.
        None => unreachable!("a spare context is held once"),
    }
    own
}

fn keep(mut context: Arc<Context>) {
    if let Some(own) = Arc::get_mut(&mut context) {
        own.release();
        // Where the thread is being torn down, there is no next one.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < KEPT {
                spare.push(context);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::testing::block_on;

    static BUDGET: Budget = Budget::unlimited();

    fn spare() -> usize {
        SPARE.with_borrow(Vec::len)
    }

    #[test]
    fn nodes_that_take_turns_share_one_place_in_memory() {
        let node = || {
            block_on(allowing(&BUDGET, 1, async {
                (context().map(|context| Arc::as_ptr(&context)), spare())
            }))
        };
        let first = node();
        assert_eq!((first.1, spare()), (0, 1));
        assert_eq!(node(), first);
    }

    #[test]
    fn no_more_is_kept_than_turns_are_taken() {
        fn nested(depth: usize) -> Pin<Box<dyn Future<Output = ()>>> {
            Box::pin(allowing(&BUDGET, 1, async move {
                if depth > 1 {
                    nested(depth - 1).await;
                }
            }))
        }
        block_on(nested(KEPT + 5));
        assert_eq!(spare(), KEPT);
    }
}
