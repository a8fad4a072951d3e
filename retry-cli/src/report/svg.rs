//! The worst-case timeline of a chain as a picture.

use std::time::Duration;

use svg::node::element::{Definitions, Group, Line, Pattern, Rectangle, Style, Text, Title};
use svg::{Document, Node};

use crate::chain::Judged;
use crate::report::escape;
use crate::report::timeline::{Row, What, share, step, timeline};
use crate::report::words;

const WIDTH: f64 = 960.0;
const LABEL: f64 = 230.0;
const RIGHT: f64 = 110.0;
const ROW: f64 = 46.0;
const BAR: f64 = 22.0;
/// Above the first row: the legend and room for the chain's name.
const TOP: f64 = 42.0;
const NAME: f64 = 24.0;
const MARGIN: f64 = 18.0;

/// More rows than this are no picture.
const ROWS: usize = 60;

/// Colours that hold on white and on dark paper; a try, a wait, and time that the caller no longer waits for.
const STYLE: &str = "
text{font:13px ui-sans-serif,system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1f2933}
.t{font-size:17px;font-weight:600}.s{fill:#616e7c;font-size:12px}.n{font-weight:600}
.paper{fill:#fff}.try{fill:#2f6fde}.wait{fill:#c9d6ea}.late{fill:#d64545}.ax{stroke:#e4e7eb}.stop{stroke:#b7791f;stroke-width:2;stroke-dasharray:4 3}
.cut{stroke:#1f2933;stroke-width:2.5}.k{fill:#fff;font-size:11px;font-weight:600}.bad{fill:#d64545;font-weight:600}
@media (prefers-color-scheme:dark){text{fill:#e4e7eb}.paper{fill:#1a222c}.s{fill:#9aa5b1}.ax{stroke:#3e4c59}.cut{stroke:#f5f7fa}.wait{fill:#486581}.k{fill:#fff}.bad{fill:#ff8080}}";

/// The picture, as a whole file.
#[must_use]
pub fn chain(judged: &Judged) -> String {
    format!("{}\n", document(judged, true))
}

/// The picture, to stand inside a page, which may have said whose it is.
#[must_use]
pub fn document(judged: &Judged, named: bool) -> Document {
    let timeline = timeline(judged);
    let shown = timeline.rows.len().min(ROWS);
    let (top, margin) = if named { (TOP + NAME, MARGIN) } else { (TOP, 0.0) };
    #[allow(clippy::cast_precision_loss, reason = "sixty rows at most")]
    let height = top + ROW * shown as f64 + 44.0;
    let mut document = Document::new()
        .set(
            "viewBox",
            (-margin, -margin, WIDTH + 2.0 * margin, height + 2.0 * margin),
        )
        .set("width", WIDTH + 2.0 * margin)
        .set("height", height + 2.0 * margin)
        .set("role", "img")
        .add(Title::new(text_of(&format!(
            "Worst-case timeline of {}",
            judged.chain.name
        ))))
        .add(Style::new(STYLE))
        .add(hatch());
    if named {
        // A picture by itself brings its own paper, so that its colours and its paper are never of two themes.
        let size = (WIDTH + 2.0 * margin, height + 2.0 * margin);
        document.append(rectangle("paper", -margin, -margin, size.0, size.1));
        document.append(text(0.0, 18.0, "t", &escape::shortened(&judged.chain.name, 70)));
    }
    legend(&mut document, top - 26.0);
    axis(&mut document, timeline.end, top - 8.0, height - 34.0);
    let mut y = top;
    for (index, row) in timeline.rows.iter().take(shown).enumerate() {
        document.append(layer(judged, index, row, y, timeline.end));
        y += ROW;
    }
    if timeline.rows.len() > shown {
        let rest = format!("and {} more layers", timeline.rows.len() - shown);
        document.append(text(0.0, height - 8.0, "s", &rest));
    }
    document
}

fn x(time: Duration, end: Duration) -> f64 {
    LABEL + share(time, end) * (WIDTH - LABEL - RIGHT)
}

/// What each mark means, in a row.
fn legend(document: &mut Document, y: f64) {
    for (x, class, width, height, what) in [
        (0.0, "try", 22.0, 12.0, "a try"),
        (80.0, "wait", 22.0, 6.0, "a wait"),
        (165.0, "late", 22.0, 12.0, "a try after the caller gave up"),
    ] {
        document.append(rectangle(class, x, y - 4.0 - height / 2.0, width, height));
        document.append(text(x + 28.0, y, "s", what));
    }
    for (x, class, what) in [
        (395.0, "stop", "the caller gives up"),
        (545.0, "cut", "the deadline cuts"),
    ] {
        document.append(mark(class, x, y - 12.0, y + 4.0));
        document.append(text(x + 8.0, y, "s", what));
    }
}

fn axis(document: &mut Document, end: Duration, top: f64, bottom: f64) {
    let step = step(end);
    let mut at = Duration::ZERO;
    while at <= end {
        let x = x(at, end);
        document.append(
            Line::new()
                .set("class", "ax")
                .set("x1", x)
                .set("x2", x)
                .set("y1", top)
                .set("y2", bottom),
        );
        document.append(text(x, bottom + 16.0, "s", &words::time(at)).set("text-anchor", "middle"));
        let Some(next) = at.checked_add(step) else { break };
        at = next;
    }
}

fn layer(judged: &Judged, index: usize, row: &Row, y: f64, end: Duration) -> Group {
    let layer = &judged.chain.layers[index];
    let figures = &judged.figures.layers[index];
    let mut group = Group::new();
    let name = escape::shortened(&text_of(&layer.name), 26);
    group.append(text(0.0, y + 15.0, "n", &format!("{}  {name}", index + 1)));
    let tries = if layer.retries() { "tries" } else { "try" };
    let calls = words::amount(&figures.worst_amplification);
    let about = format!(
        "{} {tries}, {calls} call{}",
        words::attempts(layer.attempts),
        if calls == "1" { "" } else { "s" }
    );
    group.append(text(18.0, y + 31.0, "s", &about));
    for (place, piece) in row.pieces.iter().enumerate() {
        let stop = row.cut.map_or(piece.end, |cut| piece.end.min(cut));
        if stop <= piece.start {
            continue;
        }
        let (class, height, number) = match piece.what {
            What::Try(k) => ("try", BAR, Some(k)),
            What::Wait => ("wait", BAR * 0.4, None),
        };
        let (from, to) = (x(piece.start, end), x(stop, end));
        let width = (to - from).max(0.75);
        let mut bar = rectangle(class, from, y + 4.0 + (BAR - height) / 2.0, width, height);
        let what = number.map_or_else(|| "wait".to_owned(), |k| format!("try {k}"));
        let title = format!("{what}: {} to {}", words::time(piece.start), words::time(stop));
        bar.append(Title::new(text_of(&title)));
        group.append(bar);
        if let Some(late) = row
            .caller_gives_up
            .filter(|late| *late < stop && number.is_some())
        {
            let late = x(late.max(piece.start), end);
            group.append(rectangle("late", late, y + 4.0, (to - late).max(0.75), BAR));
        }
        // What never ends is hatched, and bears no number.
        let hatched = row.endless && place + 1 == row.pieces.len();
        if let Some(k) = number.filter(|_| width > 16.0 && !hatched) {
            let label = text(from + width / 2.0, y + 19.0, "k", &k.to_string());
            group.append(label.set("text-anchor", "middle"));
        }
    }
    if row.endless
        && let Some(piece) = row.pieces.last()
    {
        let from = x(piece.start, end);
        let mut bar = rectangle("", from, y + 4.0, WIDTH - RIGHT - from, BAR);
        bar.assign("fill", "url(#endless)");
        group.append(bar);
    }
    if let Some(patience) = row.caller_gives_up {
        group.append(mark("stop", x(patience, end), y - 1.0, y + BAR + 9.0));
    }
    if let Some(cut) = row.cut {
        group.append(mark("cut", x(cut, end), y + 1.0, y + BAR + 7.0));
    }
    let outlives = match (figures.worst, row.caller_gives_up) {
        (worst, Some(patience)) => worst.is_none_or(|worst| worst > patience),
        _ => figures.worst.is_none(),
    };
    let class = if outlives { "bad" } else { "n" };
    let more = if row.more { " …" } else { "" };
    let bound = figures.worst.map_or_else(|| "no end".to_owned(), words::time);
    group.append(text(
        WIDTH - RIGHT + 12.0,
        y + 19.0,
        class,
        &format!("{bound}{more}"),
    ));
    group
}

fn rectangle(class: &str, x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle::new()
        .set("class", class)
        .set("x", round(x))
        .set("y", round(y))
        .set("width", round(width))
        .set("height", round(height))
        .set("rx", 2)
}

fn mark(class: &str, x: f64, from: f64, to: f64) -> Line {
    Line::new()
        .set("class", class)
        .set("x1", round(x))
        .set("x2", round(x))
        .set("y1", from)
        .set("y2", to)
}

fn text(x: f64, y: f64, class: &str, content: &str) -> Text {
    Text::new(text_of(content))
        .set("x", round(x))
        .set("y", round(y))
        .set("class", class)
}

/// What doesn't print is shown; the `svg` crate escapes what is markup.
fn text_of(content: &str) -> String {
    escape::terminal(content)
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Time that never ends.
fn hatch() -> Definitions {
    let stripe = Line::new()
        .set("x1", 0)
        .set("y1", 0)
        .set("x2", 0)
        .set("y2", 8)
        .set("stroke", "#d64545")
        .set("stroke-width", 6);
    Definitions::new().add(
        Pattern::new()
            .set("id", "endless")
            .set("width", 8)
            .set("height", 8)
            .set("patternUnits", "userSpaceOnUse")
            .set("patternTransform", "rotate(45)")
            .add(stripe),
    )
}
