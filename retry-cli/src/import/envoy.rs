//! An Envoy route: `num_retries` further tries with full jitter from 25 ms, at most ten times that; the route's timeout,
//! 15 s where none is set, bounds all of them.

use std::time::Duration;

use super::{Draft, Imported, time::duration, tries, two};
use crate::chain::findings::Severity;
use crate::chain::model::{Budget, Condition, Jitter};
use crate::doc::fields::{Fields, Item};
use crate::doc::{Node, Value, yaml};
use crate::fault::{Faults, Span};

/// The route's timeout where none is set.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The first wait where none is set.
const BASE: Duration = Duration::from_millis(25);

pub(crate) fn read(text: &str, faults: &Faults) -> Option<Vec<Imported>> {
    let documents = yaml::parse(text, faults)?;
    let mut found = Vec::new();
    for document in &documents {
        walk(&Item::root(document, faults), None, &mut found)?;
    }
    Some(found)
}

/// Routes lie at many depths of a configuration: every object with a `route` is one.
fn walk(item: &Item<'_>, budget: Option<Budget>, found: &mut Vec<Imported>) -> Option<()> {
    match &item.node.value {
        Value::Object(_) => {
            let mut fields = Fields::of(item)?;
            let budget = fields
                .get("cluster")
                .and_then(|cluster| retry_budget(&cluster))
                .or(budget);
            if let Some(route) = fields
                .get("route")
                .filter(|route| matches!(route.node.value, Value::Object(_)))
            {
                found.push(layer(&route, budget)?);
            }
            for entry in fields.rest() {
                walk(&child(item, &entry.key, &entry.node), budget, found)?;
            }
        }
        Value::Array(_) => {
            for item in item.items()? {
                walk(&item, budget, found)?;
            }
        }
        _ => {}
    }
    Some(())
}

fn child<'n>(item: &Item<'n>, key: &str, node: &'n Node) -> Item<'n> {
    Item {
        node,
        path: item.path.key(key),
        faults: item.faults,
    }
}

/// `circuit_breakers.thresholds[0].retry_budget` of a cluster.
fn retry_budget(cluster: &Item<'_>) -> Option<Budget> {
    let Value::Object(_) = cluster.node.value else {
        return None;
    };
    let breakers = Fields::of(cluster)?.get("circuit_breakers")?;
    let thresholds = Fields::of(&breakers)?.get("thresholds")?.items()?;
    let budget = Fields::of(thresholds.first()?)?.get("retry_budget")?;
    let mut fields = Fields::of(&budget)?;
    let percent = fields.get("budget_percent").and_then(|item| {
        let value = Fields::of(&item)?.get("value")?;
        value.float("a percentage", |x| (0.0..=100.0).contains(&x))
    });
    let floor = fields.get("min_retry_concurrency").and_then(|item| item.count(0));
    fields.finish();
    Some(Budget {
        ratio: percent.unwrap_or(20.0) / 100.0,
        burst: floor.unwrap_or(3),
    })
}

fn layer(route: &Item<'_>, budget: Option<Budget>) -> Option<Imported> {
    let mut fields = Fields::of(route)?;
    let name = fields
        .get("cluster")
        .and_then(|item| item.string().map(str::to_owned));
    let mut draft = Draft::new(name.unwrap_or_else(|| "route".to_owned()), route.node.at.clone());
    let timeout = fields.get("timeout");
    let set = timeout.as_ref().and_then(duration);
    if set.is_none() {
        draft.assume("deadline_ms");
    }
    // Zero turns the timeout off.
    draft.layer.deadline = Some(set.unwrap_or(TIMEOUT)).filter(|time| !time.is_zero());
    if let Some(policy) = fields.get("retry_policy") {
        draft.layer.budget = budget;
        retry(&policy, &mut draft);
    }
    Some(draft.done())
}

fn retry(item: &Item<'_>, draft: &mut Draft) -> Option<()> {
    let mut fields = Fields::of(item)?;
    let on = fields.get("retry_on");
    let retries = fields.get("num_retries");
    let count = if let Some(item) = &retries {
        wrapped(item).count(0).unwrap_or(0)
    } else {
        draft.assume("attempts");
        1
    };
    draft.layer.attempts = tries(count);
    let per_try = fields.get("per_try_timeout");
    draft.layer.per_try_timeout = per_try.as_ref().and_then(duration).filter(|time| !time.is_zero());
    let backoff = fields.get("retry_back_off");
    let (mut base, mut max) = (None, None);
    if let Some(backoff) = &backoff {
        let mut fields = Fields::of(backoff)?;
        base = fields.get("base_interval").and_then(|item| duration(&item));
        max = fields.get("max_interval").and_then(|item| duration(&item));
        fields.finish();
    }
    let statuses = fields.get("retriable_status_codes");
    fields.ignore(&[
        "retry_host_predicate",
        "host_selection_retry_max_attempts",
        "retry_priority",
        "retry_options_predicates",
    ]);
    fields.ignore(&[
        "retriable_headers",
        "retriable_request_headers",
        "rate_limited_retry_back_off",
    ]);
    draft.layer.respect_retry_after = fields.has("rate_limited_retry_back_off");
    fields.ignore(&["per_try_idle_timeout"]);
    fields.finish();
    backoff_of(draft, base, max);
    match on {
        Some(on) => {
            words(&on, draft);
        }
        None => draft.note(
            "IGNORED_BY_TARGET",
            Severity::High,
            Some(item.node.at.clone()),
            "without `retry_on` Envoy retries nothing",
        ),
    }
    if let Some(statuses) = statuses {
        let statuses = statuses.each(|status| match u16::try_from(status.count(100)?) {
            Ok(status) if status < 600 => Some(Condition::Status(status)),
            _ => status.expected("an HTTP status"),
        });
        draft.layer.retry_on.extend(statuses.unwrap_or_default());
    }
    limits(draft, per_try.map(|item| item.node.at.clone()));
    Some(())
}

/// `{value: 3}` or `3`.
fn wrapped<'n>(item: &Item<'n>) -> Item<'n> {
    match &item.node.value {
        Value::Object(entries) if entries.len() == 1 && entries[0].key == "value" => {
            child(item, "value", &entries[0].node)
        }
        _ => Item {
            node: item.node,
            path: item.path.clone(),
            faults: item.faults,
        },
    }
}

/// Envoy's waits: full jitter from the base, doubling, at most ten times the base.
pub(crate) fn backoff_of(draft: &mut Draft, base: Option<Duration>, max: Option<Duration>) {
    let base_in_force = base.unwrap_or(BASE);
    if base.is_none() {
        draft.assume("base_delay_ms");
    }
    if max.is_none() {
        draft.assume("max_delay_ms");
    }
    draft.assume("jitter");
    draft.layer.base_delay = base_in_force;
    draft.layer.max_delay = Some(max.unwrap_or(base_in_force.saturating_mul(10)).max(base_in_force));
    draft.layer.multiplier = two();
    draft.layer.jitter = Jitter::Full;
}

/// `retry_on`: words and statuses with commas between them.
pub(crate) fn words(on: &Item<'_>, draft: &mut Draft) -> Option<()> {
    let text = match &on.node.value {
        Value::Number(number) => number.clone(),
        _ => on.string()?.to_owned(),
    };
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let condition = match word.parse::<u16>() {
            Ok(status) if (100..600).contains(&status) => Condition::Status(status),
            Ok(_) => return on.fault(format!("{word} is no HTTP status")),
            Err(_) if word.bytes().all(|byte| byte.is_ascii_digit()) => return on.fault("no HTTP status"),
            Err(_) => Condition::Word(word.to_owned()),
        };
        draft.layer.retry_on.push(condition);
    }
    Some(())
}

/// What Envoy makes of the limits together; shared with Istio, which configures Envoy.
pub(crate) fn limits(draft: &mut Draft, per_try_at: Option<Span>) {
    let layer = &draft.layer;
    let retries = layer.retries();
    let deadline = layer.deadline.map(crate::report::words::time);
    match (layer.per_try_timeout, layer.deadline) {
        (Some(per_try), Some(limit)) if per_try >= limit => {
            let detail = format!(
                "the route's timeout of {} disables this",
                deadline.unwrap_or_default()
            );
            draft.note("IGNORED_BY_TARGET", Severity::Medium, per_try_at.clone(), detail);
            draft.layer.per_try_timeout = None;
        }
        (None, Some(_)) if retries && !draft.layer.assumed.iter().any(|key| key == "deadline_ms") => {
            let detail = format!(
                "a slow try takes the whole {}, and no retry follows",
                deadline.unwrap_or_default()
            );
            draft.note("NO_PER_TRY_TIMEOUT", Severity::High, None, detail);
        }
        _ => {}
    }
    let retries_timeouts = draft.layer.retry_on.iter().any(|condition| match condition {
        Condition::Word(word) => matches!(word.as_str(), "5xx" | "gateway-error" | "..."),
        Condition::Status(status) => *status == 504,
    });
    // A per-try timeout is answered as 504 upstream; only these words retry it.
    if retries
        && draft.layer.per_try_timeout.is_some()
        && !retries_timeouts
        && !draft.layer.retry_on.is_empty()
    {
        let detail =
            "a per-try timeout isn't retried without `gateway-error` or `5xx`: it only shortens the call";
        draft.note("TIMEOUT_NOT_RETRIED", Severity::High, per_try_at, detail);
        return;
    }
    let layer = &draft.layer;
    if let (Some(per_try), Some(limit), crate::chain::model::Attempts::Count(count)) =
        (layer.per_try_timeout, layer.deadline, layer.attempts)
        && retries
        && per_try.saturating_mul(count - 1) >= limit
    {
        let detail = format!(
            "when tries time out, the route's timeout of {} comes before try {count}",
            crate::report::words::time(limit)
        );
        draft.note("LAST_TRY_UNREACHABLE", Severity::Medium, None, detail);
    }
}
