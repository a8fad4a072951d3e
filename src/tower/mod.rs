//! Layers: a policy around a service, and deadlines from and to other processes.
//!
//! | layer | side | what it does |
//! |---|---|---|
//! | [`RetryLayer`] | client | runs any policy with one leaf around each call |
//! | [`OutboundLayer`] | client, inside of it | writes what remains of the attempt into the request |
//! | [`InboundLayer`] | server | puts the caller's deadline and attempt around the handler, and refuses what is late |
//!
//! They stand in a stack like any other layer:
//!
//! ```
//! use std::time::Duration;
//! use http::{Request, Response, StatusCode};
//! use retry_plan::http::Failed;
//! use retry_plan::retry_policy;
//! use retry_plan::tower::{InboundLayer, OutboundLayer, RetryLayer};
//! use retry_plan::wire::{Header, Outgoing};
//! use tower::{ServiceBuilder, ServiceExt};
//!
//! retry_policy! {
//!     struct Fetch {
//!         type Error = Failed;
//!         retry(attempts = 3, backoff = fixed(10ms), jitter = full) { attempt(500ms) }
//!     }
//! }
//!
//! const TELL: Outgoing = Outgoing::new(&[Header::Envoy]).margin(Duration::from_millis(5));
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A server, in the same process here: unavailable until it is asked a third time.
//! let server = ServiceBuilder::new().layer(InboundLayer::new()).service_fn(async |_: Request<String>| {
//!     let scope = retry_plan::Scope::current();
//!     assert!(scope.remaining().is_some_and(|left| left <= Duration::from_millis(495)));
//!     let status = if scope.attempt() < 3 { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
//!     Response::builder().status(status).body(String::new())
//! });
//! let client = ServiceBuilder::new()
//!     .layer(RetryLayer::<Fetch>::http())
//!     .layer(OutboundLayer::new(TELL))
//!     .service(server);
//! let answer = client.oneshot(Request::get("/").body(String::new())?).await?;
//! assert_eq!(answer.status(), StatusCode::OK);
//! # Ok(()) }
//! ```
//!
//! `cargo run --example tower_client --features tower` does it with hyper's client over a socket.

mod client;
mod error;
mod inbound;
mod lock;
mod outbound;
mod recording;

#[cfg(feature = "tonic")]
pub(crate) use client::record;
pub use client::{Answers, Http, Judge, Prepared, Recorded, Retry, RetryLayer, Template};
pub use error::Error;
pub use inbound::{Inbound, InboundFuture, InboundLayer};
pub use outbound::{Outbound, OutboundFuture, OutboundLayer};
pub use recording::{Chained, Recordable, record_ready};

use std::future::Future;
use std::pin::Pin;

/// The future of a run: a policy's own future has no name.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
