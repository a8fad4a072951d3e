//! The contestants of a crowd: each run waits for an operation that never answers, under a bound that doesn't come.

use super::{by_hand, ours, peers};
use crate::operation::Refusal;
use std::future::pending;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Who takes part.
pub const CROWD: [&str; 5] = [
    "the operation alone",
    "hand loop, tokio timeout",
    "tokio-retry, tokio timeout",
    "backon, tokio timeout",
    "retry-plan run",
];

async fn bounded() -> Result<u64, Refusal> {
    timeout(Duration::from_secs(500), pending::<Result<u64, Refusal>>()).await?
}

/// Spawns one run.
///
/// # Panics
///
/// Where nobody is called that.
#[must_use]
pub fn crowd_of(contestant: &str) -> JoinHandle<Result<u64, Refusal>> {
    match contestant {
        "the operation alone" => tokio::spawn(pending()),
        "hand loop, tokio timeout" => tokio::spawn(by_hand::retry(bounded)),
        "tokio-retry, tokio timeout" => tokio::spawn(peers::tokio_retry(bounded)),
        "backon, tokio timeout" => tokio::spawn(peers::backon(bounded)),
        "retry-plan run" => tokio::spawn(ours::Patient::run(|_| pending())),
        other => panic!("nobody is called `{other}`"),
    }
}
