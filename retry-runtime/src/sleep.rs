//! A run's `Sleep`: one for all its limits and waits, made when it is first needed.

use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use tokio::time::{Instant, Sleep};

use crate::clock;
use crate::rare::Rare;

pin_project! {
    /// The one `Sleep` that limits and waits share.
    #[derive(Debug)]
    pub struct Alarm {
        #[pin]
        sleep: Rare<Sleep>,
    }
}

impl Default for Alarm {
    fn default() -> Self {
        Self::new()
    }
}

impl Alarm {
    /// Not set.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { sleep: Rare::none() }
    }

    /// Whether there is a `Sleep`.
    #[inline]
    pub(crate) const fn is_set(&self) -> bool {
        self.sleep.get().is_some()
    }

    /// Whether it has gone off.
    #[inline]
    pub(crate) fn has_rung(&self) -> bool {
        self.sleep.get().is_some_and(Sleep::is_elapsed)
    }

    /// Drops the `Sleep`.
    pub(crate) fn unset(self: Pin<&mut Self>) {
        self.project().sleep.slot().set(None);
    }

    /// Ready once `at`, on the process' clock, has passed; until then the task is woken then.
    #[inline]
    pub(crate) fn until(self: Pin<&mut Self>, at: u64, cx: &mut Context<'_>) -> Poll<()> {
        self.set(at, cx).unwrap_or(Poll::Pending)
    }

    /// The same; `None` beyond what an `Instant` holds, where there is nothing to wait for.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "what asks it is out of line itself, and two calls cost more than what they do"
    )]
    pub(crate) fn set(self: Pin<&mut Self>, at: u64, cx: &mut Context<'_>) -> Option<Poll<()>> {
        let at = clock::instant(at)?;
        let mut sleep = self.project().sleep.slot();
        match sleep.as_mut().as_pin_mut() {
            None => {
                sleep.set(Some(tokio::time::sleep_until(at)));
                // Registers the timer at once: a first poll under an exhausted coop budget would not.
                reset(sleep.as_mut(), at);
            }
            Some(set) if set.deadline() != at => set.reset(at),
            Some(_) => {}
        }
        Some(match sleep.as_pin_mut() {
            // An operation that spends the whole coop budget in each poll would keep the `Sleep` from ever being seen.
            Some(set) if !set.is_elapsed() => set.poll(cx),
            _ => Poll::Ready(()),
        })
    }
}

fn reset(sleep: Pin<&mut Option<Sleep>>, at: Instant) {
    if let Some(sleep) = sleep.as_pin_mut() {
        sleep.reset(at);
    }
}
