//! A policy as a layer around hyper's client: `cargo run --example tower_client --features tower`
//!
//! The server in the same process refuses twice, and is then back.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use axum::Router;
use axum::http::{HeaderMap, Request, StatusCode};
use axum::routing::get;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use retry_plan::http::Failed;
use retry_plan::retry_policy;
use retry_plan::tower::{OutboundLayer, RetryLayer};
use retry_plan::wire::{Header, Outgoing};
use tower::{ServiceBuilder, ServiceExt};

retry_policy! {
    /// A page, within two seconds.
    struct Fetch {
        type Error = Failed;
        deadline(2s) {
            retry(attempts = 3, backoff = exponential(50ms, factor = 2, max = 200ms)) {
                attempt(500ms)
            }
        }
    }
}

const TELL: Outgoing = Outgoing::new(&[Header::Envoy]);

static CALLS: AtomicU32 = AtomicU32::new(0);

async fn page(headers: HeaderMap) -> (StatusCode, &'static str) {
    let call = CALLS.fetch_add(1, Relaxed) + 1;
    let told = |name| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or("-")
    };
    println!(
        "  server: call {call}, attempt {} with {} ms left",
        told("x-envoy-attempt-count"),
        told("x-envoy-expected-rq-timeout-ms")
    );
    if call < 3 {
        (StatusCode::SERVICE_UNAVAILABLE, "not yet")
    } else {
        (StatusCode::OK, "here it is")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", get(page))).await });

    let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let client = ServiceBuilder::new()
        .layer(RetryLayer::<Fetch>::http())
        .layer(OutboundLayer::new(TELL))
        .service(client);
    let request = Request::get(format!("http://{address}/")).body(Full::default())?;

    println!("client: GET /");
    let answer = client.oneshot(request).await?;
    let status = answer.status();
    let body = answer.into_body().collect().await?.to_bytes();
    println!("client: {status}: {}", String::from_utf8_lossy(&body));
    Ok(())
}
