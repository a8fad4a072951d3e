//! `hedge(after = d, copies = n) { … }`: another copy each time `after` passes without an answer, or at once when a copy
//! fails; the first success wins.
//!
//! The copies lie side by side in the hedge's own future, so that no launch needs the heap.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use retry_planner::{Kind, Policy};

use crate::branch::NoMore;
use crate::course::Manner;
use crate::failure::Stop;
use crate::fall::{Fall, Fell};
use crate::least::{least, start_by};
use crate::observer::{Event, Name};
use crate::scope;
use crate::timer::{Timer, nanos};

/// The figures of one hedge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HedgeSpec {
    /// The time without an answer after which the next copy starts.
    pub after: u64,
    /// The fastest success of a copy, the limits inside it included.
    pub least: u64,
    /// The last start of a copy from which it can meet the deadlines inside it.
    pub start_by: u64,
    /// The most copies, the first included.
    pub copies: u32,
}

/// What a hedge's budget is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The first copy starts.
    First,
    /// Another copy is about to start, if it is paid for.
    Again,
    /// A copy succeeded.
    Won,
    /// A copy failed, or was cut off.
    Lost(Fell),
    /// A copy was dropped while it was out.
    Dropped,
}

/// The copies that are out, in the budget's books. Those that are still out when this is dropped are dropped with it.
#[derive(Debug)]
struct Books<P: FnMut(Counted) -> bool> {
    pays: P,
    out: u32,
    /// Whether the first copy could start: what never starts a call funds nothing.
    open: bool,
}

impl<P: FnMut(Counted) -> bool> Books<P> {
    #[inline]
    fn count(&mut self, counted: Counted) {
        if self.open {
            (self.pays)(counted);
        }
    }

    #[inline]
    fn first(&mut self, admitted: bool) {
        self.out = 1;
        self.open = admitted;
        self.count(Counted::First);
    }

    #[inline]
    fn again(&mut self) -> bool {
        let paid = (self.pays)(Counted::Again);
        self.out += u32::from(paid);
        paid
    }

    /// One copy has ended.
    #[inline]
    fn ended(&mut self, counted: Counted) {
        self.out -= 1;
        self.count(counted);
    }

    /// All copies end in the same way.
    #[inline]
    fn all(&mut self, counted: Counted) {
        while self.out > 0 {
            self.ended(counted);
        }
    }
}

impl<P: FnMut(Counted) -> bool> Drop for Books<P> {
    #[inline]
    fn drop(&mut self) {
        self.all(Counted::Dropped);
    }
}

/// Room for `N` copies side by side.
#[diagnostic::on_unimplemented(
    message = "a hedge has 1 to 16 copies, not {N}",
    label = "this many copies don't lie side by side"
)]
pub trait Room<const N: usize> {
    /// The places.
    type Places<F: Future>: Places<F>;
}

/// Places for copies of one future.
pub trait Places<F: Future> {
    /// How many.
    const LEN: usize;
    /// All of them, empty.
    const EMPTY: Self;

    /// Puts a copy into the place at `index`.
    fn launch(self: Pin<&mut Self>, index: usize, copy: F);

    /// Polls the copy at `index`, if there is one; its place is empty once it has ended.
    fn poll_copy(self: Pin<&mut Self>, index: usize, cx: &mut Context<'_>) -> Option<Poll<F::Output>>;

    /// Drops all copies.
    fn clear(self: Pin<&mut Self>);
}

impl<F: Future> Places<F> for NoMore {
    const LEN: usize = 0;
    const EMPTY: Self = Self;

    #[inline]
    fn launch(self: Pin<&mut Self>, _: usize, _: F) {}

    #[inline]
    fn poll_copy(self: Pin<&mut Self>, _: usize, _: &mut Context<'_>) -> Option<Poll<F::Output>> {
        None
    }

    #[inline]
    fn clear(self: Pin<&mut Self>) {}
}

pin_project! {
    /// One place and the ones after it.
    #[derive(Debug)]
    pub struct Place<F, R> {
        #[pin]
        copy: Option<F>,
        #[pin]
        rest: R,
    }
}

impl<F: Future, R: Places<F>> Places<F> for Place<F, R> {
    const LEN: usize = 1 + R::LEN;
    const EMPTY: Self = Self {
        copy: None,
        rest: R::EMPTY,
    };

    #[inline]
    fn launch(self: Pin<&mut Self>, index: usize, copy: F) {
        let mut this = self.project();
        match index.checked_sub(1) {
            None => this.copy.set(Some(copy)),
            Some(index) => this.rest.launch(index, copy),
        }
    }

    #[inline]
    fn poll_copy(self: Pin<&mut Self>, index: usize, cx: &mut Context<'_>) -> Option<Poll<F::Output>> {
        let mut this = self.project();
        if let Some(index) = index.checked_sub(1) {
            return this.rest.poll_copy(index, cx);
        }
        let polled = this.copy.as_mut().as_pin_mut()?.poll(cx);
        if polled.is_ready() {
            this.copy.set(None);
        }
        Some(polled)
    }

    #[inline]
    fn clear(self: Pin<&mut Self>) {
        let mut this = self.project();
        this.copy.set(None);
        this.rest.clear();
    }
}

macro_rules! rooms {
    ($($count:literal after $less:tt),*) => {$(
        impl<M> Room<$count> for Timer<M> {
            type Places<F: Future> = Place<F, rooms!(@places $less)>;
        }
    )*};
    (@places 0) => { NoMore };
    (@places $count:literal) => { <Timer as Room<$count>>::Places<F> };
}

rooms!(
    1 after 0, 2 after 1, 3 after 2, 4 after 3, 5 after 4, 6 after 5, 7 after 6, 8 after 7, 9 after 8, 10 after 9,
    11 after 10, 12 after 11, 13 after 12, 14 after 13, 15 after 14, 16 after 15
);

impl HedgeSpec {
    /// The hedge at `index` of a policy.
    ///
    /// # Panics
    ///
    /// Where there is no hedge: generated code names the right node.
    #[must_use]
    pub const fn of(policy: &Policy<'_>, index: usize) -> Self {
        let Kind::Hedge(hedge) = policy.nodes[index].kind else {
            panic!("this node is no hedge");
        };
        Self {
            after: nanos(hedge.after.hi),
            least: least(policy, index),
            start_by: start_by(policy, index),
            copies: hedge.copies.hi,
        }
    }
}

impl<M: Manner> Timer<M> {
    /// Runs up to `N` copies of what `launch` makes, told the number of the copy and the time; fails only when every copy has
    /// failed, with the failure of the last to fail.
    ///
    /// `pays` is told of each event that a budget counts. It is asked before each copy but the first, and a refusal ends
    /// launching.
    #[inline]
    pub fn hedge<'a, const N: usize, F, L, P, T, E>(
        &'a self,
        policy: &'static str,
        now: u64,
        end: u64,
        spec: &'a HedgeSpec,
        launch: L,
        pays: P,
    ) -> Hedge<'a, F, <Self as Room<N>>::Places<F>, L, P, E, M>
    where
        Self: Room<N>,
        L: FnMut(u32, u64) -> F,
        F: Future<Output = Result<T, Fall<E>>>,
        P: FnMut(Counted) -> bool,
    {
        Hedge {
            timer: self,
            policy: Name::new(policy),
            next: now.saturating_add(spec.after),
            end,
            spec,
            launched: 0,
            closed: false,
            launch,
            books: Books {
                pays,
                out: 0,
                open: false,
            },
            copies: Places::EMPTY,
            lost: None,
            copy: core::marker::PhantomData,
        }
    }
}

pin_project! {
    /// A hedge that is out; made by [`Timer::hedge`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Hedge<'a, F, C, L, P: FnMut(Counted) -> bool, E, M> {
        timer: &'a Timer<M>,
        policy: Name,
        // When the next copy starts.
        next: u64,
        end: u64,
        spec: &'a HedgeSpec,
        launched: u32,
        // A refusal ends launching, and leaves running copies alone.
        closed: bool,
        launch: L,
        #[pin]
        copies: C,
        books: Books<P>,
        lost: Option<Fall<E>>,
        copy: core::marker::PhantomData<fn() -> F>,
    }
}

impl<F, C, L, P, T, E, M> Future for Hedge<'_, F, C, L, P, E, M>
where
    M: Manner,
    F: Future<Output = Result<T, Fall<E>>>,
    C: Places<F>,
    L: FnMut(u32, u64) -> F,
    P: FnMut(Counted) -> bool,
{
    type Output = Result<T, Fall<E>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut copies = this.copies;
        let (timer, books) = (*this.timer, this.books);
        if *this.launched == 0 {
            *this.launched = 1;
            // One reading of the clock for the books and for the copy: what is counted starts.
            let now = timer.now();
            let end = timer.inherited(*this.end, false);
            books.first(timer.admits(now, end).is_ok());
            copies.as_mut().launch(0, (this.launch)(1, now));
        }
        let mut index = 0;
        let mut owed = 0_u32;
        loop {
            // Copies in their order, before the timer (rule 2).
            let mut lost: Option<Fall<E>> = None;
            while index < *this.launched as usize {
                match copies.as_mut().poll_copy(index, cx) {
                    None | Some(Poll::Pending) => {}
                    Some(Poll::Ready(Ok(value))) => {
                        books.ended(Counted::Won);
                        // The losers are dropped before the result is told.
                        copies.clear();
                        books.all(Counted::Dropped);
                        this.policy.tell(|| Event::Win {
                            place: u32::try_from(index + 1).unwrap_or(u32::MAX),
                        });
                        return Poll::Ready(Ok(value));
                    }
                    Some(Poll::Ready(Err(fall))) if fall.fell.unwinds() => {
                        // What ends one copy from outside ends all of them.
                        copies.clear();
                        books.all(Counted::Lost(fall.fell));
                        return Poll::Ready(Err(fall.after(lost).after(this.lost.take())));
                    }
                    Some(Poll::Ready(Err(fall))) => {
                        books.ended(Counted::Lost(fall.fell));
                        // A deadline would pass again.
                        owed += u32::from(fall.fell != Fell::Deadline);
                        lost = Some(match lost.take() {
                            Some(first) => first.after(Some(fall)),
                            None => fall,
                        });
                    }
                }
                index += 1;
            }
            if let Some(fall) = lost {
                *this.lost = Some(fall.after(this.lost.take()));
            }
            let more = !*this.closed && index < C::LEN && *this.launched < this.spec.copies;
            let late = owed == 0 && books.out > 0 && more && timer.passed(*this.next);
            if !more || (owed == 0 && !late) {
                break;
            }
            owed = owed.saturating_sub(1);
            let now = timer.now();
            let end = timer.inherited(*this.end, this.lost.is_some());
            let fits = now < end && now.saturating_add(this.spec.least) <= end && now <= this.spec.start_by;
            let refusal = if fits {
                scope::refusal().or_else(|| (!books.again()).then_some(Stop::BudgetRefused))
            } else {
                Some(Stop::WontFit)
            };
            if let Some(stop) = refusal {
                *this.closed = true;
                this.policy.tell(|| Event::Refusal {
                    attempts: *this.launched,
                    stop,
                });
            } else {
                // Each launch starts `after` anew (rule 6).
                *this.next = now.saturating_add(this.spec.after);
                *this.launched += 1;
                this.policy.tell(|| Event::Hedge {
                    copy: *this.launched,
                    after_failure: !late,
                });
                copies.as_mut().launch(index, (this.launch)(*this.launched, now));
            }
        }
        match this.lost.take() {
            Some(fall) if books.out == 0 => Poll::Ready(Err(fall)),
            fall => {
                *this.lost = fall;
                Poll::Pending
            }
        }
    }
}
