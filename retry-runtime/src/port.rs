//! A run whose operation stays with its caller.
//!
//! A named policy's executor takes operations that return futures of one type, and such futures can't borrow the closure's
//! own state mutably. In place, the caller's code keeps the operation: the run asks for an attempt, the caller makes it, and
//! the answer goes back. Run and operation take turns in one task.

use core::cell::Cell;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use core::task::{Context, Poll};
use std::sync::{Mutex, PoisonError};

use pin_project_lite::pin_project;
use retry_planner::{Kind, Policy};

use crate::Attempt;
use crate::called;
use crate::scope::{self, Here, Limit};

/// Where a run asks for its attempts.
///
/// Run and operation are polled by one task, one after the other, so that nobody ever waits for the lock; it is here
/// because both sides share the port, which must not take `Send` from the task. What there is to fetch is told by `stage`.
#[derive(Debug)]
pub struct Port<R> {
    stage: AtomicU8,
    mail: Mutex<Option<Mail<R>>>,
}

/// No question is open.
const IDLE: u8 = 0;
/// A question is on its way: in [`QUESTION`].
const ASKED: u8 = 1;
/// A question is to be fetched: it was asked while an earlier attempt was out.
const KEPT: u8 = 2;
/// An attempt is out.
const OUT: u8 = 3;
/// The same, and the run is to tell its limit.
const WANTED: u8 = 4;
/// The same, and the limit is to be fetched.
const MOVED: u8 = 5;
/// An answer is to be fetched.
const ANSWERED: u8 = 6;

#[derive(Debug)]
enum Mail<R> {
    /// Where the question on its way was asked, if there is more to it than a limit.
    Asked(Here),
    Question(Attempt, Place),
    Limit(Limit),
    /// The answer, and whether time ended a run that it is of.
    Answer(R, bool),
}

/// What leaves the run's poll, for who polls it to take at once. A lock costs more than all the rest of a question, so that
/// what can be copied goes this way.
#[derive(Clone, Copy)]
struct Question {
    attempt: Attempt,
    limit: Limit,
    /// Whether the rest of where it was asked lies in the port.
    more: bool,
}

thread_local! {
    static QUESTION: Cell<Option<Question>> = const { Cell::new(None) };
}

/// Whether what is pending in the run that is being polled only asks for its attempt: nothing waits for anything yet, so
/// that no clock starts and no timer is set.
#[inline]
pub(crate) fn asks() -> bool {
    QUESTION.get().is_some()
}

/// Polls a run. What it asks is in [`QUESTION`] then, unless it has panicked.
fn poll<F: Future>(run: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<F::Output> {
    struct Panicked;
    impl Drop for Panicked {
        fn drop(&mut self) {
            QUESTION.set(None);
        }
    }
    let panicked = Panicked;
    let ended = run.poll(cx);
    mem::forget(panicked);
    ended
}

/// Where a question was asked: its limit, its scope and its span.
#[derive(Debug)]
pub struct Place(Here);

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
        Self {
            stage: AtomicU8::new(IDLE),
            mail: Mutex::new(None),
        }
    }

    fn stage(&self) -> u8 {
        self.stage.load(Relaxed)
    }

    /// Leaves something to be fetched and returns what lay there.
    fn swap(&self, stage: u8, mail: Option<Mail<R>>) -> Option<Mail<R>> {
        self.stage.store(stage, Relaxed);
        // What is inside is whole between any two statements.
        mem::replace(
            &mut *self.mail.lock().unwrap_or_else(PoisonError::into_inner),
            mail,
        )
    }

    /// What the run is given as its operation.
    pub const fn ask(&self, attempt: Attempt) -> Ask<'_, R> {
        Ask {
            port: self,
            attempt: Some(attempt),
        }
    }

    /// Runs until an attempt is asked for; `Some` where the run ended.
    pub const fn next<'p, F: Future>(&'p self, run: Pin<&'p mut F>) -> Next<'p, F, R> {
        Next { port: self, run }
    }

    /// The attempt that [`next`](Self::next) has come to, to be taken at once, and where it is to be made.
    ///
    /// # Panics
    ///
    /// Where nothing was asked.
    #[inline]
    pub fn asked(&self) -> (Attempt, Place) {
        if let Some(question) = QUESTION.take() {
            let place = self.place_of(question);
            self.stage.store(OUT, Relaxed);
            return (question.attempt, place);
        }
        match self.swap(OUT, None) {
            Some(Mail::Question(attempt, place)) => (attempt, place),
            _ => panic!("nobody asks"),
        }
    }

    fn place_of(&self, question: Question) -> Place {
        if question.more
            && let Some(Mail::Asked(here)) = self.swap(ASKED, None)
        {
            return Place(here);
        }
        Place(Here::under(question.limit))
    }

    /// Makes the attempt, for as long as the run waits for it; `Some` where the run ended first.
    pub fn serve<'p, F, O>(&'p self, run: Pin<&'p mut F>, place: Place, operation: O) -> Serve<'p, F, O, R>
    where
        F: Future,
        O: Future<Output = R>,
    {
        Serve {
            port: self,
            run,
            place,
            operation,
        }
    }
}

/// What a run comes to; made by [`Port::next`].
#[must_use = "futures do nothing unless polled"]
#[derive(Debug)]
pub struct Next<'p, F, R> {
    port: &'p Port<R>,
    run: Pin<&'p mut F>,
}

impl<F: Future, R> Future for Next<'_, F, R> {
    type Output = Option<F::Output>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        if this.port.stage() == KEPT {
            return Poll::Ready(None);
        }
        match poll(this.run.as_mut(), cx) {
            Poll::Ready(ended) => Poll::Ready(Some(ended)),
            Poll::Pending if asks() => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
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
        let port = self.port;
        if let Some(attempt) = self.attempt.take() {
            let here = Here::now();
            let (limit, more) = (here.limit(), here.is_more());
            if more {
                drop(port.swap(ASKED, Some(Mail::Asked(here))));
            } else {
                port.stage.store(ASKED, Relaxed);
            }
            QUESTION.set(Some(Question { attempt, limit, more }));
            return Poll::Pending;
        }
        match port.stage() {
            ANSWERED => {
                if let Some(Mail::Answer(answer, late)) = port.swap(IDLE, None) {
                    called::set(late);
                    return Poll::Ready(answer);
                }
            }
            WANTED => drop(port.swap(MOVED, Some(Mail::Limit(scope::frame().limit())))),
            _ => {}
        }
        Poll::Pending
    }
}

impl<R> Drop for Ask<'_, R> {
    fn drop(&mut self) {
        // A question that was never polled left nothing there.
        if self.attempt.is_some() {
            return;
        }
        let stage = self.port.stage();
        if stage == ASKED {
            QUESTION.set(None);
        }
        if stage != IDLE {
            drop(self.port.swap(IDLE, None));
        }
    }
}

pin_project! {
    /// An attempt that is out; made by [`Port::serve`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Serve<'p, F, O, R> {
        port: &'p Port<R>,
        run: Pin<&'p mut F>,
        place: Place,
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
        let (port, here) = (*this.port, &mut this.place.0);
        let operation = this.operation;
        if let Poll::Ready(answer) = here.within(|| called::calling(|| operation.poll(cx))) {
            drop(port.swap(ANSWERED, Some(Mail::Answer(answer, called::take()))));
            return Poll::Ready(None);
        }
        let mut ended = poll(this.run.as_mut(), cx);
        // The run's clock started just now, and from there on its limit is an instant.
        if ended.is_pending() && port.stage() == OUT && here.limit().is_length() {
            port.stage.store(WANTED, Relaxed);
            ended = poll(this.run.as_mut(), cx);
            if port.stage() == MOVED
                && let Some(Mail::Limit(limit)) = port.swap(OUT, None)
            {
                here.moved(limit);
            }
        }
        if let Poll::Ready(ended) = ended {
            return Poll::Ready(Some(ended));
        }
        // Kept, since the operation is dropped before it can be taken.
        if let Some(question) = QUESTION.take() {
            let place = port.place_of(question);
            drop(port.swap(KEPT, Some(Mail::Question(question.attempt, place))));
        }
        // Where the run has dropped its question, a limit has passed, and the operation is dropped with this.
        match port.stage() {
            OUT | WANTED => Poll::Pending,
            _ => Poll::Ready(None),
        }
    }
}
