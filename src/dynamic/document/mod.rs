//! Policies as documents: what serde reads from JSON, TOML or YAML, in the words of the language.
//!
//! ```yaml
//! version: 1
//! name: Charge
//! policy:
//!   deadline:
//!     time: 2s
//!     retry:
//!       attempts: 3
//!       backoff: exponential(100ms, factor = 2, max = 1s)
//!       jitter: full
//!       when: is_transient
//!       budget: PAYMENTS
//!       attempt: 500ms
//! ```
//!
//! | field | what it holds |
//! |---|---|
//! | `version` | `1`; a document of another version is refused |
//! | `name` | what errors call the policy; `policy` where it is left out |
//! | `policy` | one node, and levels of the whole policy |
//! | `policies` | by name, what `call: Name` calls |
//!
//! A *node* is the field of its word. What it holds are its arguments, by their names in the language, and the one node
//! inside of it:
//!
//! | node | arguments |
//! |---|---|
//! | `attempt` | `time` (its bound), `takes`, `idempotent`, `idempotency_key: true`; `attempt: 500ms` is short for `time` alone, `attempt: {}` has none |
//! | `timeout`, `deadline` | `time` |
//! | `retry` | `attempts`, `backoff`, `jitter`, `budget`, `when`, `until`, `timeouts`, `retry_after`, `retry_after_max`, `on_retry` |
//! | `hedge` | `after`, `copies`, `budget` |
//! | `allowance` | `budget`, `limit` |
//! | `call` | `call: Name` |
//! | `series`, `parallel`, `fallback`, `race` | a list of nodes, each with its `name` beside it; or `of: [..]`, where levels stand beside the list |
//!
//! Values are those of the language, as texts (`800ms`, `..=3`, `exponential(100ms, max = 1s)`), numbers or truth values. In any node,
//! `allow`, `warn`, `deny` and `expect` hold the names of findings. Unknown fields are refused, and everything that is
//! wrong is told at once, with its place: `policy.deadline.retry.attempts`, `policy.series[1].hedge`.
//!
//! `value` is what serde reads, `lines` writes it as policy text and keeps where each line came from, `fields` is the way back
//! from a tree.

mod fields;
mod lines;
mod value;

use retry_planner::{Level, Lint, Policy};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::read::{self, Read};
use super::refused::{Fault, Place};
use value::Value;

/// A policy as a document; its shape stands in the module of this feature.
///
/// It is read from whatever serde reads, and holds anything until a [`Loader`](super::Loader) loads it:
///
/// ```
/// use retry_plan::dynamic::{Document, Loader};
///
/// let document: Document = serde_json::from_str(r#"{
///     "version": 1,
///     "policy": { "timeout": { "time": "1s", "retry": { "atempts": 3, "attempt": "500ms" } } }
/// }"#).unwrap();
/// let refused = Loader::<(), std::io::Error>::new().document(&document).unwrap_err();
/// assert!(refused.to_string().starts_with("policy.timeout.retry.atempts: error: "), "{refused}");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Document(Value);

impl Document {
    /// The document of a tree. Code that a tree only knows to be there is called `_`.
    #[must_use]
    pub fn of(policy: &Policy<'_>) -> Self {
        Self(fields::document(policy))
    }

    pub(super) fn read(&self, levels: &[(Lint, Level)]) -> Result<Read, Vec<Fault>> {
        let written = lines::written(&self.0)?;
        let place = |line: usize| {
            let path = written.paths.get(line.saturating_sub(1));
            Place::Document(path.cloned().unwrap_or_else(|| "policy".to_owned()))
        };
        read::lines(&written.text, &written.name, levels, place)
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self)
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
