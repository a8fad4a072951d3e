//! `retry-plan import`: a target's configuration as the layer it really is.
//!
//! Each target is a room: text → [`doc`](crate::doc) → [`Layer`], with the target's defaults filled in and named in the
//! layer's `assumed`. A setting that the target ignores or that can't do what it says is a [`Note`].

mod aws;
mod envoy;
mod grpc;
mod istio;
mod temporal;
mod time;

use std::fmt::Write;
use std::path::Path;

use annotate_snippets::Level;

use crate::chain::findings::Severity;
use crate::chain::model::{Attempts, Chain, Layer};
use crate::chain::{input, write};
use crate::cli::ImportArgs;
use crate::doc::decimal::Decimal;
use crate::fault::{Faults, Span, on_source};
use crate::run::{Refusal, Source, Verdict, complain, print, read, refusal};

/// The targets, as the command line names them.
pub const TARGETS: [&str; 5] = ["grpc", "envoy", "istio", "temporal", "aws"];

/// A layer, and what its target makes of the settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The layer.
    pub layer: Layer,
    /// What is ignored or can't work.
    pub notes: Vec<Note>,
}

/// A setting that the target ignores or that can't do what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its name.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where it stands.
    pub at: Span,
    /// The sentence.
    pub detail: String,
}

/// A layer under construction.
pub(crate) struct Draft {
    layer: Layer,
    notes: Vec<Note>,
    whole: Span,
}

impl Draft {
    pub(crate) fn new(name: impl Into<String>, whole: Span) -> Self {
        Self {
            layer: Layer::new(name),
            notes: Vec::new(),
            whole,
        }
    }

    /// Says that the target filled in `key`.
    pub(crate) fn assume(&mut self, key: &str) {
        self.layer.assumed.push(key.to_owned());
    }

    pub(crate) fn note(
        &mut self,
        code: &'static str,
        severity: Severity,
        at: Option<Span>,
        detail: impl Into<String>,
    ) {
        self.notes.push(Note {
            code,
            severity,
            at: at.unwrap_or_else(|| self.whole.clone()),
            detail: detail.into(),
        });
    }

    pub(crate) fn done(self) -> Imported {
        Imported {
            layer: self.layer,
            notes: self.notes,
        }
    }
}

/// All layers that `text` holds, by their names in it.
pub fn layers(target: &str, text: &str, faults: &Faults) -> Option<Vec<Imported>> {
    match target {
        "grpc" => grpc::read(text, faults),
        "envoy" => envoy::read(text, faults),
        "istio" => istio::read(text, faults),
        "temporal" => temporal::read(text, faults),
        "aws" => Some(aws::read(text, faults)),
        _ => None,
    }
    .filter(|_| faults.is_empty())
}

/// Does `retry-plan import`.
///
/// # Errors
/// If a target is unknown, or a file can't be read or understood.
pub fn run(args: &ImportArgs) -> Result<Verdict, Refusal> {
    if !args.pairs.len().is_multiple_of(2) {
        return Err(Refusal(
            "error: expected pairs of a target and its file\n".to_owned(),
        ));
    }
    let mut chain = Chain {
        name: args.name.clone().unwrap_or_else(|| "imported chain".to_owned()),
        failure_rate: input::FAILURE_RATE,
        max_amplification: input::MAX_AMPLIFICATION,
        layers: Vec::new(),
    };
    let mut told = String::new();
    let mut high = false;
    for pair in args.pairs.chunks_exact(2) {
        let (target, file) = (pair[0].as_str(), pair[1].as_str());
        if !TARGETS.contains(&target) {
            let near = crate::doc::fields::nearest(target, &TARGETS);
            let hint = near.map_or_else(|| TARGETS.join(", "), |near| format!("did you mean {near}?"));
            let target = crate::report::escape::terminal(target);
            return Err(Refusal(format!("error: unknown target `{target}`: {hint}\n")));
        }
        let (source, chosen) = open(file)?;
        let faults = Faults::default();
        let Some(found) = layers(target, &source.text, &faults) else {
            return Err(refusal(&faults, &source));
        };
        let imported = choose(found, chosen, file)?;
        for note in &imported.notes {
            high |= note.severity == Severity::High;
            tell(&mut told, note, &source);
        }
        if !imported.layer.assumed.is_empty() {
            let name = crate::report::escape::terminal(&imported.layer.name);
            let _ = writeln!(
                told,
                "note: {name}: by default of {target}: {}\n",
                imported.layer.assumed.join(", ")
            );
        }
        chain.layers.push(imported.layer);
    }
    complain(&told);
    print(&write::text(&chain))?;
    Ok(if high { Verdict::Bad } else { Verdict::Fine })
}

fn tell(out: &mut String, note: &Note, source: &Source) {
    let level = match note.severity {
        Severity::High => Level::ERROR,
        Severity::Medium => Level::WARNING,
        Severity::Low => Level::NOTE,
    };
    let message = crate::report::escape::terminal(&format!("{} [{}]", note.detail, note.code));
    out.push_str(&on_source(
        level,
        &message,
        &note.at,
        &source.origin,
        &source.text,
    ));
    out.push_str("\n\n");
}

/// `FILE`, or `FILE#NAME` where no file has that whole name.
fn open(file: &str) -> Result<(Source, Option<&str>), Refusal> {
    match file.split_once('#') {
        Some((path, name)) if !Path::new(file).exists() => Ok((read(Path::new(path))?, Some(name))),
        _ => Ok((read(Path::new(file))?, None)),
    }
}

fn choose(mut found: Vec<Imported>, chosen: Option<&str>, file: &str) -> Result<Imported, Refusal> {
    let names: Vec<String> = found.iter().map(|imported| imported.layer.name.clone()).collect();
    let listed = crate::report::escape::terminal(&names.join(", "));
    let file = crate::report::escape::terminal(file);
    let index = match chosen {
        None if found.len() == 1 => Some(0),
        None => None,
        Some(name) => names.iter().position(|found| found == name),
    };
    match index {
        Some(index) => Ok(found.swap_remove(index)),
        None if found.is_empty() => Err(Refusal(format!("error: {file}: holds no retry settings\n"))),
        None => Err(Refusal(format!(
            "error: {file}: choose one with FILE#NAME: {listed}\n"
        ))),
    }
}

/// How many tries, where `retries` further ones are set.
pub(crate) fn tries(retries: u32) -> Attempts {
    Attempts::Count(retries.saturating_add(1))
}

/// Two, without a point.
pub(crate) fn two() -> retry_planner::Factor {
    retry_planner::Factor::whole(2)
}

/// A fifth.
pub(crate) fn fifth() -> retry_planner::Factor {
    Decimal::parse("0.2")
        .and_then(Decimal::factor)
        .unwrap_or_else(two)
}
