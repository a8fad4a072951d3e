//! gRPC by tonic under a policy: `cargo run --example grpc --features tonic`
//!
//! The server in the same process is unavailable twice, and once it says for how long.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use retry_plan::tonic::{interrupted, may_retry, pushback, request};
use retry_plan::{Scope, retry_policy};
use tonic::{Request, Response, Status};

mod text;

retry_policy! {
    /// A greeting within five seconds.
    struct Greet {
        type Error = Status;
        interrupted = interrupted;
        deadline(5s) {
            retry(attempts = 3, backoff = fixed(50ms), jitter = full,
                  when = may_retry, retry_after = pushback, retry_after_max = 1s) {
                attempt(500ms)
            }
        }
    }
}

/// Fails twice.
fn answer(call: u32, request: Request<String>) -> Result<Response<String>, Status> {
    let scope = Scope::current();
    println!(
        "  server: call {call}, attempt {}, {:?} left",
        scope.attempt(),
        scope.remaining()
    );
    match call {
        1 => Err(Status::unavailable("starting")),
        2 => {
            let mut busy = Status::unavailable("busy");
            busy.metadata_mut().insert("grpc-retry-pushback-ms", 200.into());
            Err(busy)
        }
        _ => Ok(Response::new(format!("hello, {}", request.into_inner()))),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let calls = Arc::new(AtomicU32::new(0));
    let address = text::serve(move |request| {
        let calls = calls.clone();
        async move { answer(calls.fetch_add(1, Relaxed) + 1, request) }
    })
    .await?;

    let channel = text::channel(address).await?;
    println!("client: greet");
    let answer =
        Greet::run(async |cx| text::greet(channel.clone(), request(&cx, "world".to_owned())?).await).await?;
    println!("client: {}", answer.into_inner());
    Ok(())
}
