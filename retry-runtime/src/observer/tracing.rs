//! Runs as spans, decisions as events: the fields are told in the module above.

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
