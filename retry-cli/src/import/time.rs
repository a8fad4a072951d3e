//! Durations as targets write them: `1.2s`, `300ms`, `1h30m`, or a number of seconds.

use std::time::Duration;

use crate::doc::Value;
use crate::doc::decimal::Decimal;
use crate::doc::fields::Item;

/// A duration, zero included.
pub(crate) fn duration(item: &Item<'_>) -> Option<Duration> {
    let parsed = match &item.node.value {
        Value::String(text) => parse(text),
        Value::Number(text) => Decimal::parse(text).filter(|n| !n.negative).map(Decimal::seconds),
        _ => None,
    };
    match parsed {
        Some(time) => Some(time),
        None => item.expected("a duration such as 1.5s or 300ms"),
    }
}

fn parse(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    if rest.is_empty() || rest.len() > 64 {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = rest.split_at(end);
        if !number.starts_with(|c: char| c.is_ascii_digit())
            || number.ends_with('.')
            || number.matches('.').count() > 1
        {
            return None;
        }
        let number = Decimal::parse(number)?;
        let end = unit
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(unit.len());
        let (unit, after) = unit.split_at(end);
        let time = match unit {
            "h" => number.seconds().saturating_mul(3600),
            "m" => number.seconds().saturating_mul(60),
            "s" => number.seconds(),
            "ms" => number.millis(),
            "us" => crate::doc::decimal::nanos(number.scaled(3)),
            "ns" => crate::doc::decimal::nanos(number.scaled(0)),
            _ => return None,
        };
        total = total.saturating_add(time);
        rest = after;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use std::time::Duration;

    #[test]
    fn durations_of_all_targets_are_read() {
        assert_eq!(parse("1.2s"), Some(Duration::from_millis(1200)));
        assert_eq!(parse("1h30m"), Some(Duration::from_secs(5400)));
        assert_eq!(parse("25ms"), Some(Duration::from_millis(25)));
        for wrong in ["", "5", "s", "-1s", "1.s", "1..2s", "1d", "1 s"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
