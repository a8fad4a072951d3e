//! Findings: nothing bounds the whole.
use retry_plan::retry_policy;

retry_policy! {
    #[deny(no_deadline)]
    struct Charge {
        retry(attempts = 3, backoff = exponential(100ms, max = 1s)) {
            attempt(200ms)
        }
    }
}

fn main() {}
