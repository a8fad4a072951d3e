//! Functions: can't be cut off on a thread.
use std::io::Error;

use retry_plan::{retry, retry_policy};

retry_policy! {
    struct Ask { attempt(500ms) }
}

#[retry(attempts = 3, attempt = 500ms)]
fn attempt() -> Result<u32, Error> {
    Ok(7)
}

#[retry(timeout(2s) { retry(attempts = 3) { attempt(takes = 500ms) } })]
fn timeout() -> Result<u32, Error> {
    Ok(7)
}

#[retry(hedge(after = 50ms, copies = 2) { attempt(takes = 500ms) })]
fn hedge() -> Result<u32, Error> {
    Ok(7)
}

#[retry(attempts = 3, takes = 500ms, when = async |_| true)]
fn hook() -> Result<u32, Error> {
    Ok(7)
}

#[retry(Ask)]
fn named() -> Result<u32, Error> {
    Ok(7)
}

fn main() {
    drop((attempt(), timeout(), hedge(), hook(), named()));
}
