//! A hedge, walked from instant to instant: copies are polled in order, then launches that failures brought, then the
//! timer.
//!
//! Copies are runs of one node that share nothing but time and the launches, so all that has to be known of one that is
//! still out is when it started.

use std::rc::Rc;

use super::game::{Game, PLENTY, Purse, Situation, affordable, merge};
use super::outcome::{End, Figures, Memory, NEVER, Outcomes, Used, later, sum};
use super::tree::{Charge, Key};

/// Where a hedge stands.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    now: u8,
    /// The next copy to be polled at this instant.
    turn: usize,
    /// When each copy that is out started, in order.
    out: Vec<u8>,
    launched: u8,
    last_launch: u8,
    /// Cleared by a refusal.
    open: bool,
    /// Launches that failures at this instant brought.
    owed: u8,
    /// How the first copy to fail at this instant failed.
    failed: Option<End>,
}

struct Hedge {
    /// The copies' node at the hedge's start.
    kid: Situation,
    /// What launches are charged to.
    purse: Purse,
    after: u8,
    copies: u8,
    budget: Option<Charge>,
    again: u128,
    seen: Memory<State, Rc<Outcomes>>,
}

impl Hedge {
    /// The last instant at which anything is polled, and what becomes then of what is still out.
    fn last_poll(&self) -> (u8, End) {
        let (limit, drop) = (self.kid.limit, self.kid.drop);
        let last = if drop.polled || drop.at == NEVER {
            drop.at
        } else {
            drop.at - 1
        };
        if last < limit {
            (last, End::Cancelled)
        } else if limit != NEVER {
            (limit, End::Cut)
        } else {
            (NEVER, End::Hang)
        }
    }
}

impl Game {
    pub(super) fn hedge(
        &mut self,
        here: Situation,
        after: u8,
        copies: u8,
        budget: Option<Charge>,
    ) -> Outcomes {
        let (kid, left) = self.copies_share(here, copies, budget);
        let mut hedge = Hedge {
            kid,
            purse: kid.purse,
            after,
            copies,
            budget,
            again: self.events(here.node).again,
            seen: Memory::default(),
        };
        let first = State {
            now: 0,
            turn: 0,
            out: vec![0],
            launched: 1,
            last_launch: 0,
            open: copies > 1,
            owed: 0,
            failed: None,
        };
        affordable((*self.step(&mut hedge, &first)).clone(), left)
    }

    /// As for siblings: no refusal where all together can't use up what is left; exact where launches alone are charged;
    /// else a refusal may come at any time, and only joint outcomes within what is left count.
    fn copies_share(
        &mut self,
        here: Situation,
        copies: u8,
        budget: Option<Charge>,
    ) -> (Situation, Option<Purse>) {
        let kid = self.kid(here);
        if here.purse == Purse::NONE {
            return (kid, None);
        }
        let mut plenty = kid;
        plenty.purse.left = kid.purse.left.map(|left| left.map(|_| PLENTY));
        let kids = self
            .run(plenty)
            .most_used()
            .map(|used| used.saturating_mul(copies));
        let mut own = [0; Key::ALL.len()];
        if let Some(Charge { key, cost }) = budget {
            own[key as usize] = cost * (copies - 1);
        }
        let binds = kid
            .purse
            .left
            .iter()
            .zip(sum(kids, own))
            .any(|(left, most)| left.is_some_and(|left| left < most));
        if !binds {
            return (plenty, None);
        }
        if kids == [0; Key::ALL.len()] {
            return (kid, None);
        }
        let mut contended = kid;
        contended.purse.contended = true;
        (contended, Some(here.purse))
    }

    /// Everything that can still come of a state.
    fn step(&mut self, hedge: &mut Hedge, state: &State) -> Rc<Outcomes> {
        if let Some(known) = hedge.seen.get(state) {
            return Rc::clone(known);
        }
        let outcomes = if state.turn < state.out.len() {
            self.poll(hedge, state)
        } else if state.owed > 0 {
            let settled = State {
                owed: state.owed - 1,
                ..state.clone()
            };
            self.launch(hedge, &settled)
        } else if state.out.is_empty() {
            let end = state.failed.expect("a hedge without copies has seen one fail");
            Outcomes::one(state.now, end, Figures::default())
        } else if state.open
            && state.launched < hedge.copies
            && state.now == later(state.last_launch, hedge.after)
        {
            self.launch(hedge, state)
        } else {
            self.pass_time(hedge, state)
        };
        let outcomes = Rc::new(outcomes);
        hedge.seen.insert(state.clone(), Rc::clone(&outcomes));
        outcomes
    }

    /// The copy whose turn it is ends now, or stays out.
    fn poll(&mut self, hedge: &mut Hedge, state: &State) -> Outcomes {
        let start = state.out[state.turn];
        let ran = state.now - start;
        let run = self.run(hedge.kid.after(start, [0; 2]));
        let mut outcomes = Outcomes::default();
        if run.iter().any(|(point, _)| point.at > ran || !point.end.ended()) {
            let next = State {
                turn: state.turn + 1,
                ..state.clone()
            };
            outcomes = (*self.step(hedge, &next)).clone();
        }
        for (point, figures) in run.iter().filter(|(point, _)| point.at == ran) {
            if point.end == End::Ok {
                for (used, others) in self.losers(hedge, state) {
                    outcomes.add(state.now, End::Ok, sum(point.used, used), &figures.plus(&others));
                }
            } else if point.end.failed() {
                let mut next = state.clone();
                next.out.remove(state.turn);
                next.failed = Some(state.failed.unwrap_or(point.end));
                let brings = state.open && point.end != End::DeadlineExceeded;
                next.owed += u8::from(brings && state.launched + state.owed < hedge.copies);
                let rest = self.step(hedge, &next);
                outcomes.add_all(&rest, 0, point.used, figures);
            }
        }
        outcomes
    }

    /// All but the copy whose turn it is, dropped: those before it have been polled at this instant.
    fn losers(&mut self, hedge: &Hedge, state: &State) -> Vec<(Used, Figures)> {
        let mut joined = vec![([0; 2], Figures::default())];
        for (i, &start) in state.out.iter().enumerate() {
            if i != state.turn {
                let dropped = hedge
                    .kid
                    .after(start, [0; 2])
                    .dropped(state.now - start, i < state.turn);
                joined = self.join_unended(joined, dropped);
            }
        }
        joined
    }

    fn join_unended(&mut self, joined: Vec<(Used, Figures)>, copy: Situation) -> Vec<(Used, Figures)> {
        let run = self.run(copy);
        let mut more = Vec::new();
        for (used, figures) in joined {
            for (point, theirs) in run.iter().filter(|(point, _)| !point.end.ended()) {
                merge(&mut more, sum(used, point.used), &figures.plus(theirs));
            }
        }
        more
    }

    /// Another copy, where it fits and is paid for; a refusal ends launching.
    fn launch(&mut self, hedge: &mut Hedge, state: &State) -> Outcomes {
        let refused = State {
            open: false,
            owed: 0,
            ..state.clone()
        };
        if !self.fits(hedge.kid.after(state.now, [0; 2]), 0) {
            return (*self.step(hedge, &refused)).clone();
        }
        let mut outcomes = Outcomes::default();
        let mut paid = [0; 2];
        let mut figures = Figures::default().with(hedge.again << (state.launched - 1).min(4));
        if let Some(Charge { key, cost }) = hedge.budget {
            paid[key as usize] = cost * (state.launched - 1);
            figures.charges[key as usize] = u16::from(cost);
        }
        let (granted, refusable, used) = hedge.purse.minus(paid).asks(hedge.budget);
        if refusable {
            outcomes = (*self.step(hedge, &refused)).clone();
        }
        if granted {
            let mut next = state.clone();
            next.out.push(state.now);
            next.launched += 1;
            next.last_launch = state.now;
            let rest = self.step(hedge, &next);
            outcomes.add_all(&rest, 0, used, &figures);
        }
        outcomes
    }

    /// On to the next instant at which something can happen, or to the end of what is still out.
    fn pass_time(&mut self, hedge: &mut Hedge, state: &State) -> Outcomes {
        let (last, end) = hedge.last_poll();
        let mut next = NEVER;
        if state.open && state.launched < hedge.copies {
            next = later(state.last_launch, hedge.after);
        }
        for &start in &state.out {
            let ran = state.now - start;
            let run = self.run(hedge.kid.after(start, [0; 2]));
            let ends = run
                .iter()
                .filter(|(point, _)| point.end.ended() && point.at > ran);
            next = next.min(
                ends.map(|(point, _)| later(start, point.at))
                    .min()
                    .unwrap_or(NEVER),
            );
        }
        if next != NEVER && next <= last {
            return (*self.step(
                hedge,
                &State {
                    now: next,
                    turn: 0,
                    failed: None,
                    ..state.clone()
                },
            ))
            .clone();
        }
        let mut joined = vec![([0; 2], Figures::default())];
        for &start in &state.out {
            joined = self.join_unended(joined, hedge.kid.after(start, [0; 2]));
        }
        let at = if end == End::Cancelled {
            hedge.kid.drop.at
        } else {
            last
        };
        let mut outcomes = Outcomes::default();
        for (used, figures) in joined {
            outcomes.add(at, end, used, &figures);
        }
        outcomes
    }
}
