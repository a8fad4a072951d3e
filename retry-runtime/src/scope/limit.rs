//! When something ends: never, at an instant, or a time after a clock that hasn't started.

use core::time::Duration;

use tokio::time::Instant;

use crate::clock;

/// The earliest limit around something.
///
/// A run reads no clock until something in it is first pending. Until then its limits are lengths of time, and from there
/// on instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Nothing ends it.
    None,
    /// It ends at this time on the process' clock ([`clock`]).
    At(u64),
    /// It ends so many nanoseconds after something is first pending.
    In(u64),
}

impl Limit {
    /// It ends at this instant; never, where that lies beyond the range of the process' clock.
    #[must_use]
    #[inline]
    pub fn at(at: Instant) -> Self {
        match clock::number(at) {
            u64::MAX => Self::None,
            number => Self::At(number),
        }
    }

    /// It ends at `end` on a clock that began at `epoch`, on the process' clock; an `epoch` of zero is a clock that hasn't.
    #[must_use]
    #[inline]
    pub const fn on(epoch: u64, end: u64) -> Self {
        match (epoch, end) {
            (_, u64::MAX) => Self::None,
            (0, end) => Self::In(end),
            (epoch, end) => Self::At(epoch.saturating_add(end)),
        }
    }

    /// The limit as a clock's beginning and its end on that clock: the other way round of [`on`](Self::on).
    #[must_use]
    #[inline]
    pub const fn parts(self) -> (u64, u64) {
        match self {
            Self::None => (0, u64::MAX),
            Self::In(end) => (0, end),
            Self::At(at) => (at, 0),
        }
    }

    /// Whether it is a length of time, on a clock that hasn't started.
    pub(crate) const fn is_length(self) -> bool {
        matches!(self, Self::In(_))
    }

    /// The earlier of two limits. A length of time against an instant is compared from now on.
    #[must_use]
    #[inline]
    pub fn earlier(self, other: Self) -> Self {
        match (self, other) {
            (limit, Self::None) | (Self::None, limit) => limit,
            (Self::In(one), Self::In(two)) => Self::In(one.min(two)),
            (Self::At(one), Self::At(two)) => Self::At(one.min(two)),
            (at @ Self::At(_), length) | (length, at @ Self::At(_)) => at.earlier_than_length(length),
        }
    }

    #[cold]
    fn earlier_than_length(self, length: Self) -> Self {
        match (self, length) {
            (Self::At(at), Self::In(nanos)) if clock::now().saturating_add(nanos) < at => length,
            _ => self,
        }
    }

    /// The instant, a clock that hasn't started taken to start now; `None` also for what lies beyond every clock.
    #[must_use]
    #[inline]
    pub fn resolve(self) -> Option<Instant> {
        match self {
            Self::None => None,
            Self::At(at) => clock::instant(at),
            Self::In(nanos) => Instant::now().checked_add(Duration::from_nanos(nanos)),
        }
    }
}
