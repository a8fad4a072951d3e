//! The same edges under policies that `retry_policy!` declares: what is planned is what the server counts.

use axum::http::StatusCode;
use http_body_util::Full;
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::rt::TokioExecutor;
use reqwest::{Method, Request};
use retry_plan::http::Failed;
use retry_plan::reqwest::Client;
use retry_plan::retry_policy;
use retry_plan::tower::RetryLayer;
use tower_layer::Layer;
use tower_service::Service;

use crate::script::{Script, say};

retry_policy! {
    struct Fetch {
        type Error = Failed;
        deadline(10s) {
            retry(attempts = 3, backoff = fixed(5ms), jitter = none,
                  retry_after = Failed::retry_after, retry_after_max = 1s) {
                attempt(500ms)
            }
        }
    }
}

retry_policy! {
    struct Pay {
        type Error = Failed;
        deadline(10s) {
            retry(attempts = 3, backoff = fixed(5ms), jitter = none) {
                attempt(500ms, idempotency_key)
            }
        }
    }
}

fn request(method: Method, address: std::net::SocketAddr) -> Request {
    Request::new(method, format!("http://{address}/").parse().unwrap())
}

#[tokio::test]
async fn a_declared_policy_makes_the_calls_that_its_plan_says() {
    let script = Script::new([say(503)]);
    let address = script.serve().await;
    let answer = Client::<Fetch>::new(reqwest::Client::new())
        .send(request(Method::GET, address))
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(script.calls(), 3);
}

#[tokio::test]
async fn a_declared_policy_leaves_a_bare_post_alone() {
    let script = Script::new([say(503)]);
    let address = script.serve().await;
    Client::<Fetch>::new(reqwest::Client::new())
        .send(request(Method::POST, address))
        .await
        .unwrap();
    assert_eq!(script.calls(), 1);
}

#[tokio::test]
async fn a_declared_key_is_supplied_and_the_same_in_every_attempt() {
    let script = Script::new([say(503), say(503), say(201)]);
    let address = script.serve().await;
    let answer = Client::<Pay>::new(reqwest::Client::new())
        .send(request(Method::POST, address))
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    let keys = script.header("idempotency-key");
    assert!(
        keys[0].is_some() && keys.iter().all(|key| *key == keys[0]),
        "{keys:?}"
    );
}

#[tokio::test]
async fn a_declared_policy_is_a_layer() {
    let script = Script::new([say(503), say(200)]);
    let address = script.serve().await;
    let client: Hyper<_, Full<bytes::Bytes>> = Hyper::builder(TokioExecutor::new()).build_http();
    let mut client = RetryLayer::<Fetch>::http().layer(client);
    let request = http::Request::get(format!("http://{address}/"))
        .body(Full::default())
        .unwrap();
    std::future::poll_fn(|cx| client.poll_ready(cx)).await.unwrap();
    assert_eq!(client.call(request).await.unwrap().status(), StatusCode::OK);
    assert_eq!(script.calls(), 2);
}
