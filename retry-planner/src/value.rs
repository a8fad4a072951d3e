//! Values that come from expressions, looked at in const evaluation: what a literal may not be, they may not be either.
//!
//! Each function panics, which in const evaluation is an error on the line of its caller.

use core::time::Duration;

use crate::tree::{Count, Factor, Range};

/// A bound, timeout or deadline.
///
/// # Panics
/// If it is zero.
#[must_use]
#[track_caller]
pub const fn limit(value: Duration) -> Range {
    assert!(
        !value.is_zero(),
        "a limit of zero lets nothing start\n  help: write a time above zero"
    );
    Range::exact(value)
}

/// The cap of a backoff whose first wait is `base`.
///
/// # Panics
/// If it is below the first wait.
#[must_use]
#[track_caller]
pub const fn cap(base: Duration, max: Duration) -> Range {
    assert!(
        base.as_nanos() <= max.as_nanos(),
        "the first wait is above `max`\n  help: write a larger `max`, or a shorter first wait"
    );
    Range::exact(max)
}

/// The attempts of a retry.
///
/// # Panics
/// If there are none.
#[must_use]
#[track_caller]
pub const fn attempts(value: u32) -> Count {
    assert!(
        value > 0,
        "zero attempts try nothing: `attempts` counts the first try too"
    );
    Count::exact(value)
}

/// The copies of a hedge.
///
/// # Panics
/// If there are less than two.
#[must_use]
#[track_caller]
pub const fn copies(value: u32) -> Count {
    assert!(
        value > 0,
        "zero copies run nothing: `copies` counts the first one too"
    );
    assert!(
        value > 1,
        "one copy is no hedge: `copies` counts the first one too"
    );
    Count::exact(value)
}

/// What each wait is multiplied by.
///
/// # Panics
/// If it is below one.
#[must_use]
#[track_caller]
pub const fn factor(value: Factor) -> Factor {
    assert!(value.scale <= 18, "a factor has at most 18 decimals");
    assert!(
        value.digits as u128 >= one(value),
        "a factor below 1 makes waits shorter each time; the least is 1"
    );
    value
}

/// The share of a wait that `spread` draws from.
///
/// # Panics
/// If it is above one.
#[must_use]
#[track_caller]
pub const fn spread(value: Factor) -> Factor {
    assert!(value.scale <= 18, "a spread has at most 18 decimals");
    assert!(
        value.digits as u128 <= one(value),
        "a spread above 1 is above the whole wait"
    );
    value
}

/// The waits of a schedule that doesn't repeat its last.
///
/// # Panics
/// If there isn't one for each retry.
#[must_use]
#[track_caller]
pub const fn schedule(waits: &[Range], attempts: u32) -> &[Range] {
    assert!(
        attempts == 0 || waits.len() as u64 == attempts as u64 - 1,
        "a schedule has one wait for each retry, which is one less than `attempts`\n  help: or close it with `..` to repeat its last wait"
    );
    waits
}

const fn one(value: Factor) -> u128 {
    10_u128.pow(value.scale)
}
