//! A gRPC service config (gRFC A6): `timeout` bounds all attempts together, attempts are clamped to five, waits are drawn
//! from ±20 % around the backoff.

use super::{Draft, Imported, fifth, time::duration};
use crate::chain::findings::Severity;
use crate::chain::model::{Attempts, Budget, Condition, Jitter};
use crate::doc::Value;
use crate::doc::fields::{Fields, Item};
use crate::doc::json;
use crate::fault::Faults;

/// What clients make of more attempts.
const CLAMP: u32 = 5;

pub(crate) fn read(text: &str, faults: &Faults) -> Option<Vec<Imported>> {
    let node = json::parse(text, faults)?;
    let mut top = Fields::of(&Item::root(&node, faults))?;
    let budget = top.get("retryThrottling").and_then(|item| throttling(&item));
    let methods = top.require("methodConfig");
    top.ignore(&["loadBalancingPolicy", "loadBalancingConfig", "healthCheckConfig"]);
    top.finish();
    let mut index = 0;
    methods?.each(|method| {
        index += 1;
        layer(index, method, budget)
    })
}

/// Throttling stops retries at half of the tokens; a success brings back `tokenRatio` of one.
fn throttling(item: &Item<'_>) -> Option<Budget> {
    let mut fields = Fields::of(item)?;
    let tokens = fields.require("maxTokens").and_then(|item| item.count(1));
    let ratio = fields
        .require("tokenRatio")
        .and_then(|item| item.float("a number above 0", |x| x.is_finite() && x > 0.0));
    fields.finish();
    Some(Budget {
        ratio: ratio?,
        burst: tokens? / 2,
    })
}

fn layer(index: usize, item: &Item<'_>, budget: Option<Budget>) -> Option<Imported> {
    let mut fields = Fields::of(item)?;
    let name = fields.get("name").and_then(|item| name(&item));
    let mut draft = Draft::new(
        name.unwrap_or_else(|| format!("method {index}")),
        item.node.at.clone(),
    );
    let timeout = fields.get("timeout");
    draft.layer.deadline = timeout.as_ref().and_then(duration).filter(|time| !time.is_zero());
    fields.ignore(&[
        "waitForReady",
        "maxRequestMessageBytes",
        "maxResponseMessageBytes",
    ]);
    let hedging = fields.get("hedgingPolicy");
    if let Some(hedging) = &hedging {
        draft.note(
            "IGNORED_BY_TARGET",
            Severity::Medium,
            Some(hedging.node.at.clone()),
            "most gRPC clients have no hedging and send one request",
        );
    }
    if let Some(policy) = fields.get("retryPolicy") {
        draft.layer.budget = budget;
        retry(&policy, &mut draft);
    }
    fields.finish();
    if draft.layer.deadline.is_none() {
        let detail = "no `timeout`: nothing bounds the call, unless each caller sets a deadline";
        draft.note("NO_TIMEOUT", Severity::Medium, None, detail);
    }
    Some(draft.done())
}

fn name(item: &Item<'_>) -> Option<String> {
    let first = item.items()?.into_iter().next()?;
    let mut fields = Fields::of(&first)?;
    let part =
        |fields: &mut Fields<'_>, key| fields.get(key).and_then(|item| item.string().map(str::to_owned));
    let service = part(&mut fields, "service").unwrap_or_default();
    let method = part(&mut fields, "method");
    fields.finish();
    Some(method.map_or_else(|| service.clone(), |method| format!("{service}/{method}")))
}

fn retry(item: &Item<'_>, draft: &mut Draft) -> Option<()> {
    let mut fields = Fields::of(item)?;
    let attempts = fields.require("maxAttempts");
    let count = attempts.as_ref().and_then(|item| item.count(2));
    let initial = fields.require("initialBackoff").and_then(|item| duration(&item));
    let max = fields.require("maxBackoff").and_then(|item| duration(&item));
    let multiplier = fields.require("backoffMultiplier").and_then(|item| item.factor());
    let codes = fields.require("retryableStatusCodes");
    let recv = fields.get_or_null("perAttemptRecvTimeout");
    fields.finish();
    if let (Some(attempts), Some(count)) = (attempts, count) {
        if count > CLAMP {
            let detail = format!("gRPC makes {CLAMP} attempts of these {count}");
            draft.note(
                "CLAMPED",
                Severity::Medium,
                Some(attempts.node.at.clone()),
                detail,
            );
        }
        draft.layer.attempts = Attempts::Count(count.min(CLAMP));
    }
    draft.layer.per_try_timeout = recv.as_ref().and_then(duration).filter(|time| !time.is_zero());
    if let (Some(initial), Some(max)) = (initial, max) {
        draft.layer.base_delay = initial.min(max);
        draft.layer.max_delay = Some(max);
    }
    draft.layer.multiplier = multiplier.unwrap_or(draft.layer.multiplier);
    draft.layer.jitter = Jitter::PlusMinus(fifth());
    draft.assume("jitter");
    // Clients obey `grpc-retry-pushback-ms`, however long.
    draft.layer.respect_retry_after = true;
    draft.assume("respect_retry_after");
    codes?.each(|code| retried(code, draft))?;
    Some(())
}

/// A code that is retried, by its name or its number.
fn retried(code: &Item<'_>, draft: &mut Draft) -> Option<()> {
    let word = match &code.node.value {
        Value::Number(number) => format!("code {number}"),
        _ => code.string()?.to_owned(),
    };
    if word == "DEADLINE_EXCEEDED" && draft.layer.per_try_timeout.is_none() {
        let detail = "`timeout` covers all attempts, so after a client's own DEADLINE_EXCEEDED no time is left to retry";
        draft.note(
            "UNREACHABLE_RETRY",
            Severity::High,
            Some(code.node.at.clone()),
            detail,
        );
    }
    draft.layer.retry_on.push(Condition::Word(word));
    Some(())
}
