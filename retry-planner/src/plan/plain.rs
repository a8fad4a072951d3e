//! A plain policy that works, judged without a table: at most one limit around a retry of one attempt.
//!
//! Most policies are, and const evaluation judges each of a crate's policies whose values the macro doesn't know. The rules are
//! those of everywhere else; here stands what they come to where everything fits. What doesn't, or may not, is left to the
//! table.

use super::budget::Charges;
use super::findings::find;
use super::judgement::heard;
use super::table::Table;
use super::view::View;
use super::{Plan, Repeaters};
use crate::amount::{LONGEST, NONE, add, bounded, count, duration, least, mul, nanos};
use crate::lint::Lint;
use crate::tree::{Attempts, Kind, Policy, Range, Repeater};

/// What is found at the root and at the retry, a bit for each lint that isn't allowed in all of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) root: u64,
    pub(super) retry: u64,
    pub(super) at: usize,
}

/// The findings that hang on nothing but a retry's own figures.
const OWN: [Lint; 5] = [
    Lint::NoJitter,
    Lint::NoCap,
    Lint::TooManyAttempts,
    Lint::IgnoresRetryAfter,
    Lint::RetriesClientErrors,
];

/// The plan of a plain policy whose worst case fits, and what is found.
pub(super) const fn judge<'a>(policy: &Policy<'a>) -> Option<(Plan<'a>, Found)> {
    let nodes = policy.nodes;
    let (limit, at) = match nodes.len() {
        2 => (None, 0),
        3 => match nodes[0].kind {
            Kind::Timeout(range) | Kind::Deadline(range) => match exact(range) {
                Some(limit) => (Some(limit), 1),
                None => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    let (Kind::Retry(retry), Kind::Attempt(attempt)) = (nodes[at].kind, nodes[at + 1].kind) else {
        return None;
    };
    let Attempts::Exactly(times) = retry.attempts else {
        return None;
    };
    let told = retry.until || retry.hint.is_some() || retry.budget.is_some();
    let repeatable = attempt.idempotent || attempt.key;
    if told || !repeatable || times.lo != times.hi || times.lo == 0 {
        return None;
    }
    let bound = match attempt.bound {
        Some(range) => match exact(range) {
            Some(bound) => bound,
            None => return None,
        },
        None => NONE,
    };
    let (best, each) = match attempt.takes {
        None => (0, bound),
        Some(takes) => (
            nanos(takes.min.lo),
            match takes.max {
                Some(max) => least(bound, nanos(max.hi)),
                None => bound,
            },
        ),
    };
    let (attempts, again) = (times.lo as u128, times.lo - 1);
    let waits = retry.high_waits().total(again);
    let work = mul(each, attempts);
    let worst = add(work, waits);
    let room = match limit {
        Some(limit) => limit,
        None => LONGEST,
    };
    let hot = attempts > 3 && waits == 0;
    let late = worst > room || (bound != NONE && bound > room);
    if each == NONE || each == 0 || best > each || late || hot {
        return None;
    }
    // With a limit around it, a retry may end after its first attempt.
    let early = retry.when || retry.stop_on_timeout || limit.is_some();
    let failure = if early { 0 } else { retry.low_waits().total(again) };
    let repeats = times.lo > 1;
    let view = View::of(nodes);
    let plan = Plan {
        name: policy.name,
        leaf_calls: count(attempts),
        unpaid: repeats as u32,
        repeaters: if repeats {
            Repeaters::NONE.with(Repeater {
                name: policy.name,
                times: count(attempts),
            })
        } else {
            Repeaters::NONE
        },
        unsafe_to_repeat: false,
        best: duration(best),
        fastest_failure: duration(failure),
        worst: bounded(worst),
        work: bounded(work),
        calls: count(attempts),
        charges: Charges::NONE,
    };
    Some((plan, found(&view, at, limit.is_some(), heard(policy))))
}

const fn found(view: &View<'_>, at: usize, limited: bool, heard: u64) -> Found {
    let table = Table::of(*view, &[]);
    let mut found = Found {
        root: if limited {
            0
        } else {
            heard & Lint::NoDeadline.bit()
        },
        retry: 0,
        at,
    };
    let mut i = 0;
    while i < OWN.len() {
        let bit = OWN[i].bit();
        if heard & bit != 0 && find(&table, OWN[i], at).is_some() {
            found.retry |= bit;
        }
        i += 1;
    }
    found
}

/// The one value of a range that is known.
const fn exact(range: Range) -> Option<u128> {
    let (lo, hi) = (nanos(range.lo), nanos(range.hi));
    if lo == hi { Some(lo) } else { None }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;
    use core::time::Duration;

    use super::super::Judgement;
    use super::super::needs::tests::chain;
    use super::*;
    use crate::tree::{Attempt, Backoff, Count, Factor, Jitter, Retry, Takes};

    const MS: fn(u64) -> Range = |ms| Range::exact(Duration::from_millis(ms));

    fn attempts() -> Vec<Attempt> {
        let attempt = Attempt {
            bound: None,
            takes: None,
            idempotent: true,
            key: false,
        };
        let takes = |min, max: Option<u64>| {
            Some(Takes {
                min: MS(min),
                max: max.map(MS),
            })
        };
        let mut all = vec![attempt];
        for bound in [
            None,
            Some(MS(0)),
            Some(MS(10)),
            Some(Range {
                lo: MS(5).lo,
                hi: MS(10).hi,
            }),
        ] {
            for takes in [
                None,
                takes(0, Some(8)),
                takes(8, Some(8)),
                takes(12, None),
                takes(3, Some(0)),
            ] {
                all.push(Attempt {
                    bound,
                    takes,
                    ..attempt
                });
            }
        }
        all.push(Attempt {
            bound: Some(MS(10)),
            idempotent: false,
            ..attempt
        });
        all.push(Attempt {
            bound: Some(MS(10)),
            idempotent: false,
            key: true,
            ..attempt
        });
        all
    }

    fn backoffs() -> Vec<Backoff<'static>> {
        const WAITS: [Range; 2] = [
            Range::exact(Duration::from_millis(4)),
            Range::exact(Duration::from_millis(1)),
        ];
        let exponential = |max| Backoff::Exponential {
            base: MS(2),
            factor: Factor::whole(3),
            max,
        };
        vec![
            Backoff::None,
            Backoff::Fixed(MS(0)),
            Backoff::Fixed(MS(5)),
            Backoff::Linear {
                base: MS(2),
                max: None,
            },
            exponential(None),
            exponential(Some(MS(7))),
            Backoff::Decorrelated {
                base: MS(2),
                max: Some(MS(9)),
            },
            Backoff::Schedule {
                waits: &WAITS,
                repeat_last: true,
            },
        ]
    }

    fn retries() -> Vec<Retry<'static>> {
        let mut all = Vec::new();
        for backoff in backoffs() {
            for jitter in [None, Some(Jitter::None), Some(Jitter::Equal)] {
                for count in [
                    Count::exact(0),
                    Count::exact(1),
                    Count::exact(3),
                    Count::exact(7),
                    Count { lo: 2, hi: 3 },
                ] {
                    for told in 0..8 {
                        let attempts = if told == 7 {
                            Attempts::UpTo(count)
                        } else {
                            Attempts::Exactly(count)
                        };
                        all.push(Retry {
                            attempts,
                            backoff,
                            jitter,
                            budget: None,
                            when: told & 1 > 0,
                            until: told == 6,
                            stop_on_timeout: told & 2 > 0,
                            hint: None,
                        });
                    }
                }
            }
        }
        all
    }

    #[test]
    fn what_is_judged_without_a_table_is_what_the_table_says() {
        let (mut quick, mut seen) = (0, 0);
        for attempt in attempts() {
            for retry in retries() {
                let inside = [Kind::Retry(retry), Kind::Attempt(attempt)];
                let mut trees = vec![chain(&inside)];
                for limit in [0, 5, 9, 10, 30, 31, 40, 41, 44, 45, 60, 80, 100, 1_000] {
                    for around in [Kind::Timeout(MS(limit)), Kind::Deadline(MS(limit))] {
                        trees.push(chain(&[around, inside[0], inside[1]]));
                    }
                }
                for nodes in trees {
                    let policy = Policy {
                        name: "Plain",
                        nodes: &nodes,
                    };
                    seen += 1;
                    let Some(judged) = Judgement::<3>::of_plain(&policy) else {
                        continue;
                    };
                    quick += 1;
                    assert_eq!(judged, Judgement::of_any(&policy), "{policy:?}");
                }
            }
        }
        assert!(quick > 30_000, "{quick} of {seen}");
    }
}
