//! The shop's own routes. They know nothing of retries: a client's method is an async function like any other.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};

use super::client::{Client, Offer, Refused};

type Answer = Result<String, (StatusCode, String)>;

pub(super) fn routes(client: Client) -> Router {
    Router::new()
        .route("/items/{item}", get(item))
        .route("/orders/{id}", post(order))
        .with_state(client)
}

async fn item(State(client): State<Client>, Path(item): Path<String>) -> Answer {
    let Offer { stock, price } = client.offer(&item).await.map_err(|error| refused(&error))?;
    Ok(format!("{stock} at {price}"))
}

async fn order(State(client): State<Client>, Path(id): Path<String>, item: String) -> Answer {
    client.order(&id, item).await.map_err(|error| refused(&error))
}

fn refused(error: &Refused) -> (StatusCode, String) {
    (StatusCode::SERVICE_UNAVAILABLE, error.to_string())
}
