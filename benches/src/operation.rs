//! The operation that every contestant repeats, and its errors.

use std::cell::Cell;
use std::fmt;
use std::hint::black_box;
use std::task::Poll;

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Worth another try.
    Busy,
    /// Not worth one.
    Denied,
    /// An attempt or the whole run was cut by a limit.
    Late,
}

impl Refusal {
    /// Whether another try may help: the predicate of every contestant that takes one.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        !matches!(self, Self::Denied)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Busy => "busy",
            Self::Denied => "denied",
            Self::Late => "late",
        })
    }
}

impl std::error::Error for Refusal {}

impl From<tokio::time::error::Elapsed> for Refusal {
    fn from(_: tokio::time::error::Elapsed) -> Self {
        Self::Late
    }
}

impl From<retry_plan::Interrupted> for Refusal {
    fn from(_: retry_plan::Interrupted) -> Self {
        Self::Late
    }
}

/// The remote side: fails as often as it was told to, then answers.
#[derive(Debug, Default)]
pub struct Remote {
    failures: Cell<u32>,
    calls: Cell<u64>,
}

impl Remote {
    /// Lets the next `failures` calls fail.
    pub fn fail_next(&self, failures: u32) {
        self.failures.set(failures);
    }

    /// How many calls were made.
    pub fn calls(&self) -> u64 {
        self.calls.get()
    }

    // Out of line, so that no contestant's loop is folded into the operation.
    #[inline(never)]
    fn answer(&self) -> Result<u64, Refusal> {
        self.calls.set(self.calls.get() + 1);
        match self.failures.get() {
            0 => Ok(black_box(7)),
            left => {
                self.failures.set(left - 1);
                Err(Refusal::Busy)
            }
        }
    }

    /// An operation that answers at its first poll.
    ///
    /// # Errors
    ///
    /// `Busy`, as often as [`fail_next`](Self::fail_next) said.
    #[expect(
        clippy::unused_async,
        reason = "contestants retry a future, here the shortest there is"
    )]
    pub async fn ready(&self) -> Result<u64, Refusal> {
        self.answer()
    }

    /// An operation that is pending once and wakes itself at once.
    ///
    /// # Errors
    ///
    /// As [`ready`](Self::ready).
    pub async fn yielding(&self) -> Result<u64, Refusal> {
        let mut yielded = false;
        std::future::poll_fn(|cx| {
            if yielded {
                return Poll::Ready(());
            }
            yielded = true;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        self.answer()
    }

    /// An operation that is pending ten times and wakes itself at once each time.
    ///
    /// # Errors
    ///
    /// As [`ready`](Self::ready).
    pub async fn yielding_ten_times(&self) -> Result<u64, Refusal> {
        let mut left = 10;
        std::future::poll_fn(|cx| {
            if left == 0 {
                return Poll::Ready(());
            }
            left -= 1;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        self.answer()
    }

    /// An operation whose future holds a kilobyte, which no timer fits into by chance.
    ///
    /// # Errors
    ///
    /// As [`ready`](Self::ready).
    pub async fn large(&self) -> Result<u64, Refusal> {
        let held = black_box([0_u8; 1024]);
        let answer = self.yielding().await;
        black_box(held);
        answer
    }

    /// An operation whose first call never answers; later ones do at once.
    ///
    /// # Errors
    ///
    /// Never; the type is that of the others.
    pub async fn first_hangs(&self) -> Result<u64, Refusal> {
        if self.failures.get() > 0 {
            self.failures.set(self.failures.get() - 1);
            std::future::pending::<()>().await;
        }
        self.answer()
    }
}
