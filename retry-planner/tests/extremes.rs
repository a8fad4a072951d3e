//! Values at the ends of their ranges: whatever a policy holds, planning it neither panics nor wraps, and a figure that no
//! `Duration` or count holds is a finding.
//!
//! The seed is fixed and printed; `RETRY_PLAN_SEED` sets another.

use std::env;
use std::time::Duration;

use retry_planner::plan::{Judged, Plan, Snapshot};
use retry_planner::{
    Allowance, Attempt, Attempts, Backoff, Callee, Charge, Count, Factor, Hedge, Hint, Jitter, Kind, Levels,
    Lint, Node, Policy, Range, Retry, Takes,
};

/// `SplitMix64` (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn of<T: Copy>(&mut self, from: &[T]) -> T {
        let at = self.next() % from.len() as u64;
        from[usize::try_from(at).expect("an index")]
    }

    fn maybe<T>(&mut self, of: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.next().is_multiple_of(2).then(|| of(self))
    }

    fn time(&mut self) -> Duration {
        self.of(&[
            Duration::ZERO,
            Duration::from_nanos(1),
            Duration::from_millis(5),
            Duration::from_secs(3_600),
            Duration::from_nanos(u64::MAX),
            Duration::from_secs(u64::MAX / 2),
            Duration::MAX.saturating_sub(Duration::from_nanos(1)),
            Duration::MAX,
        ])
    }

    fn range(&mut self) -> Range {
        let (one, other) = (self.time(), self.time());
        Range {
            lo: one.min(other),
            hi: one.max(other),
        }
    }

    fn count(&mut self) -> Count {
        let counts = [1, 2, 3, 1_000_000, u32::MAX - 1, u32::MAX];
        let (one, other) = (self.of(&counts), self.of(&counts));
        Count {
            lo: one.min(other),
            hi: one.max(other),
        }
    }

    fn factor(&mut self) -> Factor {
        self.of(&[
            Factor::whole(1),
            Factor::whole(2),
            Factor::whole(u64::MAX),
            Factor {
                digits: u64::MAX,
                scale: 18,
            },
            Factor {
                digits: 1_000_000_000_000_000_001,
                scale: 18,
            },
        ])
    }

    fn charge(&mut self) -> Option<Charge<'static>> {
        self.maybe(|random| Charge {
            key: random.of(&["K", "J"]),
            cost: random.of(&[0, 1, 10, u32::MAX]),
        })
    }

    fn retry(&mut self) -> Retry<'static> {
        let base = self.range();
        let max = self.maybe(Self::range);
        let attempts = match self.next() % 3 {
            0 => Attempts::Exactly(self.count()),
            1 => Attempts::UpTo(self.count()),
            _ => Attempts::Unlimited,
        };
        Retry {
            attempts,
            backoff: match self.next() % 6 {
                0 => Backoff::None,
                1 => Backoff::Fixed(base),
                2 => Backoff::Linear { base, max },
                3 => Backoff::Exponential {
                    base,
                    factor: self.factor(),
                    max,
                },
                4 => Backoff::Decorrelated { base, max },
                _ => Backoff::Schedule {
                    waits: &LISTED,
                    repeat_last: true,
                },
            },
            jitter: self.maybe(|random| {
                random.of(&[
                    Jitter::None,
                    Jitter::Full,
                    Jitter::Equal,
                    Jitter::Spread(Factor { digits: 1, scale: 18 }),
                    Jitter::Spread(Factor::whole(1)),
                ])
            }),
            budget: self.charge(),
            when: self.next().is_multiple_of(2),
            until: self.next().is_multiple_of(4),
            stop_on_timeout: self.next().is_multiple_of(4),
            hint: self.maybe(|random| Hint {
                max: random.maybe(Self::range),
            }),
        }
    }

    fn leaf(&mut self) -> Kind<'static> {
        if self.next().is_multiple_of(4) {
            return Kind::Call(Callee {
                name: "Other",
                best: self.time(),
                fastest_failure: self.time(),
                worst: self.maybe(Self::time),
                work: self.maybe(Self::time),
                calls: self.of(&[None, Some(0), Some(1), Some(u64::MAX)]),
                leaf_calls: self.of(&[None, Some(0), Some(1), Some(u64::MAX)]),
                unpaid: self.of(&[0, 1, 7]),
                repeaters: &[],
                unsafe_to_repeat: self.next().is_multiple_of(2),
                charges: &[Charge {
                    key: "K",
                    cost: u32::MAX,
                }],
            });
        }
        Kind::Attempt(Attempt {
            bound: self.maybe(Self::range),
            takes: self.maybe(|random| Takes {
                min: random.range(),
                max: random.maybe(Self::range),
            }),
            idempotent: self.next().is_multiple_of(2),
            key: self.next().is_multiple_of(2),
        })
    }

    fn tree(&mut self, depth: usize, nodes: &mut Vec<Node<'static>>) {
        let at = nodes.len();
        let (kind, kids) = match self.next() % 9 {
            _ if depth == 0 => (self.leaf(), 0),
            0 => (self.leaf(), 0),
            1 => (Kind::Timeout(self.range()), 1),
            2 => (Kind::Deadline(self.range()), 1),
            3 | 4 => (Kind::Retry(self.retry()), 1),
            5 => {
                let hedge = Hedge {
                    after: self.range(),
                    copies: self.count(),
                    budget: self.charge(),
                };
                (Kind::Hedge(hedge), 1)
            }
            6 => {
                let allowance = Allowance {
                    key: self.of(&["K", "J"]),
                    limit: self.count(),
                };
                (Kind::Allowance(allowance), 1)
            }
            _ => (
                self.of(&[Kind::Series, Kind::Parallel, Kind::Fallback, Kind::Race]),
                2,
            ),
        };
        nodes.push(Node {
            name: "step",
            size: 1,
            levels: Levels::DEFAULT,
            kind,
        });
        for _ in 0..kids {
            self.tree(depth - 1, nodes);
        }
        nodes[at].size = nodes.len() - at;
    }
}

static LISTED: [Range; 2] = [Range::exact(Duration::MAX), Range::exact(Duration::ZERO)];

const TREES: u64 = 4_000;

#[test]
fn are_planned_judged_told_and_drawn_without_a_panic() {
    let seed = env::var("RETRY_PLAN_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(20_260_101);
    println!("seed {seed}, {TREES} policies");
    let (mut findings, mut overflows) = (0, 0);
    for n in 0..TREES {
        let mut random = Random(seed ^ n << 32);
        let mut nodes = Vec::new();
        random.tree(4, &mut nodes);
        let policy = Policy {
            name: "Extreme",
            nodes: &nodes,
        };
        let judged = Judged::of(&policy);
        let plan = judged.plan();
        assert_eq!(plan, Plan::of(&policy));
        for found in judged.findings() {
            findings += 1;
            overflows += u64::from(found.lint == Lint::Overflow);
            // Texts plan again for what would fit: those of a share of the policies.
            if n % 10 == 0 {
                let text = judged.message(found.lint, found.node).expect("it is found");
                assert!(text.as_str().contains(found.lint.name()), "{text:?}");
            }
        }
        for piece in judged.pieces(50) {
            assert!(piece.end.is_none_or(|end| piece.start <= end), "{piece:?}");
        }
        for remaining in [Duration::ZERO, Duration::from_nanos(1), random.time()] {
            let within = policy.plan_within(remaining);
            assert!(within.worst().is_some_and(|worst| worst <= remaining));
            assert!(within.worst() <= plan.worst() || plan.worst().is_none());
        }
        let snapshot = Snapshot {
            key: "K",
            left: u64::MAX,
            capacity: u64::MAX,
            cost: u64::MAX,
        };
        let _ = Judged::of(&policy).with_budgets(&[snapshot]);
        assert!(!judged.timeline().as_str().contains('\0'));
    }
    println!("{findings} findings, {overflows} of them overflows");
    assert!(overflows > 0);
}

#[test]
fn a_figure_beyond_its_range_is_a_finding() {
    let node = |size, kind| Node {
        name: "",
        size,
        levels: Levels::DEFAULT,
        kind,
    };
    let overflows = |attempts: Attempts, each: Duration, budget| {
        let retry = Retry {
            attempts,
            backoff: Backoff::None,
            jitter: None,
            budget,
            when: false,
            until: false,
            stop_on_timeout: false,
            hint: None,
        };
        let attempt = Attempt {
            bound: Some(Range::exact(each)),
            takes: None,
            idempotent: true,
            key: false,
        };
        let nodes = [node(2, Kind::Retry(retry)), node(1, Kind::Attempt(attempt))];
        Judged::of(&Policy {
            name: "Long",
            nodes: &nodes,
        })
        .has(Lint::Overflow, 0)
    };
    let twice = Attempts::Exactly(Count::exact(2));
    let half = Duration::from_secs(u64::MAX / 2);
    assert!(!overflows(twice, half, None));
    assert!(overflows(twice, half + Duration::from_secs(1), None));
    // Without an end isn't beyond the range.
    assert!(!overflows(Attempts::Unlimited, Duration::from_secs(1), None));
}
