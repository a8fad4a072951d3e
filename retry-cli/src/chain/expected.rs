//! Mean values, which the planner has none of: it plans against an adversary, a mean is against chance.
//!
//! Tries are independent and fail with one probability `p`. All figures are floats; a mean beyond their range is `None`.

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
pub fn means(waits: Waits, count: Option<u64>, shown: usize) -> Means {
    let listed = count.map_or(shown, |n| usize::try_from(n).map_or(shown, |n| n.min(shown)));
    if waits.jitter == Jitter::Decorrelated {
        return decorrelated(waits, count, listed);
    }
    let share = match waits.jitter {
        Jitter::Full => 0.5,
        Jitter::Equal => 0.75,
        _ => 1.0,
    };
    let wait = |k: usize| {
        let power = waits.multiplier.powi(i32::try_from(k).unwrap_or(i32::MAX));
        // Infinity times zero is no wait at all.
        let grown = if waits.base == 0.0 {
            0.0
        } else {
            waits.base * power
        };
        grown.min(waits.cap)
    };
    Means {
        each: (0..listed).map(|k| share * wait(k)).collect(),
        total: share * geometric(waits, count),
    }
}

/// `Σ min(cap, base·m^k)` in closed form, since a count may be a billion.
#[allow(clippy::cast_precision_loss, reason = "a mean is a float")]
fn geometric(waits: Waits, count: Option<u64>) -> f64 {
    let Waits {
        base,
        multiplier: m,
        cap,
        ..
    } = waits;
    let count = count.map_or(f64::INFINITY, |n| n as f64);
    if base == 0.0 || count == 0.0 {
        return 0.0;
    }
    if m <= 1.0 {
        return base.min(cap) * count;
    }
    // So many waits are below the cap: the first k with base·m^k >= cap.
    let below = ((cap / base).ln() / m.ln()).ceil().max(0.0).min(count);
    let growing = if below.is_infinite() {
        f64::INFINITY
    } else {
        // ln_1p and exp_m1 keep factors that are hardly above one exact.
        base * (below * (m - 1.0).ln_1p()).exp_m1() / (m - 1.0)
    };
    let capped = count - below;
    if capped > 0.0 {
        growing + capped * cap
    } else {
        growing
    }
}

/// The waits of `min(cap, U(base, 3·previous))`, each mean computed from the distribution of the one before.
fn decorrelated(waits: Waits, count: Option<u64>, listed: usize) -> Means {
    let Waits { base, cap, .. } = waits;
    let mut each = Vec::with_capacity(listed);
    let mut total = 0.0;
    let mut grid = Grid::new(base, cap);
    let mut uncapped = base;
    let (mut k, mut capped) = (0u64, 0u64);
    while count != Some(k) {
        k += 1;
        uncapped = f64::midpoint(base, 3.0 * uncapped);
        // As long as 3^k·base is below the cap, the mean is (base + 3·previous mean)/2 exactly.
        #[allow(clippy::cast_precision_loss, reason = "a mean is a float")]
        let free = base * 3f64.powf(k as f64) <= cap;
        let (mean, stays) = if let Some(grid) = &mut grid {
            grid.step();
            // The mean nears its limit by a share of what is left each time; long before so many steps nobody sees it.
            capped += u64::from(!free);
            let stays = !free && grid.change < 1e-7 || capped > 60;
            (if free { uncapped } else { grid.mean }, stays)
        } else {
            // No wait, a wait that is always the cap, or one that has left all bounds.
            let mean = uncapped.min(cap);
            (mean, base == 0.0 || cap <= base || mean.is_infinite())
        };
        total += mean;
        if each.len() < listed {
            each.push(mean);
        }
        if stays && mean > 0.0 || count.is_none() && each.len() == listed {
            each.resize(listed, mean);
            #[allow(clippy::cast_precision_loss, reason = "a mean is a float")]
            let rest = count.map_or(f64::INFINITY, |n| (n - k) as f64);
            let more = if rest > 0.0 { rest * mean } else { 0.0 };
            return Means {
                each,
                total: total + more,
            };
        }
        if stays {
            each.resize(listed, 0.0);
            break;
        }
    }
    Means { each, total }
}

/// Points of the grid; the means are then within a thousandth of the true ones (tested against sampling).
const POINTS: usize = 500;

/// The distribution of one wait under a cap: a density on `[base, cap)` and an atom at the cap.
///
/// Given `x`, the next wait is uniform on `[base, 3x]`, cut at the cap; so the next density at `y` is
/// `∫_{x ≥ y/3} f(x) / (3x - base) dx`, and what lies above the cap is the next atom.
struct Grid {
    base: f64,
    cap: f64,
    /// Even in `ln x`, from the base to the cap.
    points: Vec<f64>,
    density: Vec<f64>,
    atom: f64,
    steps: u32,
    mean: f64,
    /// By how much the last step changed the mean, as a share of it.
    change: f64,
}

impl Grid {
    /// `None` where a cap has nothing to cut: no base, no cap, or no room between them.
    fn new(base: f64, cap: f64) -> Option<Self> {
        if base <= 0.0 || cap <= base || !(cap / base).is_finite() {
            return None;
        }
        let width = (cap / base).ln();
        #[allow(clippy::cast_precision_loss, reason = "a grid's index is small")]
        let points = (0..POINTS)
            .map(|i| base * (width * i as f64 / (POINTS - 1) as f64).exp())
            .collect();
        Some(Self {
            base,
            cap,
            points,
            density: vec![0.0; POINTS],
            atom: 0.0,
            steps: 0,
            mean: base,
            change: f64::INFINITY,
        })
    }

    /// From one wait to the next.
    fn step(&mut self) {
        let (base, cap) = (self.base, self.cap);
        let before = self.mean;
        self.steps += 1;
        let weight = |x: f64| 1.0 / (3.0 * x - base);
        // The first wait is even on [base, 3·base], cut at the cap. Its edge would blur on a grid, so the first mean and
        // the second density are written down.
        let top = (3.0 * base).min(cap);
        let first_atom = (3.0 * base - top) / (2.0 * base);
        if self.steps == 1 {
            self.mean = (top * top - base * base) / (4.0 * base) + first_atom * cap;
            return;
        }
        self.density = if self.steps == 2 {
            let tail = |x: f64| {
                let spread = ((3.0 * top - base) / (3.0 * x - base)).ln() / (6.0 * base);
                spread.max(0.0) + first_atom * weight(cap)
            };
            self.points.iter().map(|y| tail((y / 3.0).max(base))).collect()
        } else {
            // tail[i]: the integral from points[i] to the cap, by trapezoids.
            let mut tail = vec![0.0; POINTS];
            tail[POINTS - 1] = self.atom * weight(cap);
            for i in (0..POINTS - 1).rev() {
                let (a, b) = (self.points[i], self.points[i + 1]);
                let area = (b - a) * (self.density[i] * weight(a) + self.density[i + 1] * weight(b)) / 2.0;
                tail[i] = tail[i + 1] + area;
            }
            self.points.iter().map(|y| self.between(&tail, y / 3.0)).collect()
        };
        let inside = self.integral(|_| 1.0);
        self.atom = (1.0 - inside).clamp(0.0, 1.0);
        self.mean = self.integral(|x| x) + self.atom * cap;
        self.change = ((self.mean - before) / before).abs();
    }

    /// The tail at any `x`, between the points.
    fn between(&self, tail: &[f64], x: f64) -> f64 {
        let right = self.points.partition_point(|point| *point < x).min(POINTS - 1);
        let Some(left) = right.checked_sub(1) else {
            return tail[0];
        };
        let (a, b) = (self.points[left], self.points[right]);
        tail[left] + (x - a) / (b - a) * (tail[right] - tail[left])
    }

    fn integral(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.points
            .windows(2)
            .zip(self.density.windows(2))
            .map(|(x, f)| (x[1] - x[0]) * (f[0] * of(x[0]) + f[1] * of(x[1])) / 2.0)
            .sum()
    }
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
        let total = means(slow, Some(4_000_000_000), 3).total;
        assert!((total / 7.613_7e9 - 1.0).abs() < 1e-3, "{total}");
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
