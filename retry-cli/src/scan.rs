//! `retry-plan scan`: every policy and every annotated function of a Rust source tree.
//!
//! Files are read as tokens, never as Rust: `retry_policy! { … }` and `#[retry(…)]` are found wherever they stand.

use std::path::Path;

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Table, Width,
    presets,
};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use retry_syntax::Errors;
use retry_syntax::ast::{FnPolicy, Input, LevelAttr, Node};
use retry_syntax::lower::lower;
use retry_syntax::parse;
use retry_syntax::text::Expected;
use serde::Serialize;

use crate::cli::ScanArgs;
use crate::plan::read::MAX_NODES;
use crate::plan::report::{Planned, plan_placed};
use crate::report::escape::{shortened, terminal as escape};
use crate::report::{json, words};
use crate::run::{Refusal, Verdict, complain, print, read, width};

/// What can be found without knowing a value.
const VALUE_FREE: [&str; 4] = ["no_jitter", "retry_unsafe", "hedge_unsafe", "no_attempt_timeout"];

/// Deeper brackets are no code that anyone wrote.
const MAX_DEPTH: usize = 256;

/// A policy and where it was found.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The file, below the folder that was asked for.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// `policy`, `in place` or `function`.
    pub form: &'static str,
    /// Values that only the compiler knows. Where there are any, figures are `None`, and only findings that hold whatever
    /// the values are, are listed.
    pub unknown_values: usize,
    /// What is said of it.
    #[serde(flatten)]
    pub plan: Planned,
}

/// All that was found.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// In the order of the files.
    pub found: Vec<Found>,
    /// Files or policies that couldn't be read, with the reason.
    pub skipped: Vec<String>,
}

/// Does `retry-plan scan`.
///
/// # Errors
/// If the folder isn't one.
pub fn run(args: &ScanArgs) -> Result<Verdict, Refusal> {
    if !args.dir.is_dir() {
        let dir = escape(&args.dir.display().to_string());
        return Err(Refusal(format!("error: {dir}: is no folder\n")));
    }
    let mut report = Report::default();
    let walk = ignore::WalkBuilder::new(&args.dir)
        .filter_entry(|entry| entry.file_name() != "target")
        .sort_by_file_path(Ord::cmp)
        .build();
    for entry in walk {
        match entry {
            Ok(entry)
                if entry
                    .path()
                    .extension()
                    .is_some_and(|extension| extension == "rs") =>
            {
                let name = entry.path().strip_prefix(&args.dir).unwrap_or(entry.path());
                file(entry.path(), &name.display().to_string(), &mut report);
            }
            Ok(_) => {}
            Err(error) => report.skipped.push(error.to_string()),
        }
    }
    let denied = report
        .found
        .iter()
        .flat_map(|found| &found.plan.findings)
        .any(|finding| finding.level == "deny");
    if args.json {
        print(&json::pretty(&report))?;
    } else {
        print(&table(&report))?;
        for skipped in &report.skipped {
            complain(&format!("skipped: {}\n", escape(skipped)));
        }
    }
    Ok(if denied { Verdict::Bad } else { Verdict::Fine })
}

fn file(path: &Path, name: &str, report: &mut Report) {
    match read(path) {
        Ok(found) => source(&found.text, name, report),
        Err(Refusal(why)) => {
            let why = why.trim().trim_start_matches("error: ");
            report.skipped.push(why.to_owned());
        }
    }
}

/// Adds what the text of one file holds, or why it can't be read.
pub fn source(text: &str, name: &str, report: &mut Report) {
    if !text.contains("retry") {
        return;
    }
    if too_deep(text) {
        report
            .skipped
            .push(format!("{name}: nested more than {MAX_DEPTH} levels deep"));
        return;
    }
    match text.parse::<TokenStream>() {
        Ok(tokens) => Scan { name, report }.tokens(tokens),
        Err(error) => report.skipped.push(format!("{name}: {error}")),
    }
}

/// Brackets in strings and comments count too, which only skips files that nobody wrote.
fn too_deep(text: &str) -> bool {
    let (mut depth, mut deepest) = (0usize, 0usize);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest > MAX_DEPTH
}

struct Scan<'a> {
    name: &'a str,
    report: &'a mut Report,
}

impl Scan<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            let TokenTree::Group(group) = tree else { continue };
            if at >= 2 && is_word(&trees[at - 2], "retry_policy") && is_mark(&trees[at - 1], '!') {
                self.policy(group.stream());
            } else if at >= 1 && is_mark(&trees[at - 1], '#') && group.delimiter() == Delimiter::Bracket {
                self.attribute(group.stream(), &trees[at + 1..]);
            } else {
                self.tokens(group.stream());
            }
        }
    }

    fn policy(&mut self, tokens: TokenStream) {
        let (input, errors) = parse::policy(tokens);
        if self.refuse(&errors) {
            return;
        }
        match input {
            Some(Input::Policies(policies)) => {
                for policy in policies {
                    let line = policy.ident.span().start().line;
                    self.plan(
                        "policy",
                        &policy.ident.to_string(),
                        line,
                        &policy.levels,
                        &policy.root,
                    );
                }
            }
            Some(Input::InPlace(place)) => {
                let line = place.root.keyword.span().start().line;
                self.plan("in place", "policy", line, &place.levels, &place.root);
            }
            Some(Input::RunNamed(_)) | None => {}
        }
    }

    /// `#[retry(…)]` with what follows it.
    fn attribute(&mut self, attribute: TokenStream, rest: &[TokenTree]) {
        let parts: Vec<TokenTree> = attribute.into_iter().collect();
        // `retry` or `retry_plan::retry`, and its arguments.
        let [path @ .., TokenTree::Group(arguments)] = parts.as_slice() else {
            return;
        };
        let ours = path.last().is_some_and(|word| is_word(word, "retry"))
            && (path.len() == 1 || path.first().is_some_and(|word| is_word(word, "retry_plan")));
        if !ours || arguments.delimiter() != Delimiter::Parenthesis {
            return;
        }
        let function = rest.windows(2).find(|pair| is_word(&pair[0], "fn"));
        let Some(TokenTree::Ident(function)) = function.map(|pair| &pair[1]) else {
            return;
        };
        let mut attributes = Vec::new();
        for pair in rest.windows(2) {
            if is_word(&pair[0], "fn") {
                break;
            }
            if is_mark(&pair[0], '#') {
                attributes.push(pair.iter().cloned().collect());
            }
        }
        let (arguments, _, errors) = parse::function(arguments.stream(), attributes);
        if self.refuse(&errors) {
            return;
        }
        if let FnPolicy::Tree(root) = &arguments.policy {
            let line = function.span().start().line;
            self.plan("function", &function.to_string(), line, &arguments.levels, root);
        }
    }

    /// Whether there were faults; the compiler shows them better.
    fn refuse(&mut self, errors: &Errors) -> bool {
        if let Some(first) = errors.all().first() {
            let line = first.span.start().line;
            self.report
                .skipped
                .push(format!("{}:{line}: {}", self.name, first.message));
        }
        !errors.is_empty()
    }

    fn plan(&mut self, form: &'static str, name: &str, line: usize, levels: &[LevelAttr], root: &Node) {
        let nodes = root.preorder();
        if nodes.len() > MAX_NODES {
            let why = format!("{}:{line}: more than {MAX_NODES} nodes", self.name);
            self.report.skipped.push(why);
            return;
        }
        let (policy, unknown) = lower(name, levels, root, &mut |_| None);
        let place = |span: Span| (span.start().line, span.start().column + 1);
        let places: Vec<_> = nodes.iter().map(|node| place(node.keyword.span())).collect();
        let expected: Vec<Expected> = root
            .expected(levels)
            .map(|(attr, node)| Expected {
                node,
                lint: attr.lint,
                line: place(attr.word.span()).0,
                column: place(attr.word.span()).1,
                message: attr.unfulfilled(),
            })
            .collect();
        let mut plan = plan_placed(&policy, &places, &expected);
        if !unknown.is_empty() {
            // Figures of values that could be anything say nothing; these findings hold whatever the values are.
            plan.findings.retain(|finding| VALUE_FREE.contains(&finding.lint));
            (plan.worst_ns, plan.work_ns, plan.calls) = (None, None, None);
            plan.timeline.clear();
        }
        self.report.found.push(Found {
            file: self.name.to_owned(),
            line,
            form,
            unknown_values: unknown.len(),
            plan,
        });
    }
}

fn is_word(tree: &TokenTree, word: &str) -> bool {
    matches!(tree, TokenTree::Ident(ident) if ident == word)
}

fn is_mark(tree: &TokenTree, mark: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark)
}

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
        table.add_row([
            Cell::new(format!("{}:{}", escape(&found.file), found.line)),
            Cell::new(shortened(&escape(&found.plan.name), 40)).add_attribute(Attribute::Bold),
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
