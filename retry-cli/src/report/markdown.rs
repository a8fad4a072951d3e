//! Markdown, for a pull request or a wiki.

use std::fmt::Write;

use crate::chain::Judged;
use crate::chain::fix::Fix;
use crate::report::escape::markdown as escape;
use crate::report::words;

/// More waits than this are not listed in a cell.
const WAITS: usize = 4;

/// The report of a chain, with the proposal where one is asked for.
#[must_use]
pub fn chain(judged: &Judged, fix: Option<&Fix>) -> String {
    let mut out = String::new();
    let chain = &judged.chain;
    let _ = writeln!(out, "# {}\n", escape(&chain.name));
    let _ = writeln!(
        out,
        "Up to **{}** calls of the innermost service for one request (limit {}); {} on average at a failure rate of {}, \
         {} when only the innermost fails.\n",
        words::amount(&judged.figures.worst_amplification),
        words::number(chain.max_amplification),
        words::number(judged.figures.expected_amplification),
        words::number(chain.failure_rate),
        words::number(judged.figures.innermost_only_amplification),
    );
    out.push_str(
        "| # | layer | tries | jitter | longest waits | per try | deadline | worst case | calls |\n",
    );
    out.push_str("|--:|---|--:|---|---|--:|--:|--:|--:|\n");
    for (index, (layer, figures)) in chain.layers.iter().zip(&judged.figures.layers).enumerate() {
        let limit = |limit: Option<std::time::Duration>| limit.map_or_else(|| "–".to_owned(), words::time);
        let waits: Vec<String> = figures
            .delays
            .iter()
            .take(WAITS)
            .map(|delay| words::time(delay.max))
            .collect();
        let more = if figures.delays.len() > WAITS { ", …" } else { "" };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {}{more} | {} | {} | {} | {} |",
            index + 1,
            escape(&layer.name),
            words::attempts(layer.attempts),
            words::jitter(layer.jitter).replace('_', "\\_"),
            if waits.is_empty() {
                "–".to_owned()
            } else {
                waits.join(", ")
            },
            limit(layer.per_try_timeout),
            limit(layer.deadline),
            words::bound(figures.worst),
            words::amount(&figures.worst_amplification),
        );
    }
    for (index, layer) in chain.layers.iter().enumerate() {
        if !layer.assumed.is_empty() {
            let keys = escape(&layer.assumed.join(", "));
            let _ = writeln!(out, "\n{}: assumed, its target's defaults: {keys}", index + 1);
        }
    }
    out.push_str("\n## Findings\n\n");
    if judged.findings.is_empty() {
        out.push_str("Nothing is wrong.\n");
    }
    for finding in &judged.findings {
        let _ = writeln!(
            out,
            "- **{}** `{}` in {}\\. {}: {}",
            finding.code.severity().word(),
            finding.code.name(),
            finding.layer + 1,
            escape(&chain.layers[finding.layer].name),
            escape(&finding.detail),
        );
    }
    if let Some(fix) = fix {
        proposal(&mut out, judged, fix);
    }
    out
}

fn proposal(out: &mut String, judged: &Judged, fix: &Fix) {
    let title = if fix.after.high() > 0 {
        "A better chain"
    } else {
        "A chain that passes"
    };
    let _ = writeln!(
        out,
        "\n## {title}\n\n| layer | setting | now | instead |\n|---|---|--:|--:|"
    );
    for change in &fix.changes {
        let value = |value: &str| {
            if value.is_empty() {
                "–".to_owned()
            } else {
                escape(value)
            }
        };
        let _ = writeln!(
            out,
            "| {} | `{}` | {} | {} |",
            escape(&judged.chain.layers[change.layer].name),
            change.key,
            value(&change.before),
            value(&change.after),
        );
    }
    let _ = writeln!(
        out,
        "\nCalls for one request: {} now, {} instead.",
        words::amount(&judged.figures.worst_amplification),
        words::amount(&fix.after.figures.worst_amplification),
    );
}
