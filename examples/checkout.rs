//! A checkout pays over HTTP: the plan first, then what really happens, with times.
//!
//! `cargo run --example checkout` starts a payment server on loopback whose route fails and dawdles by a script, and
//! pays through a named policy, through an annotated function, and once against a deadline that can't be met: that run
//! ends early, without sleeping into its limit, and the last error is kept.

use std::{
    error::Error,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{Json, Router, extract::State, http::StatusCode, response::IntoResponse, routing::post};
use retry_plan::{Interrupted, Policy, Retrying, plan, retry, retry_policy};
use serde::{Deserialize, Serialize};

retry_policy! {
    /// Charge a card within the two seconds that a checkout has.
    pub struct Charge {
        type Error = PayError;
        deadline(2s) {
            retry(attempts = 3, backoff = exponential(100ms, factor = 2, max = 1s), jitter = none,
                  when = PayError::is_transient, on_retry = |retry| report_wait(&retry)) {
                attempt(500ms)
            }
        }
    }
}

retry_policy! {
    /// The same charge when only a second is left; that its later attempts may be cut is accepted, and said.
    pub struct HurriedCharge {
        type Error = PayError;
        #[allow(cannot_fit, reason = "a hurried customer gets what fits")]
        deadline(1s) {
            retry(attempts = 3, backoff = fixed(400ms), jitter = none,
                  when = PayError::is_transient, on_retry = |retry| report_wait(&retry)) {
                attempt(400ms)
            }
        }
    }
}

/// Refund over the same route: the shorthand writes the tree `deadline { retry { attempt } }`.
#[retry(attempts = 3, attempt = 300ms, backoff = fixed(100ms), jitter = none, deadline = 1500ms,
        when = PayError::is_transient, on_retry = |retry| report_wait(&retry), context = cx)]
async fn refund(shop: &Shop, order: &str) -> Result<Receipt, PayError> {
    say(&format!("attempt {} of a refund starts", cx.number()));
    told(shop.pay("/refund", order).await)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let shop = Shop::open().await?;

    heading("The plan of `Charge`, made while this program compiled");
    draw(&Charge::POLICY);

    heading("Charge: the server fails once, then dawdles past the attempt's bound, then answers");
    shop.script(&[Act::Fail, Act::Dawdle(800), Act::Answer(120)]);
    let receipt = Charge::run(async |cx| {
        say(&format!(
            "attempt {} starts, {} ms are left for it",
            cx.number(),
            cx.remaining().map_or(0, |left| left.as_millis())
        ));
        told(shop.pay("/charge", "order 7").await)
    })
    .await?;
    say(&format!("paid: {}", receipt.id));

    heading("Refund, an annotated function: fails once, then answers");
    shop.script(&[Act::Fail, Act::Answer(60)]);
    let receipt = refund(&shop, "order 7").await?;
    say(&format!("refunded: {}", receipt.id));

    heading("HurriedCharge: every attempt fails after 250 ms, and one second is all there is");
    draw(&HurriedCharge::POLICY);
    shop.script(&[Act::FailAfter(250), Act::FailAfter(250), Act::FailAfter(250)]);
    let failure = HurriedCharge::run_detailed(async |cx| {
        say(&format!("attempt {} starts", cx.number()));
        told(shop.pay("/charge", "order 8").await)
    })
    .await
    .expect_err("the script fails each time");
    say(&format!(
        "ended early: {:?} after {} attempts and {} ms; the last error is kept: {}",
        failure.stop,
        failure.attempts,
        failure.elapsed.as_millis(),
        failure
            .last
            .map_or_else(|| "none".to_owned(), |error| error.to_string()),
    ));
    Ok(())
}

/// What a payment can end in.
#[derive(Debug, thiserror::Error)]
pub enum PayError {
    /// The server answered, but not with a receipt.
    #[error("the payment server answered {0}")]
    Refused(StatusCode),
    /// No answer came.
    #[error("the payment server can't be reached: {0}")]
    Unreachable(#[from] reqwest::Error),
    /// The policy ended the run.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl PayError {
    fn is_transient(&self) -> bool {
        match self {
            Self::Refused(status) => status.is_server_error(),
            Self::Unreachable(_) => true,
            Self::Interrupted(_) => false,
        }
    }
}

/// What the server sends for a payment that went through.
#[derive(Debug, Deserialize, Serialize)]
pub struct Receipt {
    id: String,
}

/// One step of the server's script.
#[derive(Clone, Copy, Debug)]
enum Act {
    Answer(u64),
    Dawdle(u64),
    Fail,
    FailAfter(u64),
}

/// The shop's client, and the script of the server that it talks to.
struct Shop {
    client: reqwest::Client,
    address: String,
    route: Arc<Route>,
}

#[derive(Default)]
struct Route {
    script: std::sync::Mutex<Vec<Act>>,
    served: AtomicUsize,
}

impl Shop {
    async fn open() -> Result<Self, Box<dyn Error>> {
        let route = Arc::new(Route::default());
        let app = Router::new()
            .route("/charge", post(serve))
            .route("/refund", post(serve))
            .with_state(Arc::clone(&route));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        tokio::spawn(async move { axum::serve(listener, app).await });
        Ok(Self {
            client: reqwest::Client::builder().no_proxy().build()?,
            address,
            route,
        })
    }

    fn script(&self, acts: &[Act]) {
        let mut script = self.route.script.lock().expect("no holder of the script panics");
        script.clear();
        script.extend(acts.iter().rev());
        drop(script);
        *START.lock().expect("no holder of the clock panics") = Instant::now();
    }

    async fn pay(&self, path: &str, order: &str) -> Result<Receipt, PayError> {
        let url = format!("{}{path}", self.address);
        let response = self.client.post(url).body(order.to_owned()).send().await?;
        if response.status().is_success() {
            Ok(response.json().await?)
        } else {
            Err(PayError::Refused(response.status()))
        }
    }
}

async fn serve(State(route): State<Arc<Route>>, order: String) -> impl IntoResponse {
    let act = route.script.lock().expect("no holder of the script panics").pop();
    let number = route.served.fetch_add(1, Ordering::Relaxed) + 1;
    let receipt = Json(Receipt {
        id: format!("receipt {number} for {order}"),
    });
    match act {
        Some(Act::Answer(ms) | Act::Dawdle(ms)) => {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            receipt.into_response()
        }
        Some(Act::FailAfter(ms)) => {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        Some(Act::Fail) | None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

static START: LazyLock<std::sync::Mutex<Instant>> = LazyLock::new(|| std::sync::Mutex::new(Instant::now()));

fn heading(text: &str) {
    println!("\n{text}\n");
}

fn say(text: &str) {
    let ms = START
        .lock()
        .expect("no holder of the clock panics")
        .elapsed()
        .as_millis();
    println!("  {ms:>5} ms  {text}");
}

fn told(result: Result<Receipt, PayError>) -> Result<Receipt, PayError> {
    match &result {
        Ok(_) => say("  ends with a receipt"),
        Err(error) => say(&format!("  ends: {error}")),
    }
    result
}

fn report_wait(retry: &Retrying<'_, PayError>) {
    let why = if retry.error().is_some() {
        "failed"
    } else {
        "was cut off"
    };
    say(&format!(
        "  attempt {} {why}; waits {} ms",
        retry.attempt(),
        retry.wait().as_millis()
    ));
}

/// The worst case as bars: one column is a fiftieth of it.
fn draw(policy: &Policy<'_>) {
    const WIDTH: u64 = 50;
    println!("  {}", retry_plan::Plan::of(policy));
    let timeline = plan::timeline(policy);
    let rows: Vec<(&str, u64, u64)> = timeline.as_str().lines().filter_map(row).collect();
    let last = rows.iter().map(|&(_, _, end)| end).max().unwrap_or(1).max(1);
    for (line, start, end) in rows {
        let (from, to) = (
            start * WIDTH / last,
            (end * WIDTH / last).max(start * WIDTH / last + 1),
        );
        let bar: String = (0..WIDTH)
            .map(|at| if (from..to).contains(&at) { '█' } else { '·' })
            .collect();
        println!("  {bar} {}", line.trim());
    }
    println!();
}

/// A line of the timeline with its two times in milliseconds.
fn row(line: &str) -> Option<(&str, u64, u64)> {
    let (before, after) = line.split_once(" ms ..")?;
    let start = before.split_whitespace().last()?.parse().ok()?;
    let end = after.split_whitespace().next()?.parse().ok()?;
    Some((line, start, end))
}
