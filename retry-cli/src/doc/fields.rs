//! Typed values out of a [`Node`], with every fault reported and unknown keys refused.

use std::time::Duration;

use retry_planner::Factor;

use super::decimal::Decimal;
use super::{Entry, Node, Path, Value};
use crate::fault::{Faults, Span};

/// The keys of an object, taken out one by one.
pub struct Fields<'n> {
    entries: &'n [Entry],
    known: Vec<&'static str>,
    path: Path,
    at: Span,
    faults: &'n Faults,
}

impl<'n> Fields<'n> {
    /// The fields of `item`, or a fault where it is no object.
    #[must_use]
    pub fn of(item: &Item<'n>) -> Option<Self> {
        match &item.node.value {
            Value::Object(entries) => Some(Self {
                entries,
                known: Vec::new(),
                path: item.path.clone(),
                at: item.node.at.clone(),
                faults: item.faults,
            }),
            _ => item.expected("an object"),
        }
    }

    /// The value under `key`; the first of equal keys, which are faults already.
    pub fn get(&mut self, key: &'static str) -> Option<Item<'n>> {
        self.known.push(key);
        self.entries
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| Item {
                node: &entry.node,
                path: self.path.key(key),
                faults: self.faults,
            })
    }

    /// As [`get`](Self::get), where an explicit `null` means the same as no key.
    pub fn get_or_null(&mut self, key: &'static str) -> Option<Item<'n>> {
        self.get(key).filter(|item| item.node.value != Value::Null)
    }

    /// As [`get`](Self::get), with a fault where the key is missing.
    pub fn require(&mut self, key: &'static str) -> Option<Item<'n>> {
        let item = self.get(key);
        if item.is_none() {
            self.faults
                .add(self.at.clone(), &self.path, format!("`{key}` is missing"));
        }
        item
    }

    /// Whether the key is there.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// Accepts any further keys with these names unread.
    pub fn ignore(&mut self, keys: &[&'static str]) {
        self.known.extend_from_slice(keys);
    }

    /// The keys that nothing asked for.
    pub fn rest(&self) -> impl Iterator<Item = &'n Entry> {
        self.entries
            .iter()
            .filter(|entry| !self.known.contains(&entry.key.as_str()))
    }

    /// Reports every key that nothing asked for.
    pub fn finish(self) {
        for entry in self.rest() {
            if self.faults.is_full() {
                break;
            }
            let message = match nearest(&entry.key, &self.known) {
                Some(near) => format!("unknown key; did you mean `{near}`?"),
                None => format!("unknown key; known here: {}", self.known.join(", ")),
            };
            self.faults
                .add(entry.key_at.clone(), &self.path.key(&entry.key), message);
        }
    }
}

/// The known word that `word` is nearest to, if one is near.
#[must_use]
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    // Edit distance is quadratic, and no known word is this long.
    if word.len() > 64 {
        return None;
    }
    let lower = word.to_lowercase();
    known
        .iter()
        .map(|candidate| {
            let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
            let prefix = candidate.starts_with(&lower) || lower.starts_with(*candidate);
            (
                if prefix && lower.len() > 3 {
                    distance.min(1)
                } else {
                    distance
                },
                *candidate,
            )
        })
        .filter(|(distance, candidate)| *distance <= candidate.len().max(word.len()) / 3)
        .min()
        .map(|(_, candidate)| candidate)
}

/// A value with its path.
pub struct Item<'n> {
    /// The value.
    pub node: &'n Node,
    /// The way to it.
    pub path: Path,
    /// Where its faults go.
    pub faults: &'n Faults,
}

impl<'n> Item<'n> {
    /// The root of a text.
    #[must_use]
    pub fn root(node: &'n Node, faults: &'n Faults) -> Self {
        Self {
            node,
            path: Path::default(),
            faults,
        }
    }

    /// Reports a fault of this value.
    pub fn fault<T>(&self, message: impl Into<String>) -> Option<T> {
        self.faults.add(self.node.at.clone(), &self.path, message);
        None
    }

    /// Reports that something else stands here.
    #[must_use]
    pub fn expected<T>(&self, what: &str) -> Option<T> {
        let found = match &self.node.value {
            Value::Number(text) if text.len() <= 24 => format!("found {text}"),
            Value::Bool(value) => format!("found {value}"),
            Value::String(text) if text.len() <= 24 => format!("found {text:?}"),
            other => format!("found {}", other.kind()),
        };
        self.fault(format!("expected {what}, {found}"))
    }

    /// The items of a list.
    #[must_use]
    pub fn items(&self) -> Option<Vec<Item<'n>>> {
        match &self.node.value {
            Value::Array(items) => Some(
                items
                    .iter()
                    .enumerate()
                    .map(|(i, node)| Item {
                        node,
                        path: self.path.index(i),
                        faults: self.faults,
                    })
                    .collect(),
            ),
            _ => self.expected("a list"),
        }
    }

    /// What `read` makes of each item of the list; all of them are looked at, whatever is wrong with one.
    pub fn each<T>(&self, read: impl FnMut(&Item<'n>) -> Option<T>) -> Option<Vec<T>> {
        let read: Vec<Option<T>> = self.items()?.iter().map(read).collect();
        read.into_iter().collect()
    }

    /// A string.
    #[must_use]
    pub fn string(&self) -> Option<&'n str> {
        match &self.node.value {
            Value::String(text) => Some(text),
            _ => self.expected("a string"),
        }
    }

    /// `true` or `false`.
    #[must_use]
    pub fn boolean(&self) -> Option<bool> {
        match self.node.value {
            Value::Bool(value) => Some(value),
            _ => self.expected("true or false"),
        }
    }

    fn decimal(&self, what: &str) -> Option<Decimal> {
        match &self.node.value {
            Value::Number(text) => match Decimal::parse(text) {
                Some(decimal) => Some(decimal),
                None => self.fault(format!("expected {what}, found a number beyond 10^308")),
            },
            _ => self.expected(what),
        }
    }

    /// A whole number of at least `least`, at most 4,294,967,295.
    #[must_use]
    pub fn count(&self, least: u32) -> Option<u32> {
        let what = format!("a whole number from {least} to {}", u32::MAX);
        match self.decimal(&what)?.whole() {
            Some(count) if count >= least => Some(count),
            _ => self.expected(&what),
        }
    }

    /// Milliseconds, zero or more.
    #[must_use]
    pub fn millis(&self) -> Option<Duration> {
        let what = "milliseconds, zero or more";
        let decimal = self.decimal(what)?;
        if decimal.negative {
            return self.expected(what);
        }
        Some(decimal.millis())
    }

    /// Milliseconds above zero: a limit that allows nothing is a mistake.
    #[must_use]
    pub fn limit(&self) -> Option<Duration> {
        let what = "milliseconds above zero";
        let decimal = self.decimal(what)?;
        if decimal.negative || decimal.millis().is_zero() {
            return self.expected(what);
        }
        Some(decimal.millis())
    }

    /// A factor of at least one.
    #[must_use]
    pub fn factor(&self) -> Option<Factor> {
        let what = "a factor of at least 1";
        let decimal = self.decimal(what)?;
        if decimal.negative || decimal.scaled(0) < 1 {
            return self.expected(what);
        }
        match decimal.factor() {
            Some(factor) => Some(factor),
            None => self.fault("expected a factor of at most 10^19"),
        }
    }

    /// A number within bounds, as a float.
    #[must_use]
    pub fn float(&self, what: &str, within: impl Fn(f64) -> bool) -> Option<f64> {
        self.decimal(what)?;
        let Value::Number(text) = &self.node.value else {
            return self.expected(what);
        };
        match text.parse::<f64>() {
            Ok(value) if within(value) => Some(value),
            _ => self.expected(what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_close_word_is_suggested_and_a_far_one_is_not() {
        let known = ["max_delay_ms", "deadline_ms", "attempts"];
        assert_eq!(nearest("max_delay", &known), Some("max_delay_ms"));
        assert_eq!(nearest("Attempts", &known), Some("attempts"));
        assert_eq!(nearest("colour", &known), None);
    }
}
