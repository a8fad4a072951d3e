//! The server's side on three stacks: what a caller's headers come to in the handler's scope.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::{any, get};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use retry_plan::Scope;
use retry_plan::tower::InboundLayer;
use retry_plan::wire::Incoming;
use tonic::metadata::MetadataMap;
use tower::ServiceBuilder;

use crate::script::{serve, serve_hyper};
use crate::text::{channel, greet, serve as serve_grpc};

/// A server whose handler answers with its scope, or hangs.
struct Server {
    stack: Stack,
    address: SocketAddr,
    handler: Arc<Handler>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stack {
    Axum,
    HyperUtil,
    Tonic,
}

impl Stack {
    fn path(self) -> &'static str {
        match self {
            Self::Axum | Self::HyperUtil => "/",
            Self::Tonic => "/text.Greeter/Greet",
        }
    }
}

struct Handler {
    hangs: bool,
    calls: AtomicU64,
    /// How many calls are at work now.
    working: AtomicU64,
}

impl Handler {
    /// What is left, and which attempt it is.
    async fn answer(self: Arc<Self>) -> String {
        struct Working<'h>(&'h Handler);
        impl Drop for Working<'_> {
            fn drop(&mut self) {
                self.0.working.fetch_sub(1, Relaxed);
            }
        }
        self.calls.fetch_add(1, Relaxed);
        self.working.fetch_add(1, Relaxed);
        let _working = Working(&self);
        if self.hangs {
            std::future::pending::<()>().await;
        }
        let scope = Scope::current();
        let left = scope.remaining().map(|left| left.as_millis().to_string());
        format!("{} {}", left.as_deref().unwrap_or("-"), scope.attempt())
    }
}

impl Server {
    async fn all(hangs: bool) -> [Self; 3] {
        [
            Self::start(Stack::Axum, hangs).await,
            Self::start(Stack::HyperUtil, hangs).await,
            Self::start(Stack::Tonic, hangs).await,
        ]
    }

    async fn start(stack: Stack, hangs: bool) -> Self {
        let handler = Arc::new(Handler {
            hangs,
            calls: AtomicU64::new(0),
            working: AtomicU64::new(0),
        });
        let answers = handler.clone();
        let answer = move || answers.clone().answer();
        let address = match stack {
            Stack::Axum => {
                let router = Router::new().route("/", any(answer));
                serve(router.layer(InboundLayer::new())).await
            }
            Stack::HyperUtil => {
                let service = tower::service_fn(move |_| {
                    let answer = answer();
                    async move { Ok::<_, Infallible>(Response::new(Body::from(answer.await))) }
                });
                serve_hyper(ServiceBuilder::new().layer(InboundLayer::new()).service(service)).await
            }
            Stack::Tonic => serve_grpc(move |_| {
                let answer = answer();
                async move { Ok(tonic::Response::new(answer.await)) }
            })
            .await
            .unwrap(),
        };
        Self {
            stack,
            address,
            handler,
        }
    }

    /// What it answers to these headers.
    async fn ask(&self, headers: HeaderMap) -> (Option<u64>, u32) {
        let answer = if self.stack == Stack::Tonic {
            let metadata = MetadataMap::from_headers(headers);
            let request = tonic::Request::from_parts(metadata, tonic::Extensions::default(), String::new());
            let answer = greet(channel(self.address).await.unwrap(), request).await;
            answer.unwrap().into_inner()
        } else {
            let request = reqwest::Client::new().get(format!("http://{}/", self.address));
            let answer = request.headers(headers).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::OK);
            answer.text().await.unwrap()
        };
        let (left, attempt) = answer.split_once(' ').unwrap();
        (left.parse().ok(), attempt.parse().unwrap())
    }

    /// Whether it answers this header as what is late, in its protocol's own way.
    async fn refuses(&self, name: &str, value: &str) -> bool {
        let request = axum::http::Request::post(format!("http://{}{}", self.address, self.stack.path()));
        let request = request.header(name, value);
        let mut builder = Client::builder(TokioExecutor::new());
        if self.stack == Stack::Tonic {
            // Not by tonic's client, which would look at `grpc-timeout` itself.
            let client = builder.http2_only(true).build_http();
            let request = request.header("content-type", "application/grpc");
            // Not compressed, of one byte.
            let message = Body::from(&b"\0\0\0\0\x01x"[..]);
            let answer = client.request(request.body(message).unwrap()).await.unwrap();
            answer.status() == StatusCode::OK && answer.headers()["grpc-status"] == "4"
        } else {
            let client = builder.build_http();
            let answer = client
                .request(request.body(Body::empty()).unwrap())
                .await
                .unwrap();
            answer.status() == StatusCode::GATEWAY_TIMEOUT
        }
    }
}

fn headers(all: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in all {
        headers.append(
            HeaderName::from_static(name),
            HeaderValue::from_bytes(value.as_bytes()).unwrap(),
        );
    }
    headers
}

#[tokio::test]
async fn every_stack_puts_the_callers_deadline_and_attempt_into_the_scope() {
    let in_nine_seconds = std::time::SystemTime::now() + Duration::from_secs(9);
    let on_the_clock = retry_plan::wire::format_deadline(in_nine_seconds);
    for server in Server::all(false).await {
        assert_eq!(
            server.ask(HeaderMap::new()).await,
            (None, 1),
            "{:?}",
            server.stack
        );
        for (name, value) in [
            ("grpc-timeout", "9S"),
            ("x-envoy-expected-rq-timeout-ms", "9000"),
            ("x-request-deadline", &on_the_clock),
        ] {
            for (count, told) in [
                ("grpc-previous-rpc-attempts", "2"),
                ("x-envoy-attempt-count", "3"),
            ] {
                let (left, attempt) = server.ask(headers(&[(name, value), (count, told)])).await;
                let left = left.expect("a deadline");
                assert!(
                    (8_000..=9_000).contains(&left),
                    "{:?}, {name}: {left}",
                    server.stack
                );
                assert_eq!(attempt, 3, "{:?}, {count}", server.stack);
            }
        }
    }
}

#[tokio::test]
async fn every_stack_refuses_what_is_late_without_a_call() {
    for server in Server::all(false).await {
        for (name, value) in [
            ("grpc-timeout", "0n"),
            ("x-envoy-expected-rq-timeout-ms", "0"),
            ("x-request-deadline", "1"),
            ("x-request-deadline", "2001-01-01T00:00:00Z"),
        ] {
            assert!(
                server.refuses(name, value).await,
                "{:?}, {name}: {value}",
                server.stack
            );
        }
        assert_eq!(server.handler.calls.load(Relaxed), 0, "{:?}", server.stack);
    }
}

#[tokio::test]
async fn every_stack_drops_a_handler_at_the_deadline_of_a_caller_that_still_waits() {
    for server in Server::all(true).await {
        let begun = Instant::now();
        let refused = server.refuses("x-envoy-expected-rq-timeout-ms", "150");
        let refused = tokio::time::timeout(Duration::from_secs(10), refused).await;
        assert_eq!(refused, Ok(true), "{:?}", server.stack);
        assert!(
            begun.elapsed() >= Duration::from_millis(150),
            "{:?}",
            server.stack
        );
        let Handler { calls, working, .. } = &*server.handler;
        assert_eq!(
            (calls.load(Relaxed), working.load(Relaxed)),
            (1, 0),
            "{:?}: it was called, and is over before the answer is there",
            server.stack
        );
    }
}

#[tokio::test]
async fn on_no_stack_a_hostile_value_gives_a_deadline_or_takes_one_away() {
    // Not of the header's form, so that it is as good as none.
    const MALFORMED: [&str; 10] = [
        "-1",
        "NaN",
        "",
        "1e9",
        "0x10",
        "1S, 2S",
        "9223372036854775808S",
        "\u{b2}S",
        "1.5",
        "soon",
    ];
    // Of the form, and longer than any clock: no limit that anybody would notice.
    const ENDLESS: [(&str, &str); 4] = [
        ("grpc-timeout", "99999999H"),
        ("x-envoy-expected-rq-timeout-ms", "99999999999999999999999999"),
        ("x-request-deadline", "99999999999999999999999999"),
        ("x-request-deadline", "9999-12-31T23:59:59Z"),
    ];
    for server in Server::all(false).await {
        for value in MALFORMED {
            let hostile = [
                ("grpc-timeout", value),
                ("x-envoy-expected-rq-timeout-ms", value),
                ("x-request-deadline", value),
                ("x-envoy-attempt-count", value),
                ("grpc-previous-rpc-attempts", value),
            ];
            let answer = server.ask(headers(&hostile)).await;
            assert_eq!(answer, (None, 1), "{:?}, {value:?}", server.stack);

            let mut beside = hostile.to_vec();
            beside.push(("x-envoy-expected-rq-timeout-ms", "9000"));
            let (left, _) = server.ask(headers(&beside)).await;
            assert!(
                left.is_some_and(|left| left <= 9_000),
                "{:?}, {value:?}",
                server.stack
            );
        }
        for (name, value) in ENDLESS {
            let (left, _) = server.ask(headers(&[(name, value)])).await;
            assert!(
                left.is_none_or(|left| left > 1_000_000_000),
                "{:?}, {name}: {value}: {left:?}",
                server.stack
            );
        }
    }
}

#[tokio::test]
async fn the_handler_can_see_what_was_malformed() {
    let handler = |request: Request| async move {
        let incoming = request
            .extensions()
            .get::<Incoming>()
            .expect("the layer puts it there");
        format!("{:?}", incoming.malformed())
    };
    let address = serve(Router::new().route("/", get(handler)).layer(InboundLayer::new())).await;
    let request = reqwest::Client::new().get(format!("http://{address}/"));
    let answer = request.header("grpc-timeout", "soon").send().await.unwrap();
    assert_eq!(answer.text().await.unwrap(), r#"["grpc-timeout"]"#);
}

#[tokio::test]
async fn a_margin_and_a_longest_time_shorten_what_the_caller_gives() {
    let layer = InboundLayer::new()
        .margin(Duration::from_secs(1))
        .longest(Duration::from_secs(5));
    let handler = || async { Scope::current().remaining().unwrap().as_millis().to_string() };
    let address = serve(Router::new().route("/", get(handler)).layer(layer)).await;
    for (told, most) in [(Some("3000"), 2_000), (Some("60000"), 5_000), (None, 5_000)] {
        let mut request = reqwest::Client::new().get(format!("http://{address}/"));
        if let Some(told) = told {
            request = request.header("x-envoy-expected-rq-timeout-ms", told);
        }
        let left: u64 = request
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap()
            .parse()
            .unwrap();
        assert!(left <= most && left > most - 1_000, "{told:?}: {left}");
    }
}
