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
//! use retry_plan::tower::{Http, InboundLayer, OutboundLayer, RetryLayer};
//! use retry_plan::wire::{Header, Outgoing};
//! # use retry_plan::SingleLeaf;
//! # fn stack<Charge, S, R>(client: S) -> impl tower_service::Service<R>
//! # where OutboundRetry<Charge, S>: tower_service::Service<R> {
//! use tower_layer::Layer;
//!
//! const TELL: Outgoing = Outgoing::new(&[Header::Envoy]).margin(Duration::from_millis(5));
//!
//! RetryLayer::<Charge>::http().layer(OutboundLayer::new(TELL).layer(client))
//! # }
//! # type OutboundRetry<P, S> = retry_plan::tower::Retry<P, Http, retry_plan::tower::Outbound<S>>;
//! ```

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
