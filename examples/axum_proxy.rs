//! A proxy of axum's that repeats what it may: `cargo run --example axum_proxy --features axum`
//!
//! The server behind it refuses every first attempt. The proxy sends a `PUT` again, whose body it has as a whole, and a
//! `POST` once, since nobody says that it may be done twice.

use std::convert::Infallible;
use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use axum::response::IntoResponse;
use axum::routing::any;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use retry_plan::http::Failed;
use retry_plan::retry_policy;
use retry_plan::tower::{InboundLayer, OutboundLayer, RetryLayer};
use tower::{ServiceBuilder, ServiceExt};

retry_policy! {
    /// An answer of the server behind, within two seconds.
    struct Forward {
        type Error = Failed;
        deadline(2s) {
            retry(attempts = 3, backoff = exponential(50ms, factor = 2, max = 200ms)) { attempt(500ms) }
        }
    }
}

/// Refuses every first attempt.
async fn page(method: Method, headers: HeaderMap, body: String) -> (StatusCode, String) {
    let attempt = headers["x-envoy-attempt-count"]
        .to_str()
        .unwrap_or("-")
        .to_owned();
    println!("  server: {method} {body}, attempt {attempt}");
    if attempt == "1" {
        (StatusCode::SERVICE_UNAVAILABLE, "not yet".to_owned())
    } else {
        (StatusCode::OK, format!("thanks for the {body}"))
    }
}

async fn serve(router: Router) -> std::io::Result<SocketAddr> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

/// Everything goes to `server`, and its callers' deadlines with it.
fn proxy(server: SocketAddr) -> Router {
    let client: Client<_, Body> = Client::builder(TokioExecutor::new()).build_http();
    let client = ServiceBuilder::new()
        .layer(RetryLayer::<Forward>::http())
        .layer(OutboundLayer::default())
        .service(client);
    let forward = tower::service_fn(move |mut request: Request<Body>| {
        let client = client.clone();
        async move {
            let uri = format!("http://{server}{}", request.uri().path()).parse();
            let answer = match uri {
                Ok(uri) => {
                    *request.uri_mut() = uri;
                    client.oneshot(request).await.ok()
                }
                Err(_) => None,
            };
            Ok::<_, Infallible>(answer.map_or_else(
                || StatusCode::GATEWAY_TIMEOUT.into_response(),
                |answer| answer.map(Body::new),
            ))
        }
    });
    Router::new().fallback_service(forward).layer(InboundLayer::new())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = serve(Router::new().route("/", any(page))).await?;
    let proxy = serve(proxy(server)).await?;
    let client: Client<_, Full<bytes::Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    for method in [Method::PUT, Method::POST] {
        let request = Request::builder()
            .method(&method)
            .uri(format!("http://{proxy}/"))
            .body(Full::from("order"))?;
        let answer = client.request(request).await?;
        let status = answer.status();
        let body = answer.into_body().collect().await?.to_bytes();
        println!("client: {method}: {status}: {}", String::from_utf8_lossy(&body));
    }
    Ok(())
}
