//! What a row of a table does, and what its functions call.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// Fails until it was called so often.
#[derive(Debug)]
pub(crate) struct Flaky {
    calls: AtomicU32,
    succeeds_at: u32,
}

impl Flaky {
    pub(crate) fn new(succeeds_at: u32) -> Self {
        Self {
            calls: AtomicU32::new(0),
            succeeds_at,
        }
    }

    /// The number of the call, once it succeeds.
    pub(crate) fn call(&self) -> io::Result<u32> {
        let call = self.calls.fetch_add(1, SeqCst) + 1;
        if call >= self.succeeds_at {
            Ok(call)
        } else {
            Err(broken())
        }
    }

    /// The same, pending once before it answers.
    pub(crate) async fn answer(&self) -> io::Result<u32> {
        tokio::task::yield_now().await;
        self.call()
    }

    pub(crate) fn calls(&self) -> u32 {
        self.calls.load(SeqCst)
    }
}

pub(crate) fn broken() -> io::Error {
    io::Error::from(io::ErrorKind::BrokenPipe)
}

/// Every shape has three attempts: when its operation succeeds, how often it is called then, and whether that is enough.
const ENDS: [(u32, u32, bool); 4] = [(1, 1, true), (2, 2, true), (3, 3, true), (4, 3, false)];

fn on_paused_clock(future: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime starts")
        .block_on(future);
}

/// The function's future is spawned.
pub(crate) fn spawned<F>(run: impl Fn(Arc<Flaky>) -> F)
where
    F: Future<Output = bool> + Send + 'static,
{
    on_paused_clock(async {
        for (succeeds_at, calls, succeeds) in ENDS {
            let flaky = Arc::new(Flaky::new(succeeds_at));
            let succeeded = tokio::spawn(run(Arc::clone(&flaky)))
                .await
                .expect("it doesn't panic");
            assert_eq!((flaky.calls(), succeeded), (calls, succeeds));
        }
    });
}

/// The function's future stays on its thread, for something in it isn't `Send`.
pub(crate) fn awaited<F>(run: impl Fn(Arc<Flaky>) -> F)
where
    F: Future<Output = bool>,
{
    on_paused_clock(async {
        for (succeeds_at, calls, succeeds) in ENDS {
            let flaky = Arc::new(Flaky::new(succeeds_at));
            let succeeded = run(Arc::clone(&flaky)).await;
            assert_eq!((flaky.calls(), succeeded), (calls, succeeds));
        }
    });
}

/// The function blocks a thread of its own.
pub(crate) fn blocking(run: fn(&Flaky) -> bool) {
    for (succeeds_at, calls, succeeds) in ENDS {
        let flaky = Arc::new(Flaky::new(succeeds_at));
        let on_thread = Arc::clone(&flaky);
        let succeeded = std::thread::spawn(move || run(&on_thread))
            .join()
            .expect("it doesn't panic");
        assert_eq!((flaky.calls(), succeeded), (calls, succeeds));
    }
}

/// One row for each shape: how it is run, what it is, and whether a run of it succeeds.
macro_rules! table {
    ($($how:ident $shape:ident: $run:expr;)+) => {
        mod table {
            use super::*;

            $(#[test]
            fn $shape() {
                $crate::table::$how($run);
            })+
        }
    };
}
pub(crate) use table;
