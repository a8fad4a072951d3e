//! A plain policy with a name runs as one future of the runtime; a hook that does nothing makes the same policy a loop of its
//! own. Whatever happens to the two, nobody can tell them apart.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use retry_plan::{Attempt, Budget, Failure, Scope, Stats, retry_policy};
use tokio::time::{sleep, timeout};

use crate::script::{Oops, Script, Step, ms};

static BARE: Budget = Budget::ratio(0.5, 3);
static BARE_LOOP: Budget = Budget::ratio(0.5, 3);
static TIMED: Budget = Budget::ratio(0.5, 3);
static TIMED_LOOP: Budget = Budget::ratio(0.5, 3);
static AT_ONCE: Budget = Budget::ratio(0.5, 3);
static AT_ONCE_LOOP: Budget = Budget::ratio(0.5, 3);

retry_policy! {
    #[allow(unbounded, reason = "what is around limits it")]
    struct Bare {
        type Error = Oops;
        retry(attempts = 4, backoff = fixed(10ms), jitter = none, when = Oops::is_transient, budget = BARE) { attempt }
    }
    #[allow(unbounded, reason = "what is around limits it")]
    struct BareLoop {
        type Error = Oops;
        retry(
            attempts = 4, backoff = fixed(10ms), jitter = none, when = Oops::is_transient, budget = BARE_LOOP, on_retry = |_| {}
        ) { attempt }
    }
    #[allow(unbounded, reason = "what is around limits it")]
    struct Free {
        retry(attempts = 3, backoff = fixed(10ms), jitter = none) { attempt }
    }
    #[allow(unbounded, reason = "what is around limits it")]
    struct FreeLoop {
        retry(attempts = 3, backoff = fixed(10ms), jitter = none, on_retry = |_| {}) { attempt }
    }
    // Timers fire on whole milliseconds, so that these waits end late.
    struct Timed {
        type Error = Oops;
        timeout(160ms) {
            retry(attempts = 4, backoff = fixed(10500us), jitter = none, when = Oops::is_transient, budget = TIMED) {
                attempt(30ms)
            }
        }
    }
    struct TimedLoop {
        type Error = Oops;
        timeout(160ms) {
            retry(
                attempts = 4, backoff = fixed(10500us), jitter = none, when = Oops::is_transient, budget = TIMED_LOOP,
                on_retry = |_| {}
            ) { attempt(30ms) }
        }
    }
    struct AtOnce {
        type Error = Oops;
        deadline(75ms) {
            retry(attempts = 3, backoff = none, when = Oops::is_transient, budget = AT_ONCE) { attempt(20ms) }
        }
    }
    struct AtOnceLoop {
        type Error = Oops;
        deadline(75ms) {
            retry(attempts = 3, backoff = none, when = Oops::is_transient, budget = AT_ONCE_LOOP, on_retry = |_| {}) {
                attempt(20ms)
            }
        }
    }
}

/// What is around a run.
#[derive(Debug, Clone, Copy)]
enum Around {
    Nothing,
    Within(u64),
    CancelledAfter(u64),
    Allowing(u32),
}

#[derive(Debug, Clone)]
struct Case {
    steps: Vec<Step>,
    around: Around,
    /// After how many milliseconds the run is dropped, a moment before anything else of that millisecond.
    dropped: Option<u64>,
    /// The call whose operation panics: where it is made, or where it is polled.
    panics: Option<(u32, bool)>,
}

fn cases() -> impl Strategy<Value = Case> {
    let time = || prop::sample::select(vec![0_u64, 1, 10, 20, 29, 30, 31, 50]);
    let outcome = prop_oneof![
        3 => Just(Err(Oops::Boom(1))),
        1 => Just(Err(Oops::Fatal)),
        2 => Just(Ok(7)),
    ];
    let step = prop_oneof![9 => (time(), outcome).prop_map(Some), 1 => Just(None)];
    let around = prop_oneof![
        2 => Just(Around::Nothing),
        1 => (1_u64..90).prop_map(Around::Within),
        1 => (0_u64..90).prop_map(Around::CancelledAfter),
        1 => (0_u32..3).prop_map(Around::Allowing),
    ];
    (
        prop::collection::vec(step, 1..5),
        around,
        prop::option::weighted(0.3, 1_u64..100),
        prop::option::weighted(0.1, (1_u32..4, any::<bool>())),
    )
        .prop_map(|(steps, around, dropped, panics)| Case {
            steps,
            around,
            dropped,
            panics,
        })
}

/// All that is seen of a run: how it ended, its attempts as they were told, when each began and ended, and what its budget has
/// counted by now.
#[derive(Debug, PartialEq)]
struct Seen {
    ended: Option<Result<u32, Failure<Oops>>>,
    attempts: Vec<String>,
    starts: Vec<u64>,
    ends: Vec<u64>,
    took: u64,
    out: u32,
    stats: Stats,
}

impl Case {
    /// What the policy runs.
    fn operation<'a>(
        &'a self,
        script: &'a Script,
        told: &'a Mutex<Vec<String>>,
        cx: Attempt,
    ) -> impl Future<Output = Result<u32, Oops>> + 'a {
        told.lock().unwrap().push(format!("{cx}, {:?}", cx.remaining()));
        let panics = move |polled| self.panics == Some((cx.number(), polled));
        assert!(!panics(false), "where it is made");
        async move {
            assert!(!panics(true), "where it is polled");
            script.call().await
        }
    }

    /// Runs it inside of what is around, until it is dropped.
    async fn drive<R>(&self, budget: &'static Budget, run: R) -> Option<R::Output>
    where
        R: Future<Output = Result<u32, Failure<Oops>>>,
    {
        let around = async {
            match self.around {
                Around::Nothing => run.await,
                Around::Within(time) => Scope::new().within(ms(time)).run(run).await,
                Around::CancelledAfter(time) => Scope::new().run_until(sleep(ms(time)), run).await,
                Around::Allowing(repeats) => Scope::new().allowance(budget, repeats).run(run).await,
            }
        };
        // What hangs is dropped as well, some day.
        timeout(ms(self.dropped.unwrap_or(1000)), around).await.ok()
    }
}

/// Runs a policy in a world of its own.
macro_rules! seen {
    ($case:expr, $Policy:ident, $BUDGET:ident) => {{
        let case: &Case = $case;
        let world = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let script = world.block_on(async { Script::new(case.steps.clone()) });
        let told = Mutex::default();
        let ended = catch_unwind(AssertUnwindSafe(|| {
            world.block_on(case.drive(
                &$BUDGET,
                $Policy::run_detailed(|cx| case.operation(&script, &told, cx)),
            ))
        }));
        let took = world.block_on(async { script.now() });
        Seen {
            ended: ended.ok().flatten(),
            attempts: told.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()),
            starts: script.starts(),
            ends: script.ends(),
            took,
            out: script.out(),
            stats: $BUDGET.stats(),
        }
    }};
}

fn told_apart(case: &Case) -> Result<(), TestCaseError> {
    prop_assert_eq!(seen!(case, Bare, BARE), seen!(case, BareLoop, BARE_LOOP));
    prop_assert_eq!(seen!(case, Free, BARE), seen!(case, FreeLoop, BARE));
    prop_assert_eq!(seen!(case, Timed, TIMED), seen!(case, TimedLoop, TIMED_LOOP));
    prop_assert_eq!(
        seen!(case, AtOnce, AT_ONCE),
        seen!(case, AtOnceLoop, AT_ONCE_LOOP)
    );
    Ok(())
}

#[test]
fn a_plain_run_and_a_loop_written_out_cannot_be_told_apart() {
    // What panics on purpose needn't be printed.
    std::panic::set_hook(Box::new(|_| {}));
    let mut runner = TestRunner::new(Config::with_cases(3000));
    let found = runner.run(&cases(), |case| told_apart(&case));
    let _ = std::panic::take_hook();
    found.unwrap_or_else(|found| panic!("{found}"));
}
