//! What a function returns: `Result` and its aliases, futures, `Option`, and outcomes of one's own.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::time::Duration;

use pay::Foreign;
use retry_plan::{Interrupted, Outcome, Stop, retry};

use crate::table::{Flaky, broken, table};

table! {
    spawned a_result: async |flaky| result(&flaky).await.is_ok();
    spawned an_alias_of_io: async |flaky| io_result(&flaky).await.is_ok();
    spawned an_alias_of_anyhow: async |flaky| anyhow_result(&flaky).await.is_ok();
    spawned an_alias_of_ones_own: async |flaky| own_alias(&flaky).await.is_ok();
    spawned an_error_of_thiserror: async |flaky| thiserror_result(&flaky).await.is_ok();
    spawned a_boxed_error: async |flaky| boxed_error(&flaky).await.is_ok();
    spawned a_foreign_error: async |flaky| foreign(&flaky).await.is_ok();
    spawned nothing_but_success: async |flaky| unit(&flaky).await.is_ok();
    spawned an_option: async |flaky| option(&flaky).await.is_some();
    spawned an_outcome_of_ones_own: async |flaky| matches!(reply(&flaky).await, Reply::Found(_));
    spawned an_impl_trait_inside: async |flaky| opaque(&flaky).await.is_ok();
    spawned a_trait_object_inside: async |flaky| coerced(&flaky).await.is_ok();
    spawned a_borrow_of_an_argument: async |flaky| borrowed(&flaky, &["one".to_owned()]).await.is_ok();
    spawned an_impl_future: async |flaky| impl_future(&flaky, "abc".to_owned()).await.is_ok();
    spawned an_impl_future_made_anew: async |flaky| made_anew(&flaky).await.is_ok();
    spawned a_pinned_box: async |flaky| pinned_box(&flaky, 7).await.is_ok();
    spawned an_impl_future_of_an_option: async |flaky| future_of_option(&flaky).await.is_some();
    spawned an_inferred_error: async |flaky| inferred(&flaky).await.is_ok();
}

#[retry(attempts = 3, attempt = 500ms)]
async fn result(flaky: &Flaky) -> Result<u32, io::Error> {
    flaky.answer().await
}

#[retry(attempts = 3, attempt = 500ms)]
async fn io_result(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 3, attempt = 500ms)]
async fn anyhow_result(flaky: &Flaky) -> anyhow::Result<u32> {
    use anyhow::Context;

    let answer = flaky.answer().await.context("the flaky one failed")?;
    anyhow::ensure!(answer > 0, "there is an answer");
    Ok(answer)
}

type Answer<T = u32> = Result<T, OwnError>;

#[derive(Debug, thiserror::Error)]
enum OwnError {
    #[error("it broke")]
    Broken(#[from] io::Error),
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

#[retry(attempts = 3, attempt = 500ms)]
async fn own_alias(flaky: &Flaky) -> Answer {
    Ok(flaky.answer().await?)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn thiserror_result(flaky: &Flaky) -> Result<u32, OwnError> {
    Ok(flaky.answer().await?)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn boxed_error(flaky: &Flaky) -> Result<u32, Box<dyn Error + Send + Sync>> {
    let answer = flaky.answer().await?;
    if answer == 0 {
        return Err("a text is an error, too".into());
    }
    Ok(answer)
}

#[retry(attempts = 3, attempt = 500ms, interrupted = Foreign::protocol)]
async fn foreign(flaky: &Flaky) -> Result<u32, Foreign> {
    flaky.answer().await.map_err(Foreign::protocol)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn unit(flaky: &Flaky) -> io::Result<()> {
    flaky.answer().await?;
    Ok(())
}

#[retry(attempts = 3, attempt = 500ms)]
async fn option(flaky: &Flaky) -> Option<u32> {
    let answer = flaky.answer().await.ok()?;
    Some(answer)
}

#[derive(Debug, PartialEq)]
enum Reply {
    Found(u32),
    Busy,
    Late,
}

#[derive(Debug, PartialEq)]
enum Refusal {
    Busy,
    Late,
}

impl From<Interrupted> for Refusal {
    fn from(_: Interrupted) -> Self {
        Self::Late
    }
}

impl Outcome for Reply {
    type Value = u32;
    type Error = Refusal;

    fn into_result(self) -> Result<u32, Refusal> {
        match self {
            Self::Found(value) => Ok(value),
            Self::Busy => Err(Refusal::Busy),
            Self::Late => Err(Refusal::Late),
        }
    }

    fn from_result(result: Result<u32, Refusal>) -> Self {
        match result {
            Ok(value) => Self::Found(value),
            Err(Refusal::Busy) => Self::Busy,
            Err(Refusal::Late) => Self::Late,
        }
    }
}

#[retry(attempts = 3, attempt = 500ms)]
async fn reply(flaky: &Flaky) -> Reply {
    flaky.answer().await.map_or(Reply::Busy, Reply::Found)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn opaque(flaky: &Flaky) -> Result<impl Display + Debug + use<>, io::Error> {
    flaky.answer().await.map(|call| format!("call {call}"))
}

#[retry(attempts = 3, attempt = 500ms)]
async fn coerced(flaky: &Flaky) -> io::Result<Box<dyn Display + Send>> {
    let answer = flaky.answer().await?;
    if answer == 1 {
        return Ok(Box::new(answer));
    }
    Ok(Box::new(format!("answer {answer}")))
}

#[retry(attempts = 3, attempt = 500ms)]
async fn borrowed<'a>(flaky: &Flaky, names: &'a [String]) -> io::Result<&'a str> {
    flaky.answer().await?;
    names.first().map(String::as_str).ok_or_else(broken)
}

#[retry(attempts = 3, attempt = 500ms)]
fn impl_future(flaky: &Flaky, text: String) -> impl Future<Output = io::Result<usize>> {
    async move {
        flaky.answer().await?;
        Ok(text.len())
    }
}

#[retry(attempts = 3, attempt = 500ms)]
fn made_anew(flaky: &Flaky) -> impl Future<Output = io::Result<u32>> {
    flaky.answer()
}

#[retry(attempts = 3, attempt = 500ms)]
fn pinned_box<'a>(
    flaky: &'a Flaky,
    id: u32,
) -> Pin<Box<dyn Future<Output = Result<u32, io::Error>> + Send + 'a>> {
    Box::pin(async move {
        let answer = flaky.answer().await?;
        Ok(answer + id)
    })
}

#[retry(attempts = 3, attempt = 500ms)]
fn future_of_option(flaky: &Flaky) -> impl Future<Output = Option<u32>> {
    async { flaky.answer().await.ok() }
}

#[retry(attempts = 3, attempt = 500ms)]
async fn inferred(flaky: &Flaky) -> io::Result<Vec<u64>> {
    let mut all = Vec::new();
    all.push(flaky.answer().await?);
    Ok(all.into_iter().map(Into::into).collect())
}

/// Each of these hangs, and says by its own type that its attempts were cut off.
mod hanging {
    use std::future::pending;

    use super::*;

    #[retry(attempts = 2, attempt = 500ms)]
    pub(super) async fn io_result() -> io::Result<()> {
        pending().await
    }

    #[retry(attempts = 2, attempt = 500ms)]
    pub(super) async fn anyhow_result() -> anyhow::Result<()> {
        pending().await
    }

    #[retry(attempts = 2, attempt = 500ms)]
    pub(super) async fn thiserror_result() -> Result<(), OwnError> {
        pending().await
    }

    #[retry(attempts = 2, attempt = 500ms, interrupted = Foreign::protocol)]
    pub(super) async fn foreign() -> Result<(), Foreign> {
        pending().await
    }

    #[retry(attempts = 2, attempt = 500ms)]
    pub(super) async fn option() -> Option<()> {
        pending().await
    }

    #[retry(attempts = 2, attempt = 500ms)]
    pub(super) async fn reply() -> Reply {
        pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn every_error_type_can_say_that_a_limit_ended_the_run() {
    let error = hanging::io_result().await.unwrap_err();
    let told = error.downcast::<Interrupted>().unwrap();
    assert_eq!((told.stop, told.attempts), (Stop::Exhausted, 2));

    let error = hanging::anyhow_result().await.unwrap_err();
    let told = error.downcast::<Interrupted>().unwrap();
    assert_eq!((told.stop, told.attempts), (Stop::Exhausted, 2));

    let Err(OwnError::Interrupted(told)) = hanging::thiserror_result().await else {
        panic!("it was interrupted");
    };
    assert_eq!((told.stop, told.attempts), (Stop::Exhausted, 2));
    assert!(told.elapsed >= Duration::from_secs(1));

    let error = hanging::foreign().await.unwrap_err();
    assert!(
        error.to_string().contains("every attempt failed (2 attempts"),
        "{error}"
    );

    assert_eq!(hanging::option().await, None);
    assert_eq!(hanging::reply().await, Reply::Late);
}

#[tokio::test(start_paused = true)]
async fn the_last_error_comes_out_as_it_was() {
    let error = anyhow_result(&Flaky::new(9)).await.unwrap_err();
    assert_eq!(error.to_string(), "the flaky one failed");
    assert_eq!(
        error
            .root_cause()
            .downcast_ref::<io::Error>()
            .map(io::Error::kind),
        Some(io::ErrorKind::BrokenPipe)
    );
    assert!(matches!(
        own_alias(&Flaky::new(9)).await,
        Err(OwnError::Broken(_))
    ));
    assert_eq!(reply(&Flaky::new(9)).await, Reply::Busy);
}

#[tokio::test(start_paused = true)]
async fn the_first_success_is_that_of_the_plain_function() {
    let start = tokio::time::Instant::now();
    let flaky = Flaky::new(1);
    assert_eq!(opaque(&flaky).await.unwrap().to_string(), "call 1");
    assert_eq!(flaky.calls(), 1);
    assert_eq!(start.elapsed(), Duration::ZERO);
}
