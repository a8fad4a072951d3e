//! Functions: for each attempt, where the body moves it.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, clone(name))]
async fn charge(name: String) -> Result<usize, Error> {
    let moved = name;
    Ok(moved.len())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(charge("seven".to_owned()).await.unwrap(), 5);
}
