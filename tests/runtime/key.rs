//! The idempotency key: made once per run before the first try, the same for every attempt and copy, overridable.

use std::collections::HashSet;
use std::sync::Mutex;

use retry_plan::retry_policy;

use crate::script::{HANGS, Script, err, ok};

retry_policy! {
    struct Keyed {
        retry(attempts = 2, backoff = fixed(10ms), jitter = none) {
            hedge(after = 10ms, copies = 2) { attempt(50ms, idempotent = false, idempotency_key) }
        }
    }
    struct Keyless {
        retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(50ms) }
    }
}

#[tokio::test(start_paused = true)]
async fn one_key_serves_every_attempt_and_copy_of_a_run() {
    let keys = Mutex::new(Vec::new());
    let op = Script::new([err(1, 1), err(1, 2), HANGS, ok(1, 1)]);
    let run = Keyed::run(async |cx| {
        keys.lock().unwrap().push(cx.idempotency_key().unwrap());
        op.call().await
    });
    assert_eq!(run.await, Ok(1));
    let keys = keys.into_inner().unwrap();
    assert_eq!(keys.len(), 4);
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 1);
    let text = keys[0].to_string();
    assert_eq!((text.len(), &text[14..15]), (36, "4"), "a UUID of version four");
}

#[tokio::test(start_paused = true)]
async fn two_runs_have_two_keys() {
    let keys = Mutex::new(HashSet::new());
    for _ in 0..100 {
        let run = Keyed::run(async |cx| {
            keys.lock().unwrap().insert(cx.idempotency_key().unwrap());
            Ok::<_, std::io::Error>(())
        });
        run.await.unwrap();
    }
    assert_eq!(keys.into_inner().unwrap().len(), 100);
}

#[tokio::test(start_paused = true)]
async fn without_being_asked_for_there_is_none() {
    let run = Keyless::run(async |cx| Ok::<_, std::io::Error>(cx.idempotency_key()));
    assert_eq!(run.await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn the_callers_own_key_is_used_so_that_its_own_retry_keeps_it() {
    let order = String::from("order-17");
    let run = async || {
        retry_policy! {
            type Error = std::io::Error;
            retry(attempts = 2, backoff = fixed(10ms), jitter = none) {
                attempt(50ms, idempotent = false, idempotency_key = order.as_str()) async |cx| {
                    Ok(cx.idempotency_key().unwrap().to_string())
                }
            }
        }
        .await
    };
    assert_eq!(run().await.unwrap(), "order-17");
    assert_eq!(run().await.unwrap(), "order-17");
}

#[tokio::test(start_paused = true)]
async fn the_callers_own_key_is_asked_for_once_and_before_the_first_try() {
    let told = Mutex::new(Vec::new());
    let key = || {
        told.lock().unwrap().push("key");
        "order-17"
    };
    let run = retry_policy! {
        type Error = std::io::Error;
        retry(attempts = 3, backoff = fixed(10ms), jitter = none) {
            attempt(50ms, idempotent = false, idempotency_key = key()) async |cx| {
                told.lock().unwrap().push("try");
                if cx.is_last() { Ok(()) } else { Err(std::io::ErrorKind::BrokenPipe.into()) }
            }
        }
    };
    run.await.unwrap();
    assert_eq!(told.into_inner().unwrap(), ["key", "try", "try", "try"]);
}
