//! Every form of a run can move between threads, and so can what a run tells; checked while this compiles.

use std::io::Error;

use retry_plan::{Attempt, Budget, Failure, Interrupted, Scope, Stop, retry, retry_policy};
use static_assertions::assert_impl_all;

assert_impl_all!(Attempt: Send, Sync, Copy);
assert_impl_all!(Failure<Error>: Send, Sync, std::error::Error);
assert_impl_all!(Interrupted: Send, Sync, std::error::Error);
assert_impl_all!(Stop: Send, Sync, Copy);
assert_impl_all!(Budget: Send, Sync);
assert_impl_all!(Scope: Send, Sync);

retry_policy! {
    struct Charge {
        deadline(3s) { retry(attempts = 2) { attempt(500ms) } }
    }
}

#[retry(attempts = 2, attempt = 500ms)]
async fn charge(name: &str) -> Result<usize, Error> {
    tokio::task::yield_now().await;
    Ok(name.len())
}

/// The same future, if it is `Send`.
fn sent<F: Future + Send>(run: F) -> F {
    run
}

#[tokio::test(start_paused = true)]
async fn every_form_of_a_run_is_send() {
    let name = String::from("ada");
    let mut tried = 0;
    assert_eq!(
        sent(Charge::run(async |_| Ok::<_, Error>(name.len())))
            .await
            .unwrap(),
        3
    );
    assert_eq!(
        sent(Charge::run_detailed(async |_| Ok::<_, Error>(name.len())))
            .await
            .unwrap(),
        3
    );
    assert_eq!(sent(charge(&name)).await.unwrap(), 3);
    let run = sent(retry_policy!(attempts = 2, attempt = 500ms, async |_| {
        tried += 1;
        Ok::<_, Error>(name.len())
    }));
    assert_eq!(run.await.unwrap(), 3);
    assert_eq!(tried, 1);
}
