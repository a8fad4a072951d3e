//! The running rules, walked: for a node in one situation, every outcome that an adversary can force on a grid of
//! whole milliseconds.
//!
//! The adversary picks when each attempt ends and how, each wait within its interval, what `when`, `until` and an
//! outside budget say, and a server's hint. A situation is all that a node can see of the world around it: the time on
//! its policy's clock, how far away the earliest enclosing limit is, when a sibling will drop it, and what enclosing
//! allowances have left. Outcomes are remembered per situation. Concurrent siblings share nothing but these, so they
//! are walked apart and joined at the instant at which one of them decides.

use std::rc::Rc;

use super::outcome::{ENDLESS, End, Figures, LEAVES, Memory, NEVER, Outcomes, Used, later, seen_from, sum};
use super::tree::{Attempt, Attempts, Charge, Key, Kind, Retry, Tree};

/// How long an attempt that nothing bounds may run before it ends after all; it may also never end.
const HORIZON: u8 = 8;

/// Attempts walked where neither a count nor a limit ends them.
const ENOUGH: u32 = 4;

/// Attempts walked where a deadline inside may end them.
const ENOUGH_BY_CLOCK: u32 = 14;

/// An allowance that nothing can use up.
pub(super) const PLENTY: u8 = 100;

/// How the rules are bent to answer a what-if.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct WhatIf {
    /// This limit doesn't act; what runs past it is noted.
    pub(crate) without_limit: Option<usize>,
    /// `..=n` and `unlimited` count as one attempt.
    pub(crate) one_attempt: bool,
    /// No allowance refuses.
    pub(crate) without_allowances: bool,
}

/// A node in the arena.
struct Node {
    kind: Kind,
    kids: Vec<usize>,
    /// The slot of the leaf that its calls count for.
    leaf: usize,
    /// Whether the clock of its policy matters inside.
    clocked: bool,
    events: Events,
}

/// The bits that tell what can happen at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Events {
    /// It starts.
    pub(crate) started: u128,
    /// A limit that no enclosing one beats here.
    pub(crate) can_act: u128,
    /// A limit whose inside can succeed in time, whatever encloses it.
    pub(crate) can_succeed: u128,
    /// A limit whose inside could succeed without it.
    pub(crate) could_succeed: u128,
    /// A limit that is removed and run past, or an allowance that is asked for more than it holds.
    pub(crate) over: u128,
    /// The second attempt or copy starts; the bits of those after it follow.
    pub(crate) again: u128,
}

/// When a sibling's decision drops a run, and whether the run is still polled at that instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Drop {
    pub(super) at: u8,
    pub(super) polled: bool,
}

impl Drop {
    const NEVER: Self = Self {
        at: NEVER,
        polled: true,
    };

    /// Whether something still happens at `t`.
    const fn reaches(self, t: u8) -> bool {
        t < self.at || (self.polled && t == self.at)
    }

    fn seen_from(self, by: u8) -> Self {
        Self {
            at: seen_from(self.at, by),
            ..self
        }
    }
}

/// What enclosing allowances have left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Purse {
    /// `None` where no allowance of the key encloses: an outside budget, which refuses at will.
    pub(super) left: [Option<u8>; Key::ALL.len()],
    /// Concurrent siblings may take units first, so that a refusal may come at any time.
    pub(super) contended: bool,
}

impl Purse {
    pub(super) const NONE: Self = Self {
        left: [None; 2],
        contended: false,
    };

    pub(super) fn minus(self, used: Used) -> Self {
        let mut left = self.left;
        for (left, used) in left.iter_mut().zip(used) {
            *left = left.map(|left| left.saturating_sub(used));
        }
        Self { left, ..self }
    }

    /// Whether the charge can be granted, whether it can be refused, and what it uses up of an allowance.
    pub(super) fn asks(self, charge: Option<Charge>) -> (bool, bool, Used) {
        let Some(Charge { key, cost }) = charge else {
            return (true, false, [0; 2]);
        };
        let mut used = [0; 2];
        match self.left[key as usize] {
            None => (true, true, used),
            Some(left) => {
                used[key as usize] = cost;
                (left >= cost, left < cost || self.contended, used)
            }
        }
    }
}

/// All that a node sees of the world around it, times from its own start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Situation {
    pub(super) node: usize,
    /// Time on the policy's clock.
    clock: u8,
    /// The earliest enclosing limit.
    pub(super) limit: u8,
    pub(super) drop: Drop,
    pub(super) purse: Purse,
}

impl Situation {
    fn at(self, node: usize) -> Self {
        Self { node, ..self }
    }

    /// The same world, seen `by` later and with `used` gone.
    pub(super) fn after(self, by: u8, used: Used) -> Self {
        Self {
            clock: later(self.clock, by),
            limit: seen_from(self.limit, by),
            drop: self.drop.seen_from(by),
            purse: self.purse.minus(used),
            ..self
        }
    }

    pub(super) fn dropped(self, at: u8, polled: bool) -> Self {
        Self {
            drop: Drop { at, polled },
            ..self
        }
    }
}

/// A tree at play.
pub(crate) struct Game {
    nodes: Vec<Node>,
    what_if: WhatIf,
    seen: Memory<Situation, Rc<Outcomes>>,
}

/// The suprema over every run.
#[derive(Clone, Debug)]
pub(crate) struct Suprema {
    /// The latest end; `None` where some run has none.
    pub(crate) worst: Option<u8>,
    /// The earliest success; `None` where there is none.
    pub(crate) best: Option<u8>,
    /// `work` is `None` where some run has no end.
    pub(crate) work: Option<u16>,
    pub(crate) figures: Figures,
}

impl Game {
    pub(crate) fn new(tree: &Tree, what_if: WhatIf) -> Self {
        let mut game = Self {
            nodes: Vec::new(),
            what_if,
            seen: Memory::default(),
        };
        let mut next = Bits {
            leaf: 0,
            limit: 0,
            repeat: 0,
        };
        game.lay_out(tree, None, &mut next);
        game
    }

    fn lay_out(&mut self, tree: &Tree, callee: Option<usize>, next: &mut Bits) -> usize {
        let at = self.nodes.len();
        let is_leaf = matches!(tree.kind, Kind::Attempt(_) | Kind::Call);
        let leaf = callee.unwrap_or_else(|| next.leaf(is_leaf));
        self.nodes.push(Node {
            kind: tree.kind.clone(),
            kids: Vec::new(),
            leaf,
            clocked: tree.kind != Kind::Call && clocked(tree),
            events: next.events(at, &tree.kind),
        });
        let callee = callee.or((tree.kind == Kind::Call).then_some(leaf));
        let kids = tree
            .kids
            .iter()
            .map(|kid| self.lay_out(kid, callee, next))
            .collect();
        self.nodes[at].kids = kids;
        at
    }

    pub(crate) fn events(&self, node: usize) -> Events {
        self.nodes[node].events
    }

    pub(crate) fn suprema(&mut self) -> Suprema {
        let root = Situation {
            node: 0,
            clock: 0,
            limit: NEVER,
            drop: Drop::NEVER,
            purse: Purse::NONE,
        };
        let outcomes = self.run(root);
        let mut suprema = Suprema {
            worst: Some(0),
            best: None,
            work: None,
            figures: Figures::default(),
        };
        for (point, figures) in outcomes.iter() {
            suprema.figures.or(figures);
            suprema.worst = match (suprema.worst, point.end) {
                (None, _) | (_, End::Hang) => None,
                (Some(worst), _) => Some(worst.max(point.at)),
            };
            if point.end == End::Ok {
                suprema.best = Some(suprema.best.map_or(point.at, |best: u8| best.min(point.at)));
            }
        }
        suprema.work = (suprema.figures.work < ENDLESS).then_some(suprema.figures.work);
        suprema
    }

    pub(super) fn run(&mut self, mut here: Situation) -> Rc<Outcomes> {
        if !here.drop.reaches(0) {
            return Rc::new(Outcomes::one(here.drop.at, End::Cancelled, Figures::default()));
        }
        if here.limit == 0 {
            return Rc::new(Outcomes::one(0, End::Cut, Figures::default()));
        }
        if here.drop.at > here.limit {
            here.drop = Drop::NEVER;
        }
        if !self.nodes[here.node].clocked {
            here.clock = 0;
        }
        if let Some(known) = self.seen.get(&here) {
            return Rc::clone(known);
        }
        let started = self.nodes[here.node].events.started;
        let mut outcomes = match self.nodes[here.node].kind.clone() {
            Kind::Attempt(attempt) => self.attempt(here, attempt),
            Kind::Timeout(d) => self.limited(here, Some(d), End::TimedOut),
            Kind::Deadline(d) => self.limited(
                here,
                d.checked_sub(here.clock).filter(|&d| d > 0),
                End::DeadlineExceeded,
            ),
            Kind::Retry(retry) => self.retry(here, &retry),
            Kind::Hedge {
                after,
                copies,
                budget,
            } => self.hedge(here, after, copies, budget),
            Kind::Series => self.chain(here, |end| end == End::Ok),
            Kind::Fallback => self.chain(here, End::failed),
            Kind::Parallel => self.together(here, |end| end == End::Ok),
            Kind::Race => self.together(here, End::failed),
            Kind::Call => self.call(here),
            Kind::Allowance { key, limit } => self.allowance(here, key, limit),
        };
        outcomes.note(started);
        let outcomes = Rc::new(outcomes);
        self.seen.insert(here, Rc::clone(&outcomes));
        outcomes
    }

    pub(super) fn kid(&self, here: Situation) -> Situation {
        here.at(self.nodes[here.node].kids[0])
    }

    /// Rule 3: no success before `min`, no end after `max`, a failure at any time; what isn't over at its bound is cut.
    fn attempt(&mut self, here: Situation, attempt: Attempt) -> Outcomes {
        let events = self.nodes[here.node].events;
        let leaf = self.nodes[here.node].leaf;
        let (min, max) = attempt
            .takes
            .map_or((0, NEVER), |(min, max)| (min, max.unwrap_or(NEVER)));
        let bound = attempt.bound.unwrap_or(NEVER);
        let own_end = bound.min(max);
        let (limit, drop) = (here.limit, here.drop);
        let last_poll = if drop.polled || drop.at == NEVER {
            drop.at
        } else {
            drop.at - 1
        };

        let mut noted = events.could_succeed;
        if attempt.bound.is_some() {
            if bound <= limit {
                noted |= events.can_act;
            }
            if min <= bound {
                noted |= events.can_succeed;
            }
        }
        let called = |time: u8| {
            let mut leaves = [0; LEAVES];
            leaves[leaf] = 1;
            let work = if time == NEVER { ENDLESS } else { u16::from(time) };
            Figures {
                calls: 1,
                work,
                leaves,
                charges: [0; 2],
                events: noted,
            }
        };

        let mut outcomes = Outcomes::default();
        let last = own_end.min(limit).min(last_poll);
        for t in 0..=if last == NEVER { HORIZON } else { last } {
            outcomes.add(t, End::Err, [0; 2], &called(t));
            if t >= min {
                outcomes.add(t, End::Ok, [0; 2], &called(t));
            }
        }
        if last == NEVER {
            if min > HORIZON {
                outcomes.add(min, End::Ok, [0; 2], &called(min));
            }
            outcomes.add(NEVER, End::Hang, [0; 2], &called(NEVER));
        } else if bound == last && bound < max {
            outcomes.add(bound, End::TimedOut, [0; 2], &called(bound));
        } else if limit == last && limit < own_end {
            outcomes.add(limit, End::Cut, [0; 2], &called(limit));
        } else if last_poll == last && last_poll < own_end && last_poll < limit {
            outcomes.add(drop.at, End::Cancelled, [0; 2], &called(drop.at));
        }
        outcomes
    }

    /// A timeout or deadline whose own end is `own` away, or has passed.
    fn limited(&mut self, here: Situation, own: Option<u8>, end: End) -> Outcomes {
        let events = self.nodes[here.node].events;
        let kid = self.kid(here);
        if self.what_if.without_limit == Some(here.node) {
            let mut outcomes = Outcomes::default();
            for (point, figures) in self.run(kid).iter() {
                let over = own.is_none_or(|own| point.at > own);
                let figures = if over { figures.with(events.over) } else { *figures };
                outcomes.add(point.at, point.end, point.used, &figures);
            }
            return outcomes;
        }
        let alone = Situation {
            drop: Drop::NEVER,
            ..kid
        };
        let mut noted = 0;
        if self
            .run(Situation {
                limit: NEVER,
                ..alone
            })
            .can_succeed()
        {
            noted |= events.could_succeed;
        }
        let Some(own) = own else {
            let figures = Figures::default().with(noted | events.can_act);
            return Outcomes::one(0, end, figures);
        };
        if self.run(Situation { limit: own, ..alone }).can_succeed() {
            noted |= events.can_succeed;
        }
        if own <= here.limit {
            noted |= events.can_act;
        }
        let mut outcomes = Outcomes::default();
        for (point, figures) in self
            .run(Situation {
                limit: own.min(here.limit),
                ..kid
            })
            .iter()
        {
            let end = if point.end == End::Cut && own <= here.limit {
                end
            } else {
                point.end
            };
            outcomes.add(point.at, end, point.used, &figures.with(noted));
        }
        outcomes
    }

    /// Rule 4: whether a repeat that starts `wait` from now could still succeed in time.
    pub(super) fn fits(&mut self, kid: Situation, wait: u8) -> bool {
        let then = kid.after(wait, [0; 2]);
        (kid.limit == NEVER || wait < kid.limit)
            && self
                .run(Situation {
                    drop: Drop::NEVER,
                    ..then
                })
                .can_succeed()
    }

    fn retry(&mut self, here: Situation, retry: &Retry) -> Outcomes {
        let kid = self.kid(here);
        let again = self.nodes[here.node].events.again;
        let most = self.attempts(retry);
        let mut outcomes = Outcomes::default();
        let walked = most.unwrap_or(
            if retry.wait(1).0 == 0 || here.limit == NEVER && !self.nodes[kid.node].clocked {
                ENOUGH
            } else if here.limit == NEVER {
                ENOUGH_BY_CLOCK
            } else {
                u32::from(here.limit) + 1
            },
        );

        let mut starts = vec![(0u8, [0u8; 2], Figures::default())];
        for attempt in 1..=walked {
            let mut failures = Outcomes::default();
            for (start, used, so_far) in &starts {
                for (point, figures) in self.run(kid.after(*start, *used)).iter() {
                    let at = later(*start, point.at);
                    let figures = so_far.plus(figures);
                    let used = sum(*used, point.used);
                    match point.end {
                        End::Ok if retry.until => {
                            outcomes.add(at, End::Ok, used, &figures);
                            failures.add(at, End::Err, used, &figures);
                        }
                        End::TimedOut if !retry.stop_on_timeout => {
                            failures.add(at, End::TimedOut, used, &figures);
                        }
                        End::Err => {
                            failures.add(at, End::Err, used, &figures);
                            if retry.when {
                                outcomes.add(at, End::Err, used, &figures);
                            }
                        }
                        end => outcomes.add(at, end, used, &figures),
                    }
                }
            }
            if attempt == walked {
                for (point, figures) in failures.iter() {
                    if most.is_some() {
                        outcomes.add(point.at, point.end, point.used, figures);
                    } else if here.limit == NEVER && here.drop == Drop::NEVER {
                        let forever = Figures {
                            work: ENDLESS,
                            ..*figures
                        };
                        outcomes.add(NEVER, End::Hang, point.used, &forever);
                    }
                }
                break;
            }
            let mut next = Outcomes::default();
            for (point, figures) in failures.iter() {
                let (at, end, used) = (point.at, point.end, point.used);
                if retry.hint.is_some() {
                    outcomes.add(at, end, used, figures);
                }
                for wait in self.waits(retry, attempt, seen_from(here.limit, at)) {
                    if !self.fits(kid.after(at, used), wait) {
                        outcomes.add(at, end, used, figures);
                        continue;
                    }
                    let (granted, refused, cost) = here.purse.minus(used).asks(retry.budget);
                    if refused {
                        outcomes.add(at, end, used, figures);
                    }
                    if !granted {
                        continue;
                    }
                    let start = later(at, wait);
                    if here.drop.reaches(start) {
                        let mut figures = figures.with(again << (attempt - 1).min(4));
                        if let Some(Charge { key, cost }) = retry.budget {
                            figures.charges[key as usize] += u16::from(cost);
                        }
                        next.add(start, End::Ok, sum(used, cost), &figures);
                    } else {
                        outcomes.add(here.drop.at, End::Cancelled, used, figures);
                    }
                }
            }
            starts = next
                .iter()
                .map(|(point, figures)| (point.at, point.used, *figures))
                .collect();
        }
        outcomes
    }

    /// The most attempts, or `None` where no count ends them.
    fn attempts(&self, retry: &Retry) -> Option<u32> {
        match retry.attempts {
            Attempts::Exactly(n) => Some(n.into()),
            Attempts::UpTo(_) | Attempts::Unlimited if self.what_if.one_attempt => Some(1),
            Attempts::UpTo(n) => Some(n.into()),
            Attempts::Unlimited => None,
        }
    }

    /// The waits that may be drawn, a hint's included.
    fn waits(&self, retry: &Retry, k: u32, limit: u8) -> std::ops::RangeInclusive<u8> {
        let (low, high) = retry.wait(k);
        let high = match retry.hint {
            None => high,
            Some(Some(max)) => high.max(max),
            Some(None) if limit == NEVER => high.max(HORIZON),
            Some(None) => high.max(limit),
        };
        low..=high
    }

    /// Steps or branches, one after another, as long as `goes_on` says so.
    fn chain(&mut self, here: Situation, goes_on: impl Fn(End) -> bool) -> Outcomes {
        let kids = self.nodes[here.node].kids.clone();
        let mut outcomes = Outcomes::default();
        let mut starts = vec![(0u8, [0u8; 2], Figures::default())];
        for (i, &kid) in kids.iter().enumerate() {
            let mut next = Outcomes::default();
            for (start, used, so_far) in &starts {
                for (point, figures) in self.run(here.at(kid).after(*start, *used)).iter() {
                    let figures = so_far.plus(figures);
                    let (at, used) = (later(*start, point.at), sum(*used, point.used));
                    if goes_on(point.end) && i + 1 < kids.len() {
                        next.add(at, End::Ok, used, &figures);
                    } else {
                        outcomes.add(at, point.end, used, &figures);
                    }
                }
            }
            starts = next
                .iter()
                .map(|(point, figures)| (point.at, point.used, *figures))
                .collect();
        }
        outcomes
    }

    /// Children at once: they wait for each other as long as each ends with what `waits` accepts; the first that
    /// doesn't decides.
    fn together(&mut self, here: Situation, waits: impl Fn(End) -> bool) -> Outcomes {
        let kids = self.nodes[here.node].kids.clone();
        let (inside, left) = self.shared(here, &kids);
        let mut outcomes = Outcomes::default();

        // Nobody decides: all end as accepted, or what is still out is cut, dropped, or never ends.
        let mut joined = Outcomes::one(0, End::Ok, Figures::default());
        for (i, &kid) in kids.iter().enumerate() {
            let mut more = Outcomes::default();
            let run = self.run(inside.at(kid));
            for (mine, so_far) in joined.iter() {
                for (point, figures) in run.iter() {
                    if !waits(point.end) && point.end.ended() {
                        continue;
                    }
                    let first = i == 0;
                    let end = joint_end(mine.end, mine.at, point.end, point.at, first);
                    more.add(
                        mine.at.max(point.at),
                        end,
                        sum(mine.used, point.used),
                        &so_far.plus(figures),
                    );
                }
            }
            joined = more;
        }
        for (point, figures) in joined.iter() {
            outcomes.add(point.at, point.end, point.used, figures);
        }

        // One decides: those before it are polled once more at that instant, those after it aren't.
        for (j, &kid) in kids.iter().enumerate() {
            for (point, figures) in self.run(inside.at(kid)).iter() {
                if waits(point.end) || !point.end.ended() {
                    continue;
                }
                let mut joined = vec![(point.used, *figures)];
                for (i, &sibling) in kids.iter().enumerate() {
                    if i == j {
                        continue;
                    }
                    let run = self.run(inside.at(sibling).dropped(point.at, i < j));
                    let mut theirs: Vec<(Used, Figures)> = Vec::new();
                    for (point, figures) in run.iter() {
                        if waits(point.end) || matches!(point.end, End::Cut | End::Cancelled) {
                            merge(&mut theirs, point.used, figures);
                        }
                    }
                    let mut more = Vec::new();
                    for (used, figures) in &joined {
                        for (also, theirs) in &theirs {
                            merge(&mut more, sum(*used, *also), &figures.plus(theirs));
                        }
                    }
                    joined = more;
                }
                for (used, figures) in joined {
                    outcomes.add(point.at, point.end, used, &figures);
                }
            }
        }
        affordable(outcomes, left)
    }

    /// The purse for concurrent kids: where all together can't use up what is left, no refusal is possible; where they
    /// can, one may come at any time, and only joint outcomes within what is left count.
    fn shared(&mut self, here: Situation, kids: &[usize]) -> (Situation, Option<Purse>) {
        if here.purse == Purse::NONE {
            return (here, None);
        }
        let mut plenty = here;
        plenty.purse.left = here.purse.left.map(|left| left.map(|_| PLENTY));
        let mut most = [0; Key::ALL.len()];
        for &kid in kids {
            most = sum(most, self.run(plenty.at(kid)).most_used());
        }
        let binds = here
            .purse
            .left
            .iter()
            .zip(most)
            .any(|(left, most)| left.is_some_and(|left| left < most));
        if !binds {
            return (plenty, None);
        }
        let mut contended = here;
        contended.purse.contended = true;
        (contended, Some(here.purse))
    }

    /// Another policy, on its own clock; its deadline is a timeout to the caller.
    fn call(&mut self, here: Situation) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for (point, figures) in self
            .run(Situation {
                clock: 0,
                ..self.kid(here)
            })
            .iter()
        {
            let end = if point.end == End::DeadlineExceeded {
                End::TimedOut
            } else {
                point.end
            };
            outcomes.add(point.at, end, point.used, figures);
        }
        outcomes
    }

    /// Full each time it starts; a charge inside passes the enclosing allowances of its key too.
    fn allowance(&mut self, here: Situation, key: Key, size: u8) -> Outcomes {
        let mut kid = self.kid(here);
        let over = self.events(here.node).over;
        let outer = here.purse.left[key as usize];
        let limit = if self.what_if.without_allowances {
            PLENTY
        } else {
            size
        };
        kid.purse.left[key as usize] = Some(outer.map_or(limit, |outer| outer.min(limit)));
        let mut outcomes = Outcomes::default();
        for (point, figures) in self.run(kid).iter() {
            let mut used = point.used;
            if outer.is_none() {
                used[key as usize] = 0;
            }
            let demanded = figures.charges[key as usize] > u16::from(size);
            let figures = if demanded { figures.with(over) } else { *figures };
            outcomes.add(point.at, point.end, used, &figures);
        }
        outcomes
    }
}

/// Two of a group, neither of which decided: what the group ends with. Both ended: the last to end, the first in order
/// where they end together.
fn joint_end(mine: End, mine_at: u8, theirs: End, theirs_at: u8, first: bool) -> End {
    let out = |end| matches!(end, End::Cut | End::Cancelled | End::Hang);
    match (out(mine), out(theirs)) {
        _ if first => theirs,
        (true, true) => mine.max(theirs),
        (true, false) => mine,
        (false, true) => theirs,
        (false, false) if theirs_at > mine_at => theirs,
        (false, false) => mine,
    }
}

pub(super) fn merge(into: &mut Vec<(Used, Figures)>, used: Used, figures: &Figures) {
    match into.iter_mut().find(|(there, _)| *there == used) {
        Some((_, there)) => there.or(figures),
        None => into.push((used, *figures)),
    }
}

pub(super) fn affordable(outcomes: Outcomes, left: Option<Purse>) -> Outcomes {
    let Some(purse) = left else { return outcomes };
    let mut kept = Outcomes::default();
    for (point, figures) in outcomes.iter() {
        let within = purse
            .left
            .iter()
            .zip(point.used)
            .all(|(left, used)| left.is_none_or(|left| used <= left));
        if within {
            kept.add(point.at, point.end, point.used, figures);
        }
    }
    kept
}

fn clocked(tree: &Tree) -> bool {
    matches!(tree.kind, Kind::Deadline(_)) || tree.kind != Kind::Call && tree.kids.iter().any(clocked)
}

/// Hands out leaf slots and event bits.
struct Bits {
    leaf: usize,
    limit: u32,
    repeat: u32,
}

impl Bits {
    fn leaf(&mut self, is_leaf: bool) -> usize {
        let slot = self.leaf;
        self.leaf += usize::from(is_leaf);
        slot
    }

    fn events(&mut self, node: usize, kind: &Kind) -> Events {
        let mut events = Events {
            started: 1 << node,
            ..Events::default()
        };
        match kind {
            Kind::Timeout(_)
            | Kind::Deadline(_)
            | Kind::Allowance { .. }
            | Kind::Attempt(Attempt { bound: Some(_), .. }) => {
                let base = 20 + 4 * self.limit;
                self.limit += 1;
                events.can_act = 1 << base;
                events.can_succeed = 2 << base;
                events.could_succeed = 4 << base;
                events.over = 8 << base;
            }
            Kind::Retry(_) | Kind::Hedge { .. } => {
                events.again = 1 << (80 + 5 * self.repeat);
                self.repeat += 1;
            }
            _ => {}
        }
        events
    }
}
