//! The worst case of a layer as pieces of time, for every picture of it.

use std::time::Duration;

use crate::chain::Judged;
use crate::chain::bounds;
use crate::chain::model::{Attempts, Layer};

/// More pieces than this can't be told apart in a picture.
const PIECES: usize = 60;

/// What happens in a piece of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A try, as long as it may be; counted from 1.
    Try(u32),
    /// A wait, as long as it may be.
    Wait,
}

/// A piece of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What happens.
    pub what: What,
    /// When it begins.
    pub start: Duration,
    /// When it ends, were it not cut.
    pub end: Duration,
}

/// The worst case of one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What happens, in order; pieces that begin at or after the cut are left out.
    pub pieces: Vec<Piece>,
    /// The layer's deadline, where it cuts the last piece.
    pub cut: Option<Duration>,
    /// There is more than is shown.
    pub more: bool,
    /// The last piece has no end of its own.
    pub endless: bool,
    /// When the caller gives up.
    pub caller_gives_up: Option<Duration>,
}

/// The rows of a chain and the time they share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// A row for each layer.
    pub rows: Vec<Row>,
    /// The end of the axis.
    pub end: Duration,
}

/// The worst case of every layer.
#[must_use]
pub fn timeline(judged: &Judged) -> Timeline {
    let layers = &judged.chain.layers;
    let rows: Vec<Row> = layers
        .iter()
        .enumerate()
        .map(|(index, layer)| {
            row(
                layer,
                index.checked_sub(1).and_then(|outer| layers[outer].patience()),
            )
        })
        .collect();
    let longest = judged.figures.layers.iter().filter_map(|figures| figures.worst);
    let patience = rows.iter().filter_map(|row| row.caller_gives_up);
    let ends = rows.iter().filter_map(|row| {
        row.pieces
            .last()
            .map(|piece| piece.end.min(row.cut.unwrap_or(piece.end)))
    });
    let end = longest.chain(patience).chain(ends).max().unwrap_or_default();
    let end = if end.is_zero() {
        Duration::from_secs(1)
    } else {
        end
    };
    Timeline { rows, end }
}

fn row(layer: &Layer, caller_gives_up: Option<Duration>) -> Row {
    let mut row = Row {
        pieces: Vec::new(),
        cut: None,
        more: false,
        endless: layer.per_try_timeout.is_none() && layer.deadline.is_none(),
        caller_gives_up,
    };
    let tries = match layer.attempts {
        Attempts::Count(count) => count,
        Attempts::Unlimited => u32::MAX,
    };
    let one = bounds::one_try(layer);
    // A try without a bound is shown as long as the deadline lets it be, or a caller waits.
    let shown = one
        .or(layer.deadline)
        .or(caller_gives_up)
        .unwrap_or(Duration::from_secs(1));
    let mut at = Duration::ZERO;
    for k in 1..=tries {
        if row.pieces.len() >= PIECES {
            row.more = true;
            break;
        }
        let end = at.saturating_add(shown);
        row.pieces.push(Piece {
            what: What::Try(k),
            start: at,
            end,
        });
        if one.is_none() || cuts(layer, end, &mut row) || k == tries {
            break;
        }
        let gap = bounds::gap(layer, k);
        at = end.saturating_add(gap.or(layer.deadline).unwrap_or(shown));
        if at > end {
            row.pieces.push(Piece {
                what: What::Wait,
                start: end,
                end: at,
            });
        }
        if cuts(layer, at, &mut row) {
            break;
        }
        if gap.is_none() {
            row.endless = true;
            break;
        }
    }
    row
}

/// Whether the deadline has passed at `at`.
fn cuts(layer: &Layer, at: Duration, row: &mut Row) -> bool {
    match layer.deadline {
        Some(deadline) if at >= deadline => {
            row.cut = (at > deadline).then_some(deadline);
            true
        }
        _ => false,
    }
}

/// `time` as a share of `whole`, from 0 to 1.
#[must_use]
pub fn share(time: Duration, whole: Duration) -> f64 {
    (time.as_secs_f64() / whole.as_secs_f64()).clamp(0.0, 1.0)
}

/// A round step that divides `end` into four to nine, for an axis.
#[must_use]
pub fn step(end: Duration) -> Duration {
    let mut step = 1u128;
    let nanos = end.as_nanos();
    loop {
        for factor in [1, 2, 5] {
            if nanos / (step * factor) < 8 {
                return crate::doc::decimal::nanos((step * factor).max(1));
            }
        }
        step *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::model::{Condition, Hedge, Jitter};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_last_piece_ends_at_the_worst_case(
            attempts in 1u32..20, base in 0u64..500, per_try in prop::option::of(1u64..900),
            deadline in prop::option::of(1u64..9_000), hint in prop::option::of(0u64..2_000),
            copies in 1u32..4, heard in any::<bool>(),
        ) {
            let ms = |time: Option<u64>| time.map(Duration::from_millis);
            let layer = Layer {
                attempts: Attempts::Count(attempts),
                base_delay: Duration::from_millis(base),
                jitter: Jitter::Equal,
                per_try_timeout: ms(per_try),
                deadline: ms(deadline),
                retry_on: vec![Condition::Status(503)],
                respect_retry_after: heard,
                max_retry_after: ms(hint),
                hedge: Some(Hedge { after: Duration::from_millis(50), copies }),
                ..Layer::new("x")
            };
            let row = row(&layer, None);
            let last = row.pieces.last().unwrap().end;
            match bounds::bounds(&layer).worst {
                Some(worst) => prop_assert_eq!(row.cut.unwrap_or(last), worst, "{:?}", row),
                None => prop_assert!(row.endless),
            }
        }
    }
}
