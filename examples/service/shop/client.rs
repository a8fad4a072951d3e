//! The client: each method says how it is tried again, and what it calls.

use reqwest::StatusCode;
use retry_plan::{Interrupted, Plan, retry};

/// Asks the upstream.
#[derive(Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    upstream: String,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    #[error("the upstream said {0}")]
    Status(StatusCode),
    #[error("the upstream can't be reached")]
    Unreachable(#[from] reqwest::Error),
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl Refused {
    /// Whether the same request may get another answer.
    fn is_transient(&self) -> bool {
        match self {
            Self::Status(status) => status.is_server_error(),
            Self::Unreachable(_) => true,
            Self::Interrupted(_) => false,
        }
    }
}

/// What is on offer.
pub(super) struct Offer {
    pub(super) stock: String,
    pub(super) price: String,
}

impl Client {
    /// What its methods can do.
    pub(super) const PLANS: [Plan<'static>; 4] = [
        Self::STOCK_PLAN,
        Self::PRICE_PLAN,
        Self::OFFER_PLAN,
        Self::ORDER_PLAN,
    ];

    pub(super) fn of(upstream: String) -> Self {
        Self {
            http: reqwest::Client::new(),
            upstream,
        }
    }

    /// How many there are: reading is safe to repeat.
    #[retry(attempts = 3, attempt = 1s, backoff = exponential(10ms, max = 50ms), when = Refused::is_transient,
            export = STOCK_PLAN)]
    async fn stock(&self, item: &str) -> Result<String, Refused> {
        self.get(&format!("/stock/{item}")).await
    }

    /// The price: a second request after 50 ms, for some answers dawdle.
    #[retry(hedge(after = 50ms, copies = 2) { attempt(1s) }, export = PRICE_PLAN)]
    async fn price(&self, item: &str) -> Result<String, Refused> {
        self.get(&format!("/price/{item}")).await
    }

    /// Both within what a visitor waits for. That they fit is judged while this compiles: try `deadline = 1s`.
    #[retry(attempts = 1, deadline = 5s, calls(Self::STOCK_PLAN, Self::PRICE_PLAN), export = OFFER_PLAN)]
    pub(super) async fn offer(&self, item: &str) -> Result<Offer, Refused> {
        let stock = self.stock(item).await?;
        let price = self.price(item).await?;
        Ok(Offer { stock, price })
    }

    /// An order is an effect: the key is the caller's own, so that two tries, also of two visits, are one order.
    #[retry(attempts = 3, attempt = 1s, backoff = exponential(10ms, max = 50ms), when = Refused::is_transient,
            idempotent = false, idempotency_key = id, context = cx, export = ORDER_PLAN)]
    pub(super) async fn order(&self, id: &str, item: String) -> Result<String, Refused> {
        let mut request = self
            .http
            .post(format!("{}/orders", self.upstream))
            .body(item.clone());
        if let Some(key) = cx.idempotency_key() {
            request = request.header("idempotency-key", key.to_string());
        }
        text(request).await
    }

    async fn get(&self, path: &str) -> Result<String, Refused> {
        text(self.http.get(format!("{}{path}", self.upstream))).await
    }
}

async fn text(request: reqwest::RequestBuilder) -> Result<String, Refused> {
    let response = request.send().await?;
    if !response.status().is_success() {
        return Err(Refused::Status(response.status()));
    }
    Ok(response.text().await?)
}
