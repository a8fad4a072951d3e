//! Arguments: `..` stands at the end of a schedule.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 4, backoff = schedule(100ms, .., 300ms), jitter = full) {
            attempt(200ms)
        }
    }
}

fn main() {}
