//! Runs as figures, on a page for Prometheus: `cargo run --example metrics --features metrics -- --seconds 30`
//!
//! Open the address that it prints. Without `--seconds` it serves for two and prints the page at the end.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};
use retry_plan::metrics::{Metrics, record_budget};
use retry_plan::{Budget, observer, retry_policy};

static PAYMENTS: Budget = Budget::ratio(0.2, 10).named("payments");

retry_policy! {
    /// A charge within half a second.
    struct Charge {
        deadline(500ms) {
            retry(attempts = 3, backoff = fixed(10ms), jitter = full, budget = PAYMENTS) {
                attempt(100ms)
            }
        }
    }

    /// A profile, asked for twice where the first answer is slow.
    struct Profile {
        hedge(after = 20ms, copies = 2) { attempt(200ms) }
    }
}

static CALLS: AtomicU32 = AtomicU32::new(0);

/// Of seven calls, one hangs and two fail.
async fn call() -> std::io::Result<()> {
    match CALLS.fetch_add(1, Relaxed) % 7 {
        2 => tokio::time::sleep(Duration::from_secs(10)).await,
        4 | 5 => return Err(std::io::ErrorKind::ConnectionReset.into()),
        _ => tokio::time::sleep(Duration::from_millis(5)).await,
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds = match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => 2,
        (Some("--seconds"), Some(seconds)) => seconds.parse()?,
        _ => return Err("usage: metrics [--seconds N]".into()),
    };

    let page = PrometheusBuilder::new()
        .with_recommended_naming(true)
        .set_buckets_for_metric(
            Matcher::Suffix("duration".to_owned()),
            &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0],
        )?
        .set_buckets_for_metric(Matcher::Full("retry.run.attempts".to_owned()), &[1.0, 2.0, 3.0])?
        .install_recorder()?;
    observer::install(Metrics::new())?;

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/metrics for {seconds} s", listener.local_addr()?);
    let served = page.clone();
    let scrape = move || {
        let page = served.clone();
        async move {
            record_budget(&PAYMENTS);
            page.render()
        }
    };
    let router = Router::new().route("/metrics", get(scrape));
    tokio::spawn(async move { axum::serve(listener, router).await });

    let work = async {
        loop {
            // What fails is a figure on the page.
            let _ = Charge::run(async |_| call().await).await;
            let _ = Profile::run(async |_| call().await).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(seconds), work).await;
    record_budget(&PAYMENTS);
    println!("{}", page.render());
    Ok(())
}
