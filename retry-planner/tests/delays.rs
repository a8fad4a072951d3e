//! The waits of a retry: exact, never above the cap, total for every value, and equal however they are added up.
//!
//! The faults that these claims pin were seen in other libraries: caps applied before jitter or after an overflow, drift of
//! floating-point factors, and powers of the base.

use std::time::Duration;

use retry_planner::{
    Attempt, Attempts, Backoff, Count, Factor, Hint, Jitter, Kind, Levels, Node, Plan, Policy, Range, Retry,
};

const fn time(ms: u64) -> Range {
    Range::exact(Duration::from_millis(ms))
}

const fn exponential(base: u64, factor: Factor, max: Option<Range>) -> Backoff<'static> {
    Backoff::Exponential {
        base: time(base),
        factor,
        max,
    }
}

const fn decimal(digits: u64, scale: u32) -> Factor {
    Factor { digits, scale }
}

const JITTERS: [Jitter; 6] = [
    Jitter::None,
    Jitter::Full,
    Jitter::Equal,
    Jitter::Spread(decimal(2, 1)),
    Jitter::Spread(decimal(0, 0)),
    Jitter::Spread(decimal(1, 0)),
];

#[test]
fn doubling_has_no_drift() {
    let waits = exponential(100, Factor::whole(2), None);
    let told: Vec<_> = (1..=4).map(|k| waits.delay(k).hi.as_nanos()).collect();
    assert_eq!(told, [100_000_000, 200_000_000, 400_000_000, 800_000_000]);
}

#[test]
fn the_base_is_the_first_wait_and_not_what_grows() {
    let waits = exponential(200, Factor::whole(2), None);
    assert_eq!(waits.delay(1).hi, Duration::from_millis(200));
    assert_eq!(waits.delay(3).hi, Duration::from_millis(800));
}

#[test]
fn a_decimal_factor_is_rounded_down_once() {
    let waits = Backoff::Exponential {
        base: Range::exact(Duration::from_nanos(1)),
        factor: decimal(11, 1),
        max: None,
    };
    for k in 1..=36 {
        let exact = 11_u128.pow(k - 1) / 10_u128.pow(k - 1);
        assert_eq!(waits.delay(k).hi.as_nanos(), exact, "k = {k}");
    }
}

#[test]
fn no_jitter_passes_the_cap() {
    let waits = [
        exponential(100, Factor::whole(2), Some(time(400))),
        exponential(100, decimal(15, 1), Some(time(400))),
        Backoff::Linear {
            base: time(100),
            max: Some(time(250)),
        },
        Backoff::Decorrelated {
            base: time(100),
            max: Some(time(400)),
        },
    ];
    for waits in waits {
        let cap = waits.max().expect("each has one").hi;
        for jitter in JITTERS {
            for k in (1..100).chain([1 << 20, u32::MAX]) {
                let Range { lo, hi } = waits.interval(k, jitter);
                assert!(lo <= hi && hi <= cap, "{waits:?} {jitter:?} {k}: {lo:?}..{hi:?}");
            }
        }
    }
}

#[test]
fn spread_keeps_its_width_at_the_cap() {
    let waits = exponential(100, Factor::whole(2), Some(time(400)));
    let Range { lo, hi } = waits.interval(50, Jitter::Spread(decimal(2, 1)));
    assert_eq!((lo.as_millis(), hi.as_millis()), (320, 400));
}

#[test]
fn the_cap_holds_beyond_every_overflow() {
    let huge = Backoff::Exponential {
        base: Range::exact(Duration::from_secs(u64::MAX / 4)),
        factor: Factor::whole(u64::MAX),
        max: Some(time(1)),
    };
    let doubling = exponential(1000, Factor::whole(2), Some(time(10)));
    for k in [1, 2, 31, 32, 63, 64, 65, 128, u32::MAX] {
        assert_eq!(doubling.delay(k).hi, Duration::from_millis(10), "k = {k}");
        assert_eq!(huge.delay(k).hi, Duration::from_millis(1), "k = {k}");
    }
}

#[test]
fn without_a_cap_a_wait_stops_at_the_longest_duration() {
    for waits in [
        exponential(1, Factor::whole(2), None),
        exponential(1, Factor::whole(u64::MAX), None),
        Backoff::Linear {
            base: Range::exact(Duration::from_secs(u64::MAX / 2)),
            max: None,
        },
        Backoff::Decorrelated {
            base: time(1),
            max: None,
        },
    ] {
        assert_eq!(waits.delay(u32::MAX).hi, Duration::MAX, "{waits:?}");
        assert_eq!(waits.total(u32::MAX, Jitter::None).hi, Duration::MAX, "{waits:?}");
    }
}

#[test]
fn decorrelated_waits_lie_between_the_base_and_its_powers_of_three() {
    let waits = Backoff::Decorrelated {
        base: time(10),
        max: Some(time(500)),
    };
    let told: Vec<_> = (1..=5)
        .map(|k| waits.delay(k))
        .map(|range| (range.lo.as_millis(), range.hi.as_millis()))
        .collect();
    assert_eq!(told, [(10, 30), (10, 90), (10, 270), (10, 500), (10, 500)]);
}

#[test]
fn a_schedule_repeats_its_last_wait() {
    let listed = [time(1), time(5), time(20)];
    let waits = Backoff::Schedule {
        waits: &listed,
        repeat_last: true,
    };
    let told: Vec<_> = (1..=5).map(|k| waits.delay(k).hi.as_millis()).collect();
    assert_eq!(told, [1, 5, 20, 20, 20]);
    assert_eq!(
        waits.total(1_000_000, Jitter::None).hi.as_millis(),
        6 + 20 * 999_998
    );
}

#[test]
fn a_sum_in_closed_form_is_the_sum_of_its_waits() {
    const fn ns(ns: u64) -> Range {
        Range::exact(Duration::from_nanos(ns))
    }
    let listed = [time(3), ns(7), time(1)];
    let waits = [
        Backoff::None,
        Backoff::Fixed(ns(1_000_003)),
        Backoff::Linear {
            base: ns(1_000_003),
            max: Some(ns(30_000_017)),
        },
        Backoff::Linear {
            base: ns(7),
            max: None,
        },
        Backoff::Exponential {
            base: ns(1_000_003),
            factor: decimal(13, 1),
            max: Some(ns(1_000_000_007)),
        },
        Backoff::Exponential {
            base: ns(5),
            factor: decimal(1_000_001, 6),
            max: None,
        },
        Backoff::Exponential {
            base: ns(1000),
            factor: decimal(1, 0),
            max: None,
        },
        Backoff::Decorrelated {
            base: ns(11),
            max: Some(ns(10_001)),
        },
        Backoff::Schedule {
            waits: &listed,
            repeat_last: true,
        },
    ];
    for waits in waits {
        for jitter in JITTERS {
            let (mut lo, mut hi) = (Duration::ZERO, Duration::ZERO);
            for n in 0..200 {
                if n > 0 {
                    let wait = waits.interval(n, jitter);
                    lo += wait.lo;
                    hi += wait.hi;
                }
                let total = waits.total(n, jitter);
                assert_eq!((total.lo, total.hi), (lo, hi), "{waits:?} {jitter:?} {n}");
            }
        }
    }
}

#[test]
fn a_hint_lengthens_each_wait_that_is_shorter() {
    const fn ns(ns: u64) -> Range {
        Range::exact(Duration::from_nanos(ns))
    }
    let listed = [time(3), ns(7), time(1)];
    let waits = [
        Backoff::Fixed(ns(1_000_003)),
        Backoff::Linear {
            base: ns(1_000_003),
            max: Some(ns(30_000_017)),
        },
        exponential(1, decimal(13, 1), Some(time(1000))),
        exponential(1, decimal(1, 0), None),
        Backoff::Schedule {
            waits: &listed,
            repeat_last: true,
        },
    ];
    for backoff in waits {
        for hint in [ns(0), ns(5_000_000), time(500), time(5_000)] {
            for n in 1..120 {
                let retry = Retry {
                    attempts: Attempts::Exactly(Count::exact(n)),
                    backoff,
                    jitter: Some(Jitter::None),
                    budget: None,
                    when: false,
                    until: false,
                    stop_on_timeout: false,
                    hint: Some(Hint { max: Some(hint) }),
                };
                let attempt = Attempt {
                    bound: Some(time(10)),
                    takes: None,
                    idempotent: true,
                    key: false,
                };
                let node = |size, kind| Node {
                    name: "",
                    size,
                    levels: Levels::DEFAULT,
                    kind,
                };
                let nodes = [node(2, Kind::Retry(retry)), node(1, Kind::Attempt(attempt))];
                let plan = Plan::of(&Policy {
                    name: "hinted",
                    nodes: &nodes,
                });
                let gaps: Duration = (1..n).map(|k| retry.gap(k).1.expect("bounded")).sum();
                assert_eq!(
                    plan.worst(),
                    Some(Duration::from_millis(10) * n + gaps),
                    "{backoff:?} {hint:?} {n}"
                );
            }
        }
    }
}
