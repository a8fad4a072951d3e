//! Arguments: a schedule is a list.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 4, backoff = schedule(100ms, max = 300ms), jitter = full) {
            attempt(200ms)
        }
    }
}

fn main() {}
