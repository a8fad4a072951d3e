//! A policy around a service.
//!
//! A request goes through three rooms: its [`Judge`] makes it ready to be sent more than once, if that is safe at all; the
//! [`Retry`] service runs the policy, with a copy and a ready service for each attempt; the judge says of each answer
//! whether it asks for another attempt. The last answer is kept, so that what comes out is always one that the service
//! gave, unless it never gave any.

mod answers;
mod http;
mod judge;
mod service;
mod shape;

pub use answers::Answers;
#[cfg(feature = "tonic")]
pub(crate) use http::record;
pub use http::{Http, Recorded};
pub use judge::{Judge, Prepared, Template};
pub use service::{Retry, RetryLayer};
