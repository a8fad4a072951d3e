//! The adversary: what each call of each operation does.

use std::collections::VecDeque;
use std::time::Duration;

use retry_plan::Interrupted;
use retry_plan::planner::Kind;

use crate::aim::{self, Aim, Aimed, LATE_BAD, Tried};
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
    /// A failure of the whole after so many milliseconds, if there can be one.
    FailureAt(u64),
    /// As many calls as there can be.
    MostCalls,
    /// The fastest success of the whole.
    FastestSuccess,
    /// Durations and outcomes at random.
    Random(u64),
}

impl Plot {
    /// Whether it is worked out from the tree.
    const fn is_aimed(self) -> bool {
        matches!(
            self,
            Self::LatestSuccess
                | Self::LatestFailure
                | Self::FailureAt(_)
                | Self::MostCalls
                | Self::FastestSuccess
        )
    }
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
    /// Where the whole is aimed at: whether the copies of a hedge run on beside each other. Else each fails just when the next
    /// would start anyway, so that the last starts as late as it can.
    pub(crate) together: bool,
}

impl Script {
    pub(crate) const fn new(plot: Plot, draws: Draws) -> Self {
        Self {
            plot,
            draws,
            hinted: false,
            together: false,
        }
    }
}

/// The scripts that aim at the latest end in all their ways.
pub(crate) fn aimed() -> impl Iterator<Item = Script> {
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    ways.into_iter().flat_map(|(hinted, together)| {
        [Plot::LatestSuccess, Plot::LatestFailure].map(|plot| Script {
            hinted,
            together,
            ..Script::new(plot, GREATEST)
        })
    })
}

pub(crate) const LEAST: Draws = Draws::Always(0);
pub(crate) const GREATEST: Draws = Draws::Always(u64::MAX);

/// The scripts of a policy; `seed` is what its random ones begin with.
pub(crate) fn scripts(case: &Case, seed: u64, randoms: u64) -> Vec<Script> {
    let script = Script::new;
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
                hinted: true,
                ..script(plot, GREATEST)
            });
        }
    }
    for turn in 0..randoms {
        let seed = seed.wrapping_mul(1_000).wrapping_add(turn);
        all.push(Script {
            hinted: turn % 2 == 1,
            ..script(Plot::Random(seed), Draws::Seeded(seed))
        });
    }
    all
}

/// A script on its way through a run: what is left of what each leaf is to do.
pub(crate) struct Acting {
    script: Script,
    /// Of each leaf, what its calls do, in the order of their starts.
    aims: Vec<VecDeque<Aimed>>,
    calls: Vec<u32>,
    random: Random,
}

/// What a call does: by itself, or as a run of its callee.
pub(crate) enum Next {
    Act(Act),
    /// With this error, if it fails.
    Call(Script, Oops),
}

/// Calls of one leaf, beyond which an operation takes time and then succeeds, so that every run ends.
pub(crate) const MANY: u32 = 100;

impl Acting {
    pub(crate) fn new(case: &Case, script: Script) -> Self {
        let mut aims = vec![VecDeque::new(); case.leaves.len()];
        for aimed in aim::calls(case, script) {
            aims[aimed.leaf].push_back(aimed);
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

    /// What the next call of that leaf does, so many milliseconds after the run began.
    pub(crate) fn next(&mut self, case: &Case, at: usize, now: u64, tried: Tried) -> Next {
        let leaf = &case.leaves[at];
        self.calls[at] += 1;
        let call = self.calls[at];
        if leaf.callee.is_some() {
            let (script, oops) = self.called(leaf, at, call, (now, tried));
            return Next::Call(script, oops);
        }
        let act = self.act(leaf, at, call, (now, tried));
        // What nothing ends would never end.
        let endless = leaf.bound.is_none() && case.figures.worst.is_none();
        Next::Act(match act {
            Act::Hang if endless => Act::End(leaf.late(), Err(Oops::PLAIN)),
            _ if call > 20 * MANY => Act::End(leaf.least.max(1), Ok(true)),
            Act::End(after, ended) if call > MANY => Act::End(after.max(1), ended),
            act => act,
        })
    }

    /// What was worked out for this call; what was to start before now was cut.
    fn aim(&mut self, at: usize, (now, tried): (u64, Tried)) -> Aim {
        let aims = &mut self.aims[at];
        while aims.front().is_some_and(|aimed| aimed.start < now) {
            aims.pop_front();
        }
        let first = aims.front().map_or(0, |aimed| aimed.start);
        let own = aims
            .iter()
            .take_while(|aimed| aimed.start == first)
            .position(|aimed| aimed.tried == tried);
        aims.remove(own.unwrap_or(0)).map_or(LATE_BAD, |aimed| aimed.aim)
    }

    /// An error that asks for what the nearest retry honours, where the script says so.
    fn oops(&self, leaf: &Leaf) -> Oops {
        Oops {
            fatal: false,
            hint: if self.script.hinted { leaf.hint } else { None },
        }
    }

    fn called(&mut self, leaf: &Leaf, at: usize, call: u32, when: (u64, Tried)) -> (Script, Oops) {
        let mut oops = self.oops(leaf);
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
            plot if plot.is_aimed() => {
                let aim = self.aim(at, when);
                oops = aim.oops;
                match aim {
                    Aim {
                        well: true,
                        late: true,
                        ..
                    } => Plot::LatestSuccess,
                    Aim { well: true, .. } => Plot::FastestSuccess,
                    Aim { at: Some(0), .. } | Aim { late: false, .. } => Plot::FailFast,
                    Aim { at: Some(at), .. } => Plot::FailureAt(at),
                    _ => Plot::LatestFailure,
                }
            }
            Plot::Fatal => {
                oops = leaf.stops();
                Plot::Fatal
            }
            Plot::Random(_) => Plot::Random(self.random.next()),
            plot => plot,
        };
        (Script { plot, ..self.script }, oops)
    }

    fn act(&mut self, leaf: &Leaf, at: usize, call: u32, when: (u64, Tried)) -> Act {
        let late = leaf.late();
        let oops = self.oops(leaf);
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
            Plot::LatestSuccess
            | Plot::LatestFailure
            | Plot::FailureAt(_)
            | Plot::MostCalls
            | Plot::FastestSuccess => {
                let aim = self.aim(at, when);
                let ended = if aim.well { Ok(true) } else { Err(aim.oops) };
                Act::End(leaf.lasts(aim), ended)
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
    pub(crate) fn lasts(&self, aim: Aim) -> u64 {
        match aim {
            Aim { at: Some(at), .. } => at.min(self.late()),
            Aim { late: true, .. } => self.late().max(self.least),
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
