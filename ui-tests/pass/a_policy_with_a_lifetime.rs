//! Forms: a policy has a lifetime, a type and a constant as parameters.
use std::io::Error;
use std::time::Duration;

use retry_plan::retry_policy;

trait Limits {
    const BOUND: Duration;
}

struct Slow;

impl Limits for Slow {
    const BOUND: Duration = Duration::from_millis(500);
}

retry_policy! {
    /// Charges within what `T` says.
    #[derive(Clone, Copy, Debug)]
    pub struct Charge<'a, T, const TRIES: u32>
    where
        T: Limits + 'a,
    {
        retry(attempts = TRIES) {
            attempt(T::BOUND)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut calls = 0;
    let failed = Charge::<Slow, 2>::run(|_| {
        calls += 1;
        async { Err::<u32, _>(Error::other("unavailable")) }
    });
    assert_eq!(failed.await.unwrap_err().to_string(), "unavailable");
    assert_eq!(calls, 2);
    assert_eq!(Charge::<Slow, 2>::PLAN.calls(), Some(2));
}
