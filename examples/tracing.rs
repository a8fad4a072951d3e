//! Runs as spans, decisions as events: `cargo run --example tracing --features tracing`
//!
//! What the operation itself logs stands inside the run's span. The level `debug` shows every decision; at `info` there is
//! one line for each run.

use std::io::{Error, ErrorKind};
use std::time::Duration;

use retry_plan::retry_policy;
use tracing::{Level, info};

retry_policy! {
    /// A charge within two seconds.
    struct Charge {
        deadline(2s) {
            retry(attempts = 3, backoff = exponential(50ms, factor = 2, max = 200ms)) { attempt(500ms) }
        }
    }
}

async fn charge(attempt: u32) -> Result<&'static str, Error> {
    info!("asking the bank");
    tokio::time::sleep(Duration::from_millis(5)).await;
    if attempt < 3 {
        return Err(ErrorKind::ConnectionReset.into());
    }
    Ok("paid")
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    tracing_subscriber::fmt()
        .with_max_level(Level::DEBUG)
        .with_ansi(false)
        .init();
    println!("{}", Charge::run(async |cx| charge(cx.number()).await).await?);
    Ok(())
}
