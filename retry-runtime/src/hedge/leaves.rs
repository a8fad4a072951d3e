//! Copies of one operation, where nothing else of the run is out meanwhile.
//!
//! Such a copy is the operation's own future and the end of its bound, nothing more, and all share the run's one `Sleep`.

use core::future::Future;
use core::marker::PhantomData;
use core::mem;
use core::num::NonZeroU64;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::{Counted, HedgeSpec, Host, Launches, Places, Room, Rooms};
use crate::attempt::Attempt;
use crate::course::Manner;
use crate::fall::{Fall, Fell};
use crate::observer::{Name, Site, Watch};
use crate::scope::{self, Limit};
use crate::solo::Solo;

impl<M: Manner> Solo<M> {
    /// Runs up to `N` copies of an operation, as [`Timer::hedge`](crate::timer::Timer::hedge) does with trees.
    ///
    /// `known` says what is known of it beforehand, in a closure that has no size; `make` makes an attempt, told its limit
    /// and the number of the copy, and its operation; `answered` makes a result of what that brings.
    #[inline]
    #[expect(
        clippy::type_complexity,
        reason = "generated code says all of a hedge at once, and names no type"
    )]
    pub fn hedge<const N: usize, F, K, L, I, P, T, E>(
        self: Pin<&mut Self>,
        now: u64,
        end: u64,
        known: K,
        make: L,
        answered: I,
        pays: P,
    ) -> LeafHedge<'_, F, <Rooms as Room<N>>::Places<Copy<F>>, K, L, I, P, E, M>
    where
        Rooms: Room<N>,
        K: Fn() -> Known,
        L: FnMut(Limit, u32) -> (Attempt, F),
        F: Future,
        I: FnMut(F::Output) -> Result<T, E>,
        P: FnMut(Counted) -> bool,
    {
        LeafHedge {
            solo: self,
            launches: Launches::new(now, end, known().spec, pays),
            known,
            make,
            answered,
            copies: Places::EMPTY,
            armed: 0,
            copy: PhantomData,
        }
    }
}

/// What is known of a hedge before it runs.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its figures.
    pub spec: &'static HedgeSpec,
    /// Where its attempts stand, for who watches.
    pub site: &'static Site,
    /// How long a copy may take.
    pub bound: u64,
}

pin_project! {
    /// A copy that is out.
    #[derive(Debug)]
    pub struct Copy<F> {
        #[pin]
        operation: F,
        // When its bound ends.
        own: NonZeroU64,
        // After the operation: it ends first.
        watch: Watch<'static>,
    }
}

pin_project! {
    /// A hedge of one operation that is out; made by [`Solo::hedge`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct LeafHedge<'a, F, C, K, L, I, P: FnMut(Counted) -> bool, E, M> {
        solo: Pin<&'a mut Solo<M>>,
        known: K,
        make: L,
        answered: I,
        #[pin]
        copies: C,
        // After the copies: those that are still out are counted once they are dropped.
        launches: Launches<P, E>,
        // The time that the run's alarm is set for, or was when it went off; zero before it was set here.
        armed: u64,
        copy: PhantomData<fn() -> F>,
    }
}

struct Leaves<'h, L, I, M> {
    solo: Pin<&'h mut Solo<M>>,
    known: Known,
    make: &'h mut L,
    answered: &'h mut I,
    /// The limit around, as far as copies heed it.
    outer: u64,
    /// The time up to which all has passed.
    passed: u64,
    /// The earliest time that hasn't.
    wake: u64,
}

impl<F, L, I, T, E, M> Host<Copy<F>, T, E> for Leaves<'_, L, I, M>
where
    M: Manner,
    F: Future,
    L: FnMut(Limit, u32) -> (Attempt, F),
    I: FnMut(F::Output) -> Result<T, E>,
{
    #[inline]
    fn poll(
        &mut self,
        mut place: Pin<&mut Option<Copy<F>>>,
        cx: &mut Context<'_>,
    ) -> Option<Poll<Result<T, Fall<E>>>> {
        let mut copy = place.as_mut().as_pin_mut()?.project();
        let own = copy.own.get();
        let end = own.min(self.outer);
        let entered = scope::enter(self.solo.told(end));
        let polled = copy.operation.as_mut().poll(cx);
        drop(entered);
        let answer = match polled {
            Poll::Ready(answer) => Ok((self.answered)(answer)),
            Poll::Pending if <Self as Host<Copy<F>, T, E>>::passed(self, end) => Err(Fell::Cut),
            Poll::Pending => return Some(Poll::Pending),
        };
        // The operation is dropped before its end is told.
        let watch = mem::replace(copy.watch, Watch::NOBODY);
        place.set(None);
        Some(Poll::Ready(match watch.ended(answer) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(Fall::new(Fell::FAILED, Some(error))),
            Err(fell) => Err(Fall::new(fell.through_timeout(own, self.outer), None)),
        }))
    }

    #[inline]
    fn launch(
        &mut self,
        mut place: Pin<&mut Option<Copy<F>>>,
        number: u32,
        now: u64,
        admitted: bool,
    ) -> Result<(), Fall<E>> {
        let own = now.saturating_add(self.known.bound);
        let end = own.min(self.outer);
        if !admitted && let Err(fell) = self.solo.admits(now, end) {
            return Err(Fall::new(fell.through_timeout(own, self.outer), None));
        }
        let limit = self.solo.as_mut().counted(end);
        let (attempt, operation) = (self.make)(limit, number);
        place.set(Some(Copy {
            operation,
            // What may start ends later than at zero.
            own: NonZeroU64::new(own).unwrap_or(NonZeroU64::MIN),
            watch: Watch::starts(self.known.site, attempt),
        }));
        Ok(())
    }

    #[inline]
    fn now(&self) -> u64 {
        self.solo.now()
    }

    #[inline]
    fn limits(&self) -> bool {
        self.known.bound != u64::MAX
    }

    #[inline]
    fn passed(&mut self, at: u64) -> bool {
        if self.passed >= at {
            return true;
        }
        self.wake = self.wake.min(at);
        false
    }

    #[inline]
    fn heeded(&self, end: u64, failed: bool) -> u64 {
        self.solo.inherited(end, failed)
    }

    #[inline]
    fn admits(&self, now: u64, end: u64) -> bool {
        self.solo.admits(now, end).is_ok()
    }
}

impl<F, C, K, L, I, P, T, E, M> Future for LeafHedge<'_, F, C, K, L, I, P, E, M>
where
    M: Manner,
    F: Future,
    C: Places<Copy<F>>,
    K: Fn() -> Known,
    L: FnMut(Limit, u32) -> (Attempt, F),
    I: FnMut(F::Output) -> Result<T, E>,
    P: FnMut(Counted) -> bool,
{
    type Output = Result<T, Fall<E>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let known = (this.known)();
        let policy = Name::new(known.site.policy);
        // Where the alarm has gone off, copies are polled once and then unwind, or are joined by the next.
        let rung = *this.armed > 0 && this.solo.has_rung();
        let mut host = Leaves {
            outer: this.solo.inherited(this.launches.end, false),
            solo: this.solo.as_mut(),
            known,
            make: this.make,
            answered: this.answered,
            passed: if rung { *this.armed } else { 0 },
            wake: u64::MAX,
        };
        loop {
            let polled = this
                .launches
                .poll(&mut host, this.copies.as_mut(), known.spec, policy, cx);
            if polled.is_ready() {
                return polled;
            }
            match host.solo.as_mut().alarmed(host.wake, cx) {
                None => return Poll::Pending,
                Some(Poll::Pending) => {
                    *this.armed = host.wake;
                    return Poll::Pending;
                }
                Some(Poll::Ready(())) => host.passed = host.wake,
            }
            host.wake = u64::MAX;
        }
    }
}
