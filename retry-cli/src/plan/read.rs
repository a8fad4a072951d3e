//! Policy text to policies, with every fault shown on its line.

use std::fmt::Write;

use annotate_snippets::Level as Shown;
use retry_planner::{Plan, Policy};
use retry_syntax::lower::OwnedCallee;
use retry_syntax::text::{FilePolicy, parse_str_with};

use crate::fault::on_source;
use crate::report::escape;
use crate::run::{Refusal, Source};

/// Longer policy texts are refused.
const MAX_TEXT: usize = 256 << 10;
/// Deeper brackets are refused before anything recurses over them.
const MAX_DEPTH: usize = 128;
/// More policies are refused: they may call each other, one inside the other.
const MAX_POLICIES: usize = 500;
/// Larger policies are refused.
pub const MAX_NODES: usize = 300;
/// And so are more nodes in all policies together.
const MAX_ALL_NODES: usize = 3_000;

/// Reads policies.
///
/// # Errors
/// With every fault on its line.
pub fn parse(source: &Source) -> Result<Vec<FilePolicy>, Refusal> {
    let text = &source.text;
    if let Some((at, why)) = too_much(text) {
        let shown = on_source(Shown::ERROR, &why, &(at..at + 1), &source.origin, text);
        return Err(Refusal(format!("{shown}\n")));
    }
    let callee = |policy: &Policy<'_>| OwnedCallee::of(&Plan::of(policy).callee());
    let policies = parse_str_with(text, &callee)
        .map(|file| file.policies)
        .map_err(|errors| {
            let mut out = String::new();
            for error in errors.iter().take(50) {
                let at = offset(text, error.line, error.column);
                let message = escape::terminal(&error.message);
                out.push_str(&on_source(
                    Shown::ERROR,
                    &message,
                    &(at..word_end(text, at)),
                    &source.origin,
                    text,
                ));
                out.push('\n');
                for help in &error.help {
                    let _ = writeln!(out, "  help: {}", escape::terminal(help));
                }
            }
            Refusal(out)
        })?;
    too_many(&policies, source)?;
    Ok(policies)
}

/// Refuses what nobody wrote, before it is planned: findings look at each node from each node.
fn too_many(policies: &[FilePolicy], source: &Source) -> Result<(), Refusal> {
    let mut all = 0;
    for policy in policies {
        let nodes = policy.places.len();
        all += nodes;
        if nodes > MAX_NODES || all > MAX_ALL_NODES {
            let at = offset(&source.text, policy.line, 1);
            let why = format!("more than {MAX_NODES} nodes in a policy, or {MAX_ALL_NODES} in a text");
            let shown = on_source(Shown::ERROR, &why, &(at..at), &source.origin, &source.text);
            return Err(Refusal(format!("{shown}\n")));
        }
    }
    Ok(())
}

/// Where a text is longer or deeper than any policy.
fn too_much(text: &str) -> Option<(usize, String)> {
    if text.len() > MAX_TEXT {
        return Some((0, format!("a policy text of more than {} KiB", MAX_TEXT >> 10)));
    }
    if let Some((at, _)) = text.match_indices("struct").nth(MAX_POLICIES) {
        return Some((at, format!("more than {MAX_POLICIES} policies")));
    }
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some((at, format!("nested more than {MAX_DEPTH} levels deep")));
        }
    }
    None
}

/// The byte at a line and column, both from 1.
pub(super) fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let line = text.get(start..).unwrap_or_default();
    let within = line
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(0, |(at, _)| at);
    (start + within).min(text.len())
}

pub(super) fn word_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let word = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    at + word.max(rest.chars().next().map_or(0, char::len_utf8))
}
