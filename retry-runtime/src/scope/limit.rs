//! When something ends: never, at an instant, or a time after a clock that hasn't started.

use core::time::Duration;

use tokio::time::Instant;

/// The earliest limit around something.
///
/// A run reads no clock until something in it is first pending. Until then its limits are lengths of time, and from there
/// on instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Nothing ends it.
    None,
    /// It ends at this instant.
    At(Instant),
    /// It ends so many nanoseconds after something is first pending.
    In(u64),
}

impl Limit {
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
        match (self, length.resolve()) {
            (Self::At(at), Some(end)) if end < at => length,
            _ => self,
        }
    }

    /// The instant, a clock that hasn't started taken to start now; `None` also for what lies beyond every clock.
    #[must_use]
    #[inline]
    pub fn resolve(self) -> Option<Instant> {
        match self {
            Self::None => None,
            Self::At(at) => Some(at),
            Self::In(nanos) => Instant::now().checked_add(Duration::from_nanos(nanos)),
        }
    }
}
