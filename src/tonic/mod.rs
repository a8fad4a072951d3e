//! gRPC by tonic: which statuses are retried, what servers push back, deadlines both ways.
//!
//! A policy around a client's call, with the status as its error. [`request`] tells the server what remains of that
//! attempt:
//!
//! ```
//! use retry_plan::retry_policy;
//! use retry_plan::tonic::{interrupted, may_retry, pushback, request};
//! use tonic::{Request, Response, Status};
//!
//! retry_policy! {
//!     /// A greeting within five seconds.
//!     struct Greet {
//!         type Error = Status;
//!         interrupted = interrupted;
//!         deadline(5s) {
//!             retry(attempts = 3, backoff = fixed(50ms), jitter = full,
//!                   when = may_retry, retry_after = pushback, retry_after_max = 1s) {
//!                 attempt(500ms)
//!             }
//!         }
//!     }
//! }
//!
//! # struct Client(std::sync::atomic::AtomicU32);
//! # impl Client {
//! #     async fn greet(&self, request: Request<String>) -> Result<Response<String>, Status> {
//! #         assert!(request.metadata().contains_key("grpc-timeout"));
//! #         match self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
//! #             0 => Err(Status::unavailable("starting")),
//! #             _ => Ok(Response::new(format!("hello, {}", request.into_inner()))),
//! #         }
//! #     }
//! # }
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Status> {
//! # let client = Client(Default::default());
//! let answer = Greet::run(async |cx| client.greet(request(&cx, "world".to_owned())?).await).await?;
//! assert_eq!(answer.into_inner(), "hello, world");
//! # Ok(()) }
//! ```
//!
//! `cargo run --example grpc --features tonic` runs this against a server on loopback.
//!
//! Or as layers around a channel, for every call of a generated client; on the server's side an
//! [`InboundLayer`](crate::tower::InboundLayer) puts the caller's deadline around the handlers:
//!
//! ```
//! # use retry_plan::retry_policy;
//! # use retry_plan::tonic::{interrupted, may_retry, pushback};
//! # use tower::ServiceBuilder;
//! # use tonic::Status;
//! # retry_policy! { struct Greet {
//! #     type Error = Status;
//! #     interrupted = interrupted;
//! #     retry(attempts = 3, when = may_retry, retry_after = pushback, retry_after_max = 1s) { attempt(500ms) }
//! # } }
//! use retry_plan::tonic::Grpc;
//! use retry_plan::tower::{InboundLayer, OutboundLayer, RetryLayer};
//! use retry_plan::wire::{Header, Outgoing};
//! use tonic::transport::{Endpoint, Server};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let channel = ServiceBuilder::new()
//!     .layer(RetryLayer::<Greet, _>::judged_by(Grpc::new()))
//!     .layer(OutboundLayer::new(Outgoing::new(&[Header::Grpc])))
//!     .service(Endpoint::from_static("http://localhost:50051").connect_lazy());
//! // GreeterClient::new(channel)
//! let server = Server::builder().layer(InboundLayer::new());
//! # let _ = (channel, server);
//! # }
//! ```

mod client;
mod judge;
mod status;

pub use client::{Tell, request};
pub use judge::Grpc;
pub use status::{PUSHBACK, Pushback, interrupted, is_transient, may_retry, pushback};
