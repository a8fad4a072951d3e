//! Three services, one deadline: `cargo run --example deadline_chain --features reqwest,tower`
//!
//! Shop asks stock, stock asks warehouse, and warehouse is slow. The customer waits 600 ms; nobody works longer.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use retry_plan::http::Failed;
use retry_plan::reqwest::Client;
use retry_plan::tower::InboundLayer;
use retry_plan::wire::{Header, Outgoing};
use retry_plan::{Scope, retry_policy};

retry_policy! {
    /// What a customer waits.
    struct Customer {
        type Error = Failed;
        attempt(600ms)
    }

    /// What a service does by itself: far more than the customer will wait for.
    struct Inner {
        type Error = Failed;
        deadline(10s) {
            retry(attempts = 2, backoff = fixed(50ms), jitter = full) { attempt(3s) }
        }
    }
}

const TELL: Outgoing = Outgoing::new(&[Header::Envoy]).margin(Duration::from_millis(10));

async fn serve(name: &'static str, next: Option<SocketAddr>) -> std::io::Result<SocketAddr> {
    let client = Client::<Inner>::new(reqwest::Client::new()).tell(TELL);
    let handler = move || {
        let client = client.clone();
        async move {
            println!(
                "{name:>10}: {:?} left",
                Scope::current().remaining().unwrap_or_default()
            );
            let _gone = Gone(name, Instant::now());
            let Some(next) = next else {
                tokio::time::sleep(Duration::from_secs(30)).await;
                return StatusCode::OK;
            };
            match client.get_ref().get(format!("http://{next}/")).build() {
                Ok(request) => client
                    .send(request)
                    .await
                    .map_or(StatusCode::GATEWAY_TIMEOUT, |answer| answer.status()),
                Err(_) => StatusCode::INTERNAL_SERVER_ERROR,
            }
        }
    };
    let router = Router::new().route("/", get(handler)).layer(InboundLayer::new());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

/// Says when a handler is done or dropped.
struct Gone(&'static str, Instant);

impl Drop for Gone {
    fn drop(&mut self) {
        println!("{:>10}: over after {} ms", self.0, self.1.elapsed().as_millis());
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let warehouse = serve("warehouse", None).await?;
    let stock = serve("stock", Some(warehouse)).await?;
    let shop = serve("shop", Some(stock)).await?;

    let customer = Client::<Customer>::new(reqwest::Client::new()).tell(TELL);
    let begun = Instant::now();
    let answer = customer
        .send(customer.get_ref().get(format!("http://{shop}/")).build()?)
        .await;
    let ended = begun.elapsed().as_millis();
    match answer {
        Ok(answer) => println!("  customer: {} after {ended} ms", answer.status()),
        Err(error) => println!("  customer: {error} after {ended} ms"),
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    Ok(())
}
