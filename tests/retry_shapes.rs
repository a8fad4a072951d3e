//! One function for each shape that people write: it compiles, and runs exactly the attempts that it should.

#![expect(
    clippy::allow_attributes_without_reason,
    clippy::cast_possible_truncation,
    clippy::multiple_bound_locations,
    clippy::never_loop,
    clippy::unused_async,
    reason = "the shapes are those that people write"
)]

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use retry_plan::{Attempt, Interrupted, Outcome, retry, retry_policy};

fn broken() -> io::Error {
    io::Error::from(io::ErrorKind::BrokenPipe)
}

/// Fails until it was called so often.
#[derive(Debug, Default)]
struct Flaky(AtomicU32);

impl Flaky {
    fn call(&self, succeeds_at: u32) -> io::Result<u32> {
        let call = self.0.fetch_add(1, SeqCst) + 1;
        if call >= succeeds_at {
            Ok(call)
        } else {
            Err(broken())
        }
    }

    fn calls(&self) -> u32 {
        self.0.load(SeqCst)
    }
}

#[retry(attempts = 3, attempt = 500ms)]
async fn free(flaky: &Flaky) -> io::Result<u32> {
    let value = flaky.call(3)?;
    Ok(value)
}

#[tokio::test(start_paused = true)]
async fn a_body_with_a_question_mark_runs_again() {
    let flaky = Flaky::default();
    assert_eq!(free(&flaky).await.unwrap(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_future_of_a_retried_function_can_be_spawned() {
    let task = tokio::spawn(async {
        let flaky = Flaky::default();
        free(&flaky).await
    });
    assert_eq!(task.await.unwrap().unwrap(), 3);
}

#[retry(attempts = 3, attempt = 500ms)]
async fn early_return(flaky: &Flaky) -> io::Result<u32> {
    if flaky.call(9).is_err() {
        return Err(broken());
    }
    Ok(0)
}

#[tokio::test(start_paused = true)]
async fn an_early_return_of_an_error_is_retried_and_the_last_error_comes_out() {
    let flaky = Flaky::default();
    assert_eq!(
        early_return(&flaky).await.unwrap_err().kind(),
        io::ErrorKind::BrokenPipe
    );
    assert_eq!(flaky.calls(), 3);
}

struct Client {
    flaky: Flaky,
    log: Vec<u32>,
}

trait Fetch {
    fn fetch(&self, id: u32) -> impl Future<Output = io::Result<u32>> + Send;
}

impl Client {
    const LIMIT: Duration = Duration::from_millis(500);

    fn new() -> Self {
        Self {
            flaky: Flaky::default(),
            log: Vec::new(),
        }
    }

    #[retry(attempts = 2, attempt = Self::LIMIT)]
    async fn shared(&self, id: u32) -> io::Result<u32> {
        Ok(self.flaky.call(2)? + id)
    }

    #[retry(attempts = 2, attempt = 500ms)]
    async fn exclusive(&mut self) -> io::Result<usize> {
        self.log.push(self.log.len() as u32);
        self.flaky.call(2)?;
        Ok(self.log.len())
    }

    #[retry(attempts = 2, attempt = 500ms)]
    async fn owned(self, name: String) -> io::Result<(u32, usize)> {
        Ok((self.flaky.call(2)?, name.len()))
    }

    #[retry(attempts = 2, attempt = 500ms)]
    async fn associated(flaky: &Flaky) -> io::Result<u32> {
        flaky.call(2)
    }
}

impl Fetch for Client {
    #[retry(attempts = 2, attempt = 500ms)]
    async fn fetch(&self, id: u32) -> io::Result<u32> {
        Ok(self.flaky.call(2)? + id)
    }
}

#[tokio::test(start_paused = true)]
async fn methods_run_again_with_every_receiver() {
    assert_eq!(Client::new().shared(10).await.unwrap(), 12);
    assert_eq!(Client::new().exclusive().await.unwrap(), 2);
    assert_eq!(Client::new().owned("four".to_owned()).await.unwrap(), (2, 4));
    assert_eq!(Client::associated(&Flaky::default()).await.unwrap(), 2);
    assert_eq!(Client::new().fetch(10).await.unwrap(), 12);
}

trait Boxed {
    fn boxed<'a>(&'a self, id: u32) -> Pin<Box<dyn Future<Output = io::Result<u32>> + Send + 'a>>;
}

impl Boxed for Client {
    // What `#[async_trait]` hands over.
    #[retry(attempts = 2, attempt = 500ms)]
    fn boxed<'a>(&'a self, id: u32) -> Pin<Box<dyn Future<Output = io::Result<u32>> + Send + 'a>> {
        Box::pin(async move {
            if let Some(__ret) = None::<io::Result<u32>> {
                #[allow(unreachable_code)]
                return __ret;
            }
            let __self = self;
            let id = id;
            let __ret: io::Result<u32> = {
                let value = __self.flaky.call(2)?;
                Ok(value + id)
            };
            #[allow(unreachable_code)]
            __ret
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_boxed_body_of_async_trait_runs_again() {
    assert_eq!(Client::new().boxed(10).await.unwrap(), 12);
}

#[retry(attempts = 2, attempt = 500ms)]
fn impl_future<'a>(flaky: &'a Flaky, text: String) -> impl Future<Output = io::Result<u32>> + 'a {
    async move { Ok(flaky.call(2)? + text.len() as u32) }
}

#[tokio::test(start_paused = true)]
async fn a_function_that_returns_a_future_runs_its_block_again() {
    assert_eq!(impl_future(&Flaky::default(), "abc".to_owned()).await.unwrap(), 5);
}

#[retry(attempts = 2, attempt = 500ms)]
async fn generic<const N: usize, T: AsRef<[u8]> + ?Sized>(
    flaky: &Flaky,
    bytes: &T,
    more: [u8; N],
    add: impl Into<u32> + Copy,
) -> io::Result<u32>
where
    T: Sync,
{
    Ok(flaky.call(2)? + bytes.as_ref().len() as u32 + more.len() as u32 + add.into())
}

#[retry(attempts = 2, attempt = 500ms)]
async fn opaque(flaky: &Flaky) -> Result<impl std::fmt::Display, io::Error> {
    flaky.call(2).map(|call| format!("call {call}"))
}

#[retry(attempts = 2, attempt = 500ms)]
async fn dynamic(flaky: &(dyn Fn() -> io::Result<u32> + Sync)) -> io::Result<u32> {
    flaky()
}

#[tokio::test(start_paused = true)]
async fn generics_opaque_and_dynamic_types_are_kept() {
    assert_eq!(
        generic(&Flaky::default(), &[1_u8, 2], [3], 10_u8).await.unwrap(),
        15
    );
    assert_eq!(opaque(&Flaky::default()).await.unwrap().to_string(), "call 2");
    let flaky = Flaky::default();
    assert_eq!(dynamic(&|| flaky.call(2)).await.unwrap(), 2);
}

#[retry(attempts = 3, attempt = 500ms)]
async fn fresh(flaky: &Flaky, mut seen: Vec<u32>) -> io::Result<usize> {
    seen.push(1);
    flaky.call(3)?;
    Ok(seen.len())
}

#[retry(attempts = 3, attempt = 500ms, clone(text))]
async fn moved(flaky: &Flaky, text: String) -> io::Result<Vec<String>> {
    flaky.call(3)?;
    Ok(vec![text])
}

#[retry(attempts = 3, attempt = 500ms)]
async fn patterns((one, mut two): (u32, u32), [three, ..]: [u32; 2], flaky: &Flaky) -> io::Result<u32> {
    two += 1;
    flaky.call(3)?;
    Ok(one + two + three)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn reborrowed(flaky: &Flaky, list: &mut Vec<u32>) -> io::Result<usize> {
    async fn add(list: &mut Vec<u32>) {
        list.push(0);
    }
    add(list).await;
    flaky.call(3)?;
    Ok(list.len())
}

#[tokio::test(start_paused = true)]
async fn arguments_are_borrowed_cloned_or_reborrowed_for_each_attempt() {
    assert_eq!(fresh(&Flaky::default(), vec![0]).await.unwrap(), 2);
    assert_eq!(moved(&Flaky::default(), "a".to_owned()).await.unwrap(), ["a"]);
    assert_eq!(patterns((1, 2), [3, 4], &Flaky::default()).await.unwrap(), 7);
    assert_eq!(reborrowed(&Flaky::default(), &mut Vec::new()).await.unwrap(), 3);
}

#[retry(attempts = 3, takes = 10ms, backoff = none)]
async fn option(flaky: &Flaky) -> Option<u32> {
    flaky.call(3).ok()
}

#[derive(Debug, PartialEq)]
enum Reply {
    Found(u32),
    Busy,
}

#[derive(Debug)]
struct Busy;

impl Outcome for Reply {
    type Value = u32;
    type Error = Busy;

    fn into_result(self) -> Result<u32, Busy> {
        match self {
            Self::Found(value) => Ok(value),
            Self::Busy => Err(Busy),
        }
    }

    fn from_result(result: Result<u32, Busy>) -> Self {
        result.map_or(Self::Busy, Self::Found)
    }
}

#[retry(attempts = 3, takes = 10ms, backoff = none)]
async fn own_outcome(flaky: &Flaky, at: u32) -> Reply {
    flaky.call(at).map_or(Reply::Busy, Reply::Found)
}

#[tokio::test]
async fn options_and_own_outcomes_are_retried() {
    assert_eq!(option(&Flaky::default()).await, Some(3));
    assert_eq!(own_outcome(&Flaky::default(), 3).await, Reply::Found(3));
    assert_eq!(own_outcome(&Flaky::default(), 4).await, Reply::Busy);
}

#[retry(attempts = 3, backoff = fixed(1ms), jitter = none, takes = 1s, deadline = 10s, context = cx)]
fn blocking(flaky: &Flaky) -> io::Result<(u32, bool)> {
    let call = flaky.call(3)?;
    Ok((
        call,
        cx.remaining().is_some_and(|left| left < Duration::from_secs(10)),
    ))
}

#[test]
fn a_plain_function_is_retried_on_its_thread_and_sees_what_remains() {
    assert_eq!(blocking(&Flaky::default()).unwrap(), (3, true));
}

#[retry(attempts = ..=9, backoff = fixed(40ms), jitter = none, takes = 1ms, deadline = 100ms)]
fn blocking_deadline(flaky: &Flaky) -> io::Result<u32> {
    flaky.call(100)
}

#[test]
fn a_plain_function_does_not_sleep_into_its_deadline() {
    let flaky = Flaky::default();
    let start = std::time::Instant::now();
    assert!(blocking_deadline(&flaky).is_err());
    assert!(start.elapsed() < Duration::from_millis(100));
    assert_eq!(flaky.calls(), 3);
}

#[retry(
    attempts = 3, attempt = 500ms, context = cx, when = |error| error.kind() == retried,
    on_retry = |retry| seen.set(seen.get() + retry.attempt())
)]
async fn hooks(flaky: &Flaky, retried: io::ErrorKind, seen: &Cell<u32>) -> io::Result<(u32, u32)> {
    flaky.call(3)?;
    Ok((cx.number(), cx.of().unwrap_or(0)))
}

#[tokio::test(start_paused = true)]
async fn hooks_see_the_arguments_and_the_body_its_attempt() {
    let seen = Cell::new(0);
    let flaky = Flaky::default();
    assert_eq!(
        hooks(&flaky, io::ErrorKind::BrokenPipe, &seen).await.unwrap(),
        (3, 3)
    );
    assert_eq!(seen.get(), 3);
    let flaky = Flaky::default();
    assert!(hooks(&flaky, io::ErrorKind::NotFound, &seen).await.is_err());
    assert_eq!(flaky.calls(), 1);
}

#[derive(Debug, PartialEq)]
struct Foreign(&'static str);

#[retry(attempts = 2, attempt = 500ms, interrupted = |_| Foreign("late"))]
async fn foreign() -> Result<(), Foreign> {
    std::future::pending().await
}

#[tokio::test(start_paused = true)]
async fn a_foreign_error_is_made_by_interrupted() {
    assert_eq!(foreign().await, Err(Foreign("late")));
}

#[derive(Debug)]
enum Own {
    Interrupted(#[expect(dead_code, reason = "it is looked at by its debug text")] Interrupted),
}

impl From<Interrupted> for Own {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

#[retry(deadline(1s) { retry(attempts = 2, backoff = fixed(100ms), jitter = none) { attempt(300ms) } })]
async fn tree() -> Result<(), Own> {
    std::future::pending().await
}

#[tokio::test(start_paused = true)]
async fn a_whole_tree_on_a_function_ends_when_its_plan_says() {
    let start = tokio::time::Instant::now();
    assert!(matches!(tree().await, Err(Own::Interrupted(_))));
    assert_eq!(start.elapsed(), Duration::from_millis(700));
}

#[retry(hedge(after = 50ms, copies = 2) { attempt(500ms) }, context = cx)]
async fn hedged(name: &str) -> io::Result<String> {
    if cx.copy() == 1 {
        std::future::pending::<()>().await;
    }
    Ok(format!("{name}{}", cx.copy()))
}

#[tokio::test(start_paused = true)]
async fn a_hedge_on_a_function_with_shared_arguments_works() {
    assert_eq!(hedged("copy ").await.unwrap(), "copy 2");
}

retry_policy! {
    pub struct Twice { retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(500ms) } }
}

#[retry(Twice)]
async fn by_name(flaky: &Flaky, list: &mut Vec<u32>) -> io::Result<usize> {
    list.push(1);
    flaky.call(2)?;
    Ok(list.len())
}

#[tokio::test(start_paused = true)]
async fn a_named_policy_on_a_function_lends_it_its_arguments() {
    assert_eq!(by_name(&Flaky::default(), &mut Vec::new()).await.unwrap(), 2);
}

#[retry(attempts = 2, attempt = 500ms)]
async fn control_flow(flaky: &Flaky) -> io::Result<u32> {
    let mut sum = 0;
    'outer: for round in 0.. {
        loop {
            sum += round;
            if round == 3 {
                break 'outer;
            }
            break;
        }
    }
    let labelled = 'block: {
        if sum > 5 {
            break 'block sum;
        }
        0
    };
    flaky.call(2)?;
    Ok(labelled)
}

#[tokio::test(start_paused = true)]
async fn loops_labels_and_blocks_stay_inside_the_body() {
    assert_eq!(control_flow(&Flaky::default()).await.unwrap(), 6);
}

#[test]
fn the_only_attempt_says_so() {
    assert!(Attempt::ONLY.is_last());
}
