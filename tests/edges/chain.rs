//! Three services in a chain, each on a stack of its own, and a deadline that passes through all of them.
//!
//! The caller asks by reqwest; the front, served by hyper-util, asks by hyper's client; the middle, served by axum, asks
//! by tonic; the innermost is served by tonic.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::rt::TokioExecutor;
use reqwest::{Method, Request};
use retry_plan::reqwest::{Client, Error};
use retry_plan::tonic::Grpc;
use retry_plan::tower::{InboundLayer, OutboundLayer, RetryLayer};
use retry_plan::wire::{Header, Outgoing};
use retry_plan::{Scope, retry_policy};
use tokio::time::Instant;
use tonic::Status;
use tower::{ServiceBuilder, ServiceExt};

use crate::policies::{Fetch, Greet, Single, calls};
use crate::script::{Script, say, serve, serve_hyper};
use crate::text::{channel, greet, serve as serve_grpc};

retry_policy! {
    /// What the caller gives it all.
    struct Patience {
        type Error = retry_plan::http::Failed;
        attempt(1s)
    }
}

/// What each hop keeps for the way: a hundred times of what loopback takes, so that a busy machine doesn't matter.
const WAY: Duration = Duration::from_millis(100);

/// The front, which asks `next` by hyper's client.
async fn front(next: SocketAddr, inbound: InboundLayer, tell: Outgoing) -> SocketAddr {
    let client: Hyper<_, Body> = Hyper::builder(TokioExecutor::new()).build_http();
    let client = ServiceBuilder::new()
        .layer(RetryLayer::<Fetch>::http())
        .layer(OutboundLayer::new(tell))
        .service(client);
    let service = tower::service_fn(move |_| {
        let client = client.clone();
        async move {
            let request = axum::http::Request::get(format!("http://{next}/"));
            let answer = client.oneshot(request.body(Body::empty()).unwrap()).await;
            let status = answer.map_or(StatusCode::GATEWAY_TIMEOUT, |answer| answer.status());
            Ok::<_, std::convert::Infallible>(Response::builder().status(status).body(Body::empty()).unwrap())
        }
    });
    serve_hyper(ServiceBuilder::new().layer(inbound).service(service)).await
}

/// The middle, which asks `next` by tonic.
async fn middle(next: SocketAddr, inbound: InboundLayer, tell: Outgoing) -> SocketAddr {
    let client = ServiceBuilder::new()
        .layer(RetryLayer::<Greet, _>::judged_by(Grpc::new()))
        .layer(OutboundLayer::new(tell))
        .service(channel(next).await.unwrap());
    let ask = move || {
        let client = client.clone();
        async move {
            match greet(client, tonic::Request::new("who".to_owned())).await {
                Ok(_) => StatusCode::OK,
                Err(status) if status.code() == tonic::Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
                Err(_) => StatusCode::GATEWAY_TIMEOUT,
            }
        }
    };
    serve(Router::new().route("/", get(ask)).layer(inbound)).await
}

fn ask(address: SocketAddr) -> Request {
    Request::new(Method::GET, format!("http://{address}/").parse().unwrap())
}

/// A call of the innermost: what it was given, and when it ended, however it did.
#[derive(Clone, Copy, Debug)]
struct Call {
    deadline: Option<Instant>,
    ended: Instant,
}

/// Notes a call when it is dropped.
struct Work {
    deadline: Option<Instant>,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Drop for Work {
    fn drop(&mut self) {
        self.calls.lock().unwrap().push(Call {
            deadline: self.deadline,
            ended: Instant::now(),
        });
    }
}

async fn the_innermost_is_cut(headers: &'static [Header]) {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let seen = calls.clone();
    let innermost = serve_grpc(move |_| {
        let calls = seen.clone();
        async move {
            let _work = Work {
                deadline: Scope::current().deadline(),
                calls,
            };
            std::future::pending().await
        }
    });
    let tell = Outgoing::new(headers).margin(WAY);
    let b = middle(innermost.await.unwrap(), InboundLayer::new(), tell).await;
    let a = front(b, InboundLayer::new(), tell).await;

    let caller = Client::<Patience>::new(reqwest::Client::new()).tell(tell);
    let begun = Instant::now();
    let answer = caller.send(ask(a)).await.unwrap();
    let deadline = begun + Duration::from_secs(1);
    assert!(Instant::now() <= deadline, "{headers:?}: the answer is in time");
    assert_eq!(answer.status(), StatusCode::GATEWAY_TIMEOUT, "{headers:?}");

    // By then the innermost is over, and asked once: what was left for a repeat was less than the way to it.
    let calls = calls.lock().unwrap();
    assert_eq!(calls.len(), 1, "{headers:?}: {calls:?}");
    let given = calls[0].deadline.expect("the deadline came through");
    assert!(
        given <= deadline,
        "{headers:?}: given {:?} too much",
        given - deadline
    );
    assert!(
        calls[0].ended <= deadline,
        "{headers:?}: {:?} too long",
        calls[0].ended - deadline
    );
    assert!(
        calls[0].ended - begun > Duration::from_millis(500),
        "{headers:?}: cut for another reason"
    );
}

#[tokio::test]
async fn the_innermost_never_works_past_the_deadline_of_the_first_caller() {
    tokio::join!(
        the_innermost_is_cut(&[Header::Grpc]),
        the_innermost_is_cut(&[Header::Envoy]),
        the_innermost_is_cut(&[Header::Deadline]),
    );
}

/// How often the innermost is called when it is always unavailable.
async fn calls_of_an_outage(inbound: InboundLayer) -> u64 {
    let calls = Arc::new(AtomicU64::new(0));
    let seen = calls.clone();
    let innermost = serve_grpc(move |_| {
        seen.fetch_add(1, Relaxed);
        async { Err(Status::unavailable("by script")) }
    });
    let tell = Outgoing::default();
    let b = middle(innermost.await.unwrap(), inbound, tell).await;
    let a = front(b, inbound, tell).await;
    let caller = Client::<Fetch>::new(reqwest::Client::new()).tell(tell);
    let answer = caller.send(ask(a)).await.unwrap();
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    calls.load(Relaxed)
}

const CHAIN: [u64; 3] = [calls(&Fetch::PLAN), calls(&Fetch::PLAN), calls(&Greet::PLAN)];

#[tokio::test]
async fn calls_at_the_innermost_equal_the_product_of_the_plans() {
    let planned = CHAIN.iter().product::<u64>();
    assert_eq!(planned, 27);
    assert_eq!(calls_of_an_outage(InboundLayer::new()).await, planned);
}

#[tokio::test]
async fn where_no_retry_is_retried_the_plans_add_up() {
    let planned = 1 + CHAIN.iter().map(|calls| calls - 1).sum::<u64>();
    assert_eq!(planned, 7);
    assert_eq!(
        calls_of_an_outage(InboundLayer::new().once_if_retried()).await,
        planned
    );
}

#[tokio::test]
async fn a_caller_without_time_sends_nothing() {
    let script = Script::new([say(200)]);
    let address = script.serve().await;
    let tell = Outgoing::new(&[Header::Envoy]).margin(Duration::from_secs(1));
    let client = Client::<Single>::new(reqwest::Client::new()).tell(tell);
    assert!(matches!(
        client.send(ask(address)).await,
        Err(Error::Interrupted(_))
    ));
    assert_eq!(script.calls(), 0);
}
