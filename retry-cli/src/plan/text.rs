//! The plan for a terminal. Colours are written always; the stream that it is printed through takes them out where nobody
//! sees them.

use std::fmt::Write;

use annotate_snippets::Level as Shown;
use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use super::read::{offset, word_end};
use super::report::{Planned, Report};
use super::timeline::Piece;
use crate::fault::on_source;
use crate::report::{escape, words};
use crate::run::Source;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// More pieces than this aren't drawn.
const DRAWN: usize = 24;
/// Columns of a drawn timeline: the label's and the bar's.
const LABEL: usize = 20;
const BAR: usize = 31;

/// The report, within 80 columns but for quoted source.
#[must_use]
pub fn text(report: &Report, source: &Source) -> String {
    let mut out = String::new();
    for policy in &report.policies {
        one(&mut out, policy, source);
        out.push('\n');
    }
    out
}

fn one(out: &mut String, policy: &Planned, source: &Source) {
    let or_unbounded = |figure: Option<String>| figure.unwrap_or_else(|| "unbounded".to_owned());
    let name = escape::shortened(&escape::terminal(&policy.name), 78);
    let _ = writeln!(out, "{BOLD}{name}{BOLD:#}");
    let best = span(policy.best_ns);
    let worst = or_unbounded(policy.worst_ns.map(span));
    let calls = or_unbounded(policy.calls.map(|calls| calls.to_string()));
    let _ = writeln!(
        out,
        "  best {best}, worst {BOLD}{worst}{BOLD:#}, calls {BOLD}{calls}{BOLD:#}{}",
        leaves(policy)
    );
    draw(out, &policy.timeline);
    for budget in &policy.budgets {
        let required = budget
            .required
            .map_or_else(|| "without bound".to_owned(), |units| units.to_string());
        let limit = budget
            .limit
            .map_or_else(String::new, |limit| format!(" of {limit}"));
        let color = match budget.status {
            "exceeded" => AnsiColor::Red,
            "admissible" => AnsiColor::Green,
            _ => AnsiColor::Yellow,
        };
        let style = color.on_default();
        let _ = writeln!(
            out,
            "  budget {}: {required}{limit}, {style}{}{style:#}",
            escape::terminal(&budget.key),
            budget.status
        );
    }
    for finding in &policy.findings {
        let level = if finding.level == "deny" {
            Shown::ERROR
        } else {
            Shown::WARNING
        };
        let at = offset(&source.text, finding.line, finding.column);
        let (first, rest) = finding.message.split_once('\n').unwrap_or((&finding.message, ""));
        let title = format!("{} [{}]", escape::terminal(first), finding.lint);
        out.push_str(&on_source(
            level,
            &title,
            &(at..word_end(&source.text, at)),
            &source.origin,
            &source.text,
        ));
        out.push('\n');
        // The title has the finding's name already.
        for line in rest.lines().filter(|line| !line.trim().starts_with("finding: ")) {
            let line = escape::terminal(line);
            let style = if line.trim().starts_with("fits with: ") {
                AnsiColor::Green.on_default()
            } else if line.contains(" cut at ") || line.contains(" not reached") {
                AnsiColor::Red.on_default()
            } else {
                Style::new()
            };
            let _ = writeln!(out, "  {style}{line}{style:#}");
        }
    }
}

/// The calls of each operation, where there are several and they differ.
fn leaves(policy: &Planned) -> String {
    if policy.leaves.len() < 2 || policy.leaves.len() > 6 {
        return String::new();
    }
    let each: Vec<String> = policy
        .leaves
        .iter()
        .map(|leaf| {
            let calls = leaf
                .calls
                .map_or_else(|| "∞".to_owned(), |calls| calls.to_string());
            format!("{} {calls}", escape::shortened(&escape::terminal(&leaf.name), 12))
        })
        .collect();
    format!(" {DIM}({}){DIM:#}", each.join(", "))
}

fn span(ns: u128) -> String {
    words::time(crate::doc::decimal::nanos(ns))
}

fn draw(out: &mut String, timeline: &[Piece]) {
    let until = |piece: &Piece| piece.cut_ns.or(piece.end_ns);
    let starts = timeline.iter().map(|piece| piece.start_ns);
    let end = timeline
        .iter()
        .filter_map(until)
        .chain(starts)
        .max()
        .unwrap_or(1)
        .max(1);
    for piece in timeline.iter().take(DRAWN) {
        let column = |ns: u128| usize::try_from(ns.min(end) * (BAR as u128 - 1) / end).unwrap_or(BAR - 1);
        let (from, to) = (column(piece.start_ns), column(until(piece).unwrap_or(end)));
        let (mark, style) = match (piece.waits, piece.cut_ns) {
            (true, _) => ("░", DIM),
            (false, None) => ("█", AnsiColor::Blue.on_default()),
            (false, Some(_)) => ("█", AnsiColor::Red.on_default()),
        };
        let length = (to - from).max(1);
        let (before, bar) = (" ".repeat(from), mark.repeat(length));
        let after = " ".repeat(BAR - from - length);
        let stop = match piece.cut_ns {
            Some(cut) => format!("cut at {}", span(cut)),
            None => piece.end_ns.map_or_else(|| "no end".to_owned(), span),
        };
        let what = escape::shortened(&escape::terminal(&piece.what), LABEL);
        let room = " ".repeat(LABEL - what.width());
        let _ = writeln!(
            out,
            "  {what}{room} {before}{style}{bar}{style:#}{after} {} .. {stop}",
            span(piece.start_ns)
        );
    }
    if timeline.len() > DRAWN {
        let _ = writeln!(out, "  and {} more", timeline.len() - DRAWN);
    }
}
