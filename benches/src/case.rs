//! A discipline and its cases: contestants that do the same thing.

use crate::operation::Remote;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// A loop over runs inside a runtime; `T` is what it tells of them.
pub type Runs<'a, T = ()> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// How the runs of a case are driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// Polled in a loop with a waker that does nothing: the contestant's own code and little else.
    Polled,
    /// Awaited in the one task of a current-thread runtime: scheduler and timers take part.
    Awaited,
    /// Awaited in a task of a current-thread runtime that has just been idle: it waited for events, with no timer set. So it
    /// is in a service when a request comes in, and each timer that is armed then wakes the driver through the kernel.
    Idle,
}

/// What several contestants do side by side: a table of the report.
pub struct Discipline {
    /// A short name for the command line and the gate.
    pub id: &'static str,
    /// What is done, the table's title.
    pub title: &'static str,
    /// How instructions are counted.
    pub counted: Drive,
    /// How time is taken.
    pub timed: Drive,
    /// How many runs one timed sample has; a tenth of it is counted.
    pub runs: u64,
    /// The contestants; ratios are relative to the first, the hand-written one.
    pub cases: Vec<Case>,
}

/// One contestant.
#[derive(Clone, Copy)]
pub struct Case {
    /// The contestant, a row of the table.
    pub name: &'static str,
    /// Makes `n` runs, each polled by [`poll_hidden`](crate::drive::poll_hidden).
    pub poll: fn(&Remote, u64),
    /// Makes `n` runs inside a runtime.
    pub block: for<'a> fn(&'a Remote, u64) -> Runs<'a>,
    /// Makes `n` runs inside a runtime, idle before each, and tells how long they took, without the time between them.
    pub idle: fn(&'static Remote, u64) -> Runs<'static, Duration>,
    /// The bytes of one run's future.
    pub size: fn(&Remote) -> usize,
}

impl Case {
    /// Whether it's this project's.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.name.starts_with("retry-plan")
    }
}

/// Makes a [`Case`]: `case!("name", failures, |remote| { what is set up once } future of one run)`.
#[macro_export]
macro_rules! case {
    ($name:expr, $failures:expr, |$remote:ident| { $($setup:tt)* } $future:expr) => {
        $crate::case::Case {
            name: $name,
            poll: |$remote, n| {
                $($setup)*
                let mut cx = ::std::task::Context::from_waker(::std::task::Waker::noop());
                for _ in 0..n {
                    $remote.fail_next($failures);
                    let future = ::std::pin::pin!($future);
                    $crate::drive::poll_hidden(future, &mut cx);
                }
            },
            block: |$remote, n| {
                ::std::boxed::Box::pin(async move {
                    $($setup)*
                    for _ in 0..n {
                        $remote.fail_next($failures);
                        let future = ::std::pin::pin!($future);
                        $crate::drive::await_hidden(future).await;
                    }
                })
            },
            idle: |$remote, n| {
                ::std::boxed::Box::pin(async move {
                    $($setup)*
                    let mut took = ::std::time::Duration::ZERO;
                    for _ in 0..n {
                        $remote.fail_next($failures);
                        ::tokio::task::yield_now().await;
                        let start = ::std::time::Instant::now();
                        {
                            let future = ::std::pin::pin!($future);
                            $crate::drive::await_hidden(future).await;
                        }
                        took += start.elapsed();
                    }
                    took
                })
            },
            size: |$remote| {
                $($setup)*
                let future = $future;
                ::std::mem::size_of_val(&future)
            },
        }
    };
}
