//! Forms: `move` makes an owned future.
use std::io::Error;

use retry_plan::retry_policy;

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let name = String::from("seven");
    let run = retry_policy! {
        type Error = Error;
        move retry(attempts = 2) { attempt(500ms) async |_| { Ok(name.len()) } }
    };
    assert_eq!(tokio::spawn(async move { run.await }).await.unwrap().unwrap(), 5);
}
