//! Temporal activity options: `maximumAttempts` of zero is unlimited, waits double from one second up to a hundred times
//! the first, without jitter.

use std::time::Duration;

use super::{Draft, Imported, time::duration, two};
use crate::chain::findings::Severity;
use crate::chain::model::Attempts;
use crate::doc::fields::{Fields, Item};
use crate::doc::json;
use crate::fault::Faults;

pub(crate) fn read(text: &str, faults: &Faults) -> Option<Vec<Imported>> {
    let node = json::parse(text, faults)?;
    let item = Item::root(&node, faults);
    let mut fields = Fields::of(&item)?;
    let name = fields.get("activityType").and_then(|item| item.string());
    let mut draft = Draft::new(name.unwrap_or("activity"), node.at.clone());
    let mut time = |key| {
        fields
            .get(key)
            .and_then(|item| duration(&item))
            .filter(|time| !time.is_zero())
    };
    draft.layer.per_try_timeout = time("startToCloseTimeout");
    draft.layer.deadline = time("scheduleToCloseTimeout");
    fields.ignore(&[
        "scheduleToStartTimeout",
        "heartbeatTimeout",
        "taskQueue",
        "activityId",
        "cancellationType",
    ]);
    match fields.get("retryPolicy") {
        Some(policy) => {
            retry(&policy, &mut draft);
        }
        None => defaults(&mut draft, None, None, None, None),
    }
    fields.finish();
    if draft.layer.per_try_timeout.is_none() && draft.layer.deadline.is_some() {
        // One of the two must be set, and the other one stands in for it.
        draft.layer.per_try_timeout = draft.layer.deadline;
        draft.assume("per_try_timeout_ms");
    }
    if draft.layer.per_try_timeout.is_none() && draft.layer.deadline.is_none() {
        let detail = "Temporal refuses an activity without startToCloseTimeout and scheduleToCloseTimeout";
        draft.note("REFUSED_BY_TARGET", Severity::High, None, detail);
    }
    Some(vec![draft.done()])
}

fn retry(item: &Item<'_>, draft: &mut Draft) -> Option<()> {
    let mut fields = Fields::of(item)?;
    let initial = fields.get("initialInterval").and_then(|item| duration(&item));
    let coefficient = fields.get("backoffCoefficient").and_then(|item| item.factor());
    let cap = fields.get("maximumInterval");
    let max = cap.as_ref().and_then(duration).filter(|time| !time.is_zero());
    let attempts = fields.get("maximumAttempts").and_then(|item| item.count(0));
    fields.ignore(&["nonRetryableErrorTypes"]);
    fields.finish();
    if let (Some(cap), Some(max)) = (cap, max)
        && max < initial.unwrap_or(Duration::from_secs(1))
    {
        let detail = "Temporal refuses a maximumInterval below the initialInterval";
        draft.note(
            "REFUSED_BY_TARGET",
            Severity::High,
            Some(cap.node.at.clone()),
            detail,
        );
    }
    defaults(draft, initial, coefficient, max, attempts);
    Some(())
}

fn defaults(
    draft: &mut Draft,
    initial: Option<Duration>,
    coefficient: Option<retry_planner::Factor>,
    max: Option<Duration>,
    attempts: Option<u32>,
) {
    for (key, missing) in [
        ("base_delay_ms", initial.is_none()),
        ("multiplier", coefficient.is_none()),
        ("max_delay_ms", max.is_none()),
        ("attempts", attempts.is_none()),
    ] {
        if missing {
            draft.assume(key);
        }
    }
    let initial = initial.unwrap_or(Duration::from_secs(1));
    draft.layer.base_delay = initial;
    draft.layer.multiplier = coefficient.unwrap_or_else(two);
    draft.layer.max_delay = Some(max.unwrap_or(initial.saturating_mul(100)).max(initial));
    draft.layer.attempts = match attempts.unwrap_or(0) {
        0 => Attempts::Unlimited,
        count => Attempts::Count(count),
    };
}
