//! What is wrong with an input: each fault with its path, its place and a sentence.

use std::cell::RefCell;
use std::fmt::{Display, Write};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::report::escape;

/// A place in a text, in bytes.
pub type Span = std::ops::Range<usize>;

/// More faults than this are counted, not shown.
const SHOWN: usize = 50;

/// More faults than this aren't even counted.
const KEPT: usize = 1000;

/// So much of a line is shown: with a line number it fits into 80 columns.
const SHOWN_LINE: usize = 72;
/// And so much of that before a fault, where not all of it is shown.
const BEFORE: usize = 24;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it stands in the text.
    pub at: Span,
    /// The path to it; empty where the text has no paths.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

/// All that is wrong with one text, collected through shared references while several readers hold it.
#[derive(Debug, Default)]
pub struct Faults {
    list: RefCell<Vec<Fault>>,
}

impl Faults {
    /// Adds a fault; those beyond the first thousand are dropped.
    pub fn add(&self, at: Span, path: &impl Display, message: impl Into<String>) {
        let mut list = self.list.borrow_mut();
        if list.len() < KEPT {
            list.push(Fault {
                at,
                path: path.to_string(),
                message: message.into(),
            });
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.borrow().is_empty()
    }

    /// Whether further faults would be dropped.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.list.borrow().len() >= KEPT
    }

    /// Each fault as `path: message`, in the order of the text.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        self.sorted().iter().map(Fault::sentence).collect()
    }

    fn sorted(&self) -> Vec<Fault> {
        let mut list = self.list.borrow().clone();
        list.sort_by_key(|fault| fault.at.start);
        list
    }

    /// All of them on the source, as a compiler shows them.
    #[must_use]
    pub fn render(&self, origin: &str, text: &str) -> String {
        let list = self.sorted();
        let mut out = String::new();
        for fault in list.iter().take(SHOWN) {
            out.push_str(&on_source(
                Level::ERROR,
                &fault.sentence(),
                &fault.at,
                origin,
                text,
            ));
            out.push('\n');
        }
        if list.len() > SHOWN {
            let _ = writeln!(out, "and {} more faults", list.len() - SHOWN);
        }
        out
    }
}

impl Fault {
    fn sentence(&self) -> String {
        let message = if self.path.is_empty() {
            self.message.clone()
        } else {
            format!("{}: {}", self.path, self.message)
        };
        escape::terminal(&message)
    }
}

/// A message on the line it is about; long lines are cut around the place.
#[must_use]
pub fn on_source(level: Level<'static>, message: &str, at: &Span, origin: &str, text: &str) -> String {
    let place = floor(text, at.start);
    let line_start = text[..place].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[place..].find('\n').map_or(text.len(), |i| place + i);
    let number = text[..line_start].bytes().filter(|b| *b == b'\n').count() + 1;
    let (from, to) = if line_end - line_start <= SHOWN_LINE {
        (line_start, line_end)
    } else {
        let from = ceil(text, line_start.max(place.saturating_sub(BEFORE)));
        (from, floor(text, line_end.min(from + SHOWN_LINE)).max(place))
    };
    let shown = escape_controls(&text[from..to]);
    // Escapes lengthen what stands before the place, so both ends are measured in the escaped text.
    let start = escape_controls(&text[from..place]).len();
    let stop = ceil(text, at.end.clamp(place, to));
    let end = start + escape_controls(&text[place..stop.max(place)]).len();
    let column = text[line_start..place].chars().count() + 1;
    let origin = format!("{}:{number}:{column}", escape::terminal(origin));
    let group = level.primary_title(message).element(
        Snippet::source(shown.as_str())
            .line_start(number)
            .annotation(AnnotationKind::Primary.span(start..end.min(shown.len()))),
    );
    // Colours are written always; the stream takes them out where nobody sees them.
    let rendered = Renderer::styled().render(&[group]);
    // The snippet is a piece of the line, so its own column would be wrong: the place is written here.
    match rendered.split_once('\n') {
        Some((title, rest)) => {
            let width = number.to_string().len();
            format!("{title}\n{}--> {origin}\n{rest}", " ".repeat(width))
        }
        None => format!("{rendered}\n --> {origin}"),
    }
}

/// The nearest character's start at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// The nearest character's start at or after `at`.
fn ceil(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

/// Control characters as escapes, tabs as one space, so that a column is a character.
fn escape_controls(text: &str) -> String {
    escape::terminal(&text.replace('\t', " "))
}
