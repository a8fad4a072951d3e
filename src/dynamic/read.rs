//! From what was loaded to a planner's tree with places, and what the planner says of it.

use std::fmt::Write;

use retry_planner::plan::Judged;
use retry_planner::{Attempt, Kind, Level, Levels, Lint, Node, Plan, Policy};
use retry_syntax::lower::{OwnedCallee, OwnedPolicy};
use retry_syntax::text::{FilePolicy, TextError, parse_str_under, print};

use super::refused::{Fault, Place};

/// Longer texts are refused before anything recurses over them.
const LONGEST: usize = 256 << 10;

/// A policy as it was read.
pub(super) struct Read {
    pub(super) tree: OwnedPolicy,
    /// The place of each node.
    pub(super) places: Vec<Place>,
    /// The words that take code: node, word, name, place.
    pub(super) hooks: Vec<(usize, &'static str, String, Place)>,
    /// Each `#[expect]`: node, finding, place, and what is said where it isn't found.
    expected: Vec<(usize, Lint, Place, String)>,
}

/// Reads a text; of several policies the one called `named`.
pub(super) fn text(text: &str, named: Option<&str>, levels: &[(Lint, Level)]) -> Result<Read, Vec<Fault>> {
    let place = |line, column| Place::Text { line, column };
    let read = parse(text, levels).map_err(|errors| faults(&errors, place))?;
    Ok(placed(chosen(read, named, place(1, 1))?, place))
}

/// Reads a text that stands for something else, whose lines are at `place`.
#[cfg(feature = "serde")]
pub(super) fn lines(
    text: &str,
    named: &str,
    levels: &[(Lint, Level)],
    place: impl Fn(usize) -> Place,
) -> Result<Read, Vec<Fault>> {
    let place = |line, _| place(line);
    let read = parse(text, levels).map_err(|errors| faults(&errors, place))?;
    Ok(placed(chosen(read, Some(named), place(1, 1))?, place))
}

/// Takes a tree that someone else made, if the grammar has such a tree.
pub(super) fn tree(policy: &Policy<'_>, levels: &[(Lint, Level)]) -> Result<Read, Vec<Fault>> {
    if let Some(node) = misshapen(policy) {
        let fault = "the sizes in this tree don't add up: each node owns itself and its children";
        return Err(vec![Fault::new(Place::Tree(node), fault)]);
    }
    // A text holds no callee but by name, so that for the grammar each stands as an attempt.
    let nodes: Vec<Node<'_>> = policy.nodes.iter().map(without_callee).collect();
    let printed = print(&Policy {
        name: "policy",
        nodes: &nodes,
    });
    let heads = heads(&printed);
    let place = |line: usize, _| Place::Tree(heads.iter().take_while(|head| **head < line).count());
    let read = parse(&printed, levels).map_err(|errors| faults(&errors, place))?;
    let mut read = placed(chosen(read, None, Place::Tree(0))?, place);
    let in_force: Vec<Levels> = read
        .tree
        .with(|read| read.nodes.iter().map(|node| node.levels).collect());
    let nodes: Vec<Node<'_>> = policy
        .nodes
        .iter()
        .zip(in_force)
        .map(|(node, levels)| Node { levels, ..*node })
        .collect();
    read.tree = OwnedPolicy::of(&Policy {
        name: policy.name,
        nodes: &nodes,
    });
    Ok(read)
}

fn without_callee<'a>(node: &Node<'a>) -> Node<'a> {
    let kind = match node.kind {
        Kind::Call(_) => Kind::Attempt(Attempt {
            bound: None,
            takes: None,
            idempotent: true,
            key: false,
        }),
        kind => kind,
    };
    Node { kind, ..*node }
}

/// The lines of a printed policy that each hold a node, in the nodes' order, from 1.
fn heads(printed: &str) -> Vec<usize> {
    let holds = |line: &str| !line.trim_start().starts_with(['#', '}']);
    let lines = printed.lines().enumerate().skip(1);
    lines
        .filter(|(_, line)| holds(line))
        .map(|(at, _)| at + 1)
        .collect()
}

/// The first node whose size can't be.
fn misshapen(policy: &Policy<'_>) -> Option<usize> {
    let nodes = policy.nodes;
    if nodes.first().is_none_or(|root| root.size != nodes.len()) {
        return Some(0);
    }
    let mut ends: Vec<usize> = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        while ends.last().is_some_and(|end| *end == index) {
            ends.pop();
        }
        let end = index.checked_add(node.size);
        let Some(end) = end.filter(|end| node.size > 0 && ends.last().is_none_or(|around| end <= around))
        else {
            return Some(index);
        };
        ends.push(end);
    }
    None
}

/// Parses on a thread of its own: what the tokens of a text keep of it goes when that ends, however often a file is loaded.
fn parse(text: &str, levels: &[(Lint, Level)]) -> Result<Vec<FilePolicy>, Vec<TextError>> {
    if text.len() > LONGEST {
        return Err(vec![TextError {
            line: 1,
            column: 1,
            message: format!("a policy text of more than {} KiB", LONGEST >> 10),
            help: Vec::new(),
        }]);
    }
    let callee = |policy: &Policy<'_>| OwnedCallee::of(&Plan::of(policy).callee());
    let parse = || parse_str_under(text, levels, &callee).map(|file| file.policies);
    std::thread::scope(|threads| {
        let parsing = std::thread::Builder::new()
            .name("retry-plan".to_owned())
            .spawn_scoped(threads, parse);
        match parsing.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(parsed)) => parsed,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Where there are no threads, this one has to do.
            Err(_) => parse(),
        }
    })
}

fn faults(errors: &[TextError], place: impl Fn(usize, usize) -> Place) -> Vec<Fault> {
    errors
        .iter()
        .map(|error| {
            let mut message = error.message.clone();
            for help in &error.help {
                let _ = write!(message, "\n  help: {help}");
            }
            Fault::new(place(error.line, error.column), message)
        })
        .collect()
}

fn chosen(mut all: Vec<FilePolicy>, named: Option<&str>, place: Place) -> Result<FilePolicy, Vec<Fault>> {
    let all_names: Vec<String> = all.iter().map(|one| one.policy.name.clone()).collect();
    let fault = match named {
        Some(name) => match all_names.iter().position(|own| own == name) {
            Some(at) => return Ok(all.swap_remove(at)),
            None => format!("there is no policy `{name}` here, only {}", listed(&all_names)),
        },
        None if all.len() == 1 => return Ok(all.swap_remove(0)),
        None => format!(
            "there are several policies here, say which by `named`: {}",
            listed(&all_names)
        ),
    };
    Err(vec![Fault::new(place, fault)])
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

fn placed(read: FilePolicy, place: impl Fn(usize, usize) -> Place) -> Read {
    let hooks = read.hooks.into_iter();
    let expected = read.expected.into_iter();
    Read {
        tree: read.policy,
        places: read
            .places
            .iter()
            .map(|&(line, column)| place(line, column))
            .collect(),
        hooks: hooks
            .map(|hook| (hook.node, hook.word, hook.code, place(hook.line, hook.column)))
            .collect(),
        expected: expected
            .map(|one| (one.node, one.lint, place(one.line, one.column), one.message))
            .collect(),
    }
}

impl Read {
    /// What the planner finds, node by node, as a macro would report it.
    pub(super) fn findings(&self) -> Vec<(usize, Fault)> {
        self.tree.with(|policy| {
            let judged = Judged::of(policy);
            let mut found = Vec::new();
            let mut add = |node: usize, lint: Lint, about: Lint, place: &Place, message: String| {
                let level = policy.nodes[node].levels.get(about);
                if matches!(level, Level::Deny | Level::Warn) {
                    let fault = Fault {
                        place: place.clone(),
                        lint: Some(lint),
                        level,
                        message,
                    };
                    found.push((node, fault));
                }
            };
            for (node, place) in self.places.iter().enumerate() {
                for lint in Lint::ALL {
                    if let Some(text) = judged.message(lint, node) {
                        add(node, lint, lint, place, text.as_str().to_owned());
                    }
                }
            }
            for (node, lint, place, message) in &self.expected {
                if !judged.has_inside(*lint, *node) {
                    let about = Lint::UnfulfilledExpect;
                    add(*node, about, about, place, message.clone());
                }
            }
            found.sort_by_key(|(node, _)| *node);
            found
        })
    }
}
