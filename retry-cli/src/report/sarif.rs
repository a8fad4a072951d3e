//! SARIF 2.1.0, for code scanning.

use serde_json::{Value, json};

use crate::chain::Judged;
use crate::chain::findings::{Code, Severity};
use crate::fault::Span;
use crate::report::json as report;

/// The findings of a chain file; `places` are the layers' places in `text`.
#[must_use]
pub fn chain(judged: &Judged, origin: &str, text: &str, places: &[Span]) -> String {
    let rules: Vec<Value> = Code::ALL
        .iter()
        .map(|code| {
            json!({
                "id": code.name(),
                "shortDescription": { "text": code.about() },
                "defaultConfiguration": { "level": level(code.severity()) },
            })
        })
        .collect();
    let results: Vec<Value> = judged
        .findings
        .iter()
        .map(|finding| {
            let layer = &judged.chain.layers[finding.layer].name;
            let mut location = json!({ "artifactLocation": { "uri": uri(origin) } });
            if let Some(place) = places.get(finding.layer) {
                location["region"] = region(text, place);
            }
            json!({
                "ruleId": finding.code.name(),
                "ruleIndex": Code::ALL.iter().position(|code| *code == finding.code),
                "level": level(finding.code.severity()),
                "message": { "text": format!("{layer}: {}", finding.detail) },
                "locations": [{
                    "physicalLocation": location,
                    "logicalLocations": [{ "fullyQualifiedName": format!("layers[{}]", finding.layer) }],
                }],
            })
        })
        .collect();
    report::pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "retry-plan",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    }
}

fn region(text: &str, place: &Span) -> Value {
    let (start_line, start_column) = line_column(text, place.start);
    let (end_line, end_column) = line_column(text, place.end);
    json!({ "startLine": start_line, "startColumn": start_column, "endLine": end_line, "endColumn": end_column })
}

fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    (line, column)
}

/// A path as a relative reference: everything but unreserved characters and slashes in percent.
fn uri(path: &str) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
