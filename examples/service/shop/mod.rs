//! The shop: its handlers, its client, and the upstream that the client asks.

mod client;
mod handlers;
mod upstream;

use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use tokio::net::TcpListener;

use client::Client;
use upstream::Upstream;

/// What the client's methods can do, as the compiler saw it.
pub(crate) fn plans() -> String {
    Client::PLANS
        .map(|plan| format!("{:<6} {plan}\n", plan.name()))
        .concat()
}

/// A running shop and its upstream.
pub(crate) struct Shop {
    address: SocketAddr,
    upstream: Arc<Upstream>,
}

/// One request that was answered.
#[derive(Debug, PartialEq)]
pub(crate) struct Answered {
    pub(crate) request: String,
    pub(crate) status: u16,
    pub(crate) body: String,
    /// How often the upstream was asked for it.
    pub(crate) asked: u32,
    pub(crate) took: Duration,
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            request,
            status,
            body,
            asked,
            took,
        } = self;
        write!(
            f,
            "{request}: {status} {body} (upstream asked {asked} times, {took:.0?})"
        )
    }
}

impl Shop {
    /// Starts both on loopback.
    pub(crate) async fn open() -> Result<Self, Box<dyn Error>> {
        let upstream = Arc::new(Upstream::default());
        let at = serve(upstream::routes(Arc::clone(&upstream))).await?;
        let client = Client::of(format!("http://{at}"));
        let address = serve(handlers::routes(client)).await?;
        Ok(Self { address, upstream })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many orders the upstream took.
    pub(crate) fn orders(&self) -> usize {
        self.upstream.orders()
    }

    /// Asks for tea, which comes at the third try; orders some, and the first answer is lost; asks for what never comes.
    pub(crate) async fn tour(&self) -> Result<[Answered; 3], Box<dyn Error>> {
        let http = reqwest::Client::new();
        let at = |path: &str| format!("http://{}{path}", self.address);
        Ok([
            self.answered("GET /items/tea", http.get(at("/items/tea")))
                .await?,
            self.answered("POST /orders/17", http.post(at("/orders/17")).body("tea"))
                .await?,
            self.answered("GET /items/nothing", http.get(at("/items/nothing")))
                .await?,
        ])
    }

    async fn answered(&self, request: &str, send: reqwest::RequestBuilder) -> reqwest::Result<Answered> {
        let (start, before) = (Instant::now(), self.upstream.asked());
        let response = send.send().await?;
        Ok(Answered {
            request: request.to_owned(),
            status: response.status().as_u16(),
            body: response.text().await?,
            asked: self.upstream.asked() - before,
            took: start.elapsed(),
        })
    }
}

async fn serve(routes: Router) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, routes).await });
    Ok(address)
}
