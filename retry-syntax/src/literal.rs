//! Literals with units: `800ms`, `1.5s`, `2min`; and what is answered to all others.

use std::time::Duration;

use retry_planner::Factor;

/// The units, and how many nanoseconds each has.
pub(crate) const UNITS: [(&str, u64); 7] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// What is wrong with a literal, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

fn fault<T>(message: impl Into<String>, help: impl Into<String>) -> Result<T, Fault> {
    Err(Fault {
        message: message.into(),
        help: Some(help.into()),
    })
}

/// A number as Rust writes it: digits, a fraction, an exponent, and what is glued to it.
struct Number<'a> {
    whole: String,
    fraction: String,
    exponent: Option<i32>,
    radix: u32,
    suffix: &'a str,
}

fn number(text: &str) -> Option<Number<'_>> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let radix = match text.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    let digits = |text: &str| {
        text.find(|c: char| !(c.is_digit(radix) || c == '_'))
            .unwrap_or(text.len())
    };
    let clean = |text: &str| text.chars().filter(|&c| c != '_').collect::<String>();
    let start = if radix == 10 { 0 } else { 2 };
    let split = start + digits(&text[start..]);
    let whole = clean(&text[start..split]);
    let mut suffix = &text[split..];
    let mut fraction = String::new();
    if radix == 10
        && let Some(after) = suffix.strip_prefix('.')
    {
        let split = digits(after);
        fraction = clean(&after[..split]);
        suffix = &after[split..];
    }
    let mut exponent = None;
    if radix == 10
        && let Some(after) = suffix.strip_prefix(['e', 'E'])
    {
        let sign = usize::from(after.starts_with(['+', '-']));
        let split = sign + digits(&after[sign..]);
        if let Ok(value) = clean(&after[..split]).parse() {
            exponent = Some(value);
            suffix = &after[split..];
        }
    }
    Some(Number {
        whole,
        fraction,
        exponent,
        radix,
        suffix,
    })
}

impl Number<'_> {
    /// As a plain decimal.
    fn decimal(&self) -> Option<String> {
        if self.radix != 10 {
            return u128::from_str_radix(&self.whole, self.radix)
                .ok()
                .map(|value| value.to_string());
        }
        let mut digits = format!("{}{}", self.whole, self.fraction);
        let mut point = i32::try_from(self.whole.len()).ok()? + self.exponent.unwrap_or(0);
        if !(-40..=60).contains(&point) {
            return None;
        }
        while point <= 0 {
            digits.insert(0, '0');
            point += 1;
        }
        let point = usize::try_from(point).ok()?;
        while digits.len() < point {
            digits.push('0');
        }
        let (whole, fraction) = digits.split_at(point);
        let whole = whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        let fraction = fraction.trim_end_matches('0');
        Some(if fraction.is_empty() {
            whole.to_owned()
        } else {
            format!("{whole}.{fraction}")
        })
    }
}

/// The exact nanoseconds of a plain decimal in a unit.
fn nanos(decimal: &str, unit: u64) -> Result<u128, Fault> {
    let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, ""));
    let too_long = || Fault {
        message: "this duration is out of range".to_owned(),
        help: Some("the longest is 2^64 seconds".to_owned()),
    };
    let whole = whole
        .parse::<u128>()
        .ok()
        .and_then(|n| n.checked_mul(u128::from(unit)))
        .ok_or_else(too_long)?;
    let finer = || Fault {
        message: "this duration is finer than a nanosecond".to_owned(),
        help: Some("the shortest step is `1ns`".to_owned()),
    };
    // 25 digits of an hour still fit; no exact duration needs that many.
    if fraction.len() > 25 {
        return Err(finer());
    }
    let scale = 10_u128.pow(u32::try_from(fraction.len()).unwrap_or(0));
    let part = fraction.parse::<u128>().unwrap_or(0) * u128::from(unit);
    if part % scale != 0 {
        return Err(finer());
    }
    let sum = whole.checked_add(part / scale).ok_or_else(too_long)?;
    if sum / 1_000_000_000 > u128::from(u64::MAX) {
        Err(too_long())
    } else {
        Ok(sum)
    }
}

fn from_nanos(nanos: u128) -> Duration {
    let seconds = u64::try_from(nanos / 1_000_000_000).unwrap_or(u64::MAX);
    let rest = u32::try_from(nanos % 1_000_000_000).unwrap_or(0);
    Duration::new(seconds, rest)
}

const HOUR: u128 = 3_600_000_000_000;
const MINUTE: u128 = 60_000_000_000;

/// The shortest exact literal of a duration: `800ms`, `1.5s`, `2min`.
#[must_use]
pub fn spell(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let decimal = |unit: u128, name: &str| {
        let rest = nanos % unit;
        if rest == 0 {
            return format!("{}{name}", nanos / unit);
        }
        let width = unit.ilog10() as usize;
        let fraction = format!("{rest:0width$}");
        format!("{}.{}{name}", nanos / unit, fraction.trim_end_matches('0'))
    };
    match nanos {
        0 => "0s".to_owned(),
        n if n % HOUR == 0 => format!("{}h", n / HOUR),
        n if n % MINUTE == 0 => format!("{}min", n / MINUTE),
        1_000_000_000.. => decimal(1_000_000_000, "s"),
        1_000_000.. => decimal(1_000_000, "ms"),
        1_000.. => decimal(1_000, "us"),
        _ => decimal(1, "ns"),
    }
}

/// What people write for a unit, and what it is called here.
fn unit_alias(suffix: &str) -> Option<&'static str> {
    Some(match suffix {
        "nanos" | "nano" | "nanosecond" | "nanoseconds" | "NS" | "Ns" => "ns",
        "μs" | "micros" | "micro" | "microsecond" | "microseconds" | "usec" | "usecs" | "US" => "us",
        "millis" | "milli" | "millisecond" | "milliseconds" | "msec" | "msecs" | "MS" | "Ms" | "mS" => "ms",
        "sec" | "secs" | "second" | "seconds" | "S" | "Sec" => "s",
        "mn" | "mins" | "minute" | "minutes" | "MIN" | "Min" => "min",
        "hr" | "hrs" | "hour" | "hours" | "H" => "h",
        _ => return None,
    })
}

fn unit_nanos(name: &str) -> Option<u64> {
    // U+03BC, which some keyboards write for the micro sign, is U+00B5 to readers.
    let name = if name == "\u{3bc}s" { "us" } else { name };
    UNITS
        .iter()
        .find(|(unit, _)| *unit == name)
        .map(|(_, nanos)| *nanos)
}

/// `1min30s`: the sum of its parts.
fn compound(text: &str) -> Option<Duration> {
    let mut sum = 0_u128;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))?;
        let (value, after) = rest.split_at(digits);
        let letters = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let unit = match unit {
            "m" => 60_000_000_000,
            unit => unit_nanos(unit).or_else(|| unit_nanos(unit_alias(unit)?))?,
        };
        sum = sum.checked_add(nanos(&value.replace('_', ""), unit).ok()?)?;
        rest = after;
    }
    (sum / 1_000_000_000 <= u128::from(u64::MAX)).then(|| from_nanos(sum))
}

/// A duration literal, as its token shows it.
pub(crate) fn duration(text: &str) -> Result<Duration, Fault> {
    if text.starts_with(['"', '\''])
        || text.starts_with("r\"")
        || text.starts_with("r#")
        || text.starts_with("b\"")
    {
        let inside = text
            .trim_start_matches(['r', 'b', '#'])
            .trim_end_matches('#')
            .trim_matches(['"', '\'']);
        let plain: String = inside.chars().filter(|c| !c.is_whitespace()).collect();
        let spelled = duration(&plain).ok().or_else(|| compound(&plain)).map(spell);
        return fault(
            format!("a duration is written without quotes, found {text}"),
            spelled.map_or_else(
                || "write a number and its unit, such as `800ms`".to_owned(),
                |spelled| format!("write `{spelled}`"),
            ),
        );
    }
    let Some(number) = number(text) else {
        return fault(
            format!("expected a duration, found `{text}`"),
            "write it with its unit, such as `800ms`",
        );
    };
    let numeric = [
        "", "u8", "u16", "u32", "u64", "u128", "usize", "i32", "i64", "f32", "f64",
    ]
    .contains(&number.suffix);
    let decimal = number.decimal();
    let plain = decimal.as_deref().unwrap_or("800");
    if numeric {
        let two = if plain.contains('.') {
            format!("write `{plain}s` for seconds, or `{plain}ms` for milliseconds")
        } else {
            format!("write `{plain}ms` for milliseconds, or `{plain}s` for seconds")
        };
        return fault(format!("`{text}` has no unit"), two);
    }
    let Some(unit) = unit_nanos(number.suffix) else {
        return Err(wrong_unit(text, &number, plain));
    };
    let value = match &decimal {
        Some(decimal) => nanos(decimal, unit),
        None => fault("this duration is out of range", "the longest is 2^64 seconds"),
    };
    let spelled = value.as_ref().ok().map(|&value| spell(from_nanos(value)));
    let spelled = spelled.as_deref().unwrap_or("800ms");
    if number.radix != 10 {
        return fault(
            format!("durations are decimal, found `{text}`"),
            format!("write `{spelled}`"),
        );
    }
    if number.exponent.is_some() {
        return fault(
            format!("durations have no exponent, found `{text}`"),
            format!("write `{spelled}`"),
        );
    }
    value.map(from_nanos)
}

fn wrong_unit(text: &str, number: &Number<'_>, plain: &str) -> Fault {
    let suffix = number.suffix;
    let units = "the units are `ns`, `us`, `ms`, `s`, `min`, `h`";
    let (message, help) = if suffix == "m" {
        (
            format!("`{text}` could be minutes or milliseconds"),
            format!("write `{plain}min` or `{plain}ms`"),
        )
    } else if let Some(alias) = unit_alias(suffix) {
        (
            format!("`{suffix}` isn't a unit"),
            format!("write `{plain}{alias}`"),
        )
    } else if matches!(suffix, "d" | "day" | "days") {
        let hours = compound(&format!("{plain}h")).and_then(|day| day.checked_mul(24));
        let hours = hours.map_or_else(|| "24h".to_owned(), spell);
        (
            format!("`{suffix}` isn't a unit; the longest is the hour"),
            format!("write `{hours}`"),
        )
    } else if let Some(sum) = compound(text) {
        (
            format!("`{text}` is more than one number; a duration has one"),
            format!("write `{}`", spell(sum)),
        )
    } else if let Some(near) = crate::words::nearest(suffix, UNITS.iter().map(|(unit, _)| *unit)) {
        (
            format!("`{suffix}` isn't a unit; {units}"),
            format!("did you mean `{plain}{near}`?"),
        )
    } else {
        (format!("`{suffix}` isn't a unit"), units.to_owned())
    };
    Fault {
        message,
        help: Some(help),
    }
}

/// A count: a whole number of at most 32 bits.
pub(crate) fn count(text: &str) -> Result<u32, Fault> {
    let expected = || Fault {
        message: format!("expected a whole number, found `{text}`"),
        help: Some("write it in digits, such as `3`".to_owned()),
    };
    if text.starts_with('"') {
        let inside = text.trim_matches('"').trim();
        return match inside.parse::<u32>() {
            Ok(value) => fault(
                format!("a count is written without quotes, found {text}"),
                format!("write `{value}`"),
            ),
            Err(_) => Err(Fault {
                message: format!("expected a whole number, found {text}"),
                ..expected()
            }),
        };
    }
    let number = number(text).ok_or_else(expected)?;
    let decimal = number.decimal();
    let whole = decimal.as_deref().filter(|text| !text.contains('.'));
    if !["", "u8", "u16", "u32", "u64", "usize", "i32", "i64"].contains(&number.suffix) {
        if unit_nanos(number.suffix).is_some() {
            return Err(Fault {
                message: format!("expected a count, found the duration `{text}`"),
                ..expected()
            });
        }
        return Err(expected());
    }
    if !number.fraction.is_empty() || number.exponent.is_some() {
        return match whole {
            Some(whole) => fault(
                format!("expected a whole number, found `{text}`"),
                format!("write `{whole}`"),
            ),
            None => Err(expected()),
        };
    }
    let value = whole.and_then(|text| text.parse::<u32>().ok());
    value.ok_or_else(|| Fault {
        message: format!("`{text}` is out of range"),
        help: Some(format!("the most is `{}`", u32::MAX)),
    })
}

/// A decimal number without a unit, held exactly.
pub(crate) fn factor(text: &str) -> Result<Factor, Fault> {
    let expected = || Fault {
        message: format!("expected a number, found `{text}`"),
        help: Some("write it as a decimal, such as `1.5`".to_owned()),
    };
    if text.starts_with('"') {
        return Err(Fault {
            message: format!("expected a number, found {text}"),
            ..expected()
        });
    }
    let number = number(text).ok_or_else(expected)?;
    let decimal = number.decimal();
    let plain = decimal.as_deref();
    let bare = ["", "f32", "f64", "u32", "u64", "i32", "i64"].contains(&number.suffix);
    if !bare {
        return match plain {
            Some(plain) => fault(
                format!("a factor has no unit, found `{text}`"),
                format!("write `{plain}`"),
            ),
            None => Err(expected()),
        };
    }
    if number.radix != 10 || number.exponent.is_some() {
        return match plain {
            Some(plain) => fault(
                format!("expected a decimal number, found `{text}`"),
                format!("write `{plain}`"),
            ),
            None => Err(expected()),
        };
    }
    let range = || Fault {
        message: format!("`{text}` is out of range"),
        help: Some("a factor has at most 18 decimals and 19 digits".to_owned()),
    };
    let plain = plain.ok_or_else(range)?;
    let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    let digits = format!("{whole}{fraction}").parse::<u64>().map_err(|_| range())?;
    let scale = u32::try_from(fraction.len())
        .ok()
        .filter(|&scale| scale <= 18)
        .ok_or_else(range)?;
    Ok(Factor { digits, scale })
}

/// A factor as a literal.
#[must_use]
pub fn spell_factor(factor: Factor) -> String {
    let digits = factor.digits.to_string();
    let scale = factor.scale as usize;
    if scale == 0 {
        return digits;
    }
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    }
}
