//! Three services in a chain, and a deadline that passes through all of them.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use reqwest::{Method, Request};
use retry_plan::Scope;
use retry_plan::reqwest::{Client, Error};
use retry_plan::tower::InboundLayer;
use retry_plan::wire::{Header, Outgoing};

use crate::policy::Hand;
use crate::script::{Script, say, serve};

fn tell(headers: &'static [Header]) -> Outgoing {
    Outgoing::new(headers)
}

/// A service that asks the next one, under a policy of its own.
async fn middle<P>(next: SocketAddr, layer: InboundLayer, headers: &'static [Header]) -> SocketAddr
where
    P: retry_plan::SingleLeaf<Result<reqwest::Response, reqwest::Error>, retry_plan::http::Failed> + 'static,
{
    let client = Client::<P>::new(reqwest::Client::new()).tell(tell(headers));
    let ask = move || {
        let client = client.clone();
        async move {
            let request = Request::new(Method::GET, format!("http://{next}/").parse().unwrap());
            match client.send(request).await {
                Ok(answer) => answer.status(),
                Err(_) => StatusCode::GATEWAY_TIMEOUT,
            }
        }
    };
    serve(Router::new().route("/", get(ask)).layer(layer)).await
}

/// Notes when a handler ended, however it did.
struct Worked(Arc<Mutex<Vec<Instant>>>);

impl Drop for Worked {
    fn drop(&mut self) {
        self.0.lock().unwrap().push(Instant::now());
    }
}

#[tokio::test]
async fn the_innermost_never_works_past_the_deadline_of_the_first_caller() {
    for headers in [&[Header::Grpc][..], &[Header::Envoy], &[Header::Deadline]] {
        let ends = Arc::new(Mutex::new(Vec::new()));
        let (work, left) = (ends.clone(), Arc::new(Mutex::new(Vec::new())));
        let seen = left.clone();
        let slow = move || {
            let worked = Worked(work.clone());
            seen.lock().unwrap().push(Scope::current().remaining());
            async move {
                tokio::time::sleep(Duration::from_secs(30)).await;
                drop(worked);
            }
        };
        // The scope is read inside of the handler's future.
        let innermost = Router::new()
            .route("/", get(|| async move { slow().await }))
            .layer(InboundLayer::new());
        let c = serve(innermost).await;
        let b = middle::<Hand<2, 5000, 20000>>(c, InboundLayer::new(), headers).await;
        let a = middle::<Hand<2, 5000, 20000>>(b, InboundLayer::new(), headers).await;

        let caller = Client::<Hand<1, 400, 400>>::new(reqwest::Client::new()).tell(tell(headers));
        let begun = Instant::now();
        let request = Request::new(Method::GET, format!("http://{a}/").parse().unwrap());
        let _ = caller.send(request).await;
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());

        tokio::time::sleep(Duration::from_millis(200)).await;
        let ends = ends.lock().unwrap();
        assert_eq!(ends.len(), 1, "called once, and ended");
        let worked = ends[0].duration_since(begun);
        // A millisecond of tokio's timer, and what a busy machine takes to wake a task.
        assert!(
            worked <= Duration::from_millis(400 + 100),
            "{headers:?}: {worked:?}"
        );
        let left = left.lock().unwrap()[0].expect("the deadline came through");
        assert!(left <= Duration::from_millis(400), "{headers:?}: {left:?}");
    }
}

#[tokio::test]
async fn what_is_late_is_refused_without_a_call() {
    let script = Script::new([say(200)]);
    let inner = script.serve().await;
    let a = middle::<Hand<1, 500, 500>>(inner, InboundLayer::new(), &[Header::Envoy]).await;
    for (name, value) in [
        ("grpc-timeout", "0n"),
        ("x-envoy-expected-rq-timeout-ms", "0"),
        ("x-request-deadline", "1"),
        ("x-request-deadline", "2001-01-01T00:00:00Z"),
    ] {
        let answer = reqwest::Client::new()
            .get(format!("http://{a}/"))
            .header(name, value)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::GATEWAY_TIMEOUT, "{name}: {value}");
    }
    assert_eq!(script.calls(), 0);
}

#[tokio::test]
async fn a_hostile_deadline_does_no_harm() {
    let script = Script::new([say(200)]);
    let a = middle::<Hand<1, 500, 500>>(script.serve().await, InboundLayer::new(), &[Header::Envoy]).await;
    let hostile = [
        "-1",
        "99999999999999999999999999",
        "NaN",
        "",
        "1e9",
        "0x10",
        "1S, 2S",
        "99999999H",
    ];
    for value in hostile {
        let answer = reqwest::Client::new()
            .get(format!("http://{a}/"))
            .header("grpc-timeout", value)
            .header("x-request-deadline", value)
            .header("x-envoy-attempt-count", value)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{value:?}");
    }
    assert_eq!(script.calls(), hostile.len());
}

#[tokio::test]
async fn three_levels_of_three_attempts_make_27_calls_and_7_where_retries_are_not_retried() {
    type Three = Hand<3, 5000, 20000>;
    for (layer, calls) in [
        (InboundLayer::new(), 27),
        (InboundLayer::new().once_if_retried(), 7),
    ] {
        let script = Script::new([say(503)]);
        let b = middle::<Three>(script.serve().await, layer, &[Header::Envoy]).await;
        let a = middle::<Three>(b, layer, &[Header::Envoy]).await;
        let caller = Client::<Three>::new(reqwest::Client::new()).tell(tell(&[Header::Envoy]));
        let request = Request::new(Method::GET, format!("http://{a}/").parse().unwrap());
        let answer = caller.send(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(script.calls(), calls);
    }
}

#[tokio::test]
async fn a_caller_without_time_sends_nothing() {
    let script = Script::new([say(200)]);
    let address = script.serve().await;
    let client = Client::<Hand<1, 500, 500>>::new(reqwest::Client::new())
        .tell(tell(&[Header::Envoy]).margin(Duration::from_secs(1)));
    let request = Request::new(Method::GET, format!("http://{address}/").parse().unwrap());
    assert!(matches!(client.send(request).await, Err(Error::Interrupted(_))));
    assert_eq!(script.calls(), 0);
}
