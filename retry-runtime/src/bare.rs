//! The timer of a run that has no limits of its own and in which one thing happens at a time.
//!
//! Only what its caller imposes ends such a run, so it keeps no limit, and publishes none. What the scope says is asked where it
//! matters: before something starts, and where something is pending. A deadline around it is rare; the `Sleep` for it lies
//! on the heap and is made where an operation is pending under that deadline. A wait has its `Sleep` inside itself, where
//! the operation was.

use core::future::{Future, IntoFuture};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use crate::attempt::Attempt;
use crate::course::{Course, Manner, Strict};
use crate::fall::Fell;
use crate::key::IdempotencyKey;
use crate::port;
use crate::rare::{self, Seldom};
use crate::scope::{self, Limit, Watched};
use crate::sleep::Alarm;

/// How far the run has come, and the `Sleep` for a deadline around it.
#[derive(Debug)]
pub struct Bare<M = Strict> {
    course: Course<M>,
    /// Whether an operation has returned an error, from which on a lenient run's caller is heard.
    failed: bool,
    alarm: Heaped,
}

/// A `Sleep` that most runs never need.
type Heaped = Seldom<Pin<Box<Alarm>>>;

impl<M> Deref for Bare<M> {
    type Target = Course<M>;

    #[inline]
    fn deref(&self) -> &Course<M> {
        &self.course
    }
}

impl<M: Manner> Bare<M> {
    /// At the start of a run; `policy` is its name for who watches.
    #[must_use]
    #[inline]
    pub fn new(policy: &'static str, manner: M) -> Self {
        Self::of(Course::new(policy, manner))
    }

    /// Of a run that has come so far.
    #[must_use]
    #[inline]
    pub(crate) const fn of(course: Course<M>) -> Self {
        Self {
            course,
            failed: false,
            alarm: Heaped::new(None),
        }
    }

    /// An idle run begins.
    #[inline]
    pub(crate) fn begins(&mut self) {
        self.course.begins();
    }

    /// The run is over, and what it still holds is dropped.
    #[inline]
    pub(crate) fn release(&mut self) {
        self.alarm.empty();
        self.course.dropped();
    }

    /// An operation has returned an error.
    #[inline]
    pub const fn failed(&mut self) {
        // A strict run hears its caller from the start.
        if M::LENIENT {
            self.failed = true;
        }
    }

    /// How many attempts were started, of a retry with a count.
    #[inline]
    pub(crate) fn number(&mut self) -> u32 {
        self.course.number()
    }

    /// The caller's deadline on the run's clock, as far as the run heeds it yet.
    #[must_use]
    #[inline]
    pub fn end(&self) -> u64 {
        self.course.inherited(self.course.limit(), self.failed)
    }

    /// Whether something may start now.
    ///
    /// # Errors
    ///
    /// What the path unwinds with.
    #[inline]
    pub fn may_start(&self) -> Result<(), Fell> {
        if scope::frame().imposes() {
            self.allowed()
        } else {
            Ok(())
        }
    }

    #[cold]
    #[inline(never)]
    fn allowed(&self) -> Result<(), Fell> {
        let end = self.end();
        self.course.admits(self.course.now(), end)
    }

    /// The next attempt, unless the caller's deadline has passed or the scope is cancelled.
    ///
    /// # Errors
    ///
    /// What the path unwinds with.
    #[inline]
    pub fn attempt(
        &mut self,
        number: u32,
        of: u32,
        copy: u32,
        key: Option<IdempotencyKey>,
    ) -> Result<Attempt, Fell> {
        self.may_start()?;
        self.admitted(number, of, copy, key)
    }

    /// The next attempt, right after [`may_start`](Self::may_start).
    ///
    /// # Errors
    ///
    /// Never: the type is that of [`attempt`](Self::attempt).
    #[inline]
    pub fn admitted(
        &mut self,
        number: u32,
        of: u32,
        copy: u32,
        key: Option<IdempotencyKey>,
    ) -> Result<Attempt, Fell> {
        self.course.count();
        Ok(Attempt::new(number, of, copy, Limit::NONE, key))
    }

    /// An operation, dropped once the caller's deadline has passed.
    #[inline]
    pub const fn leaf<F>(&mut self, operation: F) -> BareLeaf<'_, F, M> {
        BareLeaf {
            bare: self,
            operation,
        }
    }

    /// What is awaited as an operation.
    #[inline]
    pub const fn operation<O>(&mut self, operation: O) -> BareOperation<'_, O, M> {
        BareOperation {
            bare: self,
            operation,
        }
    }

    /// Polls an operation that is dropped once the caller's deadline has passed.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it is polled at one place of a run, and a call costs as much as all it does"
    )]
    pub(crate) fn poll_leaf<F: Future>(
        &mut self,
        operation: Pin<&mut F>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<F::Output, Fell>> {
        if let Poll::Ready(output) = operation.poll(cx) {
            return Poll::Ready(Ok(output));
        }
        self.pending(cx).map(|()| Err(Fell::Cut))
    }

    /// Waits. A scope that is cancelled ends it at once.
    #[inline]
    pub fn pause(&mut self, wait: u64) -> BarePause<'_, M> {
        BarePause {
            wait: BareWait::new(wait),
            bare: self,
        }
    }

    /// Something is pending: starts the clock; ready once the caller's deadline has passed.
    fn pending(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if port::asks() {
            return Poll::Pending;
        }
        let epoch = self.course.start();
        if scope::frame().limit().is_none() {
            Poll::Pending
        } else {
            self.passed(epoch, cx)
        }
    }

    #[cold]
    #[inline(never)]
    fn passed(&mut self, epoch: u64, cx: &mut Context<'_>) -> Poll<()> {
        let at = epoch.saturating_add(self.end());
        if at == u64::MAX {
            return Poll::Pending;
        }
        let alarm = self.alarm.get_mut().get_or_insert_with(|| Box::pin(Alarm::new()));
        alarm.as_mut().until(at, cx)
    }
}

/// What is awaited as an operation; made by [`Bare::operation`].
#[must_use = "an operation does nothing unless it is awaited"]
#[derive(Debug)]
pub struct BareOperation<'a, O, M> {
    bare: &'a mut Bare<M>,
    operation: O,
}

impl<'a, O: IntoFuture, M: Manner> BareOperation<'a, O, M> {
    /// The operation of a future.
    #[inline]
    pub fn begun(self) -> BareLeaf<'a, O::IntoFuture, M> {
        self.bare.leaf(self.operation.into_future())
    }
}

/// What [`BareOperation::begun`] is of what can't be awaited, so that rustc says so of the `await` behind it, as it does
/// without a policy.
pub trait NoFuture {
    /// What is no future either.
    type Operation;

    /// The operation as it is.
    fn begun(self) -> Self::Operation;
}

impl<'a, O, M: Manner> NoFuture for BareOperation<'a, O, M> {
    type Operation = BareLeaf<'a, O, M>;

    fn begun(self) -> BareLeaf<'a, O, M> {
        self.bare.leaf(self.operation)
    }
}

pin_project! {
    /// An operation; made by [`Bare::leaf`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct BareLeaf<'a, F, M> {
        bare: &'a mut Bare<M>,
        #[pin]
        operation: F,
    }
}

impl<F: Future, M: Manner> Future for BareLeaf<'_, F, M> {
    type Output = Result<F::Output, Fell>;

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it is polled at one place of a run, and a call costs as much as all it does"
    )]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        this.bare.poll_leaf(this.operation, cx)
    }
}

pin_project! {
    /// A wait; made by [`Bare::pause`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct BarePause<'a, M> {
        bare: &'a mut Bare<M>,
        #[pin]
        wait: BareWait<M>,
    }
}

impl<M: Manner> Future for BarePause<'_, M> {
    type Output = Result<(), Fell>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        this.wait.poll_in(this.bare, cx)
    }
}

pin_project! {
    /// What a wait holds.
    #[derive(Debug)]
    pub struct BareWait<M> {
        // How long it is, before it has begun.
        until: u64,
        // Emptied where this is dropped.
        cancelled: ManuallyDrop<Watched>,
        #[pin]
        alarm: Alarm,
        // Of generic types the drop is put in place, also where a run is of another crate.
        manner: PhantomData<fn() -> M>,
    }

    impl<M> PinnedDrop for BareWait<M> {
        #[inline]
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            waited(this.cancelled, this.alarm.as_mut());
            rare::gone(!this.alarm.is_set());
        }
    }
}

/// A wait has ended or is given up, which seldom is without a `Sleep`; see [`rare`].
#[inline(never)]
#[allow(
    improper_ctypes_definitions,
    reason = "only Rust calls it; the calling convention is one that doesn't unwind"
)]
extern "C" fn waited(cancelled: &mut Watched, alarm: Pin<&mut Alarm>) {
    cancelled.forget();
    alarm.unset();
}

impl<M> BareWait<M> {
    /// A wait that begins when it is first polled.
    #[inline]
    pub(crate) const fn new(wait: u64) -> Self {
        Self {
            until: wait,
            cancelled: ManuallyDrop::new(Watched::new()),
            alarm: Alarm::new(),
            manner: PhantomData,
        }
    }

    /// Polls it, as a wait of that run.
    // Of waits there is one in the binary, and not one in each run.
    #[inline(never)]
    pub(crate) fn poll_in(
        self: Pin<&mut Self>,
        bare: &Bare<M>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Fell>> {
        let this = self.project();
        if !this.cancelled.has_begun() {
            *this.until = bare.now().saturating_add(*this.until);
        }
        let epoch = bare.start();
        if this.cancelled.is_cancelled(cx) {
            return Poll::Ready(Err(Fell::Cancelled));
        }
        this.alarm.until(epoch.saturating_add(*this.until), cx).map(Ok)
    }
}
