//! Nodes: is planned through its constant.
use std::io::Error;
use std::time::Duration;

use retry_plan::retry_policy;

retry_policy! {
    struct Checkout {
        deadline(2s) {
            series {
                reserve: attempt(200ms),
                pay: call(pay::Charge),
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let worst = pay::Charge::PLAN.worst().unwrap() + Duration::from_millis(200);
    assert_eq!(Checkout::PLAN.worst(), Some(worst));
    let all = Checkout::new()
        .reserve(async |_| Ok::<_, Error>(1))
        .pay(async |_| pay::Charge::run(async |_| Ok(2)).await)
        .run()
        .await
        .unwrap();
    assert_eq!((all.reserve, all.pay), (1, 2));
}
