//! `hedge(after = d, copies = n) { … }`: another copy each time `after` passes without an answer, or at once when a copy
//! fails; the first success wins.
//!
//! The copies lie side by side in the hedge's own future, so that no launch needs the heap.
//!
//! - `paths`: copies that are trees of their own, beside other branches of the run.
//! - `leaves`: copies of one operation, on a run in which nothing else is out meanwhile.

mod leaves;
mod paths;

use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use retry_planner::{Kind, Policy};

use crate::branch::NoMore;
use crate::failure::Stop;
use crate::fall::{Fall, Fell};
use crate::least::needs;
use crate::observer::{Event, Name};
use crate::scope;
use crate::timer::nanos;

pub use leaves::{Known, LeafHedge};
pub use paths::Hedge;

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
    type Places<F>: Places<F>;
}

/// Stands for the room that copies have.
#[derive(Debug)]
pub struct Rooms;

/// Places for copies of one kind.
pub trait Places<F> {
    /// How many.
    const LEN: usize;
    /// All of them, empty.
    const EMPTY: Self;

    /// The place at `index`, if there are so many.
    fn at(self: Pin<&mut Self>, index: usize) -> Option<Pin<&mut Option<F>>>;

    /// Drops all copies.
    fn clear(self: Pin<&mut Self>);
}

impl<F> Places<F> for NoMore {
    const LEN: usize = 0;
    const EMPTY: Self = Self;

    #[inline]
    fn at(self: Pin<&mut Self>, _: usize) -> Option<Pin<&mut Option<F>>> {
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

impl<F, R: Places<F>> Places<F> for Place<F, R> {
    const LEN: usize = 1 + R::LEN;
    const EMPTY: Self = Self {
        copy: None,
        rest: R::EMPTY,
    };

    #[inline]
    fn at(self: Pin<&mut Self>, index: usize) -> Option<Pin<&mut Option<F>>> {
        let this = self.project();
        match index.checked_sub(1) {
            None => Some(this.copy),
            Some(index) => this.rest.at(index),
        }
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
        impl Room<$count> for Rooms {
            type Places<F> = Place<F, rooms!(@places $less)>;
        }
    )*};
    (@places 0) => { NoMore };
    (@places $count:literal) => { <Rooms as Room<$count>>::Places<F> };
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
        let (least, start_by) = needs(policy, index);
        Self {
            after: nanos(hedge.after.hi),
            least,
            start_by,
            copies: hedge.copies.hi,
        }
    }
}

/// What a hedge asks of the run that it is in.
trait Host<F, T, E> {
    /// Polls the copy in a place, if there is one; the place is empty once it has ended.
    fn poll(&mut self, place: Pin<&mut Option<F>>, cx: &mut Context<'_>) -> Option<Poll<Result<T, Fall<E>>>>;

    /// Puts a copy into a place, told its number and the time; or how it fell without having started. `admitted` is what
    /// [`admits`](Self::admits) has just said.
    fn launch(
        &mut self,
        place: Pin<&mut Option<F>>,
        number: u32,
        now: u64,
        admitted: bool,
    ) -> Result<(), Fall<E>>;

    /// The time on the run's clock.
    fn now(&self) -> u64;

    /// Whether a copy has limits that count from its start.
    fn limits(&self) -> bool;

    /// Whether this time has passed; if not, the run is polled again when it has.
    fn passed(&mut self, at: u64) -> bool;

    /// The limit `end` as far as the run heeds it; `failed`: a copy has returned an error.
    fn heeded(&self, end: u64, failed: bool) -> u64;

    /// Whether something may start.
    fn admits(&self, now: u64, end: u64) -> bool;
}

/// How far a hedge has come.
#[derive(Debug)]
struct Launches<P: FnMut(Counted) -> bool, E> {
    /// When the next copy starts.
    next: u64,
    /// The limit around.
    end: u64,
    launched: u32,
    /// A refusal ends launching, and leaves running copies alone.
    closed: bool,
    books: Books<P>,
    lost: Option<Fall<E>>,
}

impl<P: FnMut(Counted) -> bool, E> Launches<P, E> {
    #[inline]
    const fn new(now: u64, end: u64, spec: &HedgeSpec, pays: P) -> Self {
        Self {
            next: now.saturating_add(spec.after),
            end,
            launched: 0,
            closed: false,
            books: Books {
                pays,
                out: 0,
                open: false,
            },
            lost: None,
        }
    }

    /// Polls what is out and launches what is due.
    #[inline]
    fn poll<H, F, C, T>(
        &mut self,
        host: &mut H,
        mut copies: Pin<&mut C>,
        spec: &HedgeSpec,
        policy: Name,
        cx: &mut Context<'_>,
    ) -> Poll<Result<T, Fall<E>>>
    where
        H: Host<F, T, E>,
        C: Places<F>,
    {
        let mut launching = None;
        if self.launched == 0 {
            self.launched = 1;
            // One reading of the clock for the books and for the copy: what is counted starts.
            let now = host.now();
            let end = host.heeded(self.end, false);
            let admitted = host.admits(now, end);
            self.books.first(admitted);
            launching = Some((now, admitted));
        }
        let mut index = 0;
        let mut owed = 0_u32;
        loop {
            // Copies in their order, before the timer (rule 2).
            let mut lost: Option<Fall<E>> = None;
            while index < self.launched as usize {
                let Some(mut place) = copies.as_mut().at(index) else {
                    break;
                };
                let number = self.launched;
                let started = launching.take().map_or(Ok(()), |(now, admitted)| {
                    host.launch(place.as_mut(), number, now, admitted)
                });
                let polled = match started {
                    Ok(()) => host.poll(place, cx),
                    Err(fall) => Some(Poll::Ready(Err(fall))),
                };
                match polled {
                    None | Some(Poll::Pending) => {}
                    Some(Poll::Ready(Ok(value))) => {
                        self.books.ended(Counted::Won);
                        // The losers are dropped before the result is told.
                        copies.clear();
                        self.books.all(Counted::Dropped);
                        policy.tell(|| Event::Win {
                            place: u32::try_from(index + 1).unwrap_or(u32::MAX),
                        });
                        return Poll::Ready(Ok(value));
                    }
                    Some(Poll::Ready(Err(fall))) if fall.fell.unwinds() => {
                        // What ends one copy from outside ends all of them.
                        copies.clear();
                        self.books.all(Counted::Lost(fall.fell));
                        return Poll::Ready(Err(fall.after(lost).after(self.lost.take())));
                    }
                    Some(Poll::Ready(Err(fall))) => {
                        self.books.ended(Counted::Lost(fall.fell));
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
                self.lost = Some(fall.after(self.lost.take()));
            }
            let more = !self.closed && index < C::LEN && self.launched < spec.copies;
            let late = owed == 0 && self.books.out > 0 && more && host.passed(self.next);
            if !more || (owed == 0 && !late) {
                break;
            }
            owed = owed.saturating_sub(1);
            // No clock is read where nothing counts from now on: for the last copy, without limits in it or around.
            let timeless = late
                && self.launched + 1 == spec.copies
                && (self.end & spec.start_by) == u64::MAX
                && !host.limits();
            let now = if timeless { self.next } else { host.now() };
            let end = host.heeded(self.end, self.lost.is_some());
            let fits = now < end && now.saturating_add(spec.least) <= end && now <= spec.start_by;
            let refusal = if fits {
                scope::refusal().or_else(|| (!self.books.again()).then_some(Stop::BudgetRefused))
            } else {
                Some(Stop::WontFit)
            };
            if let Some(stop) = refusal {
                self.closed = true;
                policy.tell(|| Event::Refusal {
                    attempts: self.launched,
                    stop,
                });
            } else {
                // Each launch starts `after` anew (rule 6).
                self.next = now.saturating_add(spec.after);
                self.launched += 1;
                policy.tell(|| Event::Hedge {
                    copy: self.launched,
                    after_failure: !late,
                });
                launching = Some((now, true));
            }
        }
        match self.lost.take() {
            Some(fall) if self.books.out == 0 => Poll::Ready(Err(fall)),
            fall => {
                self.lost = fall;
                Poll::Pending
            }
        }
    }
}
