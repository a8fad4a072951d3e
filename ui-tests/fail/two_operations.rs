//! Forms: each has its leaf's name.
use std::io::Error;

use retry_plan::retry_policy;

async fn charge() -> Result<u32, Error> {
    retry_policy!(pay::Charge, async |_| Ok(7), async |_| Ok(8)).await
}

fn main() {
    drop(charge());
}
