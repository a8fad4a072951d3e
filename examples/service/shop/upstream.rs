//! The upstream: fails, dawdles and loses answers, by a script.

use std::collections::HashSet;
use std::future::pending;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};

#[derive(Debug, Default)]
pub(super) struct Upstream {
    stock: AtomicU32,
    price: AtomicU32,
    order: AtomicU32,
    orders: Mutex<HashSet<String>>,
}

impl Upstream {
    /// How often it was asked for anything.
    pub(super) fn asked(&self) -> u32 {
        self.stock.load(SeqCst) + self.price.load(SeqCst) + self.order.load(SeqCst)
    }

    pub(super) fn orders(&self) -> usize {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Takes an order, unless its key was seen.
    fn take(&self, key: &str) {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        orders.insert(key.to_owned());
    }
}

type Shared = State<Arc<Upstream>>;

pub(super) fn routes(upstream: Arc<Upstream>) -> Router {
    Router::new()
        .route("/stock/{item}", get(stock))
        .route("/price/{item}", get(price))
        .route("/orders", post(order))
        .with_state(upstream)
}

/// The first two are refused; of nothing there is nothing.
async fn stock(State(upstream): Shared, Path(item): Path<String>) -> Result<String, StatusCode> {
    let asked = upstream.stock.fetch_add(1, SeqCst) + 1;
    if asked <= 2 || item == "nothing" {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    }
    Ok(format!("12 {item}"))
}

/// The first one never answers.
async fn price(State(upstream): Shared, Path(_): Path<String>) -> &'static str {
    if upstream.price.fetch_add(1, SeqCst) == 0 {
        pending::<()>().await;
    }
    "3 coins"
}

/// The first order is taken, and its answer is lost.
async fn order(State(upstream): Shared, headers: HeaderMap, item: String) -> Result<String, StatusCode> {
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok());
    let key = key.ok_or(StatusCode::BAD_REQUEST)?;
    upstream.take(key);
    if upstream.order.fetch_add(1, SeqCst) == 0 {
        return Err(StatusCode::BAD_GATEWAY);
    }
    Ok(format!("order {key} of {item}"))
}
