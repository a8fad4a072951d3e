//! In the edition before, the future of an `fn … -> impl Future` borrows nothing that isn't named there, and that of an
//! `async fn` everything: so does that of an `async fn` with a policy.

#![cfg(test)]
#![deny(warnings, rust_2018_idioms, clippy::pedantic)]

use std::borrow::Cow;
use std::future::Future;
use std::io;

use retry_plan::{retry, retry_policy};

struct Client {
    name: String,
}

trait Greet {
    fn greet(&self, whom: &str) -> impl Future<Output = io::Result<String>> + Send;
}

impl Client {
    #[retry(attempts = 3, attempt = 100ms)]
    async fn name(&self, other: &str) -> io::Result<Cow<'_, str>> {
        tokio::task::yield_now().await;
        if other.is_empty() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(Cow::Borrowed(&self.name))
    }

    #[retry(Thrice)]
    async fn named(&self, other: &str) -> io::Result<usize> {
        Ok(self.name(other).await?.len())
    }
}

impl Greet for Client {
    #[retry(attempts = 3, takes = 100ms)]
    async fn greet(&self, whom: &str) -> io::Result<String> {
        Ok(format!("{} greets {whom}", self.name))
    }
}

retry_policy! {
    struct Thrice {
        retry(attempts = 3) { attempt(1s) }
    }
}

#[retry(attempts = 3, takes = 100ms)]
async fn longest<'a>(one: &'a str, other: &'a (impl AsRef<str> + ?Sized)) -> io::Result<&'a str> {
    let other = other.as_ref();
    Ok(if one.len() < other.len() { other } else { one })
}

/// The future of an argument that doesn't live as long as the task is awaited where it does.
async fn all() -> io::Result<(String, usize, String, usize)> {
    let client = Client {
        name: "Ada".to_owned(),
    };
    let (name, length, greeting) = {
        let other = String::from("Grace");
        let name = client.name(&other).await?.into_owned();
        (name, client.named(&other).await?, client.greet(&other).await?)
    };
    let longest = longest("one", "three").await?.len();
    Ok((name, length, greeting, longest))
}

#[tokio::test(start_paused = true)]
async fn a_function_borrows_its_arguments() {
    let told = tokio::spawn(all()).await.unwrap().unwrap();
    assert_eq!(told, ("Ada".into(), 3, "Ada greets Grace".into(), 5));
}
