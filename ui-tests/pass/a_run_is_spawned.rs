//! Forms: while its operation borrows.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(500ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let client = String::from("client");
    let run = async move { Charge::run(async |_| Ok::<_, Error>(client.len())).await };
    assert_eq!(tokio::spawn(run).await.unwrap().unwrap(), 6);
}
