//! The worst case as pieces of time: the planner's, with the words for each.

use retry_planner::plan::{Judged, What};
use retry_planner::{Kind, Policy};
use serde::Serialize;

use crate::report::escape;

/// More pieces of a timeline can't be read.
const PIECES: usize = 200;

/// A name takes at most so many columns of a label.
const NAME: usize = 60;

/// A piece of the worst case.
#[derive(Debug, Serialize)]
pub struct Piece {
    /// What happens: `page/orders try 2`.
    pub what: String,
    /// When it begins.
    pub start_ns: u128,
    /// When it would end; `None` where nothing says.
    pub end_ns: Option<u128>,
    /// When a limit ends it, where one does.
    pub cut_ns: Option<u128>,
    /// Whether it is a wait.
    #[serde(skip)]
    pub waits: bool,
}

/// The worst case: everything fails as late as it may, every wait is as long as it may be.
pub(super) fn timeline(policy: &Policy<'_>, judged: &Judged<'_>) -> Vec<Piece> {
    judged
        .pieces(PIECES)
        .into_iter()
        .map(|piece| Piece {
            what: label(policy, piece.node, piece.what, piece.number),
            start_ns: piece.start.as_nanos(),
            end_ns: piece.end.map(|end| end.as_nanos()),
            cut_ns: piece.cut.map(|cut| cut.as_nanos()),
            waits: matches!(piece.what, What::Wait(_)),
        })
        .collect()
}

/// The names on the way to the node, and which try or copy it is of the nearest repeat.
fn label(policy: &Policy<'_>, node: usize, what: What, number: u32) -> String {
    let around = |index: &usize| index + policy.nodes[*index].size > node;
    let way: Vec<usize> = (0..=node).filter(around).collect();
    let names: Vec<String> = way
        .iter()
        .map(|index| policy.nodes[*index].name)
        .filter(|name| !name.is_empty())
        .map(|name| escape::shortened(name, NAME))
        .collect();
    let mut words = vec![names.join("/")];
    if matches!(what, What::Wait(_)) {
        words.push("wait".to_owned());
    } else {
        let repeat = way
            .iter()
            .rev()
            .find_map(|index| match policy.nodes[*index].kind {
                Kind::Retry(_) => Some("try"),
                Kind::Hedge(_) => Some("copy"),
                _ => None,
            });
        words.extend(repeat.map(|word| format!("{word} {number}")));
        if let Kind::Call(callee) = policy.nodes[node].kind {
            words.push(format!("call {}", escape::shortened(callee.name, NAME)));
        }
    }
    words.retain(|word| !word.is_empty());
    if words.is_empty() {
        words.push("attempt".to_owned());
    }
    words.join(" ")
}
