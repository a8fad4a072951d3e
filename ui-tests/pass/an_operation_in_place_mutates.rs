//! Forms: `&mut` and `?` just work.
use std::io::Error;

use retry_plan::retry_policy;

fn parse(text: &str) -> Result<u32, Error> {
    text.parse().map_err(Error::other)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut seen = Vec::new();
    let value = retry_policy! {
        type Error = Error;
        retry(attempts = 3) {
            attempt(500ms) async |cx| {
                seen.push(cx.number());
                Ok(parse(if seen.len() < 3 { "x" } else { "7" })?)
            }
        }
    }
    .await;
    assert_eq!(value.unwrap(), 7);
    assert_eq!(seen, [1, 2, 3]);
}
