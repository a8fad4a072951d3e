//! A run whose operation stays with its caller.
//!
//! A named policy's executor takes operations that return futures of one type, and such futures can't borrow the closure's
//! own state mutably. In place, the caller's code keeps the operation: the run asks for an attempt, the caller makes it, and
//! the answer goes back. Run and operation take turns in one task.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pin_project_lite::pin_project;
use retry_planner::{Kind, Policy};

use crate::Attempt;
use crate::scope::Here;

/// Where a run asks for its attempts.
#[derive(Debug)]
pub struct Port<R>(Mutex<State<R>>);

#[derive(Debug)]
enum State<R> {
    Idle,
    Asked(Attempt, Here),
    /// Where the question was asked; taken out while the operation is polled there.
    Serving(Option<Here>),
    Answered(R),
}

/// What a run came to.
#[derive(Debug)]
pub enum Asked<T> {
    /// It asks for this attempt.
    Attempt(Attempt),
    /// It has ended.
    Ended(T),
}

/// Refuses policies that ask for several attempts at once.
///
/// # Panics
///
/// In const evaluation, for a policy with a hedge.
pub const fn one_at_a_time(policy: &Policy<'_>) {
    let mut index = 0;
    while index < policy.nodes.len() {
        assert!(
            !matches!(policy.nodes[index].kind, Kind::Hedge(_)),
            "a hedge runs copies of its operation side by side, which code in place can't: give the operation to the policy's own `run`"
        );
        index += 1;
    }
}

impl<R> Default for Port<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R> Port<R> {
    /// Nothing asked yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Mutex::new(State::Idle))
    }

    fn state(&self) -> MutexGuard<'_, State<R>> {
        // What is inside is whole between any two statements.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the run is given as its operation.
    pub const fn ask(&self, attempt: Attempt) -> Ask<'_, R> {
        Ask {
            port: self,
            attempt: Some(attempt),
        }
    }

    /// Runs until an attempt is asked for.
    pub async fn next<F: Future>(&self, mut run: Pin<&mut F>) -> Asked<F::Output> {
        core::future::poll_fn(|cx| {
            if let Some(attempt) = self.asked() {
                return Poll::Ready(Asked::Attempt(attempt));
            }
            if let Poll::Ready(ended) = run.as_mut().poll(cx) {
                return Poll::Ready(Asked::Ended(ended));
            }
            match self.asked() {
                Some(attempt) => Poll::Ready(Asked::Attempt(attempt)),
                None => Poll::Pending,
            }
        })
        .await
    }

    fn asked(&self) -> Option<Attempt> {
        let mut state = self.state();
        match core::mem::replace(&mut *state, State::Idle) {
            State::Asked(attempt, here) => {
                *state = State::Serving(Some(here));
                Some(attempt)
            }
            other => {
                *state = other;
                None
            }
        }
    }

    /// Makes the attempt, for as long as the run waits for it; `Some` where the run ended first.
    pub fn serve<'p, F, O>(&'p self, run: Pin<&'p mut F>, operation: O) -> Serve<'p, F, O, R>
    where
        F: Future,
        O: Future<Output = R>,
    {
        Serve {
            port: self,
            run,
            operation,
        }
    }
}

/// One question; made by [`Port::ask`].
#[must_use = "futures do nothing unless polled"]
#[derive(Debug)]
pub struct Ask<'p, R> {
    port: &'p Port<R>,
    attempt: Option<Attempt>,
}

impl<R> Future for Ask<'_, R> {
    type Output = R;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<R> {
        let asks = self.attempt.take();
        let mut state = self.port.state();
        match core::mem::replace(&mut *state, State::Idle) {
            State::Answered(answer) => return Poll::Ready(answer),
            mut waiting => {
                if let State::Serving(Some(here)) = &mut waiting {
                    here.refresh();
                }
                *state = asks.map_or(waiting, |attempt| State::Asked(attempt, Here::now()));
            }
        }
        Poll::Pending
    }
}

impl<R> Drop for Ask<'_, R> {
    fn drop(&mut self) {
        let _answer = core::mem::replace(&mut *self.port.state(), State::Idle);
    }
}

pin_project! {
    /// An attempt that is out; made by [`Port::serve`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Serve<'p, F, O, R> {
        port: &'p Port<R>,
        run: Pin<&'p mut F>,
        #[pin]
        operation: O,
    }
}

impl<F, O, R> Future for Serve<'_, F, O, R>
where
    F: Future,
    O: Future<Output = R>,
{
    type Output = Option<F::Output>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let here = match &mut *this.port.state() {
            State::Serving(here) => here.take(),
            _ => return Poll::Ready(None),
        };
        if let Some(mut here) = here {
            let operation = this.operation;
            let answer = here.within(|| operation.poll(cx));
            *this.port.state() = match answer {
                Poll::Ready(answer) => State::Answered(answer),
                Poll::Pending => State::Serving(Some(here)),
            };
        }
        if let State::Answered(_) = *this.port.state() {
            return Poll::Ready(None);
        }
        if let Poll::Ready(ended) = this.run.as_mut().poll(cx) {
            return Poll::Ready(Some(ended));
        }
        // Where the run has dropped its question, a limit has passed, and the operation is dropped with this.
        match *this.port.state() {
            State::Serving(_) => Poll::Pending,
            _ => Poll::Ready(None),
        }
    }
}
