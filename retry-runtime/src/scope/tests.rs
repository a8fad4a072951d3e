//! What a scope imposes, on what, and for how long.

use core::future::{pending, poll_fn, ready};
use core::task::Waker;
use std::cell::Cell;
use std::rc::Rc;

use tokio::sync::oneshot;
use tokio::time::{Duration, Instant, advance, sleep};

use super::testing::block_on;
use super::*;

const MS: Duration = Duration::from_millis(1);
static BUDGET: Budget = Budget::unlimited();

fn deadline() -> Option<Instant> {
    Scope::current().deadline()
}

/// Polls once.
fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Task::from_waker(Waker::noop()))
}

/// The cancellation around, as a wait watches it.
fn cancellation() -> impl Future<Output = ()> {
    let mut watched = Watched::new();
    poll_fn(move |task| {
        if watched.is_cancelled(task) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
}

#[test]
fn outside_of_every_scope_nothing_holds() {
    let outside = Scope::current();
    assert_eq!(outside.deadline(), None);
    assert_eq!(outside.remaining(), None);
    assert_eq!(outside.allowed(&BUDGET), None);
    assert!(!outside.is_cancelled());
    assert!(!outside.cancel());
    assert!(!frame().shared());
}

#[test]
fn the_earlier_deadline_wins_from_either_side() {
    block_on(async {
        let now = Instant::now();
        let within = |outer: u32, inner: u32| {
            Scope::new().within(outer * MS).run(
                Scope::new()
                    .within(inner * MS)
                    .run(async { deadline().unwrap() - now }),
            )
        };
        assert_eq!(within(10, 20).await, 10 * MS);
        assert_eq!(within(20, 10).await, 10 * MS);
        assert_eq!(
            Scope::new().within(9 * MS).within(30 * MS).deadline(),
            Some(now + 9 * MS)
        );
    });
}

#[test]
fn a_scope_ends_with_its_future() {
    block_on(async {
        Scope::new().within(MS).allowance(&BUDGET, 1).run(ready(())).await;
        assert_eq!(deadline(), None);
        assert!(!frame().shared());
    });
}

#[test]
fn siblings_that_take_turns_each_see_their_own_scope() {
    block_on(async {
        let now = Instant::now();
        let see = |ms: u32| {
            Scope::new().within(ms * MS).run(async move {
                for _ in 0..3 {
                    assert_eq!(deadline(), Some(now + ms * MS));
                    tokio::task::yield_now().await;
                }
            })
        };
        tokio::join!(see(5), see(7), async {
            for _ in 0..3 {
                assert_eq!(deadline(), None);
                tokio::task::yield_now().await;
            }
        });
    });
}

#[test]
fn a_panic_in_a_scope_leaves_none_behind() {
    let panicked = std::panic::catch_unwind(|| {
        block_on(
            Scope::new()
                .within(MS)
                .allowance(&BUDGET, 1)
                .run(async { panic!("in a scope") }),
        );
    });
    assert!(panicked.is_err());
    assert_eq!(frame().limit(), Limit::NONE);
    assert!(context().is_none());
}

#[test]
fn deadlines_at_the_ends_of_time_are_right_and_never_panic() {
    block_on(async {
        assert_eq!(
            Scope::new().within(Duration::MAX).deadline(),
            None,
            "beyond every clock is no limit"
        );
        let centuries = Duration::from_secs(1_000 * 365 * 86_400);
        assert!(Scope::new().within(centuries).remaining().unwrap() > centuries / 2);
        advance(10 * MS).await;
        let past = Scope::new().until(Instant::now() - 5 * MS);
        assert_eq!(past.remaining(), Some(Duration::ZERO));
        past.run(async {
            assert_eq!(Scope::current().remaining(), Some(Duration::ZERO));
        })
        .await;
        let _entered = enter(Limit::after(u64::MAX / 2));
        assert!(
            frame().limit().resolve().is_some(),
            "292 years are within the clock's range"
        );
        assert!(
            Limit::after(u64::MAX / 2 + 1).is_none(),
            "beyond them is no limit"
        );
    });
}

#[test]
fn a_published_limit_is_seen_inside_one_poll_and_not_after_it() {
    let entered = enter(Limit::after(5));
    assert_eq!(frame().limit(), Limit::after(5));
    {
        let _deeper = enter(Limit::after(3));
        assert_eq!(frame().limit(), Limit::after(3));
    }
    assert_eq!(frame().limit(), Limit::after(5));
    drop(entered);
    assert_eq!(frame().limit(), Limit::NONE);
}

#[test]
fn a_length_against_an_instant_is_compared_from_now() {
    block_on(async {
        let at = |ms: u32| Limit::at(Instant::now() + ms * MS);
        let millis = |ms: u64| Limit::after(ms * 1_000_000);
        assert_eq!(at(10).earlier(millis(5)), millis(5));
        assert_eq!(millis(5).earlier(at(10)), millis(5));
        assert_eq!(millis(10).earlier(at(5)), at(5));
        assert_eq!(Limit::NONE.earlier(at(5)), at(5));
        assert_eq!(millis(3).earlier(Limit::NONE), millis(3));
    });
}

#[test]
fn a_deadline_holds_in_and_around_a_scope_with_a_context_and_is_taken_back_after_each_poll() {
    let shared = || Scope::new().allowance(&BUDGET, 2);
    block_on(async {
        let at = Instant::now() + 9 * MS;
        let limits = async { (deadline(), frame().shared()) };
        assert_eq!(shared().until(at).run(limits).await, (Some(at), true));
        let limits = async { (deadline(), frame().shared()) };
        let inner = Scope::new().until(at).run(limits);
        assert_eq!(shared().run(inner).await, (Some(at), true));
        let limits = async { (deadline(), frame().shared()) };
        let inner = shared().run(limits);
        assert_eq!(Scope::new().until(at).run(inner).await, (Some(at), true));

        let mut waits = Box::pin(shared().until(at).run(pending::<()>()));
        assert!(poll(waits.as_mut()).is_pending());
        assert_eq!((deadline(), frame().shared()), (None, false));
    });
}

/// What is around in turn, each inside of the one before, and whether there is a context and a limit then.
fn around(layers: &[u8], shared: bool, limited: bool) -> Pin<Box<dyn Future<Output = ()> + '_>> {
    let holds = move || {
        let frame = frame();
        assert_eq!((frame.shared(), !frame.limit().is_none()), (shared, limited));
        assert_eq!(frame.imposes(), shared || limited, "one word tells of both");
        assert_eq!(context().is_some(), shared);
        assert_eq!(deadline().is_some(), limited);
    };
    Box::pin(async move {
        holds();
        let Some((layer, inside)) = layers.split_first() else {
            return;
        };
        match layer {
            0 => Scope::new().run(around(inside, shared, limited)).await,
            1 => Scope::new().within(MS).run(around(inside, shared, true)).await,
            2 => {
                let scope = Scope::new().allowance(&BUDGET, 1);
                scope.run(around(inside, true, limited)).await;
            }
            3 => {
                let scope = Scope::new().cancellable().within(MS);
                scope.run(around(inside, true, true)).await;
            }
            4 => {
                let _entered = enter(Limit::NONE);
                around(inside, shared, false).await;
            }
            5 => {
                let _entered = enter(Limit::after(7));
                around(inside, shared, true).await;
            }
            _ => {
                let mut here = Here::now();
                here.moved(Limit::NONE);
                let mut inside = around(inside, shared, false);
                assert_eq!(here.within(|| poll(inside.as_mut())), Poll::Ready(()));
            }
        }
        holds();
    })
}

#[test]
fn what_is_around_is_told_in_every_nesting() {
    const KINDS: u32 = 7;
    block_on(async {
        for number in 0..KINDS.pow(5) {
            let layers: Vec<u8> = (0..5)
                .map(|place| u8::try_from(number / KINDS.pow(place) % KINDS).unwrap())
                .collect();
            around(&layers, false, false).await;
        }
    });
    assert!(!frame().imposes());
}

#[test]
fn a_spawned_task_has_no_scope_unless_it_is_carried() {
    block_on(Scope::new().within(9 * MS).allowance(&BUDGET, 2).run(async {
        let bare = tokio::spawn(async { deadline() });
        assert_eq!(bare.await.unwrap(), None);
        let here = deadline();
        let carried = tokio::spawn(carry(async { (deadline(), Scope::current().allowed(&BUDGET)) }));
        assert_eq!(carried.await.unwrap(), (here, Some(2)));
    }));
}

#[test]
fn a_scope_carried_to_where_it_came_from_counts_once() {
    static OWN: Budget = Budget::unlimited();
    block_on(Scope::new().allowance(&OWN, 2).run(async {
        carry(async {
            assert!(
                OWN.admit(crate::budget::Repeat::Retry)
                    .map(crate::budget::Charge::spend)
                    .is_some()
            );
            assert_eq!(Scope::current().allowed(&OWN), Some(1));
        })
        .await;
        assert_eq!(Scope::current().allowed(&OWN), Some(1));
    }));
}

#[test]
fn a_cancelled_scope_is_seen_at_once_and_ends_a_wait() {
    block_on(async {
        let scope = Scope::new().cancellable();
        let canceller = scope.clone();
        let waited = tokio::spawn(scope.run(async {
            assert!(!is_cancelled());
            cancellation().await;
            assert!(is_cancelled() && Scope::current().is_cancelled());
            Instant::now()
        }));
        sleep(3 * MS).await;
        let now = Instant::now();
        assert!(canceller.cancel());
        assert_eq!(waited.await.unwrap(), now);
    });
}

#[test]
fn any_future_cancels_a_scope_and_nothing_beside_it() {
    block_on(async {
        let scope = Scope::new().cancellable();
        let sibling = scope.clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let run = scope.run_until(stopped, async {
            cancellation().await;
        });
        tokio::join!(run, async {
            sleep(MS).await;
            stop.send(()).unwrap();
        });
        assert!(!sibling.is_cancelled());
    });
}

#[test]
fn a_future_that_is_ready_cancels_before_anything_runs() {
    block_on(Scope::new().run_until(ready(()), async { assert!(is_cancelled()) }));
}

#[test]
fn either_of_two_nested_cancellations_counts() {
    for inner_first in [false, true] {
        block_on(async {
            let (outer, inner) = (Scope::new().cancellable(), Scope::new().cancellable());
            let canceller = if inner_first { inner.clone() } else { outer.clone() };
            let run = outer.clone().run(inner.clone().run(async {
                cancellation().await;
            }));
            tokio::join!(run, async {
                sleep(MS).await;
                canceller.cancel();
            });
            assert_eq!(outer.is_cancelled(), !inner_first);
            assert_eq!(
                inner.is_cancelled(),
                inner_first,
                "a scope around doesn't reach the handle of one inside"
            );
        });
    }
}

#[test]
fn a_wait_below_a_combinator_that_polls_only_what_was_woken_hears_of_it() {
    block_on(async {
        let scope = Scope::new().cancellable();
        let canceller = scope.clone();
        let run = scope.run(async {
            let mut wait = Box::pin(async { cancellation().await });
            let woken = std::sync::Arc::new(Flag::default());
            let waker = Waker::from(std::sync::Arc::clone(&woken));
            assert!(wait.as_mut().poll(&mut Task::from_waker(&waker)).is_pending());
            assert!(!woken.0.load(core::sync::atomic::Ordering::SeqCst));
            canceller.cancel();
            assert!(woken.0.load(core::sync::atomic::Ordering::SeqCst));
            assert!(wait.as_mut().poll(&mut Task::from_waker(&waker)).is_ready());
        });
        run.await;
    });
}

#[derive(Default)]
struct Flag(core::sync::atomic::AtomicBool);

impl std::task::Wake for Flag {
    fn wake(self: std::sync::Arc<Self>) {
        self.0.store(true, core::sync::atomic::Ordering::SeqCst);
    }
}

#[test]
fn a_wait_that_is_dropped_leaves_its_place_to_the_next() {
    block_on(async {
        let scope = Scope::new().cancellable();
        let canceller = scope.clone();
        scope
            .run(async {
                for _ in 0..1_000 {
                    let mut wait = Box::pin(cancellation());
                    assert!(poll(wait.as_mut()).is_pending());
                }
                let mut wait = Box::pin(cancellation());
                assert!(poll(wait.as_mut()).is_pending());
                canceller.cancel();
                assert!(poll(wait.as_mut()).is_ready());
                drop(wait);
                cancellation().await;
            })
            .await;
    });
}

#[test]
fn the_task_is_woken_through_its_latest_waker() {
    block_on(async {
        let scope = Scope::new().cancellable();
        let canceller = scope.clone();
        scope
            .run(async {
                let mut wait = Box::pin(cancellation());
                assert!(poll(wait.as_mut()).is_pending());
                let woken = std::sync::Arc::new(Flag::default());
                let waker = Waker::from(std::sync::Arc::clone(&woken));
                assert!(wait.as_mut().poll(&mut Task::from_waker(&waker)).is_pending());
                canceller.cancel();
                assert!(woken.0.load(core::sync::atomic::Ordering::SeqCst));
            })
            .await;
    });
}

#[test]
fn dropping_a_nested_run_takes_its_place_out_of_the_scope_around() {
    block_on(async {
        let outer = Scope::new().cancellable();
        outer
            .clone()
            .run(async {
                for _ in 0..100 {
                    let mut inner = Box::pin(Scope::new().cancellable().run(pending::<()>()));
                    assert!(poll(inner.as_mut()).is_pending());
                }
            })
            .await;
        assert!(outer.cancel());
    });
}

#[test]
fn a_scope_works_on_a_task_that_is_not_send() {
    block_on(Scope::new().within(MS).run(async {
        let local = Rc::new(Cell::new(0));
        tokio::task::yield_now().await;
        local.set(1);
        assert_eq!(local.get(), 1);
    }));
}

#[test]
fn runs_in_scopes_can_be_spawned() {
    fn send<T: Send>(value: T) -> T {
        value
    }
    drop(send(Scope::new().within(MS).allowance(&BUDGET, 1).run(async {
        tokio::task::yield_now().await;
    })));
    drop(send(Scope::new().run_until(pending::<()>(), async {})));
}

#[test]
fn an_allowance_node_is_full_each_time_it_starts() {
    static OWN: Budget = Budget::unlimited();
    block_on(async {
        for _ in 0..3 {
            let spent = allowing(&OWN, 2, async {
                let mut spent = 0;
                while OWN
                    .admit(crate::budget::Repeat::Retry)
                    .map(crate::budget::Charge::spend)
                    .is_some()
                {
                    spent += 1;
                    tokio::task::yield_now().await;
                }
                spent
            });
            assert_eq!(spent.await, 2);
        }
        assert_eq!(Scope::current().allowed(&OWN), None);
    });
}

#[test]
fn nested_allowance_nodes_both_hold_and_the_deadline_around_stays() {
    static OWN: Budget = Budget::unlimited();
    block_on(Scope::new().within(9 * MS).run(allowing(&OWN, 3, async {
        for _ in 0..2 {
            allowing(&OWN, 2, async {
                while OWN
                    .admit(crate::budget::Repeat::Hedge)
                    .map(crate::budget::Charge::spend)
                    .is_some()
                {}
            })
            .await;
        }
        assert_eq!(OWN.stats().hedges, 3);
        assert!(deadline().is_some());
    })));
}

#[test]
fn a_charge_that_outlives_its_node_is_still_given_back_to_it() {
    static OWN: Budget = Budget::ratio(0.0, 5);
    block_on(async {
        let mut node = Box::pin(allowing(&OWN, 1, async {
            let _charge = OWN.admit(crate::budget::Repeat::Retry).unwrap();
            pending::<()>().await;
        }));
        assert!(poll(node.as_mut()).is_pending());
        assert_eq!(OWN.affordable(), 4);
        drop(node);
        assert_eq!(OWN.affordable(), 5);
        // The next node on this thread is a fresh one, whatever became of the first one's memory.
        allowing(&OWN, 1, async {
            assert_eq!(Scope::current().allowed(&OWN), Some(1));
        })
        .await;
    });
}

#[test]
fn a_carried_allowance_is_shared_with_the_spawned_task() {
    static OWN: Budget = Budget::unlimited();
    block_on(allowing(&OWN, 1, async {
        let spawned = tokio::spawn(carry(async {
            OWN.admit(crate::budget::Repeat::Retry)
                .map(crate::budget::Charge::spend)
                .is_some()
        }));
        assert!(spawned.await.unwrap());
        assert!(OWN.admit(crate::budget::Repeat::Retry).is_none());
    }));
}

#[test]
fn no_cancellation_is_lost_between_threads() {
    for _ in 0..2_000 {
        let scope = Scope::new().cancellable();
        let nested = Scope::new().cancellable();
        std::thread::scope(|threads| {
            let canceller = scope.clone();
            threads.spawn(move || canceller.cancel());
            threads.spawn(|| {
                // Would hang here if the wake came between looking at the flag and waiting.
                block_on(
                    scope
                        .clone()
                        .run(nested.clone().run(async { cancellation().await })),
                );
            });
        });
    }
}

#[test]
fn once_forbids_repeats_inside_and_is_not_undone_deeper() {
    block_on(Scope::new().once().run(async {
        assert_eq!(refusal(), Some(Stop::NotRetryable));
        Scope::new()
            .cancellable()
            .run(async { assert_eq!(refusal(), Some(Stop::NotRetryable)) })
            .await;
        allowing(&BUDGET, 3, async { assert!(!Scope::current().allows_repeats()) }).await;
    }));
    block_on(async { assert!(Scope::current().allows_repeats()) });
}

#[test]
fn the_callers_attempt_is_the_innermost_that_was_said() {
    block_on(async {
        assert_eq!(Scope::current().attempt(), 1);
        Scope::new()
            .of_attempt(3)
            .run(async {
                assert_eq!(Scope::current().attempt(), 3);
                allowing(&BUDGET, 3, async { assert_eq!(Scope::current().attempt(), 3) }).await;
                Scope::new()
                    .of_attempt(2)
                    .run(async { assert_eq!(Scope::current().attempt(), 2) })
                    .await;
                Scope::new()
                    .cancellable()
                    .run(async { assert_eq!(Scope::current().attempt(), 3) })
                    .await;
                Scope::new()
                    .within(MS)
                    .run(async { assert_eq!(Scope::current().attempt(), 3) })
                    .await;
            })
            .await;
    });
}

#[test]
fn polling_restores_what_was_around_even_between_two_polls() {
    block_on(async {
        let mut run = Box::pin(Scope::new().within(MS).run(async {
            tokio::task::yield_now().await;
            deadline()
        }));
        let first = poll_fn(|task| Poll::Ready(run.as_mut().poll(task).is_pending())).await;
        assert!(first);
        assert_eq!(deadline(), None);
        assert!(run.await.is_some());
    });
}

#[cfg(feature = "tokio-util")]
mod tokens {
    use tokio_util::sync::CancellationToken;

    use super::*;

    #[test]
    fn a_token_cancels_a_scope_and_is_seen_before_the_next_poll() {
        block_on(async {
            let token = CancellationToken::new();
            let canceller = token.clone();
            Scope::new()
                .token(token)
                .run(async {
                    assert!(!is_cancelled());
                    canceller.cancel();
                    assert!(is_cancelled());
                    cancellation().await;
                })
                .await;
        });
    }

    #[test]
    fn a_token_reaches_a_carried_task_after_the_task_that_spawned_it_has_ended() {
        block_on(async {
            let token = CancellationToken::new();
            let (spawned, task) = oneshot::channel();
            Scope::new()
                .token(token.clone())
                .run(async {
                    spawned
                        .send(tokio::spawn(carry(async { cancellation().await })))
                        .unwrap();
                })
                .await;
            let task = task.await.unwrap();
            sleep(MS).await;
            token.cancel();
            task.await.unwrap();
        });
    }
}
