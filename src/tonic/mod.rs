//! gRPC by tonic: which statuses are retried, what servers push back, deadlines both ways.
//!
//! A policy around a client's call, with the status as its error:
//!
//! ```ignore
//! retry_policy! {
//!     pub struct Say {
//!         type Error = tonic::Status;
//!         interrupted = retry_plan::tonic::interrupted;
//!         deadline(2s) {
//!             retry(attempts = 3, when = retry_plan::tonic::may_retry,
//!                   retry_after = retry_plan::tonic::pushback, retry_after_max = 1s) {
//!                 attempt(500ms)
//!             }
//!         }
//!     }
//! }
//! let answer = Say::run(async |cx| {
//!     client.clone().say(retry_plan::tonic::request(&cx, Words { .. })?).await
//! }).await?;
//! ```
//!
//! Or as layers around a channel: [`RetryLayer::judged_by(Grpc::new())`](crate::tower::RetryLayer::judged_by) with an
//! [`OutboundLayer`](crate::tower::OutboundLayer) inside; on the server's side an
//! [`InboundLayer`](crate::tower::InboundLayer).

mod client;
mod judge;
mod status;

pub use client::{Tell, request};
pub use judge::Grpc;
pub use status::{PUSHBACK, Pushback, interrupted, is_transient, may_retry, pushback};
