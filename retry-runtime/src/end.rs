//! How one attempt ended.

/// How one attempt ended, as budgets and observers count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// With a value.
    Success,
    /// With an error of its own.
    Failure,
    /// Cut off by its bound, or by a limit around it.
    TimedOut,
    /// With an error that held a server's hint to come back later.
    Throttled,
    /// Dropped before it ended: by its caller, or as the loser of a hedge, a race or a failed parallel.
    Cancelled,
}

impl End {
    /// Every end, in order.
    pub const ALL: [Self; 5] = [
        Self::Success,
        Self::Failure,
        Self::TimedOut,
        Self::Throttled,
        Self::Cancelled,
    ];

    /// The name in logs and metrics, such as `timed_out`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::TimedOut => "timed_out",
            Self::Throttled => "throttled",
            Self::Cancelled => "cancelled",
        }
    }
}
