//! Values: unlimited attempts outlast it.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = unlimited, backoff = schedule(100ms, 300ms), jitter = full) {
                attempt(200ms)
            }
        }
    }
}

fn main() {}
