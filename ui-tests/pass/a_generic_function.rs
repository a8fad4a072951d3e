//! Functions: keeps its bounds and lifetimes.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms)]
async fn first<'a, T: ToString, const N: usize>(all: &'a [T; N], sep: impl AsRef<str>) -> Result<String, Error>
where
    T: Clone,
{
    Ok(all.iter().map(ToString::to_string).collect::<Vec<_>>().join(sep.as_ref()))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(first(&[1, 2, 3], "-").await.unwrap(), "1-2-3");
}
