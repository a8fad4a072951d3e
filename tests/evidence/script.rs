//! The adversary: what each call of each operation does.

use std::collections::VecDeque;

use retry_plan::planner::{Attempts, Kind, Node, Plan, Policy};

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
    pub(crate) late: bool,
    pub(crate) well: bool,
}

const LATE_WELL: Aim = Aim {
    late: true,
    well: true,
};
const LATE_BAD: Aim = Aim {
    late: true,
    well: false,
};
const EARLY_WELL: Aim = Aim {
    late: false,
    well: true,
};
const EARLY_BAD: Aim = Aim {
    late: false,
    well: false,
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
            Plot::LatestFailure => Some(LATE_BAD),
            Plot::FastestSuccess => Some(EARLY_WELL),
            _ => None,
        };
        if let Some(aim) = aim {
            Aiming {
                nodes: &case.nodes,
                aims: &mut aims,
            }
            .node(0, aim);
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
            Plot::LatestSuccess | Plot::LatestFailure | Plot::FastestSuccess => {
                match self.aims[at].pop_front().unwrap_or(LATE_BAD) {
                    LATE_WELL => Plot::LatestSuccess,
                    LATE_BAD => Plot::LatestFailure,
                    EARLY_WELL => Plot::FastestSuccess,
                    EARLY_BAD => Plot::FailFast,
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
            Plot::Fatal => Act::End(0, Err(Oops { fatal: true, ..oops })),
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
            Plot::LatestSuccess | Plot::LatestFailure | Plot::FastestSuccess => {
                match self.aims[at].pop_front().unwrap_or(LATE_BAD) {
                    LATE_WELL => well_late,
                    LATE_BAD => bad_late,
                    EARLY_WELL => well_early,
                    EARLY_BAD => bad_early,
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
    aims: &'a mut Vec<VecDeque<Aim>>,
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

    fn leaf(&self, at: usize) -> usize {
        let before = &self.nodes[..at];
        let leaves = before
            .iter()
            .filter(|node| matches!(node.kind, Kind::Attempt(_) | Kind::Call(_)));
        leaves.count()
    }

    fn repeat(&mut self, at: usize, times: u32, aim: Aim) {
        // The fastest success is that of the first attempt.
        let before = if aim == EARLY_WELL {
            0
        } else {
            times.min(MANY).saturating_sub(1)
        };
        for _ in 0..before {
            self.node(at + 1, Aim { well: false, ..aim });
        }
        self.node(at + 1, aim);
    }

    fn node(&mut self, at: usize, aim: Aim) {
        match self.nodes[at].kind {
            Kind::Attempt(_) | Kind::Call(_) => {
                let leaf = self.leaf(at);
                self.aims[leaf].push_back(aim);
            }
            Kind::Timeout(_) | Kind::Deadline(_) | Kind::Allowance(_) => self.node(at + 1, aim),
            Kind::Retry(retry) => {
                let times = match retry.attempts {
                    Attempts::Exactly(n) | Attempts::UpTo(n) => n.hi,
                    Attempts::Unlimited => MANY,
                };
                self.repeat(at, times, aim);
            }
            Kind::Hedge(hedge) => self.repeat(at, hedge.copies.hi, aim),
            Kind::Series => {
                let kids = self.kids(at);
                let last = if aim == EARLY_BAD { 0 } else { kids.len() - 1 };
                for (n, kid) in kids.into_iter().enumerate() {
                    let well = n < last || aim.well;
                    self.node(kid, Aim { well, ..aim });
                }
            }
            Kind::Fallback => self.fallback(at, aim),
            Kind::Parallel => {
                let kids = self.kids(at);
                let slowest = kids
                    .iter()
                    .copied()
                    .max_by_key(|kid| (self.plan(*kid).worst(), *kid));
                for kid in kids {
                    let well = aim.well || Some(kid) != slowest;
                    self.node(kid, Aim { well, ..aim });
                }
            }
            Kind::Race => {
                let kids = self.kids(at);
                let wins = if aim.late {
                    kids.iter()
                        .copied()
                        .max_by_key(|kid| (self.plan(*kid).worst(), *kid))
                } else {
                    kids.iter().copied().min_by_key(|kid| self.plan(*kid).best())
                };
                for kid in kids {
                    if Some(kid) == wins || !aim.well {
                        self.node(kid, aim);
                    } else {
                        self.node(kid, LATE_BAD);
                    }
                }
            }
        }
    }

    fn fallback(&mut self, at: usize, aim: Aim) {
        let kids = self.kids(at);
        let mut wins = kids.len() - 1;
        if aim == EARLY_WELL {
            let mut failed = std::time::Duration::ZERO;
            let mut best = None;
            for (n, kid) in kids.iter().enumerate() {
                let plan = self.plan(*kid);
                let end = failed + plan.best();
                if best.is_none_or(|best| end < best) {
                    best = Some(end);
                    wins = n;
                }
                failed += plan.fastest_failure();
            }
        }
        for (n, kid) in kids.into_iter().enumerate() {
            let well = aim.well && n == wins;
            self.node(kid, Aim { well, ..aim });
        }
    }
}
