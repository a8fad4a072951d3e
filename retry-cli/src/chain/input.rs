//! A chain file to a [`Chain`]: every fault with its path, and no key dropped silently.

use retry_planner::Factor;

use super::model::{Attempts, Budget, Chain, Condition, Hedge, Jitter, Layer};
use crate::doc::decimal::Decimal;
use crate::doc::fields::{Fields, Item, nearest};
use crate::doc::{Value, json};
use crate::fault::{Faults, Span};

/// More layers than this are refused; no request crosses so many services.
pub const MAX_LAYERS: usize = 100;

/// What holds where a chain file says nothing.
pub const FAILURE_RATE: f64 = 0.2;
/// What holds where a chain file says nothing.
pub const MAX_AMPLIFICATION: f64 = 10.0;

/// Reads a chain file. `Some` only where nothing is wrong.
pub fn read(text: &str, faults: &Faults) -> Option<Chain> {
    read_placed(text, faults).map(|(chain, _)| chain)
}

/// As [`read`], with the place of each layer in the text.
pub fn read_placed(text: &str, faults: &Faults) -> Option<(Chain, Vec<Span>)> {
    let node = json::parse(text, faults)?;
    let item = Item::root(&node, faults);
    let chain = chain(&item).filter(|_| faults.is_empty())?;
    let layers = Fields::of(&item)?.get("layers")?.items()?;
    Some((chain, layers.iter().map(|layer| layer.node.at.clone()).collect()))
}

/// Whether `rate` can be a failure rate.
#[must_use]
pub fn is_rate(rate: f64) -> bool {
    (0.0..=1.0).contains(&rate)
}

/// Whether `limit` can be a limit of amplification: one call causes one call at least.
#[must_use]
pub fn is_amplification(limit: f64) -> bool {
    limit.is_finite() && limit >= 1.0
}

fn chain(item: &Item<'_>) -> Option<Chain> {
    let mut fields = Fields::of(item)?;
    let name = fields.get("name").and_then(|item| item.string());
    let failure_rate = fields
        .get("failure_rate")
        .and_then(|item| item.float("a number from 0 to 1", is_rate));
    let max_amplification = fields
        .get("max_amplification")
        .and_then(|item| item.float("a number of at least 1", is_amplification));
    let layers = fields.require("layers").and_then(|item| layers(&item));
    fields.finish();
    Some(Chain {
        name: name.unwrap_or("unnamed chain").to_owned(),
        failure_rate: failure_rate.unwrap_or(FAILURE_RATE),
        max_amplification: max_amplification.unwrap_or(MAX_AMPLIFICATION),
        layers: layers?,
    })
}

fn layers(item: &Item<'_>) -> Option<Vec<Layer>> {
    let items = item.items()?;
    if items.is_empty() {
        return item.fault("a chain has at least one layer");
    }
    if items.len() > MAX_LAYERS {
        return item.fault(format!(
            "a chain of {} layers; at most {MAX_LAYERS} are read",
            items.len()
        ));
    }
    let mut index = 0;
    item.each(|item| {
        index += 1;
        layer(index, item)
    })
}

fn layer(index: usize, item: &Item<'_>) -> Option<Layer> {
    let mut fields = Fields::of(item)?;
    let name = fields.get("name").and_then(|item| item.string());
    let mut layer = Layer::new(name.map_or_else(|| format!("layer {index}"), str::to_owned));
    set(&mut layer.attempts, fields.get("attempts"), attempts);
    set(&mut layer.base_delay, fields.get("base_delay_ms"), Item::millis);
    set(&mut layer.multiplier, fields.get("multiplier"), Item::factor);
    let cap = fields.get_or_null("max_delay_ms");
    layer.max_delay = cap.as_ref().and_then(Item::millis);
    set(&mut layer.jitter, fields.get("jitter"), jitter);
    layer.per_try_timeout = fields
        .get_or_null("per_try_timeout_ms")
        .and_then(|item| item.limit());
    layer.deadline = fields.get_or_null("deadline_ms").and_then(|item| item.limit());
    set(&mut layer.retry_on, fields.get("retry_on"), retry_on);
    set(&mut layer.idempotent, fields.get("idempotent"), Item::boolean);
    set(
        &mut layer.idempotency_key,
        fields.get("idempotency_key"),
        Item::boolean,
    );
    set(
        &mut layer.respect_retry_after,
        fields.get("respect_retry_after"),
        Item::boolean,
    );
    layer.max_retry_after = fields
        .get_or_null("max_retry_after_ms")
        .and_then(|item| item.millis());
    set(&mut layer.margin, fields.get("margin_ms"), Item::millis);
    layer.hedge = fields.get_or_null("hedge").and_then(|item| hedge(&item));
    layer.budget = fields.get_or_null("budget").and_then(|item| budget(&item));
    set(&mut layer.assumed, fields.get("assumed"), assumed);
    fields.finish();
    if let (Some(item), Some(cap)) = (cap, layer.max_delay)
        && cap < layer.base_delay
    {
        item.fault::<()>("the longest wait is below `base_delay_ms`");
    }
    Some(layer)
}

fn set<'n, T>(place: &mut T, item: Option<Item<'n>>, read: impl Fn(&Item<'n>) -> Option<T>) {
    if let Some(value) = item.and_then(|item| read(&item)) {
        *place = value;
    }
}

fn attempts(item: &Item<'_>) -> Option<Attempts> {
    match &item.node.value {
        Value::String(word) if word == "unlimited" => Some(Attempts::Unlimited),
        Value::String(_) => item.expected("a whole number from 1 or \"unlimited\""),
        _ => item.count(1).map(Attempts::Count),
    }
}

fn jitter(item: &Item<'_>) -> Option<Jitter> {
    const WORDS: [&str; 5] = ["none", "full", "equal", "decorrelated", "plus_minus(0.2)"];
    let word = match &item.node.value {
        Value::String(word) => word.as_str(),
        _ => return item.expected("one of none, full, equal, decorrelated, plus_minus(x)"),
    };
    match word {
        "none" => Some(Jitter::None),
        "full" => Some(Jitter::Full),
        "equal" => Some(Jitter::Equal),
        "decorrelated" => Some(Jitter::Decorrelated),
        _ => match plus_minus(word) {
            Some(x) => Some(Jitter::PlusMinus(x)),
            None => item.expected(&match nearest(word, &WORDS) {
                Some(near) => format!("a kind of jitter (did you mean {near:?}?)"),
                None => "one of none, full, equal, decorrelated, plus_minus(x) with x from 0 to 1".to_owned(),
            }),
        },
    }
}

fn plus_minus(word: &str) -> Option<Factor> {
    let x = word.strip_prefix("plus_minus(")?.strip_suffix(')')?;
    let node = json::parse(x, &Faults::default())?;
    let Value::Number(text) = node.value else {
        return None;
    };
    let decimal = Decimal::parse(&text)?;
    let at_most_one = decimal.scaled(0) == 0 || decimal.whole() == Some(1);
    decimal.factor().filter(|_| at_most_one)
}

fn retry_on(item: &Item<'_>) -> Option<Vec<Condition>> {
    item.each(condition)
}

fn condition(item: &Item<'_>) -> Option<Condition> {
    let what = "an HTTP status from 100 to 599 or a word";
    match &item.node.value {
        Value::String(word) if word.is_empty() => item.expected(what),
        Value::String(word) if word.bytes().all(|b| b.is_ascii_digit()) => item.fault(format!(
            "a status is written as a number: {}",
            word.get(..8).unwrap_or(word)
        )),
        Value::String(word) => Some(Condition::Word(word.clone())),
        _ => match item.count(100) {
            Some(status) if status < 600 => u16::try_from(status).ok().map(Condition::Status),
            Some(_) => item.expected(what),
            None => None,
        },
    }
}

fn hedge(item: &Item<'_>) -> Option<Hedge> {
    let mut fields = Fields::of(item)?;
    let after = fields.require("after_ms").and_then(|item| item.millis());
    let copies = fields.require("copies").and_then(|item| item.count(1));
    fields.finish();
    Some(Hedge {
        after: after?,
        copies: copies?,
    })
}

fn budget(item: &Item<'_>) -> Option<Budget> {
    let mut fields = Fields::of(item)?;
    let ratio = fields
        .require("ratio")
        .and_then(|item| item.float("a number of at least 0", |x| x.is_finite() && x >= 0.0));
    let burst = fields.get("burst").map_or(Some(0), |item| item.count(0));
    fields.finish();
    Some(Budget {
        ratio: ratio?,
        burst: burst?,
    })
}

fn assumed(item: &Item<'_>) -> Option<Vec<String>> {
    item.each(|item| item.string().map(str::to_owned))
}
