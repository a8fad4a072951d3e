//! gRPC by tonic under a policy: `cargo run --example grpc --features tonic`
//!
//! The server in the same process is unavailable twice, and once it says for how long. Its codec is plain text, so that
//! nothing here needs `protoc`; a generated client is used in the same way.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::task::{Context, Poll};

use bytes::{Buf, BufMut};
use http::uri::PathAndQuery;
use retry_plan::tonic::{interrupted, may_retry, pushback, request};
use retry_plan::tower::InboundLayer;
use retry_plan::{Scope, retry_policy};
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{NamedService, UnaryService};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Endpoint, Server};
use tonic::{Request, Response, Status};
use tower_service::Service;

retry_policy! {
    /// A greeting within two seconds.
    struct Greet {
        type Error = Status;
        interrupted = interrupted;
        deadline(5s) {
            retry(attempts = 3, backoff = fixed(50ms), jitter = full,
                  when = may_retry, retry_after = pushback, retry_after_max = 1s) {
                attempt(500ms)
            }
        }
    }
}

#[derive(Clone, Copy)]
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
        buffer.put_slice(item.as_bytes());
        Ok(())
    }
}

impl Decoder for Text {
    type Item = String;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<String>, Status> {
        let length = buffer.remaining();
        Ok(Some(
            String::from_utf8_lossy(&buffer.copy_to_bytes(length)).into_owned(),
        ))
    }
}

/// Fails twice.
#[derive(Clone, Default)]
struct Greeter(Arc<AtomicU32>);

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl UnaryService<String> for Greeter {
    type Response = String;
    type Future = Boxed<Result<Response<String>, Status>>;

    fn call(&mut self, request: Request<String>) -> Self::Future {
        let calls = self.0.clone();
        Box::pin(async move {
            let call = calls.fetch_add(1, Relaxed) + 1;
            let scope = Scope::current();
            println!(
                "  server: call {call}, attempt {}, {:?} left",
                scope.attempt(),
                scope.remaining()
            );
            match call {
                1 => Err(Status::unavailable("starting")),
                2 => {
                    let mut busy = Status::unavailable("busy");
                    busy.metadata_mut().insert("grpc-retry-pushback-ms", 200.into());
                    Err(busy)
                }
                _ => Ok(Response::new(format!("hello, {}", request.into_inner()))),
            }
        })
    }
}

impl NamedService for Greeter {
    const NAME: &'static str = "example.Greeter";
}

impl Service<http::Request<tonic::body::Body>> for Greeter {
    type Response = http::Response<tonic::body::Body>;
    type Error = Infallible;
    type Future = Boxed<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<tonic::body::Body>) -> Self::Future {
        let greeter = self.clone();
        Box::pin(async move { Ok(tonic::server::Grpc::new(Text).unary(greeter, request).await) })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = Server::builder()
        .layer(InboundLayer::new())
        .add_service(Greeter::default());
    tokio::spawn(async move { server.serve_with_incoming(TcpIncoming::from(listener)).await });

    let channel = Endpoint::from_shared(format!("http://{address}"))?
        .connect()
        .await?;
    println!("client: greet");
    let answer = Greet::run(async |cx| {
        let mut client = tonic::client::Grpc::new(channel.clone());
        client
            .ready()
            .await
            .map_err(|error| Status::from_error(error.into()))?;
        let path = PathAndQuery::from_static("/example.Greeter/Greet");
        client.unary(request(&cx, "world".to_owned())?, path, Text).await
    })
    .await?;
    println!("client: {}", answer.into_inner());
    Ok(())
}
