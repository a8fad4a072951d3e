//! Requests of a `reqwest` client, sent under a policy.
//!
//! ```
//! use retry_plan::http::Failed;
//! use retry_plan::reqwest::Client;
//! use retry_plan::retry_policy;
//!
//! retry_policy! {
//!     /// A page within five seconds.
//!     struct Fetch {
//!         type Error = Failed;
//!         deadline(5s) {
//!             retry(attempts = 3, backoff = exponential(50ms, factor = 2, max = 200ms),
//!                   retry_after = Failed::retry_after, retry_after_max = 1s) {
//!                 attempt(500ms)
//!             }
//!         }
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use axum::{Router, http::StatusCode, routing::get};
//! # use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
//! # static CALLS: AtomicU32 = AtomicU32::new(0);
//! # let page = || async {
//! #     if CALLS.fetch_add(1, Relaxed) < 2 { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK }
//! # };
//! # let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! # let url = format!("http://{}/", listener.local_addr()?);
//! # tokio::spawn(async move { axum::serve(listener, Router::new().route("/", get(page))).await });
//! let client = Client::<Fetch>::new(reqwest::Client::new());
//! let page = client.send(client.get_ref().get(url).build()?).await?;
//! assert_eq!(page.status(), 200, "after two times 503");
//! # Ok(()) }
//! ```
//!
//! HTTP's own rules hold (see [`retry_plan::http`](crate::http)): a request is repeated if its method is idempotent, it
//! brings an `Idempotency-Key`, or the policy supplies one; any other is sent once, under the policy's limits. A
//! request that the policy may repeat and whose body can't be cloned (a stream) is refused before the first try. The answer is the last
//! one that the server gave; where it never answered, the client's last error.
//!
//! A client's own `timeout` should be no shorter than the policy's `attempt`: the policy can't see that it is there.

mod client;
mod error;
#[cfg(feature = "reqwest-middleware")]
mod middleware;
mod run;

pub use client::Client;
pub use error::{Error, fault};
#[cfg(feature = "reqwest-middleware")]
pub use middleware::Middleware;
