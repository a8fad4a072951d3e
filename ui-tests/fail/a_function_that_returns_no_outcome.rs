//! Types: a function whose type says nothing of failure is told so once, at that type.

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms)]
async fn answer() -> u32 {
    42
}

fn main() {
    drop(answer());
}
