//! Copies that are trees of their own: each a path, driven with whatever else is out.

use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::{Counted, HedgeSpec, Host, Launches, Places, Room, Rooms};
use crate::course::Manner;
use crate::fall::Fall;
use crate::observer::Name;
use crate::timer::Timer;

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
    ) -> Hedge<'a, F, <Rooms as Room<N>>::Places<F>, L, P, E, M>
    where
        Rooms: Room<N>,
        L: FnMut(u32, u64) -> F,
        F: Future<Output = Result<T, Fall<E>>>,
        P: FnMut(Counted) -> bool,
    {
        Hedge {
            timer: self,
            policy: Name::new(policy),
            spec,
            launch,
            launches: Launches::new(now, end, spec, pays),
            copies: Places::EMPTY,
            copy: PhantomData,
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
        spec: &'a HedgeSpec,
        launch: L,
        #[pin]
        copies: C,
        // After the copies: those that are still out are counted once they are dropped.
        launches: Launches<P, E>,
        copy: PhantomData<fn() -> F>,
    }
}

struct Paths<'h, L, M> {
    timer: &'h Timer<M>,
    launch: &'h mut L,
}

impl<F, L, T, E, M> Host<F, T, E> for Paths<'_, L, M>
where
    M: Manner,
    F: Future<Output = Result<T, Fall<E>>>,
    L: FnMut(u32, u64) -> F,
{
    #[inline]
    fn poll(
        &mut self,
        mut place: Pin<&mut Option<F>>,
        cx: &mut Context<'_>,
    ) -> Option<Poll<Result<T, Fall<E>>>> {
        let polled = place.as_mut().as_pin_mut()?.poll(cx);
        if polled.is_ready() {
            place.set(None);
        }
        Some(polled)
    }

    #[inline]
    fn launch(
        &mut self,
        mut place: Pin<&mut Option<F>>,
        number: u32,
        now: u64,
        _: bool,
    ) -> Result<(), Fall<E>> {
        place.set(Some((self.launch)(number, now)));
        Ok(())
    }

    #[inline]
    fn now(&self) -> u64 {
        self.timer.now()
    }

    #[inline]
    fn limits(&self) -> bool {
        true
    }

    #[inline]
    fn passed(&mut self, at: u64) -> bool {
        self.timer.passed(at)
    }

    #[inline]
    fn heeded(&self, end: u64, failed: bool) -> u64 {
        self.timer.inherited(end, failed)
    }

    #[inline]
    fn admits(&self, now: u64, end: u64) -> bool {
        self.timer.admits(now, end).is_ok()
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
        let mut host = Paths {
            timer: this.timer,
            launch: this.launch,
        };
        this.launches
            .poll(&mut host, this.copies, this.spec, *this.policy, cx)
    }
}
