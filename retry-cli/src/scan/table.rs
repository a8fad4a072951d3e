//! The table for people, in colours; the stream takes them out where nobody sees them.

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Table, Width,
    presets,
};

use super::Report;
use crate::report::escape::{shortened, terminal as escape};
use crate::report::words;
use crate::run::width;

/// The table, in colours.
#[must_use]
pub fn table(report: &Report) -> String {
    if report.found.is_empty() {
        return "no policy found\n".to_owned();
    }
    let columns = width(std::io::IsTerminal::is_terminal(&std::io::stdout())).clamp(60, 160);
    let mut table = Table::new();
    table
        .enforce_styling()
        .load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()))
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(columns).unwrap_or(80))
        .set_header(["where", "what", "worst", "calls", "findings"]);
    for found in &report.found {
        let known = found.unknown_values == 0;
        let worst = found.plan.worst_ns.map(crate::doc::decimal::nanos);
        let worst = if known {
            words::bound(worst)
        } else {
            "?".to_owned()
        };
        let calls = match found.plan.calls {
            Some(calls) => calls.to_string(),
            None if known => "unbounded".to_owned(),
            None => "?".to_owned(),
        };
        let findings: Vec<String> = found
            .plan
            .findings
            .iter()
            .map(|finding| format!("{} ({})", finding.lint, finding.level))
            .collect();
        let color = match found.plan.findings.iter().map(|finding| finding.level).min() {
            Some("deny") => Some(Color::Red),
            Some(_) => Some(Color::Yellow),
            None => None,
        };
        let mut told = Cell::new(if findings.is_empty() {
            "–".to_owned()
        } else {
            findings.join(", ")
        });
        if let Some(color) = color {
            told = told.fg(color);
        }
        let what = match &found.runs {
            Some(runs) => format!("{} → {}", found.plan.name, runs),
            None => found.plan.name.clone(),
        };
        let what = shortened(&escape(&what), 40);
        table.add_row([
            Cell::new(format!("{}:{}", escape(&found.file), found.line)),
            Cell::new(what).add_attribute(Attribute::Bold),
            Cell::new(worst).set_alignment(CellAlignment::Right),
            Cell::new(calls).set_alignment(CellAlignment::Right),
            told,
        ]);
    }
    if let Some(place) = table.column_mut(0) {
        place.set_constraint(ColumnConstraint::LowerBoundary(Width::Percentage(35)));
    }
    let note = if report.found.iter().any(|found| found.unknown_values > 0) {
        "? depends on values that only the compiler knows\n"
    } else {
        ""
    };
    format!("{table}\n{note}")
}
