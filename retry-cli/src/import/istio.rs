//! An Istio `VirtualService`: `retries.attempts` counts further tries, so `attempts: 2` is three requests; the rest is
//! Envoy's.

use super::{Draft, Imported, envoy, time::duration, tries};
use crate::chain::findings::Severity;
use crate::chain::model::Condition;
use crate::doc::fields::{Fields, Item};
use crate::doc::{Value, yaml};
use crate::fault::Faults;

/// What Istio retries where nothing is said.
const RETRY_ON: [&str; 6] = [
    "connect-failure",
    "refused-stream",
    "unavailable",
    "cancelled",
    "retriable-status-codes",
    "reset-before-request",
];

pub(crate) fn read(text: &str, faults: &Faults) -> Option<Vec<Imported>> {
    let documents = yaml::parse(text, faults)?;
    let mut found = Vec::new();
    for document in &documents {
        let item = Item::root(document, faults);
        if document.value == Value::Null {
            continue;
        }
        let mut top = Fields::of(&item)?;
        let service = top
            .get("kind")
            .and_then(|kind| kind.string().map(|kind| kind == "VirtualService"));
        if service == Some(false) {
            continue;
        }
        let spec = top.require("spec")?;
        let mut spec = Fields::of(&spec)?;
        let host = spec
            .get("hosts")
            .and_then(|hosts| hosts.items()?.first()?.string().map(str::to_owned));
        let host = host.unwrap_or_else(|| "virtual service".to_owned());
        let routes = spec.get("http").map_or(Some(Vec::new()), |http| http.items())?;
        for (index, route) in routes.iter().enumerate() {
            let number = index + 1;
            let name = if routes.len() == 1 {
                host.clone()
            } else {
                format!("{host}/{number}")
            };
            found.push(layer(name, route)?);
        }
    }
    Some(found)
}

fn layer(name: String, route: &Item<'_>) -> Option<Imported> {
    let mut fields = Fields::of(route)?;
    let name = fields
        .get("name")
        .and_then(|item| item.string().map(str::to_owned))
        .unwrap_or(name);
    let mut draft = Draft::new(name, route.node.at.clone());
    let timeout = fields.get("timeout");
    draft.layer.deadline = timeout.as_ref().and_then(duration).filter(|time| !time.is_zero());
    let retries = fields.get("retries");
    let (mut per_try_at, mut per_try_set) = (None, false);
    if let Some(retries) = &retries {
        let mut fields = Fields::of(retries)?;
        let count = if let Some(item) = fields.get("attempts") {
            item.count(0).unwrap_or(0)
        } else {
            draft.assume("attempts");
            2
        };
        draft.layer.attempts = tries(count);
        let per_try = fields.get("perTryTimeout");
        per_try_at = per_try.as_ref().map(|item| item.node.at.clone());
        per_try_set = per_try.is_some();
        draft.layer.per_try_timeout = per_try.as_ref().and_then(duration).filter(|time| !time.is_zero());
        let base = fields.get("backoff").and_then(|item| duration(&item));
        envoy::backoff_of(&mut draft, base, None);
        match fields.get("retryOn") {
            Some(on) => {
                envoy::words(&on, &mut draft);
            }
            None => default_words(&mut draft),
        }
        fields.ignore(&["retryRemoteLocalities", "retryIgnorePreviousHosts"]);
        fields.finish();
    } else {
        draft.assume("attempts");
        draft.layer.attempts = tries(2);
        envoy::backoff_of(&mut draft, None, None);
        default_words(&mut draft);
    }
    if let Some(fault) = fields.get("fault") {
        let detail = "a route with a fault has neither timeout nor retries";
        draft.note(
            "IGNORED_BY_TARGET",
            Severity::Medium,
            Some(fault.node.at.clone()),
            detail,
        );
        draft.layer.attempts = tries(0);
        draft.layer.deadline = None;
        draft.layer.per_try_timeout = None;
        return Some(draft.done());
    }
    if retries.is_some() {
        if per_try_set && draft.layer.deadline.is_none() {
            let detail = "Envoy before 1.13 ignores this where the route has no `timeout`";
            draft.note("VERSION_DEPENDENT", Severity::Medium, per_try_at.clone(), detail);
        }
        envoy::limits(&mut draft, per_try_at);
    }
    Some(draft.done())
}

fn default_words(draft: &mut Draft) {
    draft.assume("retry_on");
    draft.layer.retry_on = RETRY_ON
        .iter()
        .map(|word| Condition::Word((*word).to_owned()))
        .collect();
}
