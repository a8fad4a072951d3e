//! In place: belongs to the policy.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(200ms)
    }
}

async fn fetch() -> Result<u32, std::io::Error> {
    retry_policy!(Charge, attempts = 3, async |_| Ok(1)).await
}

fn main() {
    drop(fetch());
}
