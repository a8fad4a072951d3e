//! The model's own trees: whole milliseconds, no ranges, a callee held as the tree it is.

use std::fmt::{self, Display, Formatter, Write as _};

/// One node with what it holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    pub(crate) kind: Kind,
    pub(crate) kids: Vec<Tree>,
}

/// What a node is; every duration is in milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Attempt(Attempt),
    Timeout(u8),
    Deadline(u8),
    Retry(Retry),
    Hedge {
        after: u8,
        copies: u8,
        budget: Option<Charge>,
    },
    Series,
    Parallel,
    Fallback,
    Race,
    /// Its one kid is the other policy, which runs on its own clock.
    Call,
    Allowance {
        key: Key,
        limit: u8,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Attempt {
    pub(crate) bound: Option<u8>,
    pub(crate) takes: Option<(u8, Option<u8>)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Retry {
    pub(crate) attempts: Attempts,
    pub(crate) backoff: Backoff,
    pub(crate) jitter: Jitter,
    pub(crate) budget: Option<Charge>,
    pub(crate) when: bool,
    pub(crate) until: bool,
    pub(crate) stop_on_timeout: bool,
    /// A honoured hint, and its greatest wait if it has one.
    pub(crate) hint: Option<Option<u8>>,
}

impl Retry {
    pub(crate) fn new(attempts: u8, backoff: Backoff) -> Self {
        Self {
            attempts: Attempts::Exactly(attempts),
            backoff,
            jitter: Jitter::None,
            budget: None,
            when: false,
            until: false,
            stop_on_timeout: false,
            hint: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Attempts {
    Exactly(u8),
    UpTo(u8),
    Unlimited,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Backoff {
    None,
    Fixed(u8),
    Linear(u8, Option<u8>),
    /// Base, whole factor, cap.
    Exponential(u8, u8, Option<u8>),
    Decorrelated(u8, Option<u8>),
    Schedule(&'static [u8], bool),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Jitter {
    None,
    Full,
    Equal,
    /// Tenths.
    Spread(u8),
}

/// The budgets that trees may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    K,
    J,
}

impl Key {
    pub(crate) const ALL: [Self; 2] = [Self::K, Self::J];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::K => "K",
            Self::J => "J",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Charge {
    pub(crate) key: Key,
    pub(crate) cost: u8,
}

impl Retry {
    /// The interval of the wait before retry `k` (from 1), on the grid: what lies between two milliseconds is left
    /// to the planner.
    pub(crate) fn wait(&self, k: u32) -> (u8, u8) {
        let capped = |wait: u64, max: Option<u8>| wait.min(max.map_or(u64::MAX, u64::from));
        let (high, cap) = match self.backoff {
            Backoff::None => (0, None),
            Backoff::Fixed(wait) => (u64::from(wait), None),
            Backoff::Linear(base, max) => (capped(u64::from(base) * u64::from(k), max), max),
            Backoff::Exponential(base, factor, max) => (
                capped(u64::from(base) * u64::from(factor).saturating_pow(k - 1), max),
                max,
            ),
            Backoff::Decorrelated(base, max) => {
                let high = capped(u64::from(base).saturating_mul(3u64.saturating_pow(k)), max);
                return (base, byte(high));
            }
            Backoff::Schedule(waits, _) => (u64::from(waits[(k as usize - 1).min(waits.len() - 1)]), None),
        };
        match self.jitter {
            Jitter::None => (byte(high), byte(high)),
            Jitter::Full => (0, byte(high)),
            Jitter::Equal => (byte(high.div_ceil(2)), byte(high)),
            Jitter::Spread(tenths) => {
                let tenths = u64::from(tenths);
                let low = (high * (10 - tenths)).div_ceil(10);
                (byte(low), byte(capped(high * (10 + tenths) / 10, cap)))
            }
        }
    }
}

/// Waits that leave the small world of the model are all alike: longer than anything else in it.
fn byte(ms: u64) -> u8 {
    u8::try_from(ms).unwrap_or(60).min(60)
}

impl Tree {
    pub(crate) fn leaf(bound: Option<u8>, takes: Option<(u8, Option<u8>)>) -> Self {
        Self {
            kind: Kind::Attempt(Attempt { bound, takes }),
            kids: Vec::new(),
        }
    }

    pub(crate) fn over(kind: Kind, kids: Vec<Self>) -> Self {
        Self { kind, kids }
    }

    pub(crate) fn any(&self, test: &impl Fn(&Self) -> bool) -> bool {
        test(self) || self.kids.iter().any(|kid| kid.any(test))
    }

    pub(crate) fn size(&self) -> usize {
        1 + self.kids.iter().map(Self::size).sum::<usize>()
    }

    pub(crate) fn depth(&self) -> usize {
        1 + self.kids.iter().map(Self::depth).max().unwrap_or(0)
    }
}

/// As policy text, so that a tree that fails can be read and pasted.
impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Attempt(attempt) => write!(f, "{attempt}"),
            Kind::Timeout(d) => write!(f, "timeout({d}ms) {{ {} }}", self.kids[0]),
            Kind::Deadline(d) => write!(f, "deadline({d}ms) {{ {} }}", self.kids[0]),
            Kind::Retry(retry) => write!(f, "{retry} {{ {} }}", self.kids[0]),
            Kind::Hedge {
                after,
                copies,
                budget,
            } => {
                write!(
                    f,
                    "hedge(after = {after}ms, copies = {copies}{}) {{ {} }}",
                    paid(*budget),
                    self.kids[0]
                )
            }
            Kind::Series => write!(f, "series {{ {} }}", named(&self.kids)),
            Kind::Parallel => write!(f, "parallel {{ {} }}", named(&self.kids)),
            Kind::Fallback => write!(f, "fallback {{ {} }}", named(&self.kids)),
            Kind::Race => write!(f, "race {{ {} }}", named(&self.kids)),
            Kind::Call => write!(f, "call(of {{ {} }})", self.kids[0]),
            Kind::Allowance { key, limit } => {
                write!(f, "allowance({} = {limit}) {{ {} }}", key.name(), self.kids[0])
            }
        }
    }
}

fn named(kids: &[Tree]) -> String {
    let mut text = String::new();
    for (name, kid) in ('a'..).zip(kids) {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}{name}: {kid}");
    }
    text
}

fn paid(budget: Option<Charge>) -> String {
    match budget {
        None => String::new(),
        Some(Charge { key, cost: 1 }) => format!(", budget = {}", key.name()),
        Some(Charge { key, cost }) => format!(", budget = {} /* cost {cost} */", key.name()),
    }
}

impl Display for Attempt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let takes = self.takes.map(|(min, max)| match max {
            Some(max) => format!("takes = {min}ms..={max}ms"),
            None => format!("takes = {min}ms.."),
        });
        match (self.bound, takes) {
            (None, None) => f.write_str("attempt"),
            (Some(bound), None) => write!(f, "attempt({bound}ms)"),
            (None, Some(takes)) => write!(f, "attempt({takes})"),
            (Some(bound), Some(takes)) => write!(f, "attempt({bound}ms, {takes})"),
        }
    }
}

impl Display for Retry {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.attempts {
            Attempts::Exactly(n) => write!(f, "retry(attempts = {n}, backoff = ")?,
            Attempts::UpTo(n) => write!(f, "retry(attempts = ..={n}, backoff = ")?,
            Attempts::Unlimited => write!(f, "retry(attempts = unlimited, backoff = ")?,
        }
        let max = |max: Option<u8>| max.map_or(String::new(), |max| format!(", max = {max}ms"));
        match self.backoff {
            Backoff::None => f.write_str("none")?,
            Backoff::Fixed(wait) => write!(f, "fixed({wait}ms)")?,
            Backoff::Linear(base, cap) => write!(f, "linear({base}ms{})", max(cap))?,
            Backoff::Exponential(base, factor, cap) => {
                write!(f, "exponential({base}ms, factor = {factor}{})", max(cap))?;
            }
            Backoff::Decorrelated(base, cap) => write!(f, "decorrelated({base}ms{})", max(cap))?,
            Backoff::Schedule(waits, repeat) => {
                let waits: Vec<String> = waits.iter().map(|wait| format!("{wait}ms")).collect();
                write!(
                    f,
                    "schedule({}{})",
                    waits.join(", "),
                    if repeat { ", .." } else { "" }
                )?;
            }
        }
        match self.jitter {
            Jitter::None => {}
            Jitter::Full => f.write_str(", jitter = full")?,
            Jitter::Equal => f.write_str(", jitter = equal")?,
            Jitter::Spread(tenths) => write!(f, ", jitter = spread(0.{tenths})")?,
        }
        f.write_str(&paid(self.budget))?;
        if self.when {
            f.write_str(", when = transient")?;
        }
        if self.until {
            f.write_str(", until = ready")?;
        }
        if self.stop_on_timeout {
            f.write_str(", timeouts = stop")?;
        }
        match self.hint {
            None => {}
            Some(None) => f.write_str(", retry_after = hint")?,
            Some(Some(max)) => write!(f, ", retry_after = hint /* max {max}ms */")?,
        }
        f.write_char(')')
    }
}
