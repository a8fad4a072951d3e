//! Mean values, which the planner has none of: it plans against an adversary, a mean is against chance.
//!
//! Tries are independent and fail with one probability `p`. All figures are floats; a mean beyond their range is `None`.

use retry_planner::delay::GROWTH_STEPS;

use super::model::Jitter;

/// The mean number of tries, `Σ p^k` for `k` in `0..n`; `None` for endless tries that always fail.
#[must_use]
pub fn tries(p: f64, attempts: Option<u64>) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "a mean is a float")]
    match attempts {
        Some(n) if p >= 1.0 => Some(n as f64),
        Some(n) => Some((1.0 - powers(p, n as f64)) / (1.0 - p)),
        None if p >= 1.0 => None,
        None => Some(1.0 / (1.0 - p)),
    }
}

/// How likely all of `n` tries fail.
#[must_use]
pub fn all_fail(p: f64, attempts: Option<u64>) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "a mean is a float")]
    match attempts {
        Some(n) => powers(p, n as f64),
        None if p >= 1.0 => 1.0,
        None => 0.0,
    }
}

fn powers(p: f64, n: f64) -> f64 {
    if p <= 0.0 { 0.0 } else { (n * p.ln()).exp() }
}

/// The waits of a layer in milliseconds, as floats.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    /// The first wait.
    pub base: f64,
    /// The factor.
    pub multiplier: f64,
    /// The cap, infinite where there is none.
    pub cap: f64,
    /// The spread.
    pub jitter: Jitter,
}

/// The means of the first `shown` waits, and of the sum of all `count`.
#[derive(Clone, Debug, PartialEq)]
pub struct Means {
    /// Each of the first waits.
    pub each: Vec<f64>,
    /// All together; infinite where there is no end or no float for it.
    pub total: f64,
}

/// The means of `count` waits (`None`: endlessly many).
#[must_use]
pub fn means(waits: Waits, count: Option<u32>, shown: usize) -> Means {
    let listed = count.map_or(shown, |n| usize::try_from(n).map_or(shown, |n| n.min(shown)));
    if waits.jitter == Jitter::Decorrelated {
        return decorrelated(waits, count, listed);
    }
    let share = match waits.jitter {
        Jitter::Full => 0.5,
        Jitter::Equal => 0.75,
        _ => 1.0,
    };
    Means {
        each: (1..).take(listed).map(|k| share * waits.undrawn(k)).collect(),
        total: share * geometric(waits, count),
    }
}

impl Waits {
    /// `min(cap, base·m^(k-1))`, followed for as many steps as the planner does.
    fn undrawn(self, k: u32) -> f64 {
        // Infinity times zero is no wait at all.
        if self.base == 0.0 {
            return 0.0;
        }
        let power = i32::try_from(k.min(GROWTH_STEPS)).unwrap_or(i32::MAX) - 1;
        (self.base * self.multiplier.powi(power)).min(self.cap)
    }
}

/// `Σ min(cap, base·m^k)` in closed form, since a count may be a billion.
fn geometric(waits: Waits, count: Option<u32>) -> f64 {
    let Waits {
        base,
        multiplier: m,
        cap,
        ..
    } = waits;
    let all = count.map_or(f64::INFINITY, f64::from);
    if base == 0.0 || all == 0.0 {
        return 0.0;
    }
    if m <= 1.0 {
        return base.min(cap) * all;
    }
    // So many waits are below the cap: the first k with base·m^k >= cap.
    let below = ((cap / base).ln() / m.ln()).ceil().max(0.0);
    let below = below.min(all).min(f64::from(GROWTH_STEPS));
    // ln_1p and exp_m1 keep factors that are hardly above one exact.
    let growing = base * (below * (m - 1.0).ln_1p()).exp_m1() / (m - 1.0);
    let others = all - below;
    if others > 0.0 {
        growing + others * waits.undrawn(count.unwrap_or(u32::MAX))
    } else {
        growing
    }
}

/// So many waits of a decorrelated row are followed. For usual caps the mean settles within a hundred; from a nanosecond to
/// the end of the range, where `ln x` climbs by `ln 3 - 1` a wait, it is within two hundredths by then.
const FOLLOWED: u32 = 1_500;

/// The waits of `min(cap, U(base, 3·previous))`, each mean computed from the distribution of the one before.
fn decorrelated(waits: Waits, count: Option<u32>, listed: usize) -> Means {
    let Waits { base, cap, .. } = waits;
    let room = cap / base;
    if base > 0.0 && room > 1.0 && room.is_finite() {
        return capped(base, cap, count, listed);
    }
    // No wait, a wait that is always the cap, or one that nothing holds: the mean is (base + 3·previous)/2 exactly.
    let mut means = Means {
        each: Vec::with_capacity(listed),
        total: 0.0,
    };
    let mut mean = base;
    for k in 1..=count.unwrap_or(u32::MAX) {
        let before = mean;
        mean = f64::midpoint(base, 3.0 * mean).min(cap);
        means.total += mean;
        if means.each.len() < listed {
            means.each.push(mean);
        }
        if mean.to_bits() == before.to_bits() || means.total.is_infinite() {
            means.each.resize(listed, mean);
            let rest = count.map_or(f64::INFINITY, |count| f64::from(count - k));
            means.total += if rest * mean > 0.0 { rest * mean } else { 0.0 };
            break;
        }
    }
    means
}

fn capped(base: f64, cap: f64, count: Option<u32>, listed: usize) -> Means {
    let mut means = Means {
        each: Vec::with_capacity(listed),
        total: 0.0,
    };
    let mut grid = Grid::new(base, cap);
    let mut uncapped = base;
    for k in 1..=count.unwrap_or(u32::MAX) {
        let before = grid.mean;
        grid.step();
        uncapped = f64::midpoint(base, 3.0 * uncapped);
        // As long as 3^k·base is below the cap, the mean is (base + 3·previous mean)/2 exactly.
        let free = f64::from(k) * 3f64.ln() <= (cap / base).ln();
        let mean = if free { uncapped } else { grid.mean };
        means.total += mean;
        if means.each.len() < listed {
            means.each.push(mean);
        }
        let settled = !free && (grid.mean - before).abs() < before * 1e-7;
        if settled || k >= FOLLOWED || count.is_none() && means.each.len() == listed {
            means.each.resize(listed, mean);
            means.total += count.map_or(f64::INFINITY, |count| f64::from(count - k) * mean);
            break;
        }
    }
    means
}

/// The distribution of one wait under a cap: a density on `[base, cap)` and an atom at the cap.
///
/// Given `x`, the next wait is uniform on `[base, 3x]`, cut at the cap; so the next density at `y` is
/// `∫_{x ≥ y/3} f(x) / (3x - base) dx`, and what lies above the cap is the next atom. Points lie at `base·3^(i/m)`, so that
/// the third of a point is the point `m` before it and every edge of the density ends a panel of Simpson's rule.
struct Grid {
    base: f64,
    cap: f64,
    /// How many points a factor of three spans; even.
    per_three: usize,
    /// From the base on; the last one is the cap, wherever it lies.
    points: Vec<f64>,
    /// What the density at each point adds to the integral of the density, and to that of `x` times the density.
    mass: Vec<f64>,
    first_moment: Vec<f64>,
    /// The density at three points gives its integral with the weight `1 / (3x - base)` between a point and the next.
    pieces: Vec<Piece>,
    density: Vec<f64>,
    tail: Vec<f64>,
    atom: f64,
    steps: u32,
    mean: f64,
}

/// An integral from one point to the next: values at the points `first..first + 3`, each times its share.
#[derive(Clone, Copy)]
struct Piece {
    first: usize,
    shares: [f64; 3],
}

impl Piece {
    fn of(self, values: &[f64]) -> f64 {
        let [a, b, c] = self.shares;
        let at = self.first;
        a * values[at] + b * values[at + 1] + c * values[at + 2]
    }
}

/// About so many points a grid has; the means are then within a thousandth of the true ones (tested against sampling).
const POINTS: f64 = 200.0;

impl Grid {
    /// For a cap above a base above zero.
    fn new(base: f64, cap: f64) -> Self {
        let threes = (cap / base).ln() / 3f64.ln();
        let per_three = 2.0 * (POINTS / threes / 2.0).floor().clamp(2.0, 8.0);
        // Two panels at least, however near the cap is.
        let width = (3f64.ln() / per_three).min((cap / base).ln() / 4.0);
        let mut points = vec![base];
        loop {
            let next = base * (width * f64::from(u32::try_from(points.len()).unwrap_or(u32::MAX))).exp();
            if next >= cap * (1.0 - 1e-12) {
                break;
            }
            points.push(next);
        }
        points.push(cap);
        let plain: Vec<Piece> = (0..points.len() - 1).map(|i| piece(&points, width, i)).collect();
        let weighted = |weight: &dyn Fn(f64) -> f64| {
            let mut pieces = plain.clone();
            for piece in &mut pieces {
                for (share, x) in piece.shares.iter_mut().zip(&points[piece.first..]) {
                    *share *= weight(*x);
                }
            }
            pieces
        };
        let summed = |pieces: &[Piece]| {
            let mut all = vec![0.0; points.len()];
            for piece in pieces {
                for (share, sum) in piece.shares.iter().zip(&mut all[piece.first..]) {
                    *sum += share;
                }
            }
            all
        };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 4 to 16"
        )]
        Self {
            base,
            cap,
            per_three: per_three as usize,
            mass: summed(&plain),
            first_moment: summed(&weighted(&|x| x)),
            pieces: weighted(&|x| 1.0 / (3.0 * x - base)),
            density: vec![0.0; points.len()],
            tail: vec![0.0; points.len()],
            points,
            atom: 0.0,
            steps: 0,
            mean: base,
        }
    }

    /// From one wait to the next.
    fn step(&mut self) {
        let (base, cap) = (self.base, self.cap);
        self.steps += 1;
        // The first wait is even on [base, 3·base], cut at the cap. Its edge would blur on a grid, so the first mean and
        // the second density are written down.
        let top = (3.0 * base).min(cap);
        let first_atom = (3.0 * base - top) / (2.0 * base);
        if self.steps == 1 {
            self.mean = (top * top - base * base) / (4.0 * base) + first_atom * cap;
            return;
        }
        let at_cap = 1.0 / (3.0 * cap - base);
        if self.steps == 2 {
            for (density, y) in self.density.iter_mut().zip(&self.points) {
                let x = (y / 3.0).max(base);
                let spread = ((3.0 * top - base) / (3.0 * x - base)).ln() / (6.0 * base);
                *density = spread.max(0.0) + first_atom * at_cap;
            }
        } else {
            let mut tail = self.atom * at_cap;
            self.tail[self.pieces.len()] = tail;
            for (at, piece) in self.tail.iter_mut().zip(&self.pieces).rev() {
                tail += piece.of(&self.density);
                *at = tail;
            }
            self.move_thirds();
        }
        let sum = |shares: &[f64]| -> f64 { shares.iter().zip(&self.density).map(|(a, b)| a * b).sum() };
        self.atom = (1.0 - sum(&self.mass)).clamp(0.0, 1.0);
        self.mean = sum(&self.first_moment) + self.atom * cap;
    }

    /// The tail at the third of each point is the next density there; below the base nothing is missing from the tail.
    fn move_thirds(&mut self) {
        let last = self.points.len() - 1;
        let low = self.per_three.min(last);
        self.density[..low].fill(self.tail[0]);
        self.density[low..last].copy_from_slice(&self.tail[..last - low]);
        // The cap lies anywhere between two regular points, and so does its third.
        self.density[last] = match last.checked_sub(self.per_three + 1) {
            None => self.tail[0],
            Some(left) => {
                let (a, b) = (self.points[left], self.points[left + 1]);
                let share = ((self.cap / 3.0 - a) / (b - a)).clamp(0.0, 1.0);
                self.tail[left] + share * (self.tail[left + 1] - self.tail[left])
            }
        };
    }
}

/// The integral over `x` between point `i` and the next: half a panel of Simpson's rule in `ln x`, or a trapezoid where no
/// panel is left.
fn piece(points: &[f64], width: f64, i: usize) -> Piece {
    let regular = points.len() - 2;
    let panel = i / 2 * 2;
    let (first, mut shares) = if panel + 2 <= regular {
        let (near, far) = (5.0 * width / 12.0, -width / 12.0);
        let middle = 8.0 * width / 12.0;
        if i == panel {
            (panel, [near, middle, far])
        } else {
            (panel, [far, middle, near])
        }
    } else {
        let half = (points[i + 1] / points[i]).ln() / 2.0;
        (i - 1, [0.0, half, half])
    };
    for (share, x) in shares.iter_mut().zip(&points[first..]) {
        *share *= x;
    }
    Piece { first, shares }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(base: f64, cap: f64, jitter: Jitter) -> Waits {
        Waits {
            base,
            multiplier: 2.0,
            cap,
            jitter,
        }
    }

    #[test]
    fn expected_tries_are_a_geometric_sum() {
        assert!((tries(0.3, Some(3)).unwrap() - 1.39).abs() < 1e-12);
        assert_eq!(tries(1.0, Some(4)), Some(4.0));
        assert_eq!(tries(0.0, Some(4)), Some(1.0));
        assert_eq!(tries(0.5, None), Some(2.0));
        assert_eq!(tries(1.0, None), None);
        assert!((all_fail(0.3, Some(4)) - 0.0081).abs() < 1e-12);
    }

    #[test]
    fn each_jitter_has_its_share_of_the_wait() {
        for (jitter, share) in [(Jitter::None, 1.0), (Jitter::Full, 0.5), (Jitter::Equal, 0.75)] {
            let means = means(waits(100.0, 350.0, jitter), Some(4), 10);
            assert_eq!(means.each, [100.0, 200.0, 350.0, 350.0].map(|wait| share * wait));
            assert!((means.total - share * 1000.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_billion_waits_are_summed_at_once() {
        let total = means(waits(100.0, 1000.0, Jitter::None), Some(1_000_000_000), 3).total;
        assert!((total - (1500.0 + 999_999_996.0 * 1000.0)).abs() < 1.0, "{total}");
        let slow = Waits {
            multiplier: 1.000_000_001,
            ..waits(1.0, 2.0, Jitter::None)
        };
        // Followed for ten thousand waits, as the planner does; they hardly grow until then.
        let total = means(slow, Some(4_000_000_000), 3).total;
        assert!((total / 4e9 - 1.0).abs() < 2e-5, "{total}");
    }

    #[test]
    fn decorrelated_means_agree_with_sampling() {
        for cap in [150.0, 250.0, 1000.0, 5000.0, f64::INFINITY] {
            let computed = means(waits(100.0, cap, Jitter::Decorrelated), Some(8), 8).each;
            let mut sums = [0.0; 8];
            let samples = 400_000;
            // A linear congruential generator (Knuth's constants), so that the test is the same each time.
            let mut state = 1u64;
            for _ in 0..samples {
                let mut previous = 100.0;
                for sum in &mut sums {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    #[allow(clippy::cast_precision_loss, reason = "53 bits fit")]
                    let unit = (state >> 11) as f64 / (1u64 << 53) as f64;
                    previous = f64::min(cap, 100.0 + unit * (3.0 * previous - 100.0));
                    *sum += previous;
                }
            }
            for (k, (mean, sum)) in computed.iter().zip(sums).enumerate() {
                let drawn = sum / f64::from(samples);
                let noise = if cap.is_infinite() { 0.05 } else { 0.004 };
                assert!(
                    (mean / drawn - 1.0).abs() < noise,
                    "cap {cap}, wait {k}: {mean} and {drawn}"
                );
            }
        }
    }

    #[test]
    fn what_isnt_followed_any_more_is_near_what_would_have_been() {
        for cap in [150.0, 5e3, 2.6e15, 1.8e28] {
            let n = 5_000;
            let mut grid = Grid::new(1.0, cap);
            let walked: f64 = (0..n)
                .map(|_| {
                    grid.step();
                    grid.mean
                })
                .sum();
            let total = means(waits(1.0, cap, Jitter::Decorrelated), Some(n), 100).total;
            assert!((total / walked - 1.0).abs() < 0.02, "{cap}: {total} and {walked}");
        }
    }

    #[test]
    fn a_long_row_of_decorrelated_waits_settles() {
        let short = means(waits(100.0, 1000.0, Jitter::Decorrelated), Some(200), 200);
        let long = means(waits(100.0, 1000.0, Jitter::Decorrelated), Some(4_000_000_000), 3);
        let settled = short.each[199];
        assert!((long.total / (4e9 * settled) - 1.0).abs() < 1e-3);
        assert_eq!(
            means(waits(0.0, 1000.0, Jitter::Decorrelated), Some(5), 5).each,
            [0.0; 5]
        );
        assert_eq!(
            means(waits(70.0, 70.0, Jitter::Decorrelated), Some(5), 5).each,
            [70.0; 5]
        );
    }
}
