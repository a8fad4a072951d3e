//! tonic on both sides, with a codec of plain text, so that nothing needs `protoc`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{self, HeaderMap};
use retry_plan::tonic::{Grpc, PUSHBACK, interrupted, request};
use retry_plan::tower::{InboundLayer, OutboundLayer, RetryLayer};
use retry_plan::wire::{Header, Outgoing};
use retry_plan::{Scope, SingleLeaf};
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::MetadataMap;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Code, Request, Response, Status};
use tower_layer::Layer;
use tower_service::Service;

use crate::policy::Hand;

type Three = Hand<3, 500, 4000>;

#[derive(Clone, Copy, Default)]
struct Text;

impl Codec for Text {
    type Encode = String;
    type Decode = String;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Text {
    type Item = String;
    type Error = Status;

    fn encode(&mut self, item: String, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        bytes::BufMut::put_slice(buffer, item.as_bytes());
        Ok(())
    }
}

impl Decoder for Text {
    type Item = String;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<String>, Status> {
        use bytes::Buf;
        let length = buffer.remaining();
        let bytes: Bytes = buffer.copy_to_bytes(length);
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// One answer: a status with metadata, or a text, after a while.
#[derive(Clone)]
struct Say(Result<&'static str, Status>, Duration);

fn fail(code: Code, pushback: Option<&'static str>) -> Say {
    let mut headers = HeaderMap::new();
    if let Some(pushback) = pushback {
        headers.insert(PUSHBACK, pushback.parse().unwrap());
    }
    Say(
        Err(Status::with_metadata(
            code,
            "by script",
            MetadataMap::from_headers(headers),
        )),
        Duration::ZERO,
    )
}

fn ok() -> Say {
    Say(Ok("hello"), Duration::ZERO)
}

#[derive(Clone, Default)]
struct Greeter(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    answers: VecDeque<Say>,
    seen: Vec<(HeaderMap, String, Option<Duration>)>,
}

impl Greeter {
    fn new(answers: impl IntoIterator<Item = Say>) -> Self {
        let greeter = Self::default();
        greeter.0.lock().unwrap().answers = answers.into_iter().collect();
        greeter
    }

    fn calls(&self) -> usize {
        self.0.lock().unwrap().seen.len()
    }

    fn header(&self, name: &str) -> Vec<Option<String>> {
        let seen = &self.0.lock().unwrap().seen;
        seen.iter()
            .map(|(headers, ..)| Some(headers.get(name)?.to_str().unwrap().to_owned()))
            .collect()
    }

    async fn serve(&self) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = Server::builder()
            .layer(InboundLayer::new())
            .add_service(self.clone());
        let incoming = tonic::transport::server::TcpIncoming::from(listener);
        tokio::spawn(async move { server.serve_with_incoming(incoming).await });
        address
    }
}

impl tonic::server::NamedService for Greeter {
    const NAME: &'static str = "test.Greeter";
}

impl Service<http::Request<tonic::body::Body>> for Greeter {
    type Response = http::Response<tonic::body::Body>;
    type Error = Infallible;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<tonic::body::Body>) -> Self::Future {
        let greeter = self.clone();
        Box::pin(async move { Ok(tonic::server::Grpc::new(Text).unary(greeter, request).await) })
    }
}

impl tonic::server::UnaryService<String> for Greeter {
    type Response = String;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Response<String>, Status>> + Send>>;

    fn call(&mut self, request: Request<String>) -> Self::Future {
        let greeter = self.clone();
        Box::pin(async move {
            let Say(answer, after) = {
                let mut inner = greeter.0.lock().unwrap();
                let left = Scope::current().remaining();
                let (metadata, _, message) = request.into_parts();
                inner.seen.push((metadata.into_headers(), message, left));
                if inner.answers.len() > 1 {
                    inner.answers.pop_front()
                } else {
                    inner.answers.front().cloned()
                }
            }
            .unwrap();
            tokio::time::sleep(after).await;
            answer.map(|text| Response::new(text.to_owned()))
        })
    }
}

async fn channel(address: SocketAddr) -> Channel {
    Endpoint::from_shared(format!("http://{address}"))
        .unwrap()
        .connect()
        .await
        .unwrap()
}

async fn greet<S>(service: S, request: Request<String>) -> Result<Response<String>, Status>
where
    S: tonic::client::GrpcService<tonic::body::Body>,
    S::ResponseBody: Send + 'static,
    <S::ResponseBody as tonic::transport::Body>::Error: Into<Box<dyn std::error::Error + Send + Sync>> + Send,
{
    let mut client = tonic::client::Grpc::new(service);
    client
        .ready()
        .await
        .map_err(|error| Status::from_error(error.into()))?;
    client
        .unary(
            request,
            http::uri::PathAndQuery::from_static("/test.Greeter/Greet"),
            Text,
        )
        .await
}

/// A policy around a client's call.
async fn run<P>(greeter: &Greeter) -> Result<String, Status>
where
    P: SingleLeaf<String, Status>,
{
    let channel = channel(greeter.serve().await).await;
    P::run_single(|attempt| {
        let channel = channel.clone();
        async move {
            Ok(greet(channel, request(&attempt, "who".to_owned())?)
                .await?
                .into_inner())
        }
    })
    .await
    .map_err(|failure| failure.into_error_or(interrupted))
}

#[tokio::test]
async fn unavailable_is_tried_again_and_each_attempt_tells_its_number_and_time() {
    let greeter = Greeter::new([fail(Code::Unavailable, None), fail(Code::Unavailable, None), ok()]);
    assert_eq!(run::<Three>(&greeter).await.unwrap(), "hello");
    assert_eq!(
        greeter.header("grpc-previous-rpc-attempts"),
        [None, Some("1".into()), Some("2".into())]
    );
    for (_, message, left) in &greeter.0.lock().unwrap().seen {
        assert_eq!(message, "who");
        let left = left.expect("the deadline came through");
        assert!(left <= Duration::from_millis(500), "{left:?}");
    }
}

#[tokio::test]
async fn calls_at_the_server_equal_the_plan_and_the_last_status_comes_back() {
    let greeter = Greeter::new([fail(Code::Unavailable, None)]);
    assert_eq!(
        run::<Three>(&greeter).await.unwrap_err().code(),
        Code::Unavailable
    );
    assert_eq!(greeter.calls(), 3);
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
        assert_eq!(run::<Three>(&greeter).await.unwrap_err().code(), code);
        assert_eq!(greeter.calls(), 1, "{code:?}");
    }
}

#[tokio::test]
async fn pushback_is_waited_for_and_a_negative_one_ends_it() {
    let greeter = Greeter::new([fail(Code::Unavailable, Some("300")), ok()]);
    let begun = Instant::now();
    run::<Three>(&greeter).await.unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(300));

    for never in ["-1", "soon"] {
        let greeter = Greeter::new([fail(Code::Unavailable, Some(never)), ok()]);
        assert_eq!(
            run::<Three>(&greeter).await.unwrap_err().code(),
            Code::Unavailable
        );
        assert_eq!(greeter.calls(), 1, "{never}");
    }
}

#[tokio::test]
async fn a_hung_call_ends_when_its_time_is_over() {
    let greeter = Greeter::new([Say(Ok("late"), Duration::from_secs(30))]);
    let begun = Instant::now();
    let status = run::<Hand<1, 200, 200>>(&greeter).await.unwrap_err();
    // tonic's own client reads `grpc-timeout`, too, and says `CANCELLED` where it is the first to act.
    assert!(
        matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled),
        "{status}"
    );
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_channel_with_layers_does_the_same_for_every_call() {
    const TELL: Outgoing = Outgoing::new(&[Header::Grpc]);
    let greeter = Greeter::new([
        fail(Code::Unavailable, None),
        fail(Code::Unavailable, Some("50")),
        ok(),
    ]);
    let channel = channel(greeter.serve().await).await;
    let layered =
        RetryLayer::<Three, _>::judged_by(Grpc::new()).layer(OutboundLayer::new(TELL).layer(channel));
    let answer = greet(layered, Request::new("who".to_owned())).await.unwrap();
    assert_eq!(answer.into_inner(), "hello");
    assert_eq!(
        greeter.header("grpc-previous-rpc-attempts"),
        [None, Some("1".into()), Some("2".into())]
    );
    assert!(greeter.header("grpc-timeout").iter().all(Option::is_some));
}

#[tokio::test]
async fn what_is_late_is_refused_with_grpcs_own_status() {
    let greeter = Greeter::new([ok()]);
    let channel = channel(greeter.serve().await).await;
    let mut late = Request::new("who".to_owned());
    late.metadata_mut()
        .insert("x-envoy-expected-rq-timeout-ms", "0".parse().unwrap());
    assert_eq!(
        greet(channel, late).await.unwrap_err().code(),
        Code::DeadlineExceeded
    );
    assert_eq!(greeter.calls(), 0);
}
