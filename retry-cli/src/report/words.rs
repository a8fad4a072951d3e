//! Figures and names as people read them: the one place for it.

use std::time::Duration;

use crate::chain::bounds;
use crate::chain::figures::Amount;
use crate::chain::model::{Attempts, Condition, Jitter, Layer};
use crate::report::escape;

/// A time, exact and short: `3.9 s`, `25 ms`, `1 h 5 min`.
#[must_use]
pub fn time(time: Duration) -> String {
    if time == Duration::MAX {
        return "over 500 billion years".to_owned();
    }
    let (seconds, nanos) = (time.as_secs(), time.subsec_nanos());
    if seconds >= 60 {
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min")];
        let mut words: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, unit)| format!("{count} {unit}"))
            .collect();
        let rest = Duration::new(seconds % 60, nanos);
        if !rest.is_zero() {
            words.push(self::time(rest));
        }
        return words.join(" ");
    }
    let total = time.as_nanos();
    let (unit, name) = match total {
        1_000_000_000.. => (1_000_000_000, "s"),
        1_000_000.. => (1_000_000, "ms"),
        1_000.. => (1_000, "us"),
        0 => return "0 ms".to_owned(),
        _ => (1, "ns"),
    };
    let fraction = total % unit;
    if fraction == 0 {
        return format!("{} {name}", total / unit);
    }
    let places = (unit - 1).to_string().len();
    let digits = format!("{fraction:0places$}");
    format!("{}.{} {name}", total / unit, digits.trim_end_matches('0'))
}

/// A time, or `unbounded`.
#[must_use]
pub fn bound(bound: Option<Duration>) -> String {
    bound.map_or_else(|| "unbounded".to_owned(), time)
}

/// Mean milliseconds.
#[must_use]
pub fn mean_time(ms: f64) -> String {
    match Duration::try_from_secs_f64(ms / 1000.0) {
        // A mean has no exact value to show: tenths of a millisecond, or four digits.
        Ok(mean) if mean.as_millis() >= 1000 => {
            let millis = u64::try_from(mean.as_millis()).unwrap_or(u64::MAX);
            let step = 10u64.pow((millis.ilog10()).saturating_sub(3));
            time(Duration::from_millis(millis / step * step))
        }
        Ok(mean) => format!("{} ms", number(mean.as_secs_f64() * 1000.0)),
        Err(_) => "unbounded".to_owned(),
    }
}

/// A number with at most three decimals; large ones in powers of ten.
#[must_use]
pub fn number(number: f64) -> String {
    if number.is_infinite() {
        return "unbounded".to_owned();
    }
    if number >= 1e9 {
        return format!("{number:.3e}");
    }
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A product of counts; beyond 15 digits in powers of ten.
#[must_use]
pub fn amount(amount: &Amount) -> String {
    match amount {
        Amount::Exact(amount) => {
            let digits = amount.to_string();
            if digits.len() <= 15 {
                return digits;
            }
            let mantissa = digits[..4].trim_end_matches('0');
            let (first, rest) = mantissa.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{first}{point}{rest}e{}", digits.len() - 1)
        }
        Amount::Beyond => "over 1e300".to_owned(),
        Amount::Unbounded => "unbounded".to_owned(),
    }
}

/// How many tries.
#[must_use]
pub fn attempts(attempts: Attempts) -> String {
    match attempts {
        Attempts::Count(count) => count.to_string(),
        Attempts::Unlimited => "unlimited".to_owned(),
    }
}

/// The waits of a layer before jitter: `100 ms, ×2, up to 1 s`.
#[must_use]
pub fn waits(layer: &Layer) -> String {
    if !layer.retries() || layer.base_delay.is_zero() {
        return "none".to_owned();
    }
    let mut words = vec![time(layer.base_delay)];
    match layer.jitter {
        Jitter::Decorrelated => words.push("to thrice the last".to_owned()),
        _ if bounds::grows(layer) => words.push(format!("×{}", factor(layer.multiplier))),
        _ => {}
    }
    words.extend(layer.max_delay.map(|cap| format!("up to {}", time(cap))));
    words.join(", ")
}

/// The spread of waits, as a chain file writes it.
#[must_use]
pub fn jitter(jitter: Jitter) -> String {
    match jitter {
        Jitter::None => "none".to_owned(),
        Jitter::Full => "full".to_owned(),
        Jitter::Equal => "equal".to_owned(),
        Jitter::Decorrelated => "decorrelated".to_owned(),
        Jitter::PlusMinus(x) => format!("plus_minus({})", factor(x)),
    }
}

/// A factor, exact.
#[must_use]
pub fn factor(factor: retry_planner::Factor) -> String {
    let digits = factor.digits.to_string();
    let places = factor.scale as usize;
    if places == 0 {
        return digits;
    }
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    }
}

/// What is retried.
#[must_use]
pub fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Status(status) => status.to_string(),
        Condition::Word(word) => escape::shortened(word, 40),
    }
}

/// A name within a sentence.
#[must_use]
pub fn quoted(name: &str) -> String {
    format!("`{}`", escape::shortened(name, 60))
}

/// `1 layer`, `2 layers`.
#[must_use]
pub fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    #[test]
    fn times_are_exact_and_short() {
        let cases = [
            (3_900_000_000, "3.9 s"),
            (25_000_000, "25 ms"),
            (3_900_000_000_000, "1 h 5 min"),
            (61_500_000_000, "1 min 1.5 s"),
            (1_500, "1.5 us"),
            (0, "0 ms"),
            (1_000_000_001, "1.000000001 s"),
        ];
        for (nanos, text) in cases {
            assert_eq!(time(Duration::from_nanos(nanos)), text);
        }
    }

    #[test]
    fn large_amounts_are_powers_of_ten() {
        assert_eq!(amount(&Amount::Exact(BigUint::from(36u32))), "36");
        assert_eq!(amount(&Amount::Exact(BigUint::from(10u32).pow(40))), "1e40");
        assert_eq!(amount(&Amount::Exact(BigUint::from(3u32).pow(60))), "4.239e28");
        assert_eq!(number(2.738), "2.738");
        assert_eq!(number(10.0), "10");
    }

    #[test]
    fn factors_are_exact() {
        assert_eq!(factor(retry_planner::Factor { digits: 11, scale: 1 }), "1.1");
        assert_eq!(factor(retry_planner::Factor { digits: 5, scale: 2 }), "0.05");
        assert_eq!(factor(retry_planner::Factor::whole(2)), "2");
    }
}
