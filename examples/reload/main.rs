//! A policy from a file that is watched: a new version is swapped in only if it plans, and the old one stays otherwise.
//!
//! `cargo run --features dynamic --example reload -- charge.policy` runs a call each second under the policy of that file; edit
//! it meanwhile. With `--test-run` it edits a file of its own and shows what comes of it.

mod live;

use std::io;
use std::path::Path;
use std::time::Duration;

use live::{Change, Live};
use retry_plan::dynamic::Loader;

/// A call that fails now and then.
async fn charge(turn: u32) -> io::Result<u32> {
    tokio::time::sleep(Duration::from_millis(20)).await;
    if turn.is_multiple_of(3) {
        Err(io::ErrorKind::ConnectionReset.into())
    } else {
        Ok(turn)
    }
}

fn tell(change: &Change) {
    match change {
        Change::Swapped => println!("swapped in"),
        Change::Refused(refused) => println!("refused, the old policy stays:\n{refused}"),
        Change::Unreadable(error) => println!("can't be read, the old policy stays: {error}"),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("--test-run") => test_run().await,
        Some(path) => serve(Path::new(path)).await,
        None => Err("name a policy file, or --test-run".into()),
    }
}

async fn serve(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let live = Live::open(path, Loader::new())?;
    let calls = async {
        for turn in 0.. {
            let receipt = live
                .policy()
                .run(async |attempt| charge(turn + attempt.number()).await)
                .await;
            println!("{}: {receipt:?}", live.policy().name());
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        () = live.watch(Duration::from_millis(500), |change| tell(&change)) => {}
        () = calls => {}
        stopped = tokio::signal::ctrl_c() => stopped?,
    }
    Ok(())
}

/// Three versions: one that plans, one that can't fit, one that plans again.
async fn test_run() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("retry-plan-reload-{}.policy", std::process::id()));
    let version = |name: &str, limit: &str| {
        let retry = "retry(attempts = 3, backoff = fixed(100ms), jitter = none) { attempt(500ms) }";
        std::fs::write(
            &path,
            format!("struct {name} {{\n    deadline({limit}) {{\n        {retry}\n    }}\n}}\n"),
        )
    };
    version("First", "2s")?;
    let live = Live::open(&path, Loader::<u32, io::Error>::new())?;
    for (name, limit) in [("Second", "1s"), ("Third", "3s")] {
        version(name, limit)?;
        tell(&live.reload());
        let receipt = live
            .policy()
            .run(async |attempt| charge(attempt.number() - 1).await)
            .await?;
        println!("{} ran: {receipt}", live.policy().name());
    }
    std::fs::remove_file(&path)?;
    Ok(())
}
