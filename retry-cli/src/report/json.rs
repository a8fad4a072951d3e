//! JSON: the report of a chain under the names of the documentation, and the ways numbers are written.
//!
//! Times are exact milliseconds. `null` is "no bound". A figure at the end of its range is written as that end, and
//! `saturated` is true beside it.

use std::io;
use std::time::Duration;

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use serde_json::value::RawValue;

use crate::chain::Judged;
use crate::chain::figures::{Amount, LayerFigures};
use crate::chain::findings::{Code, Severity};
use crate::chain::fix::{Change, Fix};
use crate::report::escape::is_unprintable;
use crate::report::words;

#[derive(Serialize)]
struct Report<'a> {
    name: &'a str,
    failure_rate: Box<RawValue>,
    max_amplification: Box<RawValue>,
    layers: Vec<Layer<'a>>,
    worst_amplification: Box<RawValue>,
    expected_amplification: Box<RawValue>,
    expected_amplification_innermost_only: Box<RawValue>,
    saturated: bool,
    high_flags: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Proposal<'a>>,
}

#[derive(Serialize)]
struct Layer<'a> {
    name: &'a str,
    attempts: Box<RawValue>,
    jitter: String,
    delays_ms: Vec<[Box<RawValue>; 3]>,
    /// Waits beyond those listed; `null` where there is no end.
    delays_omitted: Option<u32>,
    max_delay_total_ms: Box<RawValue>,
    expected_delay_total_ms: Box<RawValue>,
    per_try_timeout_ms: Box<RawValue>,
    deadline_ms: Box<RawValue>,
    worst_case_ms: Box<RawValue>,
    tries: Option<u64>,
    expected_tries: Box<RawValue>,
    cumulative_worst_amplification: Box<RawValue>,
    cumulative_expected_amplification: Box<RawValue>,
    saturated: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    assumed: &'a [String],
    flags: Vec<Flag<'a>>,
}

#[derive(Serialize)]
struct Flag<'a> {
    code: Code,
    severity: Severity,
    detail: &'a str,
}

#[derive(Serialize)]
struct Proposal<'a> {
    changes: &'a [Change],
    after: Box<Report<'a>>,
    chain: Box<RawValue>,
}

/// The report of a chain, with the proposal where one is asked for.
#[must_use]
pub fn chain(judged: &Judged, fix: Option<&Fix>) -> String {
    pretty(&report(judged, fix))
}

fn report<'a>(judged: &'a Judged, fix: Option<&'a Fix>) -> Report<'a> {
    let layers: Vec<Layer<'_>> = judged
        .chain
        .layers
        .iter()
        .zip(&judged.figures.layers)
        .enumerate()
        .map(|(index, (layer, figures))| Layer {
            name: &layer.name,
            attempts: attempts(layer.attempts),
            jitter: words::jitter(layer.jitter),
            delays_ms: delays(figures),
            delays_omitted: figures.delays_omitted,
            max_delay_total_ms: bound(figures.max_delay_total),
            expected_delay_total_ms: float(figures.expected_delay_total_ms),
            per_try_timeout_ms: bound(layer.per_try_timeout),
            deadline_ms: bound(layer.deadline),
            worst_case_ms: bound(figures.worst),
            tries: figures.tries,
            expected_tries: float(figures.expected_tries),
            cumulative_worst_amplification: amount(&figures.worst_amplification),
            cumulative_expected_amplification: float(figures.expected_amplification),
            saturated: figures.saturated,
            assumed: &layer.assumed,
            flags: judged
                .of_layer(index)
                .map(|finding| Flag {
                    code: finding.code,
                    severity: finding.code.severity(),
                    detail: &finding.detail,
                })
                .collect(),
        })
        .collect();
    Report {
        name: &judged.chain.name,
        failure_rate: float(judged.chain.failure_rate),
        max_amplification: float(judged.chain.max_amplification),
        saturated: layers.iter().any(|layer| layer.saturated),
        layers,
        worst_amplification: amount(&judged.figures.worst_amplification),
        expected_amplification: float(judged.figures.expected_amplification),
        expected_amplification_innermost_only: float(judged.figures.innermost_only_amplification),
        high_flags: judged.high(),
        fix: fix.map(|fix| Proposal {
            changes: &fix.changes,
            after: Box::new(report(&fix.after, None)),
            chain: raw(crate::chain::write::text(&fix.after.chain)),
        }),
    }
}

fn delays(figures: &LayerFigures) -> Vec<[Box<RawValue>; 3]> {
    figures
        .delays
        .iter()
        .map(|delay| [ms(delay.min), float(delay.expected_ms), ms(delay.max)])
        .collect()
}

fn attempts(attempts: crate::chain::model::Attempts) -> Box<RawValue> {
    match attempts {
        crate::chain::model::Attempts::Count(count) => raw(count.to_string()),
        crate::chain::model::Attempts::Unlimited => raw("\"unlimited\"".to_owned()),
    }
}

/// JSON that is written already.
#[must_use]
pub fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Exact milliseconds.
#[must_use]
pub fn ms(time: Duration) -> Box<RawValue> {
    let nanos = time.as_nanos();
    let (whole, fraction) = (nanos / 1_000_000, nanos % 1_000_000);
    let fraction = format!("{fraction:06}");
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    raw(format!("{whole}{point}{fraction}"))
}

fn bound(time: Option<Duration>) -> Box<RawValue> {
    time.map_or_else(|| RawValue::NULL.to_owned(), ms)
}

/// A float with six decimals at most, without a point where it is whole; `null` where it is infinite.
#[must_use]
pub fn float(value: f64) -> Box<RawValue> {
    if !value.is_finite() {
        return RawValue::NULL.to_owned();
    }
    if value.abs() >= 1e15 {
        return raw(format!("{value:e}"));
    }
    let text = format!("{value:.6}");
    raw(text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

fn amount(amount: &Amount) -> Box<RawValue> {
    match amount {
        Amount::Exact(amount) => raw(amount.to_string()),
        Amount::Beyond => raw("1e300".to_owned()),
        Amount::Unbounded => RawValue::NULL.to_owned(),
    }
}

/// Indented JSON with a closing newline, safe to print in a terminal.
#[must_use]
pub fn pretty<T: Serialize>(value: &T) -> String {
    let mut out = write(value, Escaping(PrettyFormatter::new()));
    out.push('\n');
    out
}

/// JSON on one line, safe to print in a terminal.
#[must_use]
pub fn line<T: Serialize>(value: &T) -> String {
    write(value, Escaping(Spaced))
}

fn write<T: Serialize>(value: &T, formatter: impl Formatter) -> String {
    let mut out = Vec::new();
    // Writing to memory can't fail, and all our types have string keys.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut out, formatter));
    String::from_utf8(out).unwrap_or_default()
}

/// `[1, 2]` and `{"a": 1}`.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }
    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }
    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}

/// Escapes what could steer a terminal: JSON itself only demands it of what is below a space.
struct Escaping<F>(F);

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut units = [0; 2];
        for c in fragment.chars() {
            if is_unprintable(c) {
                for unit in c.encode_utf16(&mut units) {
                    write!(out, "\\u{unit:04x}")?;
                }
            } else {
                write!(out, "{c}")?;
            }
        }
        Ok(())
    }
    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }
    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }
    fn end_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }
    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }
    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }
    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }
    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }
    fn end_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}
