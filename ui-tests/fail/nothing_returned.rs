//! Functions: return something that tells success from failure.
use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms)]
async fn charge() {}

fn main() {
    drop(charge());
}
