//! Layers around services: readiness, copies, and other stacks' clients.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use retry_plan::http::{Failed, Fault};
use retry_plan::retry_policy;
use retry_plan::tower::{Http, Judge, OutboundLayer, Prepared, RetryLayer};
use retry_planner::Policy;
use tower::{Service, ServiceExt};
use tower_layer::Layer;

use crate::policies::{Brisk, Fetch, Hedged, Single, calls};
use crate::script::{Script, say, serve};

/// Fails a number of times, and panics when it is called without having been polled ready.
#[derive(Default)]
struct Strict {
    ready: bool,
    calls: Arc<AtomicU32>,
}

impl Clone for Strict {
    fn clone(&self) -> Self {
        // A clone has to be polled by itself.
        Self {
            ready: false,
            calls: self.calls.clone(),
        }
    }
}

impl Service<Counted> for Strict {
    type Response = u32;
    type Error = Infallible;
    type Future = Ready<Result<u32, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Counted) -> Self::Future {
        assert!(std::mem::take(&mut self.ready), "called before it was ready");
        ready(Ok(self.calls.fetch_add(1, Relaxed) + 1))
    }
}

/// Counts its clones.
#[derive(Default)]
struct Counted(Arc<AtomicU32>);

impl Clone for Counted {
    fn clone(&self) -> Self {
        self.0.fetch_add(1, Relaxed);
        Self(self.0.clone())
    }
}

/// Asks for another attempt until the service has counted this far.
#[derive(Clone, Copy)]
struct Until(u32);

impl Judge<Counted, u32, Infallible> for Until {
    type Failure = Failed;
    type Template = Counted;

    fn prepare(&self, request: Counted, _: &Policy<'static>) -> Prepared<Counted, Counted> {
        Prepared::Repeatable(request)
    }

    fn judge(&self, answer: &Result<u32, Infallible>) -> Option<Failed> {
        let asks = answer.as_ref().is_ok_and(|count| *count < self.0);
        asks.then(|| Failed::new(Fault::Transport))
    }
}

async fn counted<P>(until: u32) -> (u32, u32)
where
    P: retry_plan::SingleLeaf<Result<u32, Infallible>, Failed> + 'static,
{
    let mut service = RetryLayer::<P, _>::judged_by(Until(until)).layer(Strict::default());
    let request = Counted::default();
    let clones = request.0.clone();
    let answer = service.ready().await.unwrap().call(request).await.unwrap();
    (answer, clones.load(Relaxed))
}

#[tokio::test]
async fn each_call_is_of_a_ready_service_and_the_last_possible_attempt_takes_the_original() {
    // Of three attempts, two need a copy.
    assert_eq!(counted::<Fetch>(3).await, (3, 2));
    // One that works at first was copied since it might not have.
    assert_eq!(counted::<Fetch>(1).await, (1, 1));
    // A policy that never repeats copies nothing.
    assert_eq!(counted::<Single>(1).await, (1, 0));
    // What comes back in the end is the service's own last answer.
    assert_eq!(counted::<Fetch>(9).await, (3, 2));
}

#[tokio::test]
async fn a_hyper_client_is_a_service_like_any_other() {
    let script = Script::new([say(503), say(502), say(200)]);
    let address = script.serve().await;
    let client: Client<_, Full<axum::body::Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let client = RetryLayer::<Fetch>::http().layer(OutboundLayer::default().layer(client));
    let request = Request::put(format!("http://{address}/"))
        .body(Full::from("order"))
        .unwrap();
    let answer = client.oneshot(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(script.bodies(), ["order"; 3]);
    assert_eq!(
        script.header("x-envoy-attempt-count"),
        ["1", "2", "3"].map(|n| Some(n.into()))
    );
}

/// Ready once; then it fails, and is never ready again.
struct OnceReady {
    ready: bool,
}

impl Clone for OnceReady {
    fn clone(&self) -> Self {
        Self { ready: false }
    }
}

impl Service<u32> for OnceReady {
    type Response = u32;
    type Error = Failed;
    type Future = Ready<Result<u32, Failed>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failed>> {
        if self.ready {
            Poll::Ready(Ok(()))
        } else {
            Poll::Pending
        }
    }

    fn call(&mut self, _: u32) -> Self::Future {
        ready(Err(Failed::new(Fault::Connect)))
    }
}

trait Patience {
    const BOUND: Duration;
}

struct Impatient;

impl Patience for Impatient {
    const BOUND: Duration = Duration::from_millis(20);
}

retry_policy! {
    /// A name like one that generated code would choose, and a value of its own.
    struct Bounded<T: Patience> {
        retry(attempts = 2, backoff = fixed(5ms), jitter = none) { attempt(T::BOUND) }
    }
}

#[tokio::test(start_paused = true)]
async fn a_generic_policy_is_a_layer_too() {
    let begun = tokio::time::Instant::now();
    let hangs = tower::service_fn(|_: u32| std::future::pending::<Result<u32, Infallible>>());
    let service = RetryLayer::<Bounded<Impatient>, _>::answers().layer(hangs);
    let error = service.oneshot(7).await.unwrap_err();
    assert_eq!(error.interrupted().map(|told| told.attempts), Some(2));
    assert_eq!(begun.elapsed(), Duration::from_millis(20 + 5 + 20));
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_ready_service_is_part_of_the_attempt() {
    let begun = tokio::time::Instant::now();
    let service = RetryLayer::<Brisk, _>::answers().layer(OnceReady { ready: true });
    let error = service.oneshot(7).await.unwrap_err();
    assert_eq!(
        error.into_service().map(|failed| failed.fault()),
        Some(Fault::Connect),
        "the service's own last error"
    );
    // The first attempt fails at once; the others wait for readiness until their bound.
    assert_eq!(begun.elapsed(), Duration::from_millis(5 + 200 + 5 + 200));
}

#[tokio::test]
async fn a_hedge_is_a_layer_and_each_copy_a_request_that_says_so() {
    let script = Script::new([say(200).after(5_000), say(200)]);
    let address = script.serve().await;
    let client: Client<_, Full<axum::body::Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let client = RetryLayer::<Hedged>::http().layer(OutboundLayer::default().layer(client));
    let request = Request::get(format!("http://{address}/"))
        .body(Full::default())
        .unwrap();
    let begun = std::time::Instant::now();
    let answer = client.oneshot(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "the second copy answered"
    );
    assert_eq!(script.calls(), calls(&Hedged::PLAN));
    assert_eq!(
        script.header("x-envoy-attempt-count"),
        ["1", "2"].map(|n| Some(n.into()))
    );
}

/// A proxy of axum's: what comes in goes out through a retrying client.
async fn proxy(target: std::net::SocketAddr) -> std::net::SocketAddr {
    let client: Client<_, Body> = Client::builder(TokioExecutor::new()).build_http();
    let client = RetryLayer::<Fetch>::judged_by(Http::new().body_limit(1000)).layer(client);
    let forward = move |mut request: Request<Body>| {
        let client = client.clone();
        async move {
            *request.uri_mut() = format!("http://{target}/").parse().unwrap();
            match client.oneshot(request).await {
                Ok(answer) => answer.map(Body::new),
                Err(_) => Response::builder().status(504).body(Body::empty()).unwrap(),
            }
        }
    };
    serve(axum::Router::new().fallback(forward)).await
}

#[tokio::test]
async fn an_axum_proxy_repeats_what_it_has_whole_and_sends_a_stream_once() {
    for (chunks, calls) in [(0, 2), (3, 1)] {
        let script = Script::new([say(503), say(200)]);
        let address = proxy(script.serve().await).await;
        let client = reqwest::Client::new();
        let put = client.put(format!("http://{address}/"));
        let put = if chunks == 0 {
            put
        } else {
            // Each piece comes later than the one before.
            let pieces = tokio_stream::iter(0..chunks);
            let pieces = tokio_stream::StreamExt::then(pieces, |n| async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok::<_, std::io::Error>(n.to_string())
            });
            put.body(reqwest::Body::wrap_stream(pieces))
        };
        let answer = put.send().await.unwrap();
        assert_eq!(script.calls(), calls);
        assert_eq!(answer.status().as_u16(), if calls == 2 { 200 } else { 503 });
        assert_eq!(
            script.bodies()[0],
            if chunks == 0 { "" } else { "012" },
            "nothing of it was lost"
        );
    }
}

#[tokio::test]
async fn a_layer_around_a_post_without_a_key_calls_once() {
    let script = Script::new([say(503)]);
    let address = proxy(script.serve().await).await;
    let answer = reqwest::Client::new()
        .post(format!("http://{address}/"))
        .body("x")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(script.calls(), 1);
}
