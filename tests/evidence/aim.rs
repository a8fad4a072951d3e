//! The aim: what each call of each leaf has to do for a run to end as late, as early, or with as many calls as the tree allows.

use std::time::Duration;

use retry_plan::planner::{Attempts, Hedge, Kind, Node, Plan, Policy, Retry};

use crate::case::{Case, Leaf};
use crate::script::{MANY, Oops, Plot, Script};

/// How a call is to end: late or early, well or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aim {
    pub(crate) late: bool,
    pub(crate) well: bool,
    /// Where it fails: after so many milliseconds, if it can.
    pub(crate) at: Option<u64>,
    /// What it fails with: what a retry around it looks at.
    pub(crate) oops: Oops,
}

impl Aim {
    const fn of(late: bool, well: bool) -> Self {
        Self {
            late,
            well,
            at: None,
            oops: Oops::PLAIN,
        }
    }

    /// The same in time, but it succeeds.
    const fn wins(self) -> Self {
        Self {
            well: true,
            at: None,
            ..self
        }
    }

    /// The same in time, but it fails.
    const fn fails(self) -> Self {
        Self { well: false, ..self }
    }

    /// Fails after so many milliseconds.
    const fn fails_at(self, at: u64) -> Self {
        Self {
            late: true,
            well: false,
            at: Some(at),
            ..self
        }
    }

    const fn with(self, oops: Oops) -> Self {
        Self { oops, ..self }
    }

    const fn early_well(self) -> bool {
        !self.late && self.well
    }

    const fn early_bad(self) -> bool {
        !self.late && !self.well
    }
}

const LATE_WELL: Aim = Aim::of(true, true);
pub(crate) const LATE_BAD: Aim = Aim::of(true, false);
const EARLY_WELL: Aim = Aim::of(false, true);

/// What one call is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aimed {
    pub(crate) leaf: usize,
    /// When it starts, in milliseconds.
    pub(crate) start: u64,
    pub(crate) tried: Tried,
    pub(crate) aim: Aim,
}

/// Which attempt of the nearest retry, in which copy of the nearest hedge: what tells calls apart that start together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tried {
    pub(crate) attempt: u32,
    pub(crate) copy: u32,
}

/// What each call does under a script that aims, in the order of their starts; nothing of other scripts.
pub(crate) fn calls(case: &Case, script: Script) -> Vec<Aimed> {
    let aim = match script.plot {
        Plot::LatestSuccess => LATE_WELL,
        Plot::LatestFailure | Plot::MostCalls => LATE_BAD,
        Plot::FailureAt(at) => LATE_BAD.fails_at(at),
        Plot::FastestSuccess => EARLY_WELL,
        _ => return Vec::new(),
    };
    let mut aiming = Aiming {
        nodes: &case.nodes,
        leaves: &case.leaves,
        aims: Vec::new(),
        tried: Tried { attempt: 1, copy: 1 },
        in_turn: script.plot != Plot::MostCalls && !script.together,
        hinted: script.hinted,
    };
    aiming.node(0, aim, 0);
    aiming.aims.sort_by_key(|aimed| aimed.start);
    aiming.aims
}

/// Works out what each call of each leaf has to do for the whole to end as aimed at.
struct Aiming<'a> {
    nodes: &'a [Node<'static>],
    leaves: &'a [Leaf],
    aims: Vec<Aimed>,
    /// Where the node stands that is aimed at.
    tried: Tried,
    /// Whether a copy fails just when the next would start anyway, so that the last starts as late as it can; else every copy
    /// runs on, so that each makes all its calls.
    in_turn: bool,
    /// Whether failures ask for the longest wait.
    hinted: bool,
}

fn short(time: u128) -> u64 {
    u64::try_from(time).unwrap_or(u64::MAX).min(10_000)
}

/// The longest hint that is waited for, in milliseconds; `None` where there is none or no maximum.
fn longest(retry: &Retry<'_>) -> Option<u64> {
    let max = retry.hint.and_then(|hint| hint.max);
    max.map(|max| short(max.hi.as_millis()))
}

impl Aiming<'_> {
    fn kids(&self, at: usize) -> Vec<usize> {
        let mut kids = Vec::new();
        let mut kid = at + 1;
        while kid < at + self.nodes[at].size {
            kids.push(kid);
            kid += self.nodes[kid].size;
        }
        kids
    }

    fn plan(&self, at: usize) -> Plan<'_> {
        Plan::of(&Policy {
            name: "",
            nodes: &self.nodes[at..at + self.nodes[at].size],
        })
    }

    /// The latest end of a node, from its start.
    fn worst(&self, at: usize) -> u64 {
        self.plan(at).worst().map_or(90, |worst| short(worst.as_millis()))
    }

    fn leaf(&self, at: usize) -> usize {
        let before = &self.nodes[..at];
        let leaves = before
            .iter()
            .filter(|node| matches!(node.kind, Kind::Attempt(_) | Kind::Call(_)));
        leaves.count()
    }

    /// Aims at a node that starts at `start`; when it then ends.
    fn node(&mut self, at: usize, aim: Aim, start: u64) -> u64 {
        match self.nodes[at].kind {
            Kind::Attempt(_) | Kind::Call(_) => {
                let leaf = self.leaf(at);
                self.aims.push(Aimed {
                    leaf,
                    start,
                    tried: self.tried,
                    aim,
                });
                start + self.leaves[leaf].lasts(aim)
            }
            Kind::Timeout(limit) => {
                let end = start + short(limit.hi.as_millis());
                self.node(at + 1, aim, start).min(end)
            }
            Kind::Deadline(limit) => {
                let end = short(limit.hi.as_millis()).max(start);
                self.node(at + 1, aim, start).min(end)
            }
            Kind::Allowance(_) => self.node(at + 1, aim, start),
            Kind::Retry(retry) => self.retry(at, &retry, aim, start),
            Kind::Hedge(hedge) => self.hedge(at, &hedge, aim, start),
            Kind::Series => self.series(at, aim, start),
            Kind::Fallback => self.fallback(at, aim, start),
            Kind::Parallel => self.parallel(at, aim, start),
            Kind::Race => self.race(at, aim, start),
        }
    }

    fn retry(&mut self, at: usize, retry: &Retry<'_>, aim: Aim, start: u64) -> u64 {
        let kid = at + 1;
        // The fastest success is that of the first attempt.
        if aim.early_well() {
            return self.node(kid, aim, start);
        }
        let longest = longest(retry);
        // With an error that isn't tried again: by who looks at it, nor by who honours a hint only up to a maximum.
        let stops = aim.with(Oops {
            fatal: true,
            hint: aim.oops.hint.max(longest.map(|most| most + 1)),
        });
        let looks = retry.when || longest.is_some();
        if aim.early_bad() && looks {
            return self.node(kid, stops, start);
        }
        if let Some(end) = aim.at
            && looks
        {
            return self.first_that_ends([false, true], start + end, |this, stopped| {
                if *stopped {
                    this.node(kid, stops, start)
                } else {
                    this.tries(kid, retry, aim, start)
                }
            });
        }
        self.tries(kid, retry, aim, start)
    }

    /// As many attempts as there are.
    fn tries(&mut self, kid: usize, retry: &Retry<'_>, aim: Aim, start: u64) -> u64 {
        let longest = longest(retry);
        let times = match retry.attempts {
            Attempts::Exactly(n) | Attempts::UpTo(n) => n.hi.min(MANY),
            Attempts::Unlimited => MANY,
        };
        let wait = |k| {
            let wait = retry.interval(k);
            let hinted = longest.filter(|_| self.hinted).unwrap_or(0);
            if aim.late {
                short(wait.hi.as_millis()).max(hinted)
            } else {
                short(wait.lo.as_millis())
            }
        };
        let waits: Vec<u64> = (1..times).map(wait).collect();
        let ends = aim
            .at
            .map(|end| self.in_parts(kid, times, end.saturating_sub(waits.iter().sum()), None));
        let mut now = start;
        for k in 1..=times {
            // What comes out at last is for who is around; each may be the last where a budget refuses.
            let oops = Oops {
                fatal: aim.oops.fatal,
                hint: if k < times && !aim.oops.fatal {
                    longest.filter(|_| self.hinted && aim.late)
                } else {
                    aim.oops.hint
                },
            };
            let one = match &ends {
                Some(ends) => aim.fails_at(ends[k as usize - 1]),
                None if k < times => aim.fails(),
                None => aim,
            };
            let around = self.tried;
            self.tried.attempt = k;
            now = self.node(kid, one.with(oops), now);
            self.tried = around;
            if k < times {
                now += waits[k as usize - 1];
            }
        }
        now
    }

    /// The durations of repeats that take so long together: the last takes what it can, and so does each before it.
    fn in_parts(&self, kid: usize, times: u32, end: u64, most: Option<u64>) -> Vec<u64> {
        let worst = self.worst(kid);
        let mut left = end;
        let mut ends = Vec::new();
        for k in 0..times {
            let most = if k == 0 {
                worst
            } else {
                most.map_or(worst, |most| most.min(worst))
            };
            let one = left.min(most);
            left -= one;
            ends.push(one);
        }
        ends.reverse();
        ends
    }

    fn hedge(&mut self, at: usize, hedge: &Hedge<'_>, aim: Aim, start: u64) -> u64 {
        let (kid, copies, after) = (at + 1, hedge.copies.hi, short(hedge.after.hi.as_millis()));
        if aim.early_well() {
            return self.node(kid, aim, start);
        }
        if let Some(end) = aim.at {
            let in_parts = self.in_parts(kid, copies, end, Some(after));
            // One after another, or all beside each other and at one time.
            let at_once = (0..u64::from(copies))
                .map(|k| end.saturating_sub(k * after))
                .collect();
            let ways = [in_parts, at_once]
                .map(|ends: Vec<u64>| ends.into_iter().map(|end| aim.fails_at(end)).collect());
            return self.first_that_ends(ways, start + end, |this, way: &Vec<Aim>| {
                this.copies(kid, after, way, start)
            });
        }
        // Just when the next would start anyway, if it can fail then.
        let in_turn = aim.fails_at(after);
        let turns = aim.late
            && self.in_turn
            && after < self.worst(kid)
            && self.tried(|this| this.node(kid, in_turn, start)) == start + after;
        let mut way = vec![if turns { in_turn } else { aim.fails() }; copies as usize];
        way[copies as usize - 1] = aim;
        self.copies(kid, after, &way, start)
    }

    /// Copies that are aimed at like this; when the last of them ends.
    fn copies(&mut self, kid: usize, after: u64, way: &[Aim], start: u64) -> u64 {
        let (mut now, mut end) = (start, start);
        let mut failures: Vec<u64> = Vec::new();
        for (k, aim) in way.iter().enumerate() {
            if k > 0 {
                // The next starts by time, or for a failure that hasn't brought one yet.
                now += after;
                let soonest = (0..failures.len()).min_by_key(|at| failures[*at]);
                if let Some(at) = soonest.filter(|at| failures[*at] <= now) {
                    now = failures.swap_remove(at);
                }
            }
            let around = self.tried;
            self.tried.copy = u32::try_from(k + 1).expect("few");
            let ended = self.node(kid, *aim, now);
            self.tried = around;
            end = end.max(ended);
            failures.push(ended);
        }
        end
    }

    /// What something aimed at would come to.
    fn tried(&mut self, aim: impl FnOnce(&mut Self) -> u64) -> u64 {
        let before = self.aims.len();
        let ended = aim(self);
        self.aims.truncate(before);
        ended
    }

    /// Takes the first way that ends then; the last, if none does.
    fn first_that_ends<W>(
        &mut self,
        ways: impl IntoIterator<Item = W>,
        end: u64,
        mut take: impl FnMut(&mut Self, &W) -> u64,
    ) -> u64 {
        let before = self.aims.len();
        let mut ended = end;
        for way in ways {
            self.aims.truncate(before);
            ended = take(self, &way);
            if ended == end {
                break;
            }
        }
        ended
    }

    fn series(&mut self, at: usize, aim: Aim, start: u64) -> u64 {
        let kids = self.kids(at);
        let mut now = start;
        if let Some(end) = aim.at {
            for (n, kid) in kids.iter().enumerate() {
                let left = end.saturating_sub(now - start);
                if left <= self.worst(*kid) || n + 1 == kids.len() {
                    return self.node(*kid, aim.fails_at(left), now);
                }
                now = self.node(*kid, LATE_WELL, now);
            }
        }
        let mut fails = kids.len() - 1;
        if !aim.late && !aim.well {
            let mut before = Duration::ZERO;
            let mut fastest = None;
            for (n, kid) in kids.iter().enumerate() {
                let plan = self.plan(*kid);
                let end = before.saturating_add(plan.fastest_failure());
                if fastest.is_none_or(|fastest| end < fastest) {
                    fastest = Some(end);
                    fails = n;
                }
                before = before.saturating_add(plan.best());
            }
        }
        for (n, kid) in kids.into_iter().enumerate() {
            let one = if n == fails && !aim.well { aim } else { aim.wins() };
            now = self.node(kid, one, now);
        }
        now
    }

    fn fallback(&mut self, at: usize, aim: Aim, start: u64) -> u64 {
        let kids = self.kids(at);
        let mut now = start;
        if let Some(end) = aim.at {
            for kid in kids {
                let left = end.saturating_sub(now - start);
                let one = left.min(self.worst(kid));
                now = self.node(kid, aim.fails_at(one), now);
            }
            return now;
        }
        let mut wins = kids.len() - 1;
        if aim.early_well() {
            let mut failed = Duration::ZERO;
            let mut best = None;
            for (n, kid) in kids.iter().enumerate() {
                let plan = self.plan(*kid);
                let end = failed.saturating_add(plan.best());
                if best.is_none_or(|best| end < best) {
                    best = Some(end);
                    wins = n;
                }
                failed = failed.saturating_add(plan.fastest_failure());
            }
        }
        for (n, kid) in kids.into_iter().enumerate() {
            let well = aim.well && n == wins;
            now = self.node(kid, Aim { well, ..aim }, now);
        }
        now
    }

    fn parallel(&mut self, at: usize, aim: Aim, start: u64) -> u64 {
        let kids = self.kids(at);
        let slowest = kids.iter().copied().max_by_key(|kid| (self.worst(*kid), *kid));
        let fails = slowest.filter(|_| !aim.well);
        let before = self.aims.len();
        let (mut end, mut failed) = (start, None);
        for kid in kids {
            let one = if Some(kid) == fails { aim } else { aim.wins() };
            let ended = self.node(kid, one, start);
            end = end.max(ended);
            if Some(kid) == fails {
                failed = Some(ended);
                // Who fails at once is seen before the next are started.
                if ended == start {
                    break;
                }
            }
        }
        if let Some(failed) = failed {
            self.cut(before, failed);
        }
        failed.unwrap_or(end)
    }

    fn race(&mut self, at: usize, aim: Aim, start: u64) -> u64 {
        let kids = self.kids(at);
        let wins = if aim.late {
            kids.iter().copied().max_by_key(|kid| (self.worst(*kid), *kid))
        } else {
            kids.iter().copied().min_by_key(|kid| self.plan(*kid).best())
        };
        let (mut end, mut won) = (start, None);
        for kid in kids {
            let wins = Some(kid) == wins;
            let ended = self.node(kid, if wins || !aim.well { aim } else { LATE_BAD }, start);
            end = end.max(ended);
            if wins && aim.well {
                won = Some(ended);
            }
        }
        won.unwrap_or(end)
    }

    /// Forgets what would have started later.
    fn cut(&mut self, from: usize, end: u64) {
        let late = self.aims.split_off(from);
        self.aims
            .extend(late.into_iter().filter(|aimed| aimed.start <= end));
    }
}
