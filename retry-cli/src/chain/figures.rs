//! The figures of a chain: bounds from the planner, means from [`expected`], products over layers.

use std::time::Duration;

use num_bigint::BigUint;

use super::bounds;
use super::expected::{self, Waits};
use super::model::{Chain, Layer};

/// How many waits are listed for each layer; the totals cover all.
pub const LISTED: usize = 100;

/// A product of counts: exact as far as anyone can read it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// So many.
    Exact(BigUint),
    /// More than 10^300.
    Beyond,
    /// No bound.
    Unbounded,
}

impl Amount {
    fn times(&self, count: Option<u64>) -> Self {
        match (self, count) {
            (Self::Exact(amount), Some(count)) => {
                let product = amount * count;
                // 996 bits are 10^300 rounded down.
                if product.bits() > 996 {
                    Self::Beyond
                } else {
                    Self::Exact(product)
                }
            }
            (Self::Beyond, Some(_)) => Self::Beyond,
            _ => Self::Unbounded,
        }
    }

    /// As a float; infinite where there is no bound.
    #[must_use]
    pub fn float(&self) -> f64 {
        match self {
            Self::Exact(amount) => amount.to_string().parse().unwrap_or(f64::INFINITY),
            Self::Beyond => 1e300,
            Self::Unbounded => f64::INFINITY,
        }
    }
}

/// One wait of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// The shortest draw.
    pub min: Duration,
    /// The mean in milliseconds; infinite where no float holds it.
    pub expected_ms: f64,
    /// The longest draw.
    pub max: Duration,
}

/// The figures of one layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerFigures {
    /// The first waits.
    pub delays: Vec<Delay>,
    /// How many further waits there are; `None` where there is no end.
    pub delays_omitted: Option<u32>,
    /// The sum of the longest waits; `None` where there is no end.
    pub max_delay_total: Option<Duration>,
    /// The sum of the mean waits in milliseconds; infinite where there is no end.
    pub expected_delay_total_ms: f64,
    /// The latest end of one call of this layer; `None` where it has none.
    pub worst: Option<Duration>,
    /// The most tries that can start; `None` where unbounded.
    pub tries: Option<u64>,
    /// The mean number of tries; infinite where there is none.
    pub expected_tries: f64,
    /// The most tries of this layer that one outer request causes.
    pub worst_amplification: Amount,
    /// The mean of that, when every layer's tries fail at the chain's rate.
    pub expected_amplification: f64,
    /// The bound while everything fails for long, when budgets are used up.
    pub sustained_amplification: f64,
    /// A figure is at the end of its range.
    pub saturated: bool,
}

/// The figures of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Of each layer.
    pub layers: Vec<LayerFigures>,
    /// The most calls of the innermost service for one outer request.
    pub worst_amplification: Amount,
    /// The mean, when every layer's tries fail at the chain's rate.
    pub expected_amplification: f64,
    /// The mean, when only the innermost service fails at that rate, so that inner retries absorb failures.
    pub innermost_only_amplification: f64,
}

/// All figures of `chain`. Those of a layer that `known` has at the same place aren't computed again.
#[must_use]
pub fn figures(chain: &Chain, known: Option<(&Chain, &Figures)>) -> Figures {
    let p = chain.failure_rate;
    let mut worst = Amount::Exact(BigUint::from(1u32));
    let (mut mean, mut sustained) = (1.0, 1.0);
    let layers: Vec<LayerFigures> = chain
        .layers
        .iter()
        .enumerate()
        .map(|(index, layer)| {
            let same = known.filter(|(before, _)| before.layers.get(index) == Some(layer));
            let mut figures = match same {
                Some((_, figures)) => figures.layers[index].clone(),
                None => layer_figures(layer, p),
            };
            worst = worst.times(figures.tries);
            mean *= figures.expected_tries;
            sustained *= sustained_tries(layer, figures.tries);
            figures.worst_amplification = worst.clone();
            figures.expected_amplification = mean;
            figures.sustained_amplification = sustained;
            figures.saturated = worst == Amount::Beyond
                || [figures.max_delay_total, figures.worst].contains(&Some(Duration::MAX));
            figures
        })
        .collect();
    Figures {
        innermost_only_amplification: innermost_only(chain, &layers),
        worst_amplification: worst,
        expected_amplification: mean,
        layers,
    }
}

fn layer_figures(layer: &Layer, p: f64) -> LayerFigures {
    let bounds = bounds::bounds(layer);
    let waits = layer.waits();
    let means = expected::means(
        Waits {
            base: millis(layer.base_delay),
            multiplier: factor(layer.multiplier),
            cap: layer.max_delay.map_or(f64::INFINITY, millis),
            jitter: layer.jitter,
        },
        waits,
        LISTED,
    );
    let delays: Vec<Delay> = (1..)
        .zip(&means.each)
        .map(|(k, mean)| {
            let (min, max) = bounds::delay(layer, k);
            Delay {
                min,
                // A bound ends at the planner's range, and its mean with it.
                expected_ms: mean.clamp(millis(min), millis(max)),
                max,
            }
        })
        .collect();
    let max_delay_total = bounds::delay_total(layer);
    let copies = u64::from(layer.hedge.map_or(1, |hedge| hedge.copies));
    // A copy is sent for slowness, not for failure: it counts against the bound, not in the mean.
    let repeats = bounds.calls.map(|calls| calls.div_ceil(copies));
    LayerFigures {
        saturated: false,
        delays_omitted: waits.map(|waits| waits - u32::try_from(delays.len()).unwrap_or(waits)),
        delays,
        max_delay_total,
        expected_delay_total_ms: max_delay_total.map_or(means.total, |most| means.total.min(millis(most))),
        worst: bounds.worst,
        tries: bounds.calls,
        expected_tries: expected::tries(p, repeats).unwrap_or(f64::INFINITY),
        worst_amplification: Amount::Unbounded,
        expected_amplification: 0.0,
        sustained_amplification: 0.0,
    }
}

/// A budget lets each request of a long outage pay for `ratio` further tries.
fn sustained_tries(layer: &Layer, tries: Option<u64>) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "compared with a float")]
    let tries = tries.map_or(f64::INFINITY, |tries| tries as f64);
    layer.budget.map_or(tries, |budget| tries.min(1.0 + budget.ratio))
}

/// Only the innermost try fails at rate `p`; a layer fails only when all its tries do, and that is the rate its caller
/// sees.
fn innermost_only(chain: &Chain, layers: &[LayerFigures]) -> f64 {
    let mut rate = chain.failure_rate;
    let mut product = 1.0;
    for figures in layers.iter().rev() {
        product *= expected::tries(rate, figures.tries).unwrap_or(f64::INFINITY);
        rate = expected::all_fail(rate, figures.tries);
    }
    product
}

/// Milliseconds as a float.
#[must_use]
pub fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// A factor as a float.
#[must_use]
pub fn factor(factor: retry_planner::Factor) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "a mean is a float")]
    let digits = factor.digits as f64;
    digits / 10f64.powi(i32::try_from(factor.scale).unwrap_or(18))
}
