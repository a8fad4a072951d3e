//! A unary gRPC method whose codec is plain text, so that nothing needs `protoc`; generated code is used in the same way.

use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, BufMut};
use http::uri::PathAndQuery;
use retry_plan::tower::InboundLayer;
use tonic::body::Body;
use tonic::client::GrpcService;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{NamedService, UnaryService};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};
use tower_service::Service;

/// Serves the method on a free port of loopback, in the scopes of its callers.
pub(crate) async fn serve<H, F>(handler: H) -> std::io::Result<SocketAddr>
where
    H: Fn(Request<String>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Response<String>, Status>> + Send + 'static,
{
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = Server::builder()
        .layer(InboundLayer::new())
        .add_service(Greeter(handler));
    tokio::spawn(async move { server.serve_with_incoming(TcpIncoming::from(listener)).await });
    Ok(address)
}

/// A connection to what [`serve`] serves.
pub(crate) async fn channel(address: SocketAddr) -> Result<Channel, tonic::transport::Error> {
    Endpoint::from_shared(format!("http://{address}"))?
        .connect()
        .await
}

/// Calls the method.
pub(crate) async fn greet<S>(service: S, request: Request<String>) -> Result<Response<String>, Status>
where
    S: GrpcService<Body>,
    S::ResponseBody: Send + 'static,
    <S::ResponseBody as tonic::transport::Body>::Error: Into<Box<dyn Error + Send + Sync>> + Send,
{
    let mut client = tonic::client::Grpc::new(service);
    client
        .ready()
        .await
        .map_err(|error| Status::from_error(error.into()))?;
    client
        .unary(request, PathAndQuery::from_static("/text.Greeter/Greet"), Text)
        .await
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

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

#[derive(Clone)]
struct Greeter<H>(H);

impl<H> NamedService for Greeter<H> {
    const NAME: &'static str = "text.Greeter";
}

impl<H, F> UnaryService<String> for Greeter<H>
where
    H: Fn(Request<String>) -> F,
    F: Future<Output = Result<Response<String>, Status>> + Send + 'static,
{
    type Response = String;
    type Future = Boxed<Result<Response<String>, Status>>;

    fn call(&mut self, request: Request<String>) -> Self::Future {
        Box::pin((self.0)(request))
    }
}

impl<H, F> Service<http::Request<Body>> for Greeter<H>
where
    H: Fn(Request<String>) -> F + Clone + Send + 'static,
    F: Future<Output = Result<Response<String>, Status>> + Send + 'static,
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Boxed<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let greeter = self.clone();
        Box::pin(async move { Ok(tonic::server::Grpc::new(Text).unary(greeter, request).await) })
    }
}
