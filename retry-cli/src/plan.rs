//! `retry-plan plan`: policies written as text, planned and judged.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use annotate_snippets::Level as Shown;
use retry_planner::{
    Allowance, Attempt, Callee, Count, Kind, Level, Levels, Lint, Node, Plan, Policy, Range, plan,
};
use retry_syntax::lower::OwnedCallee;
use retry_syntax::text::{FilePolicy, parse_str_with};
use serde::Serialize;

use crate::cli::PlanArgs;
use crate::fault::on_source;
use crate::report::{escape, json, words};
use crate::run::{Refusal, Source, Verdict, print, read};

/// Longer policy texts are refused.
const MAX_TEXT: usize = 256 << 10;
/// Deeper brackets are refused before anything recurses over them.
const MAX_DEPTH: usize = 128;
/// More pieces of a timeline can't be read.
const PIECES: usize = 200;

/// All that is said of the policies of one text.
#[derive(Debug, Serialize)]
pub struct Report {
    /// In the order of the text.
    pub policies: Vec<Planned>,
}

/// All that is said of one policy.
#[derive(Debug, Serialize)]
pub struct Planned {
    /// The policy's name.
    pub name: String,
    /// The fastest success.
    pub best_ns: u128,
    /// The latest end; `None` where there is none.
    pub worst_ns: Option<u128>,
    /// The time that operations run in all; `None` where it has no bound.
    pub work_ns: Option<u128>,
    /// The most calls; `None` where there is no bound.
    pub calls: Option<u64>,
    /// Each operation.
    pub leaves: Vec<Leaf>,
    /// Each budget that repeats are charged to.
    pub budgets: Vec<Budget>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// The worst case.
    pub timeline: Vec<Piece>,
}

/// One operation.
#[derive(Debug, Serialize)]
pub struct Leaf {
    /// Its name; `attempt` where it has none.
    pub name: String,
    /// The most calls of it; `None` where there is no bound.
    pub calls: Option<u64>,
}

/// A budget that repeats are charged to.
#[derive(Debug, Serialize)]
pub struct Budget {
    /// Its path.
    pub key: String,
    /// The most units that one run asks for; `None` where there is no bound.
    pub required: Option<u32>,
    /// What an allowance of the policy grants; `None` where it has none for this key.
    pub limit: Option<u32>,
    /// `admissible`, `exceeded`, or `unverified` where only the running program knows.
    pub status: &'static str,
}

/// What is wrong.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// Its name.
    pub lint: &'static str,
    /// `deny` or `warn`.
    pub level: &'static str,
    /// Where it is, from 1.
    pub line: usize,
    /// Where it is, in characters from 1.
    pub column: usize,
    /// What is said.
    pub message: String,
    /// What would fit.
    pub fits: Vec<String>,
}

/// A piece of the worst case.
#[derive(Debug, Serialize)]
pub struct Piece {
    /// What happens.
    pub what: String,
    /// When it begins.
    pub start_ns: u128,
    /// When it would end.
    pub end_ns: u128,
    /// When a limit ends it, where one does.
    pub cut_ns: Option<u128>,
}

/// Does `retry-plan plan`.
///
/// # Errors
/// If the text can't be read or is no policy.
pub fn run(args: &PlanArgs) -> Result<Verdict, Refusal> {
    let source = read(Path::new(&args.file))?;
    let policies = parse(&source)?;
    let report = Report {
        policies: policies.iter().map(planned).collect(),
    };
    let denied = report
        .policies
        .iter()
        .flat_map(|policy| &policy.findings)
        .any(|finding| finding.level == "deny");
    print(&if args.json {
        json::pretty(&report)
    } else {
        text(&report, &source)
    })?;
    Ok(if denied { Verdict::Bad } else { Verdict::Fine })
}

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
    parse_str_with(text, &callee)
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
        })
}

/// Where a text is longer or deeper than any policy.
fn too_much(text: &str) -> Option<(usize, String)> {
    if text.len() > MAX_TEXT {
        return Some((0, format!("a policy text of more than {} KiB", MAX_TEXT >> 10)));
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
fn offset(text: &str, line: usize, column: usize) -> usize {
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

fn word_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let word = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    at + word.max(rest.chars().next().map_or(0, char::len_utf8))
}

/// Plans one policy.
#[must_use]
pub fn planned(file: &FilePolicy) -> Planned {
    file.policy.with(|policy| {
        let plan = Plan::of(policy);
        Planned {
            name: policy.name.to_owned(),
            best_ns: plan.best().as_nanos(),
            worst_ns: plan.worst().map(|worst| worst.as_nanos()),
            work_ns: plan.work().map(|work| work.as_nanos()),
            calls: plan.calls(),
            leaves: leaves(policy),
            budgets: budgets(policy),
            findings: findings(policy, &file.places),
            timeline: timeline(policy),
        }
    })
}

fn findings(policy: &Policy<'_>, places: &[(usize, usize)]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, node) in policy.nodes.iter().enumerate() {
        for lint in Lint::ALL {
            let level = match node.levels.get(lint) {
                Level::Deny => "deny",
                Level::Warn => "warn",
                Level::Allow | Level::Expect => continue,
            };
            let Some(message) = plan::message(policy, lint, index) else {
                continue;
            };
            let message = message.as_str().to_owned();
            let (line, column) = places.get(index).copied().unwrap_or((1, 1));
            found.push(Finding {
                lint: lint.name(),
                level,
                line,
                column,
                fits: fits(&message),
                message,
            });
        }
    }
    found
}

/// What stands behind `fits with:` in a message.
fn fits(message: &str) -> Vec<String> {
    let line = message
        .lines()
        .find_map(|line| line.trim().strip_prefix("fits with: "));
    line.map_or_else(Vec::new, |line| line.split(", or ").map(str::to_owned).collect())
}

/// The most calls of each leaf: the policy planned again with every other leaf as a callee that calls nothing.
fn leaves(policy: &Policy<'_>) -> Vec<Leaf> {
    let is_leaf = |node: &Node<'_>| matches!(node.kind, Kind::Attempt(_) | Kind::Call(_));
    let mut leaves = Vec::new();
    for (index, leaf) in policy
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| is_leaf(node))
        .take(PIECES)
    {
        let nodes: Vec<Node<'_>> = policy
            .nodes
            .iter()
            .enumerate()
            .map(|(other, node)| {
                if other != index && is_leaf(node) {
                    silent(node)
                } else {
                    *node
                }
            })
            .collect();
        let alone = Policy {
            name: policy.name,
            nodes: &nodes,
        };
        let name = match leaf.kind {
            Kind::Call(callee) if leaf.name.is_empty() => callee.name,
            _ if leaf.name.is_empty() => "attempt",
            _ => leaf.name,
        };
        leaves.push(Leaf {
            name: name.to_owned(),
            calls: Plan::of(&alone).calls(),
        });
    }
    leaves
}

fn silent<'a>(node: &Node<'a>) -> Node<'a> {
    let alone = [Node { size: 1, ..*node }];
    let plan = Plan::of(&Policy {
        name: "",
        nodes: &alone,
    });
    Node {
        kind: Kind::Call(Callee {
            name: "",
            best: plan.best(),
            fastest_failure: plan.fastest_failure(),
            worst: plan.worst(),
            work: Some(Duration::ZERO),
            calls: Some(0),
            leaf_calls: Some(0),
            budgeted: false,
            unsafe_to_repeat: false,
            charges: &[],
        }),
        ..*node
    }
}

/// The demand on each budget: the least allowance around the whole policy that isn't exceeded.
fn budgets(policy: &Policy<'_>) -> Vec<Budget> {
    let mut limits: BTreeMap<&str, Option<u32>> = BTreeMap::new();
    for node in policy.nodes {
        match node.kind {
            Kind::Retry(retry) => retry.budget.map(|charge| limits.entry(charge.key).or_default()),
            Kind::Hedge(hedge) => hedge.budget.map(|charge| limits.entry(charge.key).or_default()),
            Kind::Allowance(allowance) => {
                let limit = limits.entry(allowance.key).or_default();
                *limit = Some(limit.map_or(allowance.limit.lo, |limit| limit.min(allowance.limit.lo)));
                continue;
            }
            _ => continue,
        };
    }
    let exceeded = |key: &str, limit: u32| {
        let mut nodes = vec![Node {
            name: "",
            size: policy.nodes.len() + 1,
            levels: Levels::DEFAULT,
            kind: Kind::Allowance(Allowance {
                key,
                limit: Count::exact(limit),
            }),
        }];
        nodes.extend(
            policy
                .nodes
                .iter()
                .filter(|node| !matches!(node.kind, Kind::Allowance(_))),
        );
        // Inner allowances are taken out, and with them the nodes that they were counted in.
        let taken = |from: usize, size: usize| {
            let inside = policy.nodes[from..from + size].iter();
            inside
                .filter(|node| matches!(node.kind, Kind::Allowance(_)))
                .count()
        };
        let kept = policy
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| !matches!(node.kind, Kind::Allowance(_)));
        for (node, (index, original)) in nodes[1..].iter_mut().zip(kept) {
            node.size = original.size - taken(index, original.size);
        }
        nodes[0].size = nodes.len();
        let around = Policy {
            name: policy.name,
            nodes: &nodes,
        };
        plan::has(&around, Lint::RetryBudgetExceeded, 0)
    };
    limits
        .into_iter()
        .map(|(key, limit)| {
            let (mut low, mut high) = (0u32, u32::MAX);
            let required = if exceeded(key, u32::MAX) {
                None
            } else {
                while low < high {
                    let middle = low + (high - low) / 2;
                    if exceeded(key, middle) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                Some(low)
            };
            let refused = (0..policy.nodes.len()).any(|node| {
                matches!(policy.nodes[node].kind, Kind::Allowance(allowance) if allowance.key == key)
                    && plan::has(policy, Lint::RetryBudgetExceeded, node)
            });
            Budget {
                key: key.to_owned(),
                required,
                limit,
                status: match limit {
                    _ if refused => "exceeded",
                    Some(_) => "admissible",
                    None => "unverified",
                },
            }
        })
        .collect()
}

/// The worst case: everything fails as late as it may, every wait is as long as it may be.
fn timeline(policy: &Policy<'_>) -> Vec<Piece> {
    let mut walk = Walk {
        nodes: policy.nodes,
        pieces: Vec::new(),
    };
    walk.node(0, Duration::ZERO, Duration::MAX, "");
    walk.pieces
}

struct Walk<'a> {
    nodes: &'a [Node<'a>],
    pieces: Vec<Piece>,
}

impl Walk<'_> {
    /// Draws the node from `start` under the limit `end`; returns when it is over.
    fn node(&mut self, index: usize, start: Duration, end: Duration, label: &str) -> Duration {
        if start >= end || self.pieces.len() >= PIECES {
            return start.min(end);
        }
        let node = self.nodes[index];
        let label = if node.name.is_empty() {
            label.to_owned()
        } else {
            format!("{label}{} ", node.name)
        };
        match node.kind {
            Kind::Attempt(attempt) => self.leaf(&format!("{label}attempt"), start, longest(attempt), end),
            Kind::Call(callee) => {
                self.leaf(&format!("{label}call {}", callee.name), start, callee.worst, end)
            }
            Kind::Timeout(Range { lo, .. }) => {
                self.node(index + 1, start, end.min(start.saturating_add(lo)), &label)
            }
            Kind::Deadline(Range { lo, .. }) => self.node(index + 1, start, end.min(lo), &label),
            Kind::Allowance(_) => self.node(index + 1, start, end, &label),
            Kind::Retry(retry) => {
                let most = match retry.attempts {
                    retry_planner::Attempts::Exactly(count) | retry_planner::Attempts::UpTo(count) => {
                        count.hi
                    }
                    retry_planner::Attempts::Unlimited => u32::MAX,
                };
                let mut at = start;
                for k in 1..=most {
                    at = self.node(index + 1, at, end, &format!("{label}try {k} "));
                    if k == most || at >= end || self.pieces.len() >= PIECES {
                        break;
                    }
                    let wait = retry.interval(k).hi;
                    at = if wait.is_zero() {
                        at
                    } else {
                        self.leaf(&format!("{label}wait"), at, Some(wait), end)
                    };
                }
                at
            }
            Kind::Hedge(hedge) => {
                let (mut at, mut last) = (start, start);
                for copy in 1..=hedge.copies.hi {
                    let over = self.node(index + 1, at, end, &format!("{label}copy {copy} "));
                    last = last.max(over);
                    at = over.min(at.saturating_add(hedge.after.hi));
                    if at >= end || self.pieces.len() >= PIECES {
                        break;
                    }
                }
                last
            }
            Kind::Series | Kind::Fallback => self
                .children(index)
                .into_iter()
                .fold(start, |at, child| self.node(child, at, end, &label)),
            Kind::Parallel | Kind::Race => {
                let ends = self
                    .children(index)
                    .into_iter()
                    .map(|child| self.node(child, start, end, &label));
                ends.max().unwrap_or(start)
            }
        }
    }

    fn children(&self, index: usize) -> Vec<usize> {
        let mut children = Vec::new();
        let mut child = index + 1;
        while child < index + self.nodes[index].size {
            children.push(child);
            child += self.nodes[child].size;
        }
        children
    }

    fn leaf(&mut self, what: &str, start: Duration, takes: Option<Duration>, end: Duration) -> Duration {
        let own = takes.map_or(Duration::MAX, |takes| start.saturating_add(takes));
        self.pieces.push(Piece {
            what: what.to_owned(),
            start_ns: start.as_nanos(),
            end_ns: own.as_nanos(),
            cut_ns: (own > end).then_some(end.as_nanos()),
        });
        own.min(end)
    }
}

fn longest(attempt: Attempt) -> Option<Duration> {
    let takes = attempt.takes.and_then(|takes| takes.max).map(|max| max.hi);
    match (attempt.bound.map(|bound| bound.hi), takes) {
        (Some(bound), Some(takes)) => Some(bound.min(takes)),
        (bound, takes) => bound.or(takes),
    }
}

fn text(report: &Report, source: &Source) -> String {
    let mut out = String::new();
    for policy in &report.policies {
        let time = |ns: Option<u128>| ns.map_or_else(|| "unbounded".to_owned(), span);
        let calls = policy
            .calls
            .map_or_else(|| "unbounded".to_owned(), |calls| calls.to_string());
        let _ = writeln!(
            out,
            "{}: best {}, worst {}, calls {calls}",
            escape::terminal(&policy.name),
            span(policy.best_ns),
            time(policy.worst_ns)
        );
        draw(&mut out, &policy.timeline);
        for budget in &policy.budgets {
            let required = budget
                .required
                .map_or_else(|| "without bound".to_owned(), |units| units.to_string());
            let limit = budget
                .limit
                .map_or_else(String::new, |limit| format!(" of {limit}"));
            let _ = writeln!(
                out,
                "  budget {}: {required}{limit}, {}",
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
            for line in rest.lines() {
                let _ = writeln!(out, "  {}", escape::terminal(line));
            }
        }
        out.push('\n');
    }
    out
}

fn span(ns: u128) -> String {
    words::time(crate::doc::decimal::nanos(ns))
}

/// More pieces than this aren't drawn.
const DRAWN: usize = 24;

fn draw(out: &mut String, timeline: &[Piece]) {
    let until = |piece: &Piece| piece.cut_ns.unwrap_or(piece.end_ns);
    let endless = Duration::MAX.as_nanos();
    let ends = timeline.iter().map(until).filter(|end| *end < endless);
    let end = ends.max().unwrap_or(1).max(1);
    for piece in timeline.iter().take(DRAWN) {
        let column = |ns: u128| usize::try_from(ns.min(end) * 30 / end).unwrap_or(30);
        let (from, to) = (column(piece.start_ns), column(until(piece)));
        let mark = if piece.what.ends_with("wait") {
            "░"
        } else {
            "█"
        };
        let bar = format!("{}{}", " ".repeat(from), mark.repeat((to - from).max(1)));
        let stop = match piece.cut_ns {
            Some(cut) => format!("cut at {}", span(cut)),
            None if piece.end_ns >= endless => "no end".to_owned(),
            None => span(piece.end_ns),
        };
        let what = escape::shortened(&escape::terminal(&piece.what), 20);
        let _ = writeln!(out, "  {what:<20} {bar:<31} {} .. {stop}", span(piece.start_ns));
    }
    if timeline.len() > DRAWN {
        let _ = writeln!(out, "  and {} more", timeline.len() - DRAWN);
    }
}
