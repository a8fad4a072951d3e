//! The other crate of the cases that cross crates: policies, functions that retry, and the same ones left to their
//! callers.

use std::io::Error;

use retry_plan::{Budget, retry, retry_policy};

/// What all payments spend on retries.
pub static PAYMENTS: Budget = Budget::aws();

retry_policy! {
    /// Four attempts, each retry charged to nobody.
    pub struct Charge {
        retry(attempts = 4) {
            attempt(200ms)
        }
    }

    /// Three attempts, each retry charged to the payments.
    pub struct Refund {
        retry(attempts = 3, budget = PAYMENTS) {
            attempt(200ms)
        }
    }

    /// One attempt that must not happen twice.
    pub struct Transfer {
        attempt(200ms, idempotent = false)
    }
}

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

/// An error that no other crate can teach anything, like a database client's.
#[derive(Debug)]
#[non_exhaustive]
pub enum Foreign {
    /// What went wrong on the wire.
    Protocol(Box<dyn std::error::Error + Send + Sync>),
}

impl Foreign {
    /// Wraps what went wrong.
    pub fn protocol(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Protocol(error.into())
    }
}

impl std::fmt::Display for Foreign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Protocol(error) => write!(f, "protocol: {error}"),
        }
    }
}

impl std::error::Error for Foreign {}
