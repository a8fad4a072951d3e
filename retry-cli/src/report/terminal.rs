//! The report for a terminal: a table, a drawn timeline, the findings. Colours are written always; the stream that it is
//! printed through takes them out where nobody sees them.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Table, presets,
};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::chain::Judged;
use crate::chain::findings::Severity;
use crate::chain::fix::Fix;
use crate::report::escape::{shortened, terminal as escape};
use crate::report::timeline::{Row, What, share, timeline};
use crate::report::words;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// More layers than this are not drawn.
const DRAWN: usize = 40;

fn style(severity: Severity) -> Style {
    let color = match severity {
        Severity::High => AnsiColor::Red,
        Severity::Medium => AnsiColor::Yellow,
        Severity::Low => AnsiColor::Cyan,
    };
    color.on_default().bold()
}

/// The report of a chain, within `width` columns.
#[must_use]
pub fn chain(judged: &Judged, width: usize) -> String {
    let width = width.clamp(60, 120);
    let mut out = String::new();
    let chain = &judged.chain;
    let name = shortened(&escape(&chain.name), width);
    let _ = writeln!(out, "{BOLD}{name}{BOLD:#}");
    let worst = words::amount(&judged.figures.worst_amplification);
    let mean = words::number(judged.figures.expected_amplification);
    let inner = words::number(judged.figures.innermost_only_amplification);
    let _ = writeln!(
        out,
        "one request causes up to {BOLD}{worst}{BOLD:#} calls inside (limit {})",
        words::number(chain.max_amplification),
    );
    let _ = writeln!(
        out,
        "{DIM}on average {mean} where every layer fails at a rate of {}, {inner} where only\nthe innermost does{DIM:#}\n",
        words::number(chain.failure_rate),
    );
    let _ = writeln!(out, "{}", table(judged, width));
    for (index, layer) in judged.chain.layers.iter().enumerate() {
        if layer.assumed.is_empty() {
            continue;
        }
        let keys = escape(&layer.assumed.join(", "));
        for line in wrapped(
            &format!("{} assumed, its target's defaults: {keys}", index + 1),
            width,
        ) {
            let _ = writeln!(out, "{DIM}{line}{DIM:#}");
        }
    }
    out.push('\n');
    draw(&mut out, judged, width);
    findings(&mut out, judged, width);
    out
}

fn table(judged: &Judged, width: usize) -> Table {
    let mut table = Table::new();
    table
        .enforce_styling()
        .load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()))
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(80))
        .set_header([
            "", "layer", "tries", "waits", "per try", "deadline", "worst", "calls",
        ]);
    for (index, (layer, figures)) in judged.chain.layers.iter().zip(&judged.figures.layers).enumerate() {
        let limit = |limit: Option<Duration>| limit.map_or_else(|| "–".to_owned(), words::time);
        let waits = match (figures.delays.first(), figures.max_delay_total) {
            (None, _) => "–".to_owned(),
            (_, Some(total)) => format!("≤ {}", words::time(total)),
            (_, None) => "no end".to_owned(),
        };
        let severest = judged
            .of_layer(index)
            .map(|finding| finding.code.severity())
            .max();
        let mut name = Cell::new(shortened(&escape(&layer.name), 28));
        if let Some(severity) = severest {
            name = name.fg(match severity {
                Severity::High => Color::Red,
                Severity::Medium => Color::Yellow,
                Severity::Low => Color::Cyan,
            });
        }
        table.add_row([
            Cell::new(index + 1),
            name.add_attribute(Attribute::Bold),
            Cell::new(words::attempts(layer.attempts)),
            Cell::new(waits),
            Cell::new(limit(layer.per_try_timeout)),
            Cell::new(limit(layer.deadline)),
            Cell::new(words::bound(figures.worst)),
            Cell::new(words::amount(&figures.worst_amplification)),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// `█` a try, `░` a wait, `▒` a try after the caller gave up, `┊` where the caller gives up, `▏` a cut.
fn draw(out: &mut String, judged: &Judged, width: usize) {
    let timeline = timeline(judged);
    let cells = width - 18;
    let _ = writeln!(
        out,
        "{BOLD}worst case{BOLD:#} {DIM}█ try  ░ wait  ▒ after the caller gave up  ┊ caller gives up{DIM:#}"
    );
    for (index, row) in timeline.rows.iter().take(DRAWN).enumerate() {
        let figures = &judged.figures.layers[index];
        let bound = figures.worst.map_or_else(|| "no end".to_owned(), words::time);
        let more = if row.more { "…" } else { "" };
        let _ = writeln!(
            out,
            "{:>3} {} {bound}{more}",
            index + 1,
            bar(row, timeline.end, cells)
        );
    }
    if timeline.rows.len() > DRAWN {
        let _ = writeln!(out, "    and {} more layers", timeline.rows.len() - DRAWN);
    }
    out.push('\n');
}

fn bar(row: &Row, end: Duration, cells: usize) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a few dozen columns"
    )]
    let column = |time: Duration| (share(time, end) * cells as f64).round() as usize;
    let mut line = vec![' '; cells];
    for piece in &row.pieces {
        let stop = row.cut.map_or(piece.end, |cut| piece.end.min(cut));
        let (from, to) = (column(piece.start), column(stop));
        let mark = if matches!(piece.what, What::Wait) {
            '░'
        } else {
            '█'
        };
        // The shortest try is one column, so that none is lost.
        let to = if mark == '█' { to.max(from + 1) } else { to };
        // A wait that is too short to be seen hides no try.
        for cell in line.iter_mut().take(to.min(cells)).skip(from) {
            if mark == '█' || *cell == ' ' {
                *cell = mark;
            }
        }
        // A thin line between two tries that touch.
        if mark == '█' && to.saturating_sub(from) > 2 && from > 0 && line[from - 1] == '█' {
            line[from] = '▌';
        }
    }
    if row.endless {
        let from = row.pieces.last().map_or(0, |piece| column(piece.start));
        line.iter_mut().skip(from).for_each(|cell| *cell = '▒');
    }
    let gives_up = row.caller_gives_up.map(column);
    if let Some(at) = gives_up {
        for cell in line.iter_mut().skip(at).filter(|cell| matches!(cell, '█' | '▌')) {
            *cell = '▒';
        }
        if let Some(cell) = line.get_mut(at) {
            *cell = '┊';
        }
    }
    let (blue, red) = (AnsiColor::Blue.on_default(), AnsiColor::Red.on_default());
    let mut out = String::new();
    for cell in line {
        let _ = match cell {
            '█' | '▌' => write!(out, "{blue}{cell}{blue:#}"),
            '▒' => write!(out, "{red}{cell}{red:#}"),
            '░' | '┊' => write!(out, "{DIM}{cell}{DIM:#}"),
            cell => write!(out, "{cell}"),
        };
    }
    out
}

fn findings(out: &mut String, judged: &Judged, width: usize) {
    if judged.findings.is_empty() {
        let fine = AnsiColor::Green.on_default().bold();
        let _ = writeln!(out, "{fine}nothing is wrong{fine:#}");
        return;
    }
    let mut last = usize::MAX;
    for finding in &judged.findings {
        if finding.layer != last {
            if last != usize::MAX {
                out.push('\n');
            }
            last = finding.layer;
            let name = shortened(&escape(&judged.chain.layers[last].name), width - 8);
            let _ = writeln!(out, "{BOLD}{}  {name}{BOLD:#}", last + 1);
        }
        let severity = finding.code.severity();
        let style = style(severity);
        let _ = writeln!(
            out,
            "   {style}{:<6}{style:#} {}",
            severity.word(),
            finding.code.name()
        );
        for line in wrapped(&escape(&finding.detail), width - 10) {
            let _ = writeln!(out, "          {line}");
        }
    }
    let count = |severity| judged.count(severity);
    let _ = writeln!(
        out,
        "\n{} high, {} medium, {} low",
        count(Severity::High),
        count(Severity::Medium),
        count(Severity::Low)
    );
}

/// What a proposal changes, with the figures before and after.
#[must_use]
pub fn fix(judged: &Judged, fix: &Fix, width: usize) -> String {
    let mut out = String::new();
    let mut table = Table::new();
    table
        .enforce_styling()
        .load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()))
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width.clamp(60, 120)).unwrap_or(80))
        .set_header(["layer", "setting", "now", "instead"]);
    let value = |value: &str| {
        let shown = if value.is_empty() { "–" } else { value };
        shortened(&escape(shown), 60)
    };
    // What is better is green, as far as the colours go.
    let mut row = |place: String, what: &str, before: String, after: String| {
        table.add_row([
            Cell::new(place),
            Cell::new(what),
            Cell::new(before),
            Cell::new(after).fg(Color::Green),
        ]);
    };
    let mut last = usize::MAX;
    for change in &fix.changes {
        let place = if last == change.layer {
            String::new()
        } else {
            format!(
                "{}  {}",
                change.layer + 1,
                shortened(&escape(&judged.chain.layers[change.layer].name), 26)
            )
        };
        last = change.layer;
        row(place, change.key, value(&change.before), value(&change.after));
    }
    let figures = judged.figures.layers.iter().zip(&fix.after.figures.layers);
    for (index, (before, after)) in figures.enumerate() {
        if before.worst != after.worst {
            let place = format!(
                "{}  {}",
                index + 1,
                shortened(&escape(&judged.chain.layers[index].name), 26)
            );
            let (before, after) = (words::bound(before.worst), words::bound(after.worst));
            row(place, "worst case", before, after);
        }
    }
    let calls = |judged: &Judged| words::amount(&judged.figures.worst_amplification);
    let findings = |judged: &Judged| {
        let count = |severity| judged.count(severity);
        format!(
            "{} / {} / {}",
            count(Severity::High),
            count(Severity::Medium),
            count(Severity::Low)
        )
    };
    row("all of it".to_owned(), "calls", calls(judged), calls(&fix.after));
    row(
        String::new(),
        "high / medium / low",
        findings(judged),
        findings(&fix.after),
    );
    for column in 0..2 {
        if let Some(column) = table.column_mut(column) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    let _ = writeln!(out, "{table}");
    out
}

/// Lines of at most `width` columns, broken at spaces.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        for piece in pieces(word, width.max(2)) {
            let line = lines.last_mut().map_or(0, |line| line.width());
            if line > 0 && line + 1 + piece.width() > width {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(&piece);
            }
        }
    }
    lines
}

/// A word in pieces of at most `width` columns.
fn pieces(word: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut columns = 0;
    for c in word.chars() {
        let wide = c.width().unwrap_or(0);
        if columns + wide > width {
            pieces.push(String::new());
            columns = 0;
        }
        columns += wide;
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
    }
    pieces
}
