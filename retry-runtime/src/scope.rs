//! What a caller imposes on everything that runs inside it: a deadline, cancellation, allowances.
//!
//! A scope belongs to a task, not to a thread: [`Scoped`] puts it into a thread-local for the time of each poll and takes
//! it back afterwards. Two cells hold it. The `frame` is plain data (the deadline, and whether there is more), read by
//! every run; it needs no destructor and costs a few instructions. The `context` is the shared rest behind an `Arc`,
//! moved in and out by swapping, so that a poll touches no reference count; it is looked at only where the frame says so.

mod allowing;
mod cancel;
mod context;
mod here;
mod limit;
mod tokens;

use core::cell::Cell;
use core::future::{Future, Ready};
use core::num::NonZeroU32;
use core::pin::Pin;
use core::task::{Context as Task, Poll};
use core::time::Duration;
use std::sync::Arc;

use pin_project_lite::pin_project;
use tokio::time::Instant;

use crate::Stop;
use crate::budget::Budget;

pub use allowing::{Allowing, allowing};
use cancel::Cancelled;
pub(crate) use cancel::Watched;
pub use context::Context;
pub(crate) use here::Here;
pub use limit::{Limit, When};
use tokens::Tokens;

/// What a run sees of the scope at once: the earliest limit around it, and whether there is a context to ask.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// No limit, as `limit` says it here: in a scope with cancellation or allowances, that isn't [`Limit::NONE`].
    open: Limit,
    /// The earliest limit around, so that this word alone tells whether there is anything.
    limit: Limit,
}

impl Frame {
    const NONE: Self = Self {
        open: Limit::NONE,
        limit: Limit::NONE,
    };

    /// Whether the scope has cancellation or allowances.
    #[must_use]
    #[inline]
    pub const fn shared(self) -> bool {
        !self.open.is_alone()
    }

    /// Whether there is anything at all.
    #[must_use]
    #[inline]
    pub const fn imposes(self) -> bool {
        !self.limit.is_alone()
    }

    /// The earliest limit around.
    #[must_use]
    #[inline]
    pub const fn limit(self) -> Limit {
        if self.limit.is_none() {
            Limit::NONE
        } else {
            self.limit
        }
    }
}

thread_local! {
    static FRAME: Cell<Frame> = const { Cell::new(Frame::NONE) };
    static CONTEXT: Cell<Option<Arc<Context>>> = const { Cell::new(None) };
}

/// The frame of the task that is being polled.
#[must_use]
#[inline]
pub fn frame() -> Frame {
    FRAME.with(Cell::get)
}

/// Looks at the context of the task that is being polled.
fn with_context<R>(look: impl FnOnce(&Arc<Context>) -> R) -> Option<R> {
    // A thread that is being torn down has no scope any more.
    CONTEXT
        .try_with(|cell| {
            let context = cell.take();
            let seen = context.as_ref().map(look);
            cell.set(context);
            seen
        })
        .ok()
        .flatten()
}

/// Publishes a run's limit to what its operation runs, for the time of one poll.
///
/// The limit is taken as it is: the executor has already folded the enclosing ones in.
#[must_use = "the limit holds until the guard is dropped"]
#[inline]
pub fn enter(limit: Limit) -> Entered {
    let before = frame();
    set_limit(limit.or(before.open));
    Entered { limit: before.limit }
}

/// Takes a published limit back when dropped; made by [`enter`].
#[derive(Debug)]
pub struct Entered {
    /// What held before.
    limit: Limit,
}

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        set_limit(self.limit);
    }
}

/// Whether the scope of the task that is being polled is cancelled.
#[must_use]
#[inline]
pub fn is_cancelled() -> bool {
    frame().shared() && with_context(|context| context.is_cancelled()).unwrap_or(false)
}

/// Why the scope of the task that is being polled forbids another repeat, if it does.
#[must_use]
#[inline]
pub fn refusal() -> Option<Stop> {
    if frame().shared() {
        with_context(|context| context.refusal()).flatten()
    } else {
        None
    }
}

/// The cancellation of the scope around.
fn cancelled() -> Option<Cancelled> {
    if frame().shared() {
        with_context(|context| context.cancelled()).flatten()
    } else {
        None
    }
}

/// The context of the task that is being polled, for what charges later than now.
#[must_use]
#[inline]
pub fn context() -> Option<Arc<Context>> {
    if frame().shared() {
        with_context(Arc::clone)
    } else {
        None
    }
}

/// What a caller imposes on everything that runs inside it.
///
/// Every policy that runs inside [`run`](Self::run) ends by the deadline at the latest, waits no longer and starts no
/// further attempt once the scope is cancelled, and charges its repeats to the allowances. Scopes nest: the earlier
/// deadline wins, either cancellation counts, and a charge must pass every allowance of its budget.
///
/// ```
/// # use core::time::Duration;
/// # use retry_runtime::Scope;
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let answer = Scope::new()
///     .within(Duration::from_secs(2))
///     .run(async {
///         assert!(Scope::current().remaining().is_some());
///         42
///     })
///     .await;
/// # assert_eq!(answer, 42);
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "a scope does nothing until something runs in it"]
pub struct Scope {
    deadline: Option<Instant>,
    /// The same, as runs see it.
    limit: Limit,
    context: Option<Arc<Context>>,
}

impl Default for Scope {
    fn default() -> Self {
        Self::new()
    }
}

impl Scope {
    /// A scope that imposes nothing.
    pub const fn new() -> Self {
        Self {
            deadline: None,
            limit: Limit::NONE,
            context: None,
        }
    }

    /// The scope around the caller, the limits of the policies that it runs in included.
    pub fn current() -> Self {
        let deadline = frame().limit().resolve();
        Self {
            deadline,
            limit: deadline.map_or(Limit::NONE, Limit::at),
            context: context(),
        }
    }

    /// Ends everything at `at` at the latest.
    pub fn until(mut self, at: Instant) -> Self {
        let at = self.deadline.map_or(at, |already| already.min(at));
        self.deadline = Some(at);
        self.limit = Limit::at(at);
        self
    }

    /// Ends everything `time` from now at the latest. A time that no clock can hold is no limit.
    pub fn within(self, time: Duration) -> Self {
        match Instant::now().checked_add(time) {
            Some(at) => self.until(at),
            None => self,
        }
    }

    /// Allows at most `repeats` retries and hedges that are charged to `budget`, over everything that runs in this scope
    /// and its clones.
    pub fn allowance(mut self, budget: &'static Budget, repeats: u32) -> Self {
        Arc::make_mut(self.context.get_or_insert_default()).allow(budget, repeats);
        self
    }

    /// Makes the scope one that [`cancel`](Self::cancel) cancels.
    pub fn cancellable(mut self) -> Self {
        Arc::make_mut(self.context.get_or_insert_default()).cancellable();
        self
    }

    /// Cancels the scope when `token` is.
    #[cfg(feature = "tokio-util")]
    pub fn token(mut self, token: tokio_util::sync::CancellationToken) -> Self {
        Arc::make_mut(self.context.get_or_insert_default()).token(token);
        self
    }

    /// Forbids every repeat inside: no retry, also not of an attempt that timed out, and no further copy of a hedge,
    /// whatever the policies say. For what must not be done twice, and for a server that is itself being retried.
    pub fn once(mut self) -> Self {
        Arc::make_mut(self.context.get_or_insert_default()).once();
        self
    }

    /// Says which attempt of its caller this work is part of, as a server learns it from a request; the first is 1.
    pub fn of_attempt(mut self, attempt: u32) -> Self {
        Arc::make_mut(self.context.get_or_insert_default()).of_attempt(attempt);
        self
    }

    /// Has an observer told of everything that runs inside, beside those of the scopes around and the installed one.
    #[cfg(feature = "observe")]
    pub fn observed(mut self, observer: Arc<dyn crate::Observer>) -> Self {
        Arc::make_mut(self.context.get_or_insert_default()).observed(observer);
        self
    }

    /// Cancels what runs in this scope and its clones: waits end at once, and no further attempt starts. A running attempt
    /// is left to end; to stop that too, drop the future.
    ///
    /// Returns `false` where there is nothing to cancel, since the scope was never made [`cancellable`](Self::cancellable).
    #[expect(
        clippy::must_use_candidate,
        reason = "whether it could be cancelled is seldom a question"
    )]
    pub fn cancel(&self) -> bool {
        self.context.as_ref().is_some_and(|context| context.cancel())
    }

    /// Whether the scope is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.context
            .as_ref()
            .is_some_and(|context| context.is_cancelled())
    }

    /// When everything in it ends; `None` without a deadline.
    #[must_use]
    pub const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The time until the deadline; zero once it has passed, `None` without one.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline
            .map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// Which attempt of its caller this is part of; 1 where nobody said.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.context
            .as_ref()
            .and_then(|context| context.attempt())
            .map_or(1, NonZeroU32::get)
    }

    /// Whether anything inside may be repeated: neither [`once`](Self::once) nor cancelled.
    #[must_use]
    pub fn allows_repeats(&self) -> bool {
        self.context
            .as_ref()
            .is_none_or(|context| context.refusal().is_none())
    }

    /// How many repeats the tightest allowance for `budget` has left; `None` without one.
    #[must_use]
    pub fn allowed(&self, budget: &'static Budget) -> Option<u32> {
        self.context.as_ref().and_then(|context| context.allowed(budget))
    }

    /// Runs `future` in this scope and in the scopes around.
    #[inline]
    pub fn run<F: Future>(self, future: F) -> Scoped<F> {
        Scoped::new(self, None, future)
    }

    /// Runs `future` in this scope, cancelled when `cancel` completes (a signal, a channel, a token of any kind).
    pub fn run_until<C: Future, F: Future>(self, cancel: C, future: F) -> Scoped<F, C> {
        Scoped::new(self, Some(cancel), future)
    }
}

/// Takes the scope around the caller along, into a spawned task.
///
/// A task that is spawned has no scope: nothing is inherited where nothing is awaited. This carries it over:
///
/// ```
/// # use core::time::Duration;
/// # use retry_runtime::Scope;
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// Scope::new().within(Duration::from_secs(2)).run(async {
///     let task = tokio::spawn(retry_runtime::carry(async { Scope::current().deadline().is_some() }));
///     assert!(task.await.unwrap());
/// }).await;
/// # }
/// ```
pub fn carry<F: Future>(future: F) -> Scoped<F> {
    Scope::current().run(future)
}

pin_project! {
    /// A future that runs in a [`Scope`].
    #[must_use = "futures do nothing unless polled"]
    pub struct Scoped<F, C = Ready<()>> {
        scope: Scope,
        stage: Stage,
        tokens: Tokens,
        #[pin]
        cancel: Option<C>,
        // Emptied when this is dropped.
        #[pin]
        future: Option<F>,
    }

    impl<F, C> PinnedDrop for Scoped<F, C> {
        fn drop(this: Pin<&mut Self>) {
            // What is dropped in a scope ends in it: its observers are told.
            let mut this = this.project();
            if *this.stage == Stage::Shared {
                let _inside = Inside::shared(this.scope.limit, &mut this.scope.context);
                this.future.set(None);
            }
        }
    }
}

impl<F: Future, C: Future> Scoped<F, C> {
    #[inline]
    fn new(scope: Scope, cancel: Option<C>, future: F) -> Self {
        Self {
            scope,
            stage: Stage::New,
            tokens: Tokens::NONE,
            cancel,
            future: Some(future),
        }
    }
}

impl<F, C: Future> Scoped<F, C> {
    /// Enters a scope that is new, or has more than a deadline.
    #[inline(never)]
    fn enter(self: Pin<&mut Self>, task: &mut Task<'_>) {
        let mut this = self.project();
        let scope = this.scope;
        let limit = scope.limit.earlier(frame().limit);
        if *this.stage == Stage::New {
            let cancels = this.cancel.is_some();
            if !cancels && scope.context.is_none() && !frame().shared() {
                *this.stage = Stage::Limited;
                set_limit(limit);
                return;
            }
            *this.stage = Stage::Shared;
            *this.tokens = join(&mut scope.context, cancels);
        }
        if let Some(ends) = this.cancel.as_mut().as_pin_mut()
            && ends.poll(task).is_ready()
        {
            scope.cancel();
            this.cancel.set(None);
        }
        if this.tokens.poll(task) {
            scope.cancel();
        }
        set_limit(limit);
        swap_context(&mut scope.context);
    }
}

impl<F: Future, C: Future> Future for Scoped<F, C> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<F::Output> {
        let before = frame().limit;
        if self.stage == Stage::Limited {
            set_limit(self.scope.limit.earlier(before));
        } else {
            self.as_mut().enter(task);
        }
        let this = self.project();
        let _inside = Polled {
            before,
            stage: this.stage,
            scope: this.scope,
        };
        let future = this.future.as_pin_mut();
        future.expect("a future is there until it is dropped").poll(task)
    }
}

/// What is known of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The scopes around haven't been taken in, which is done where it is first polled.
    New,
    /// Neither it nor those around have more than a deadline.
    Limited,
    /// It has a context.
    Shared,
}

/// A scope is in the thread-locals, as its stage says; put back when dropped, also when the poll panics.
struct Polled<'s> {
    /// The limit around.
    before: Limit,
    stage: &'s Stage,
    scope: &'s mut Scope,
}

impl Drop for Polled<'_> {
    #[inline]
    fn drop(&mut self) {
        if *self.stage == Stage::Shared {
            swap_context(&mut self.scope.context);
        }
        set_limit(self.before);
    }
}

/// Takes the scopes around in; `cancels`: whether a future of its own cancels it.
#[cold]
fn join(context: &mut Option<Arc<Context>>, cancels: bool) -> Tokens {
    let own = context.take();
    let tokens = Tokens::of(own.as_deref());
    *context = Context::joined(own, self::context(), cancels);
    tokens
}

impl<F, C> core::fmt::Debug for Scoped<F, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scoped")
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

/// The scope is in the thread-locals; put back when dropped, also when the poll panics.
struct Inside<'s> {
    /// The limit around.
    before: Limit,
    /// Where a context is in the thread-locals: what holds that of the scope around meanwhile.
    swapped: Option<&'s mut Option<Arc<Context>>>,
}

impl<'s> Inside<'s> {
    /// Of a deadline and nothing else.
    #[inline]
    fn limited(limit: Limit) -> Self {
        let before = frame().limit;
        set_limit(limit.earlier(before));
        Self {
            before,
            swapped: None,
        }
    }

    /// Of a deadline, and of a context where there is one.
    #[inline]
    fn of(limit: Limit, context: &'s mut Option<Arc<Context>>) -> Self {
        if context.is_none() && !frame().shared() {
            Self::limited(limit)
        } else {
            Self::shared(limit, context)
        }
    }

    /// Of a context as well.
    fn shared(limit: Limit, context: &'s mut Option<Arc<Context>>) -> Self {
        let mut inside = Self::limited(limit);
        swap_context(context);
        inside.swapped = Some(context);
        inside
    }
}

impl Drop for Inside<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(context) = self.swapped.take() {
            swap_context(context);
        }
        set_limit(self.before);
    }
}

/// `limit` has to be the one of a frame with the same context, or an earlier one.
#[inline]
fn set_limit(limit: Limit) {
    FRAME.with(|cell| cell.set(Frame { limit, ..cell.get() }));
}

/// Changes the context of the frame for another one.
#[inline(never)]
fn swap_context(context: &mut Option<Arc<Context>>) {
    let open = if context.is_some() {
        Limit::OPEN
    } else {
        Limit::NONE
    };
    FRAME.with(|cell| {
        let limit = cell.get().limit().or(open);
        cell.set(Frame { open, limit });
    });
    // Where the thread is being torn down, the context stays where it is: nothing will ask for it.
    let _ = CONTEXT.try_with(|cell| {
        let around = cell.take();
        cell.set(core::mem::replace(context, around));
    });
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
