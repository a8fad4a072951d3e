//! HTTP's own rules of retrying: which requests may be sent again, which answers ask for it, and how long to wait.
//!
//! | question | answered by |
//! |---|---|
//! | may this request be sent twice? | [`may_repeat`]: an idempotent method, or an `Idempotency-Key` |
//! | may it work later? | [`is_transient`]: seven statuses; and any failure of the transport |
//! | when? | [`retry_after`]: `Retry-After` in seconds or as a date, bounded |
//!
//! Both of the first two have to be yes. [`asks_for_another`] puts the last two together, and [`Failed`] is what a policy's
//! hooks then see. With any client, also one that nobody here knows:
//!
//! ```
//! use http::{Response, StatusCode};
//! use retry_plan::http::{Failed, asks_for_another};
//! use retry_plan::retry_policy;
//!
//! retry_policy! {
//!     struct Fetch {
//!         type Error = Failed;
//!         deadline(5s) {
//!             retry(attempts = 3, retry_after = Failed::retry_after, retry_after_max = 1s) { attempt(500ms) }
//!         }
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Failed> {
//! # let begun = tokio::time::Instant::now();
//! # let get = async |number| match number {
//! #     1 => Response::builder().status(503).header("retry-after", "1").body("").unwrap(),
//! #     _ => Response::new("here it is"),
//! # };
//! let page = Fetch::run(async |cx| {
//!     let answer = get(cx.number()).await;
//!     match asks_for_another(answer.status(), answer.headers()) {
//!         Some(failed) => Err(failed),
//!         None => Ok(answer),
//!     }
//! })
//! .await?;
//! assert_eq!(page.status(), StatusCode::OK);
//! # assert_eq!(begun.elapsed().as_secs(), 1, "it asked for a second");
//! # Ok(()) }
//! ```
//!
//! The modules `reqwest` and `tower`, behind the features of these names, do this for their clients and services.

mod failed;
mod retry_after;
mod table;

pub use failed::{Failed, Fault, asks_for_another};
pub use retry_after::{LONGEST_RETRY_AFTER, retry_after};
pub use table::{IDEMPOTENCY_KEY, is_idempotent, is_transient, may_repeat};

#[cfg(any(feature = "tower", feature = "reqwest"))]
mod key;
#[cfg(any(feature = "tower", feature = "reqwest"))]
pub(crate) use key::{keyed, set_key};
