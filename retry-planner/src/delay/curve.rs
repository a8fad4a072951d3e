//! One end (least or greatest) of a retry's waits as a curve over `k`, and its sums.

use super::exact::{Exact, Ratio};
use crate::amount::{LONGEST, TOP, add, least, most, mul, nanos, sub};
use crate::tree::{Backoff, Jitter, Range};

/// How many steps a growing backoff is followed; from there on its waits stay as they are.
///
/// It bounds the cost of a plan in const evaluation. Every factor of at least 1.007 reaches the longest `Duration` from
/// one nanosecond in fewer steps, every whole factor in fewer than 95.
pub const GROWTH_STEPS: u32 = 10_000;

/// The shape of the waits before jitter.
#[derive(Clone, Copy)]
enum Shape<'a> {
    Constant(u128),
    Linear { base: u128, cap: u128 },
    Growing { first: u128, ratio: Ratio, cap: u128 },
    Listed { waits: &'a [Range], high: bool },
}

/// What jitter makes of a wait, at one end.
#[derive(Clone, Copy)]
pub(super) enum Spread {
    /// The wait itself.
    Whole,
    /// Nothing.
    Zero,
    /// `floor(wait · ratio)`, cut at the cap.
    Scaled(Ratio),
}

impl Spread {
    pub(super) const fn new(jitter: Jitter, high: bool) -> Self {
        match jitter {
            Jitter::None => Self::Whole,
            Jitter::Full | Jitter::Equal if high => Self::Whole,
            Jitter::Full => Self::Zero,
            Jitter::Equal => Self::Scaled(Ratio { num: 1, den: 2 }),
            Jitter::Spread(x) if high => Self::Scaled(Ratio::of(x).above_one()),
            Jitter::Spread(x) => Self::Scaled(Ratio::of(x).below_one()),
        }
    }

    /// Rounded down here, once.
    pub(super) const fn of(self, wait: Exact, cap: u128) -> u128 {
        match self {
            Self::Whole => wait.whole,
            Self::Zero => 0,
            Self::Scaled(ratio) => least(wait.times(ratio).whole, cap),
        }
    }
}

/// One end of the waits of a retry.
#[derive(Clone, Copy)]
pub(crate) struct Curve<'a> {
    shape: Shape<'a>,
    spread: Spread,
    cap: u128,
}

/// A position on a growing curve.
#[derive(Clone, Copy)]
struct Step {
    value: Exact,
    /// Whether no later wait differs.
    settled: bool,
}

const fn end(range: Range, high: bool) -> u128 {
    if high { nanos(range.hi) } else { nanos(range.lo) }
}

impl<'a> Curve<'a> {
    pub(crate) const fn low(backoff: &Backoff<'a>, jitter: Jitter) -> Self {
        Self::new(backoff, jitter, false)
    }

    pub(crate) const fn high(backoff: &Backoff<'a>, jitter: Jitter) -> Self {
        Self::new(backoff, jitter, true)
    }

    const fn new(backoff: &Backoff<'a>, jitter: Jitter, high: bool) -> Self {
        let cap = match backoff {
            Backoff::Linear { max: Some(max), .. }
            | Backoff::Exponential { max: Some(max), .. }
            | Backoff::Decorrelated { max: Some(max), .. } => end(*max, high),
            _ => LONGEST,
        };
        let shape = match backoff {
            Backoff::None => Shape::Constant(0),
            Backoff::Fixed(wait) => Shape::Constant(end(*wait, high)),
            Backoff::Linear { base, .. } => Shape::Linear {
                base: end(*base, high),
                cap,
            },
            Backoff::Exponential { base, factor, .. } => Shape::Growing {
                first: end(*base, high),
                ratio: Ratio::of(*factor),
                cap,
            },
            Backoff::Decorrelated { base, .. } if !high => Shape::Constant(least(end(*base, high), cap)),
            Backoff::Decorrelated { base, .. } => Shape::Growing {
                first: mul(end(*base, high), 3),
                ratio: Ratio { num: 3, den: 1 },
                cap,
            },
            Backoff::Schedule { waits, .. } => Shape::Listed { waits, high },
        };
        let spread = match backoff {
            Backoff::Decorrelated { .. } => Spread::Whole,
            _ => Spread::new(jitter, high),
        };
        Self { shape, spread, cap }
    }

    const fn spread(&self, wait: Exact) -> u128 {
        self.spread.of(wait, self.cap)
    }

    /// What no wait is above.
    pub(super) const fn cap(&self) -> u128 {
        self.cap
    }

    const fn first(&self) -> Step {
        match self.shape {
            Shape::Growing { first, ratio, cap } => Step {
                value: Exact::whole(least(first, cap)),
                settled: first >= cap || first == 0 || (ratio.num == ratio.den),
            },
            _ => Step {
                value: Exact::whole(0),
                settled: true,
            },
        }
    }

    const fn next(&self, step: Step) -> Step {
        match self.shape {
            Shape::Growing { ratio, cap, .. } if !step.settled => {
                let value = step.value.times(ratio);
                if value.whole >= cap {
                    Step {
                        value: Exact::whole(cap),
                        settled: true,
                    }
                } else {
                    Step {
                        value,
                        settled: false,
                    }
                }
            }
            _ => step,
        }
    }

    /// The wait before retry `k`, counted from 1.
    pub(crate) const fn wait(&self, k: u32) -> u128 {
        self.spread(self.plain(k))
    }

    /// The same before jitter, and before it is rounded.
    pub(super) const fn plain(&self, k: u32) -> Exact {
        let k = if k == 0 { 1 } else { k };
        match self.shape {
            Shape::Constant(wait) => Exact::whole(wait),
            Shape::Linear { base, cap } => Exact::whole(least(mul(base, k as u128), cap)),
            Shape::Growing { .. } => {
                let mut step = self.first();
                let mut at = 1;
                while at < k && !step.settled && at < GROWTH_STEPS {
                    step = self.next(step);
                    at += 1;
                }
                step.value
            }
            Shape::Listed { waits, high } => {
                if waits.is_empty() {
                    return Exact::whole(0);
                }
                let at = k as usize - 1;
                let at = if at < waits.len() { at } else { waits.len() - 1 };
                Exact::whole(end(waits[at], high))
            }
        }
    }

    /// How many waits a schedule lists.
    const fn listed_len(&self) -> u32 {
        match self.shape {
            #[expect(clippy::cast_possible_truncation, reason = "cut to the range of u32 first")]
            Shape::Listed { waits, .. } => {
                if waits.len() > u32::MAX as usize {
                    u32::MAX
                } else {
                    waits.len() as u32
                }
            }
            _ => 0,
        }
    }

    /// The sum of the first `n` waits.
    pub(crate) const fn total(&self, n: u32) -> u128 {
        if n == 0 || matches!(self.spread, Spread::Zero) {
            return 0;
        }
        match self.shape {
            Shape::Constant(_) => mul(self.wait(1), n as u128),
            Shape::Linear { base, .. } => self.linear_total(base, n),
            Shape::Growing { .. } => {
                let mut step = self.first();
                let mut sum = self.spread(step.value);
                let mut at = 1;
                while at < n && !step.settled && at < GROWTH_STEPS {
                    step = self.next(step);
                    sum = add(sum, self.spread(step.value));
                    at += 1;
                }
                add(sum, mul(self.spread(step.value), (n - at) as u128))
            }
            Shape::Listed { .. } => {
                let len = self.listed_len();
                let mut sum = 0;
                let mut at = 0;
                while at < n && at < len {
                    at += 1;
                    sum = add(sum, self.wait(at));
                }
                if at < n {
                    add(sum, mul(self.wait(n), (n - at) as u128))
                } else {
                    sum
                }
            }
        }
    }

    /// The sum of the first `n` waits where each is at least `floor`; a linear row is taken as even from the thousandth on.
    pub(crate) const fn total_at_least(&self, n: u32, floor: u128) -> u128 {
        let followed = match self.shape {
            Shape::Constant(_) => 1,
            Shape::Linear { .. } => 1_000,
            Shape::Growing { .. } => GROWTH_STEPS,
            Shape::Listed { .. } => self.listed_len(),
        };
        let mut step = self.first();
        let mut sum = 0;
        let mut at = 0;
        while at < n && at < followed {
            at += 1;
            let wait = match self.shape {
                Shape::Growing { .. } => self.spread(step.value),
                _ => self.wait(at),
            };
            sum = add(sum, most(wait, floor));
            if let Shape::Growing { .. } = self.shape {
                if step.settled {
                    break;
                }
                step = self.next(step);
            }
        }
        add(sum, mul(most(self.wait(n), floor), (n - at) as u128))
    }

    /// The most repeats, at most `n`, that `left` has room for where each takes its wait and `each`.
    pub(crate) const fn most_within(&self, n: u32, each: u128, left: u128) -> u32 {
        if left == u128::MAX {
            return n;
        }
        match self.shape {
            _ if matches!(self.spread, Spread::Zero) => room(n, each, left),
            Shape::Constant(_) => room(n, add(self.wait(1), each), left),
            Shape::Linear { .. } => {
                let (mut low, mut high) = (0, n);
                while low < high {
                    let middle = high - (high - low) / 2;
                    if add(self.total(middle), mul(each, middle as u128)) <= left {
                        low = middle;
                    } else {
                        high = middle - 1;
                    }
                }
                low
            }
            Shape::Growing { .. } => {
                let mut step = self.first();
                let mut sum = 0;
                let mut at = 0;
                while at < n {
                    let cost = add(self.spread(step.value), each);
                    if step.settled || at >= GROWTH_STEPS {
                        return at + room(n - at, cost, sub(left, sum));
                    }
                    sum = add(sum, cost);
                    if sum > left {
                        return at;
                    }
                    at += 1;
                    if at < GROWTH_STEPS {
                        step = self.next(step);
                    }
                }
                n
            }
            Shape::Listed { .. } => {
                let len = self.listed_len();
                let mut sum = 0;
                let mut at = 0;
                while at < n && at < len {
                    sum = add(sum, add(self.wait(at + 1), each));
                    if sum > left {
                        return at;
                    }
                    at += 1;
                }
                if at < n {
                    at + room(n - at, add(self.wait(n), each), sub(left, sum))
                } else {
                    n
                }
            }
        }
    }

    /// `Σ min(cap, floor(base·k·p/q))` for `k` in `1..=n`, in closed form.
    const fn linear_total(&self, base: u128, n: u32) -> u128 {
        // The last k that no cap touches, before or after jitter; all later waits are equal.
        let growing = {
            let (mut low, mut high) = (0, n);
            while low < high {
                let middle = high - (high - low) / 2;
                let plain = mul(base, middle as u128);
                if plain <= self.cap && self.spread_uncut(plain) <= self.cap {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            low
        };
        let ratio = match self.spread {
            Spread::Scaled(ratio) => ratio,
            Spread::Whole | Spread::Zero => Ratio { num: 1, den: 1 },
        };
        let capped = mul(self.wait(n), (n - growing) as u128);
        add(scaled_sum(base, ratio, growing), capped)
    }

    const fn spread_uncut(&self, wait: u128) -> u128 {
        match self.spread {
            Spread::Scaled(ratio) => ratio.floor_of(wait),
            Spread::Whole | Spread::Zero => wait,
        }
    }
}

/// How many of at most `n` repeats of cost `each` fit in `left`.
#[expect(clippy::cast_possible_truncation, reason = "cut to n first")]
const fn room(n: u32, each: u128, left: u128) -> u32 {
    match left.checked_div(each) {
        Some(fit) => least(fit, n as u128) as u32,
        None => n,
    }
}

/// `Σ floor(base·k·num/den)` for `k` in `1..=n`.
const fn scaled_sum(base: u128, ratio: Ratio, n: u32) -> u128 {
    let triangle = (n as u128) * (n as u128 + 1) / 2;
    let (num, den) = (ratio.num as u128, ratio.den as u128);
    if den == 1 {
        return mul(mul(base, num), triangle);
    }
    // base·num/den = quotient + rest/den, with rest < den, so that everything below stays within u128.
    let low = (base % den) * num;
    let quotient = add(mul(base / den, num), low / den);
    add(mul(quotient, triangle), floor_sum(n as u128, den, low % den))
}

/// `Σ floor(a·k/m)` for `k` in `1..=n`, with `a < m`: Euclid's algorithm on the lattice points below a line
/// (Graham, Knuth, Patashnik, *Concrete Mathematics*, 3.5).
const fn floor_sum(n: u128, m: u128, a: u128) -> u128 {
    // Counted over k in 0..n of floor((a·k + b)/m), with b = a.
    let (mut n, mut m, mut a, mut b) = (n, m, a, a);
    let mut sum = 0_u128;
    while n > 0 {
        if a >= m {
            sum = add(sum, mul(n * (n - 1) / 2, a / m));
            a %= m;
        }
        if b >= m {
            sum = add(sum, mul(n, b / m));
            b %= m;
        }
        let top = a * n + b;
        if top < m {
            break;
        }
        n = top / m;
        b = top % m;
        (m, a) = (a, m);
    }
    least(sum, TOP)
}
