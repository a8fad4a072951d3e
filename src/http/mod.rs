//! HTTP's own rules of retrying: which requests may be sent again, which answers ask for it, and how long to wait.
//!
//! | question | answered by |
//! |---|---|
//! | may this request be sent twice? | [`may_repeat`]: an idempotent method, or an `Idempotency-Key` |
//! | may it work later? | [`is_transient`]: seven statuses; and any failure of the transport |
//! | when? | [`retry_after`]: `Retry-After` in seconds or as a date, bounded |
//!
//! Both of the first two have to be yes. [`asks_for_another`] puts them together, and [`Failed`] is what a policy's hooks
//! then see:
//!
//! ```
//! use retry_plan::http::Failed;
//!
//! # fn hooks() -> (fn(&Failed) -> Option<std::time::Duration>, fn(retry_plan::Interrupted) -> Failed) {
//! // type Error = Failed;
//! // retry(attempts = 3, retry_after = Failed::retry_after, retry_after_max = 5s) { … }
//! (Failed::retry_after, Failed::from)
//! # }
//! ```

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
