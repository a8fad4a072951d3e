//! The worst case as pieces of time.

use std::time::Duration;

use retry_planner::{Attempt, Attempts, Kind, Node, Policy, Range, Retry};
use serde::Serialize;

use crate::report::escape;

/// More pieces of a timeline can't be read.
pub(super) const PIECES: usize = 200;

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
    /// Whether it is a wait.
    #[serde(skip)]
    pub waits: bool,
}

/// The worst case: everything fails as late as it may, every wait is as long as it may be.
pub(super) fn timeline(policy: &Policy<'_>) -> Vec<Piece> {
    let mut walk = Walk {
        nodes: policy.nodes,
        pieces: Vec::new(),
    };
    walk.node(0, Duration::ZERO, Duration::MAX, &Label::default());
    walk.pieces
}

/// Where a piece lies: `page/orders try 2`.
#[derive(Clone, Default)]
struct Label {
    text: String,
    ends_in_name: bool,
}

impl Label {
    fn name(&self, name: &str) -> Self {
        if name.is_empty() {
            return self.clone();
        }
        let between = match (self.text.is_empty(), self.ends_in_name) {
            (true, _) => "",
            (false, true) => "/",
            (false, false) => " ",
        };
        Self {
            text: format!("{}{between}{}", self.text, escape::shortened(name, NAME)),
            ends_in_name: true,
        }
    }

    fn word(&self, word: &str) -> Self {
        let between = if self.text.is_empty() { "" } else { " " };
        Self {
            text: format!("{}{between}{word}", self.text),
            ends_in_name: false,
        }
    }
}

/// A name takes at most so many columns of a label.
const NAME: usize = 60;

struct Walk<'a> {
    nodes: &'a [Node<'a>],
    pieces: Vec<Piece>,
}

impl Walk<'_> {
    /// Draws the node from `start` under the limit `end`; returns when it is over.
    fn node(&mut self, index: usize, start: Duration, end: Duration, label: &Label) -> Duration {
        if start >= end || self.is_full() {
            return start.min(end);
        }
        let node = self.nodes[index];
        let label = label.name(node.name);
        match node.kind {
            Kind::Attempt(attempt) => {
                let what = if label.text.is_empty() {
                    label.word("attempt")
                } else {
                    label
                };
                self.piece(what, false, start, longest(attempt), end)
            }
            Kind::Call(callee) => {
                let what = label.word("call").word(&escape::shortened(callee.name, NAME));
                self.piece(what, false, start, callee.worst, end)
            }
            Kind::Timeout(Range { lo, .. }) => {
                self.node(index + 1, start, end.min(start.saturating_add(lo)), &label)
            }
            Kind::Deadline(Range { lo, .. }) => self.node(index + 1, start, end.min(lo), &label),
            Kind::Allowance(_) => self.node(index + 1, start, end, &label),
            Kind::Retry(retry) => self.retry(index, retry, start, end, &label),
            Kind::Hedge(hedge) => {
                let (mut at, mut last) = (start, start);
                for copy in 1..=hedge.copies.hi {
                    let over = self.node(index + 1, at, end, &label.word(&format!("copy {copy}")));
                    last = last.max(over);
                    at = over.min(at.saturating_add(hedge.after.hi));
                    if at >= end || self.is_full() {
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

    fn retry(
        &mut self,
        index: usize,
        retry: Retry<'_>,
        start: Duration,
        end: Duration,
        label: &Label,
    ) -> Duration {
        let most = match retry.attempts {
            Attempts::Exactly(count) | Attempts::UpTo(count) => count.hi,
            Attempts::Unlimited => u32::MAX,
        };
        let useful = end.min(self.last_start(index + 1));
        let mut at = start;
        for k in 1..=most {
            at = self.node(index + 1, at, end, &label.word(&format!("try {k}")));
            if k == most || at >= useful || self.is_full() {
                break;
            }
            let gap = retry.gap(k).1;
            if at.saturating_add(gap.unwrap_or(Duration::MAX)) >= useful && useful < end {
                break;
            }
            if gap != Some(Duration::ZERO) {
                at = self.piece(label.word("wait"), true, at, gap, end);
            }
        }
        at
    }

    /// From when on a repeat of this node would find its own deadline passed (rule 20).
    fn last_start(&self, index: usize) -> Duration {
        match self.nodes[index].kind {
            Kind::Deadline(limit) => limit.lo.min(self.last_start(index + 1)),
            Kind::Timeout(_) | Kind::Allowance(_) => self.last_start(index + 1),
            _ => Duration::MAX,
        }
    }

    fn is_full(&self) -> bool {
        self.pieces.len() >= PIECES
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

    fn piece(
        &mut self,
        what: Label,
        waits: bool,
        start: Duration,
        takes: Option<Duration>,
        end: Duration,
    ) -> Duration {
        let own = takes.map_or(Duration::MAX, |takes| start.saturating_add(takes));
        self.pieces.push(Piece {
            what: what.text,
            start_ns: start.as_nanos(),
            end_ns: own.as_nanos(),
            cut_ns: (own > end).then_some(end.as_nanos()),
            waits,
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
