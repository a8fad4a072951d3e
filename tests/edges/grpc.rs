//! tonic on both sides.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use retry_plan::tonic::{Grpc, PUSHBACK, Tell, interrupted, request};
use retry_plan::tower::{OutboundLayer, RetryLayer};
use retry_plan::wire::{Header, Outgoing};
use retry_plan::{Scope, SingleLeaf};
use tonic::metadata::MetadataMap;
use tonic::service::interceptor::InterceptedService;
use tonic::{Code, Request, Response, Status};
use tower_layer::Layer;

use crate::policies::{Greet, GreetOnce, calls};
use crate::text::{channel, greet, serve};

/// One answer: a status with metadata, or a text, after a while.
#[derive(Clone)]
struct Say(Result<&'static str, Status>, Duration);

fn fail(code: Code, pushback: Option<&'static str>) -> Say {
    let mut headers = HeaderMap::new();
    if let Some(pushback) = pushback {
        headers.insert(PUSHBACK, pushback.parse().unwrap());
    }
    let status = Status::with_metadata(code, "by script", MetadataMap::from_headers(headers));
    Say(Err(status), Duration::ZERO)
}

fn ok() -> Say {
    Say(Ok("hello"), Duration::ZERO)
}

#[derive(Clone, Default)]
struct Greeter(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    answers: VecDeque<Say>,
    seen: Vec<Seen>,
}

/// A call as the server saw it.
struct Seen {
    headers: HeaderMap,
    message: String,
    left: Option<Duration>,
    attempt: u32,
}

impl Greeter {
    /// Answers these, and the last one for ever.
    fn new(answers: impl IntoIterator<Item = Say>) -> Self {
        let greeter = Self::default();
        greeter.0.lock().unwrap().answers = answers.into_iter().collect();
        greeter
    }

    fn calls(&self) -> u64 {
        self.0.lock().unwrap().seen.len() as u64
    }

    fn header(&self, name: &str) -> Vec<Option<String>> {
        let seen = &self.0.lock().unwrap().seen;
        seen.iter()
            .map(|seen| Some(seen.headers.get(name)?.to_str().unwrap().to_owned()))
            .collect()
    }

    async fn serve(&self) -> SocketAddr {
        let greeter = self.clone();
        serve(move |request| greeter.clone().answer(request))
            .await
            .unwrap()
    }

    async fn answer(self, request: Request<String>) -> Result<Response<String>, Status> {
        let scope = Scope::current();
        let (metadata, _, message) = request.into_parts();
        let Say(answer, after) = {
            let mut inner = self.0.lock().unwrap();
            inner.seen.push(Seen {
                headers: metadata.into_headers(),
                message,
                left: scope.remaining(),
                attempt: scope.attempt(),
            });
            if inner.answers.len() > 1 {
                inner.answers.pop_front()
            } else {
                inner.answers.front().cloned()
            }
        }
        .unwrap();
        tokio::time::sleep(after).await;
        answer.map(|text| Response::new(text.to_owned()))
    }
}

/// A policy around a client's call.
async fn run<P>(greeter: &Greeter) -> Result<String, Status>
where
    P: SingleLeaf<String, Status>,
{
    let channel = channel(greeter.serve().await).await.unwrap();
    P::run_single(|attempt| {
        let channel = channel.clone();
        async move {
            let request = request(&attempt, "who".to_owned())?;
            Ok(greet(channel, request).await?.into_inner())
        }
    })
    .await
    .map_err(|failure| failure.into_error_or(interrupted))
}

#[tokio::test]
async fn unavailable_is_tried_again_and_each_attempt_tells_its_number_and_time() {
    let greeter = Greeter::new([fail(Code::Unavailable, None), fail(Code::Unavailable, None), ok()]);
    assert_eq!(run::<Greet>(&greeter).await.unwrap(), "hello");
    assert_eq!(
        greeter.header("grpc-previous-rpc-attempts"),
        [None, Some("1".into()), Some("2".into())]
    );
    for (seen, number) in greeter.0.lock().unwrap().seen.iter().zip(1..) {
        assert_eq!(seen.message, "who");
        assert_eq!(seen.attempt, number, "the scope says it, too");
        let left = seen.left.expect("the deadline came through");
        assert!(left <= Duration::from_secs(2), "{left:?}");
    }
}

#[tokio::test]
async fn calls_at_the_server_equal_the_plan_and_the_last_status_comes_back() {
    let greeter = Greeter::new([fail(Code::Unavailable, None)]);
    assert_eq!(
        run::<Greet>(&greeter).await.unwrap_err().code(),
        Code::Unavailable
    );
    assert_eq!(greeter.calls(), calls(&Greet::PLAN));
}

#[tokio::test]
async fn a_status_that_would_come_again_is_final() {
    for code in [
        Code::InvalidArgument,
        Code::NotFound,
        Code::Internal,
        Code::ResourceExhausted,
        Code::Aborted,
    ] {
        let greeter = Greeter::new([fail(code, None)]);
        assert_eq!(run::<Greet>(&greeter).await.unwrap_err().code(), code);
        assert_eq!(greeter.calls(), 1, "{code:?}");
    }
}

#[tokio::test]
async fn pushback_is_waited_for_and_a_negative_one_ends_it() {
    let greeter = Greeter::new([fail(Code::Unavailable, Some("300")), ok()]);
    let begun = Instant::now();
    run::<Greet>(&greeter).await.unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(300));

    for never in ["-1", "soon"] {
        let greeter = Greeter::new([fail(Code::Unavailable, Some(never)), ok()]);
        assert_eq!(
            run::<Greet>(&greeter).await.unwrap_err().code(),
            Code::Unavailable
        );
        assert_eq!(greeter.calls(), 1, "{never}");
    }
}

#[tokio::test]
async fn a_hung_call_ends_when_its_time_is_over() {
    let greeter = Greeter::new([Say(Ok("late"), Duration::from_secs(30))]);
    let begun = Instant::now();
    let status = run::<GreetOnce>(&greeter).await.unwrap_err();
    // tonic's own client reads `grpc-timeout`, too, and says `CANCELLED` where it is the first to act.
    assert!(
        matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled),
        "{status}"
    );
    assert!(begun.elapsed() < Duration::from_secs(5));
}

/// A call through a channel with layers, and how long it took.
async fn layered(greeter: &Greeter) -> (Result<Response<String>, Status>, Duration) {
    const TELL: Outgoing = Outgoing::new(&[Header::Grpc]);
    let channel = channel(greeter.serve().await).await.unwrap();
    let layered =
        RetryLayer::<Greet, _>::judged_by(Grpc::new()).layer(OutboundLayer::new(TELL).layer(channel));
    let begun = Instant::now();
    let answer = greet(layered, Request::new("who".to_owned())).await;
    (answer, begun.elapsed())
}

#[tokio::test]
async fn a_channel_with_layers_does_the_same_for_every_call() {
    let greeter = Greeter::new([
        fail(Code::Unavailable, None),
        fail(Code::ResourceExhausted, Some("300")),
        ok(),
    ]);
    let (answer, took) = layered(&greeter).await;
    assert_eq!(answer.unwrap().into_inner(), "hello");
    assert!(
        took >= Duration::from_millis(300),
        "the pushback is waited for: {took:?}"
    );
    assert_eq!(
        greeter.header("grpc-previous-rpc-attempts"),
        [None, Some("1".into()), Some("2".into())]
    );
    assert!(greeter.header("grpc-timeout").iter().all(Option::is_some));
    for seen in &greeter.0.lock().unwrap().seen {
        assert_eq!(seen.message, "who", "each copy has the whole message");
    }
}

#[tokio::test]
async fn through_layers_too_a_status_that_would_come_again_and_a_negative_pushback_are_final() {
    for (code, pushback) in [
        (Code::InvalidArgument, None),
        (Code::Aborted, None),
        (Code::ResourceExhausted, None),
        (Code::Unavailable, Some("-1")),
    ] {
        let greeter = Greeter::new([fail(code, pushback), ok()]);
        let (answer, _) = layered(&greeter).await;
        assert_eq!(answer.unwrap_err().code(), code);
        assert_eq!(greeter.calls(), 1, "{code:?}, {pushback:?}");
    }
}

#[tokio::test]
async fn what_is_late_is_refused_with_grpcs_own_status() {
    let greeter = Greeter::new([ok()]);
    let channel = channel(greeter.serve().await).await.unwrap();
    let mut late = Request::new("who".to_owned());
    late.metadata_mut()
        .insert("x-envoy-expected-rq-timeout-ms", "0".parse().unwrap());
    assert_eq!(
        greet(channel, late).await.unwrap_err().code(),
        Code::DeadlineExceeded
    );
    assert_eq!(greeter.calls(), 0);
}

#[tokio::test]
async fn an_interceptor_tells_what_the_scope_around_has_left() {
    let greeter = Greeter::new([ok()]);
    let channel = channel(greeter.serve().await).await.unwrap();
    let told = InterceptedService::new(channel, Tell::default());
    let inside = Scope::new().within(Duration::from_secs(2)).of_attempt(3);
    inside
        .run(greet(told.clone(), Request::new("who".to_owned())))
        .await
        .unwrap();
    {
        let seen = &greeter.0.lock().unwrap().seen[0];
        assert!(seen.left.is_some_and(|left| left <= Duration::from_secs(2)));
        assert_eq!(seen.attempt, 3);
    }
    // What is late isn't sent at all.
    let late = Scope::new().within(Duration::ZERO);
    let status = late
        .run(greet(told, Request::new("who".to_owned())))
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(greeter.calls(), 1);
}
