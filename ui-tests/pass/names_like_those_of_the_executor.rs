//! Hygiene: the user's types may be called as the executor's parameters are.
use std::io::Error;

use retry_plan::retry_policy;

type E = Error;
struct Value;
struct Operation;
struct Fut;

impl Value {
    fn again(_: &E) -> bool {
        true
    }
}

impl Operation {
    fn after(_: &E) -> Option<std::time::Duration> {
        None
    }
}

impl Fut {
    fn told(_: retry_plan::Retrying<'_, E>) {}
}

retry_policy! {
    struct Charge {
        type Error = E;
        retry(
            attempts = 3, when = Value::again, on_retry = Fut::told,
            retry_after = Operation::after, retry_after_max = 1s,
        ) {
            attempt(500ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let (_, _, _) = (Value, Operation, Fut);
    let value = Charge::run(async |cx| if cx.number() < 3 { Err(Error::other("later")) } else { Ok(7) });
    assert_eq!(value.await.unwrap(), 7);
}
