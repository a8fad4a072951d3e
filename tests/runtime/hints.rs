//! `retry_after`: bounded, `max(hint, backoff)`, given up at once when it can't be met.

use retry_plan::{Stop, retry_policy};

use crate::script::{Oops, Script, fails, ms, ok};

retry_policy! {
    struct Polite {
        type Error = Oops;
        deadline(10s) {
            retry(attempts = ..=3, backoff = fixed(100ms), jitter = none, retry_after = Oops::retry_after,
                  retry_after_max = 5s) {
                attempt(1s)
            }
        }
    }
}

async fn second_start(hint: f64) -> Option<u64> {
    let op = Script::new([fails(0, Oops::Busy(hint)), ok(0, 1)]);
    let _ = Polite::run(async |_| op.call().await).await;
    op.starts().get(1).copied()
}

#[tokio::test(start_paused = true)]
async fn a_hint_above_the_backoff_is_waited_for() {
    assert_eq!(second_start(2.5).await, Some(2500));
}

#[tokio::test(start_paused = true)]
async fn a_hint_below_the_backoff_never_shortens_it() {
    assert_eq!(second_start(0.05).await, Some(100));
}

#[tokio::test(start_paused = true)]
async fn negative_and_unreadable_hints_leave_the_backoff() {
    assert_eq!(second_start(-3.0).await, Some(100));
    assert_eq!(second_start(f64::NAN).await, Some(100));
    assert_eq!(second_start(f64::NEG_INFINITY).await, Some(100));
}

#[tokio::test(start_paused = true)]
async fn a_hint_above_its_bound_stops_at_once_and_is_not_shortened() {
    for hint in [5.001, 121.0, 1e300, f64::INFINITY] {
        let op = Script::new([fails(3, Oops::Busy(hint)), ok(0, 1)]);
        let failure = Polite::run_detailed(async |_| op.call().await).await.unwrap_err();
        assert_eq!(
            (failure.stop, failure.last, failure.elapsed),
            (Stop::WontFit, Some(Oops::Busy(hint)), ms(3))
        );
        assert_eq!(op.calls(), 1);
    }
    assert_eq!(second_start(5.0).await, Some(5000), "the bound itself is met");
}

#[tokio::test(start_paused = true)]
async fn a_hint_that_does_not_fit_the_deadline_stops_at_once() {
    retry_policy! {
        struct Tight {
            type Error = Oops;
            deadline(2s) {
                retry(attempts = ..=3, backoff = fixed(100ms), jitter = none, retry_after = Oops::retry_after,
                      retry_after_max = 5s) {
                    attempt(500ms)
                }
            }
        }
    }
    let op = Script::new([fails(3, Oops::Busy(3.0))]);
    let failure = Tight::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!((failure.stop, op.now(), op.calls()), (Stop::WontFit, 3, 1));
}
