//! Requests of a `reqwest` client, sent under a policy.
//!
//! ```no_run
//! use retry_plan::reqwest::Client;
//! # use retry_plan::{SingleLeaf, http::Failed};
//! # async fn fetch<Fetch>() -> Result<(), Box<dyn std::error::Error>>
//! # where Fetch: SingleLeaf<Result<reqwest::Response, reqwest::Error>, Failed> {
//! // retry_policy! { struct Fetch { type Error = Failed; … } }
//! let client = Client::<Fetch>::new(reqwest::Client::new());
//! let page = client.send(client.get_ref().get("http://localhost/").build()?).await?;
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
