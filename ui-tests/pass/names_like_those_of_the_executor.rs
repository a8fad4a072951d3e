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
    fn there(value: &u32) -> bool {
        *value == 7
    }
}

impl Fut {
    fn told(_: retry_plan::Retrying<'_, E>) {}
}

retry_policy! {
    struct Charge {
        type Error = E;
        retry(attempts = 3, when = Value::again, until = Operation::there, on_retry = Fut::told) {
            attempt(500ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |cx| Ok(6 + cx.number().min(1))).await.unwrap(), 7);
}
