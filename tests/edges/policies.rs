//! The policies under which the edges are tested.

use retry_plan::http::Failed;
use retry_plan::retry_policy;
use retry_plan::tonic::{interrupted, may_retry, pushback};
use tonic::Status;

retry_policy! {
    /// Three attempts.
    pub(crate) struct Fetch {
        type Error = Failed;
        deadline(20s) {
            retry(attempts = 3, backoff = fixed(5ms), jitter = none,
                  retry_after = Failed::retry_after, retry_after_max = 3s) {
                attempt(2s)
            }
        }
    }

    /// The same with a key of its own.
    pub(crate) struct Pay {
        type Error = Failed;
        deadline(20s) {
            retry(attempts = 3, backoff = fixed(5ms), jitter = none) {
                attempt(2s, idempotency_key)
            }
        }
    }

    /// Gives up an attempt soon.
    pub(crate) struct Brisk {
        type Error = Failed;
        deadline(20s) {
            retry(attempts = 3, backoff = fixed(5ms), jitter = none) { attempt(200ms) }
        }
    }

    /// As many attempts as fit.
    pub(crate) struct Fitting {
        type Error = Failed;
        deadline(600ms) {
            retry(attempts = ..=3, backoff = fixed(5ms), jitter = none) { attempt(500ms) }
        }
    }

    /// One attempt.
    pub(crate) struct Single {
        type Error = Failed;
        attempt(400ms)
    }

    /// Another copy when the first is slow.
    pub(crate) struct Hedged {
        type Error = Failed;
        hedge(after = 50ms, copies = 2) { attempt(2s) }
    }
}

retry_policy! {
    /// Three calls, by gRPC's rules.
    pub(crate) struct Greet {
        type Error = Status;
        interrupted = interrupted;
        deadline(20s) {
            retry(attempts = 3, backoff = fixed(5ms), jitter = none,
                  when = may_retry, retry_after = pushback, retry_after_max = 3s) {
                attempt(2s)
            }
        }
    }

    /// One call.
    pub(crate) struct GreetOnce {
        type Error = Status;
        interrupted = interrupted;
        attempt(200ms)
    }
}

/// How many calls of the leaf a policy's plan says.
pub(crate) const fn calls(plan: &retry_plan::Plan<'_>) -> u64 {
    match plan.calls() {
        Some(calls) => calls,
        None => panic!("every policy here has a count"),
    }
}
