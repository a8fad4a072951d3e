//! The adversary: what each call of each operation does.

use std::collections::VecDeque;
use std::time::Duration;

use retry_plan::Interrupted;
use retry_plan::planner::{Attempts, Hedge, Kind, Node, Plan, Policy, Retry};

use crate::case::{Case, Leaf};
use crate::random::Random;

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Oops {
    /// Whether `when` refuses it.
    pub(crate) fatal: bool,
    /// What the server asks for, in milliseconds.
    pub(crate) hint: Option<u64>,
}

impl Oops {
    pub(crate) const PLAIN: Self = Self {
        fatal: false,
        hint: None,
    };

    /// `when`
    pub(crate) fn again(&self) -> bool {
        !self.fatal
    }

    /// `retry_after`
    pub(crate) fn hint(&self) -> Option<Duration> {
        self.hint.map(Duration::from_millis)
    }
}

impl From<Interrupted> for Oops {
    fn from(_: Interrupted) -> Self {
        Self::PLAIN
    }
}

/// What one call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Ends after so many milliseconds; the value says whether it is there yet.
    End(u64, Result<bool, Oops>),
    /// Never ends by itself.
    Hang,
}

/// What a policy as a whole is to do, as far as its operations decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Plot {
    /// Each operation succeeds as fast as it may.
    Fastest,
    /// Each succeeds as late as it may.
    Slowest,
    /// Each fails at once.
    FailFast,
    /// Each fails at once, with an error that isn't worth another attempt.
    Fatal,
    /// Each fails as late as it may.
    FailSlow,
    /// Each hangs, where it may.
    Hang,
    /// Each brings a value that isn't there yet.
    NotYet,
    /// One place, by its number, fails late; all others succeed late.
    FailAt(usize),
    /// One place hangs; all others succeed at once.
    HangAt(usize),
    /// So many calls of each operation fail, at once or late, then they succeed.
    FailThen(u32, bool),
    /// The latest success of the whole, attempt by attempt.
    LatestSuccess,
    /// The latest failure of the whole.
    LatestFailure,
    /// As many calls as there can be.
    MostCalls,
    /// The fastest success of the whole.
    FastestSuccess,
    /// Durations and outcomes at random.
    Random(u64),
}

/// Where draws fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draws {
    Always(u64),
    Seeded(u64),
}

/// A whole adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    pub(crate) plot: Plot,
    pub(crate) draws: Draws,
    /// Whether failures ask for the greatest wait that is honoured.
    pub(crate) hinted: bool,
}

pub(crate) const LEAST: Draws = Draws::Always(0);
pub(crate) const GREATEST: Draws = Draws::Always(u64::MAX);

/// The scripts of a policy; `seed` is what its random ones begin with.
pub(crate) fn scripts(case: &Case, seed: u64, randoms: u64) -> Vec<Script> {
    let script = |plot, draws| Script {
        plot,
        draws,
        hinted: false,
    };
    let mut all = vec![
        script(Plot::Fastest, LEAST),
        script(Plot::FastestSuccess, LEAST),
        script(Plot::Slowest, GREATEST),
        script(Plot::FailFast, LEAST),
        script(Plot::FailSlow, GREATEST),
        script(Plot::Hang, GREATEST),
        script(Plot::LatestSuccess, GREATEST),
        script(Plot::LatestFailure, GREATEST),
        script(Plot::MostCalls, GREATEST),
        script(Plot::FailThen(1, false), Draws::Always(1 << 63)),
        script(Plot::FailThen(2, true), GREATEST),
    ];
    let any = |test: &dyn Fn(&retry_plan::planner::Retry<'_>) -> bool| {
        case.nodes
            .iter()
            .any(|node| matches!(&node.kind, Kind::Retry(retry) if test(retry)))
    };
    if any(&|retry| retry.interval(1).lo != retry.interval(1).hi) {
        all.push(script(Plot::FailFast, GREATEST));
        all.push(script(Plot::FailSlow, LEAST));
    }
    if any(&|retry| retry.when) {
        all.push(script(Plot::Fatal, LEAST));
    }
    if any(&|retry| retry.until) {
        all.push(script(Plot::NotYet, GREATEST));
    }
    if case.leaves.len() > 1 {
        for place in 0..case.leaves.len() {
            all.push(script(Plot::FailAt(place), GREATEST));
            all.push(script(Plot::HangAt(place), LEAST));
        }
    }
    if any(&|retry| retry.hint.is_some()) {
        for plot in [Plot::FailSlow, Plot::LatestSuccess, Plot::LatestFailure] {
            all.push(Script {
                plot,
                draws: GREATEST,
                hinted: true,
            });
        }
    }
    for turn in 0..randoms {
        let seed = seed.wrapping_mul(1_000).wrapping_add(turn);
        all.push(Script {
            plot: Plot::Random(seed),
            draws: Draws::Seeded(seed),
            hinted: turn % 2 == 1,
        });
    }
    all
}

/// How a call is to end: late or early, well or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aim {
    late: bool,
    well: bool,
    /// Where it fails: after so many milliseconds, if it can.
    at: Option<u64>,
    /// Whether it fails so that a retry that looks at errors gives up.
    stops: bool,
}

impl Aim {
    const fn of(late: bool, well: bool) -> Self {
        Self {
            late,
            well,
            at: None,
            stops: false,
        }
    }

    /// Fails after so many milliseconds.
    const fn fails_at(at: u64) -> Self {
        Self {
            at: Some(at),
            ..LATE_BAD
        }
    }
}

const LATE_WELL: Aim = Aim::of(true, true);
const LATE_BAD: Aim = Aim::of(true, false);
const EARLY_WELL: Aim = Aim::of(false, true);
const EARLY_BAD: Aim = Aim::of(false, false);
const STOPS: Aim = Aim {
    stops: true,
    ..EARLY_BAD
};

/// A script on its way through a run: what is left of what each leaf is to do.
pub(crate) struct Acting {
    script: Script,
    aims: Vec<VecDeque<Aim>>,
    calls: Vec<u32>,
    random: Random,
}

/// What a call does: by itself, or as a run of its callee.
pub(crate) enum Next {
    Act(Act),
    Call(Script),
}

/// Calls of one leaf, beyond which an operation takes time and then succeeds, so that every run ends.
const MANY: u32 = 100;

impl Acting {
    pub(crate) fn new(case: &Case, script: Script) -> Self {
        let mut aims = vec![VecDeque::new(); case.leaves.len()];
        let aim = match script.plot {
            Plot::LatestSuccess => Some(LATE_WELL),
            Plot::LatestFailure | Plot::MostCalls => Some(LATE_BAD),
            Plot::FastestSuccess => Some(EARLY_WELL),
            _ => None,
        };
        if let Some(aim) = aim {
            let mut aiming = Aiming {
                nodes: &case.nodes,
                leaves: &case.leaves,
                aims: Vec::new(),
                in_turn: script.plot != Plot::MostCalls,
                hinted: script.hinted,
            };
            aiming.node(0, aim, 0);
            aiming.aims.sort_by_key(|(_, start, _)| *start);
            for (leaf, _, aim) in aiming.aims {
                aims[leaf].push_back(aim);
            }
        }
        let seed = match script.plot {
            Plot::Random(seed) => seed,
            _ => 0,
        };
        Self {
            script,
            aims,
            calls: vec![0; case.leaves.len()],
            random: Random(seed),
        }
    }

    /// What the next call of that leaf does.
    pub(crate) fn next(&mut self, case: &Case, at: usize) -> Next {
        let leaf = &case.leaves[at];
        self.calls[at] += 1;
        let call = self.calls[at];
        if leaf.callee.is_some() {
            return Next::Call(self.called(at, call));
        }
        let act = self.act(leaf, at, call);
        // What nothing ends would never end.
        let endless = leaf.bound.is_none() && case.figures.worst.is_none();
        Next::Act(match act {
            Act::Hang if endless => Act::End(leaf.late(), Err(Oops::PLAIN)),
            _ if call > 20 * MANY => Act::End(leaf.least.max(1), Ok(true)),
            Act::End(after, ended) if call > MANY => Act::End(after.max(1), ended),
            act => act,
        })
    }

    fn called(&mut self, at: usize, call: u32) -> Script {
        let plot = match self.script.plot {
            Plot::FailAt(place) if place == at => Plot::LatestFailure,
            Plot::HangAt(place) if place == at => Plot::Hang,
            Plot::FailAt(_) => Plot::LatestSuccess,
            Plot::HangAt(_) => Plot::FastestSuccess,
            Plot::FailThen(n, late) if call <= n => {
                if late {
                    Plot::LatestFailure
                } else {
                    Plot::FailFast
                }
            }
            Plot::FailThen(..) => Plot::FastestSuccess,
            Plot::LatestSuccess | Plot::LatestFailure | Plot::MostCalls | Plot::FastestSuccess => {
                match self.aims[at].pop_front().unwrap_or(LATE_BAD) {
                    LATE_WELL => Plot::LatestSuccess,
                    EARLY_WELL => Plot::FastestSuccess,
                    Aim { at: Some(0), .. } | EARLY_BAD | STOPS => Plot::FailFast,
                    _ => Plot::LatestFailure,
                }
            }
            Plot::Random(_) => Plot::Random(self.random.next()),
            plot => plot,
        };
        Script { plot, ..self.script }
    }

    fn act(&mut self, leaf: &Leaf, at: usize, call: u32) -> Act {
        let late = leaf.late();
        let oops = Oops {
            fatal: false,
            hint: if self.script.hinted { leaf.hint } else { None },
        };
        let well_late = Act::End(late.max(leaf.least), Ok(true));
        let well_early = Act::End(leaf.least, Ok(true));
        let bad_late = Act::End(late, Err(oops));
        let bad_early = Act::End(0, Err(oops));
        let hang = if leaf.hangs() { Act::Hang } else { bad_late };
        match self.script.plot {
            Plot::Fastest => well_early,
            Plot::Slowest => well_late,
            Plot::FailFast => bad_early,
            Plot::Fatal => Act::End(0, Err(leaf.stops())),
            Plot::FailSlow => bad_late,
            Plot::Hang => hang,
            Plot::NotYet => Act::End(late.max(leaf.least), Ok(false)),
            Plot::FailAt(place) if place == at => bad_late,
            Plot::FailAt(_) => well_late,
            Plot::HangAt(place) if place == at => hang,
            Plot::HangAt(_) => well_early,
            Plot::FailThen(n, slow) if call <= n => {
                if slow {
                    bad_late
                } else {
                    bad_early
                }
            }
            Plot::FailThen(..) => well_early,
            Plot::LatestSuccess | Plot::LatestFailure | Plot::MostCalls | Plot::FastestSuccess => {
                match self.aims[at].pop_front().unwrap_or(LATE_BAD) {
                    LATE_WELL => well_late,
                    EARLY_WELL => well_early,
                    EARLY_BAD => bad_early,
                    STOPS => Act::End(0, Err(leaf.stops())),
                    Aim { at: Some(at), .. } => Act::End(at.min(late), Err(oops)),
                    _ => bad_late,
                }
            }
            Plot::Random(_) => self.at_random(leaf, oops),
        }
    }

    fn at_random(&mut self, leaf: &Leaf, oops: Oops) -> Act {
        if leaf.hangs() && self.random.below(8) == 0 {
            return Act::Hang;
        }
        let after = self.random.below(leaf.late() + 1);
        match self.random.below(8) {
            0 => Act::End(after, Err(Oops { fatal: true, ..oops })),
            1..=4 => Act::End(after, Err(oops)),
            5 => Act::End(after.max(leaf.least), Ok(false)),
            _ => Act::End(after.max(leaf.least), Ok(true)),
        }
    }
}

impl Leaf {
    /// The latest end that is its own, in milliseconds; of what may run on for ever, long after everything else.
    fn late(&self) -> u64 {
        match (self.most, self.bound) {
            (Some(most), Some(bound)) => most.min(bound.max(self.least)),
            (Some(end), None) | (None, Some(end)) => end.max(self.least),
            (None, None) => 90.max(self.least),
        }
    }

    /// An error that nobody retries who looks at it: neither `when`, nor who honours a hint only up to a maximum.
    fn stops(&self) -> Oops {
        Oops {
            fatal: true,
            hint: self.hint.map(|most| most + 1),
        }
    }

    /// How long a call is out that is aimed so.
    fn lasts(&self, aim: Aim) -> u64 {
        match aim {
            Aim { at: Some(at), .. } => at.min(self.late()),
            Aim { late: true, .. } => self.late(),
            Aim { well: true, .. } => self.least,
            _ => 0,
        }
    }

    /// Whether a call may be out for as long as its bound or a limit lets it.
    fn hangs(&self) -> bool {
        match (self.most, self.bound) {
            (None, _) => true,
            (Some(most), Some(bound)) => bound <= most,
            (Some(_), None) => false,
        }
    }
}

/// Works out what each call of each leaf has to do for the whole to end as aimed at, in the order of the calls.
struct Aiming<'a> {
    nodes: &'a [Node<'static>],
    leaves: &'a [Leaf],
    /// Leaf, start in milliseconds, aim.
    aims: Vec<(usize, u64, Aim)>,
    /// Whether a copy fails just when the next would start anyway, so that the last starts as late as it can; else every copy
    /// runs on, so that each makes all its calls.
    in_turn: bool,
    /// Whether failures ask for the longest wait.
    hinted: bool,
}

fn short(time: u128) -> u64 {
    u64::try_from(time).unwrap_or(u64::MAX).min(10_000)
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
                self.aims.push((leaf, start, aim));
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
        if aim == EARLY_WELL {
            return self.node(kid, aim, start);
        }
        let looks = retry.when || retry.hint.is_some_and(|hint| hint.max.is_some());
        if aim == EARLY_BAD && looks {
            return self.node(kid, STOPS, start);
        }
        let times = match retry.attempts {
            Attempts::Exactly(n) | Attempts::UpTo(n) => n.hi.min(MANY),
            Attempts::Unlimited => MANY,
        };
        let wait = |k| {
            let wait = retry.interval(k);
            let hint = retry.hint.and_then(|hint| hint.max).filter(|_| self.hinted);
            let hinted = hint.map_or(Duration::ZERO, |max| max.hi);
            short(if aim.late { wait.hi.max(hinted) } else { wait.lo }.as_millis())
        };
        let waits: Vec<u64> = (1..times).map(wait).collect();
        let ends = aim
            .at
            .map(|end| self.in_parts(kid, times, end.saturating_sub(waits.iter().sum()), None));
        let mut now = start;
        for k in 1..=times {
            let before = Aim {
                well: false,
                stops: false,
                ..aim
            };
            let one = match &ends {
                Some(ends) => Aim::fails_at(ends[k as usize - 1]),
                None if k < times => before,
                None => aim,
            };
            now = self.node(kid, one, now);
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
            let most = if k == 0 { worst } else { most.unwrap_or(worst) };
            let one = left.min(most);
            left -= one;
            ends.push(one);
        }
        ends.reverse();
        ends
    }

    fn hedge(&mut self, at: usize, hedge: &Hedge<'_>, aim: Aim, start: u64) -> u64 {
        let (kid, copies, after) = (at + 1, hedge.copies.hi, short(hedge.after.hi.as_millis()));
        if aim == EARLY_WELL {
            return self.node(kid, aim, start);
        }
        let worst = self.worst(kid);
        let ends = aim.at.map(|end| self.in_parts(kid, copies, end, Some(after)));
        let (mut now, mut end) = (start, start);
        for k in 1..=copies {
            let one = match &ends {
                Some(ends) => Aim::fails_at(ends[k as usize - 1]),
                None if k == copies => aim,
                None if aim.late && self.in_turn && after < worst => Aim::fails_at(after),
                None => Aim {
                    well: false,
                    stops: false,
                    ..aim
                },
            };
            let ended = self.node(kid, one, now);
            end = end.max(ended);
            now = ended.min(now + after);
        }
        end
    }

    fn series(&mut self, at: usize, aim: Aim, start: u64) -> u64 {
        let kids = self.kids(at);
        let mut now = start;
        if let Some(end) = aim.at {
            for (n, kid) in kids.iter().enumerate() {
                let left = end.saturating_sub(now - start);
                if left <= self.worst(*kid) || n + 1 == kids.len() {
                    return self.node(*kid, Aim::fails_at(left), now);
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
            let one = if n == fails && !aim.well {
                aim
            } else {
                Aim::of(aim.late, true)
            };
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
                now = self.node(kid, Aim::fails_at(one), now);
            }
            return now;
        }
        let mut wins = kids.len() - 1;
        if aim == EARLY_WELL {
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
        let mut end = start;
        for kid in kids {
            let fails = !aim.well && Some(kid) == slowest;
            let one = if fails { aim } else { Aim::of(aim.late, true) };
            end = end.max(self.node(kid, one, start));
        }
        end
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
}
