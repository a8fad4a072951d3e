//! Nodes: what a called policy of another crate spends is counted.
use std::cell::Cell;
use std::io::Error;

use pay::PAYMENTS;
use retry_plan::retry_policy;

retry_policy! {
    struct Checkout {
        #[allow(retry_budget_exceeded, reason = "the second retry is refused")]
        allowance(PAYMENTS = 1) {
            call(pay::Refund)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let calls = Cell::new(0);
    let refund = async || {
        calls.set(calls.get() + 1);
        Err::<u32, _>(Error::other("unavailable"))
    };
    let failed = Checkout::run(async |_| pay::Refund::run(async |_| refund().await).await).await;
    assert_eq!(failed.unwrap_err().to_string(), "unavailable");
    assert_eq!(calls.get(), 2);
}
