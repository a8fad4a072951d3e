//! Runs as spans, decisions as events.
//!
//! One span per run, at `INFO`, named `retry`, which the operation's own events are inside of. One event per decision
//! (a wait, a hedge, a refusal, a failed attempt) at `DEBUG`: a failed attempt that is retried is no news, so nothing
//! about a single attempt is louder than that. The outcome of the whole run is one event at `INFO`, whatever it is: what
//! level a failure deserves is for the caller to say, who gets the error.
//!
//! | field | where | what |
//! |---|---|---|
//! | `retry.policy` | span | the policy's name |
//! | `retry.attempts` | span, outcome | attempts started, in all leaves and copies |
//! | `retry.outcome` | span, outcome | `success` or the stop's name |
//! | `retry.elapsed_ms` | outcome | whole milliseconds since something was first pending |
//! | `retry.leaf`, `retry.attempt`, `retry.copy` | attempts | which one |
//! | `retry.end`, `error.type` | a failed attempt | how it ended, and the type of the operation's error |
//! | `retry.wait_ms`, `retry.hinted` | a wait | its length, and whether a server asked for it |
//! | `retry.stop` | a refusal | why |

use core::time::Duration;

use tracing::field::Empty;
use tracing::level_filters::LevelFilter;
use tracing::{Span, debug, info, info_span};

use super::Event;
use crate::{End, Stop};

pub(super) fn tell(policy: &'static str, event: &Event<'_>) {
    match *event {
        // The span says that a run began, and its outcome that an attempt succeeded.
        Event::Begin
        | Event::End {
            end: End::Success, ..
        } => {}
        Event::Start { leaf, attempt } => debug!(
            retry.policy = policy,
            retry.leaf = leaf,
            retry.attempt = attempt.number(),
            retry.copy = attempt.copy(),
            "attempt starts"
        ),
        Event::End {
            leaf,
            attempt,
            end,
            error,
        } => debug!(
            retry.policy = policy,
            retry.leaf = leaf,
            retry.attempt = attempt.number(),
            retry.copy = attempt.copy(),
            retry.end = end.name(),
            error.r#type = error,
            "attempt failed"
        ),
        Event::Wait {
            attempt,
            wait,
            hinted,
        } => debug!(
            retry.policy = policy,
            retry.attempt = attempt,
            retry.wait_ms = millis(wait),
            retry.hinted = hinted,
            "waiting"
        ),
        Event::Hedge { copy, after_failure } => debug!(
            retry.policy = policy,
            retry.copy = copy,
            retry.after_failure = after_failure,
            "another copy"
        ),
        Event::Win { place } => debug!(retry.policy = policy, retry.place = place, "won"),
        Event::Refusal { attempts, stop } => debug!(
            retry.policy = policy,
            retry.attempts = attempts,
            retry.stop = stop.name(),
            "refused"
        ),
        Event::Stop {
            stop,
            attempts,
            elapsed,
        } => {
            let outcome = stop.map_or("success", Stop::name);
            Span::current()
                .record("retry.attempts", attempts)
                .record("retry.outcome", outcome);
            info!(
                retry.policy = policy,
                retry.attempts = attempts,
                retry.outcome = outcome,
                retry.elapsed_ms = millis(elapsed),
                "run ended"
            );
        }
    }
}

/// Whether a subscriber takes anything that a run tells.
#[inline]
pub(super) fn somebody() -> bool {
    LevelFilter::current() >= LevelFilter::INFO
}

/// The span of a run.
pub(crate) fn span(policy: &'static str) -> Span {
    info_span!(
        "retry",
        retry.policy = policy,
        retry.attempts = Empty,
        retry.outcome = Empty
    )
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
