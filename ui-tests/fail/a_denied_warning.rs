//! Levels: `deny` makes an error of it.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[deny(no_jitter)]
        retry(attempts = 3, backoff = fixed(100ms)) {
            attempt(200ms)
        }
    }
}

fn main() {}
