//! The other crate of the cases that cross crates: functions that retry, and the same ones left to their callers.

use std::io::Error;

use retry_plan::retry;

/// Three attempts of its own.
///
/// # Errors
///
/// Never.
#[retry(attempts = 3, attempt = 100ms, export = CHARGE_PLAN)]
pub async fn charge(order: u32) -> Result<u32, Error> {
    Ok(order)
}

/// Three attempts around those of [`charge`].
///
/// # Errors
///
/// Never.
#[retry(attempts = 3, calls(CHARGE_PLAN), export = ORDER_PLAN)]
pub async fn order(order: u32) -> Result<u32, Error> {
    charge(order).await
}

/// The same without attempts of their own.
pub mod once {
    use std::io::Error;

    use retry_plan::retry;

    /// One attempt.
    ///
    /// # Errors
    ///
    /// Never.
    #[retry(attempts = 1, attempt = 100ms, export = CHARGE_PLAN)]
    pub async fn charge(order: u32) -> Result<u32, Error> {
        Ok(order)
    }

    /// One attempt around that of [`charge`].
    ///
    /// # Errors
    ///
    /// Never.
    #[retry(attempts = 1, calls(CHARGE_PLAN), export = ORDER_PLAN)]
    pub async fn order(order: u32) -> Result<u32, Error> {
        charge(order).await
    }
}
