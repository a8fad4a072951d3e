//! A body that only waits for another future: it is run without a block around it, and does what the block did.

use std::cell::RefCell;
use std::future::{Future, IntoFuture, Ready, ready};
use std::io;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use retry_plan::{Attempt, Scope, retry, retry_policy};

use crate::table::{Flaky, broken, table};

table! {
    spawned a_method: async |flaky| method(&flaky).await.is_ok();
    spawned an_argument_that_is_reborrowed: async |flaky| reborrowed(&flaky, &mut 0).await.is_ok();
    spawned a_reborrowed_argument_of_any_type: async |flaky| given(&flaky, &mut 0).await.is_ok();
    spawned a_mut_argument: async |flaky| changed(&flaky, vec![7]).await.is_ok_and(|length| length == 2);
    spawned an_argument_that_is_cloned: async |flaky| cloned(Arc::clone(&flaky)).await.is_ok();
    spawned a_borrowed_context: async |flaky| told(&flaky).await.is_ok();
    spawned borrowed_temporaries: async |flaky| temporaries(&flaky).await.is_ok();
    spawned a_type_that_the_signature_tells: async |flaky| inferred(&flaky).await.is_ok_and(|text| text.is_empty());
    spawned an_option: async |flaky| option(&flaky).await.is_some();
    spawned an_impl_trait: async |flaky| opaque(&flaky).await.is_ok_and(|list| list.count() == 0);
    spawned what_becomes_a_future: async |flaky| asked(&flaky).await.is_ok();
    spawned a_boxed_future: async |flaky| boxed(&flaky).await.is_ok();
    spawned an_async_trait_method: async |flaky| Shop(&flaky).sell(7).await.is_ok();
    spawned a_block_that_is_returned: async |flaky| returned(&flaky).await.is_ok();
    spawned a_generic_function: async |flaky| generic(&flaky, &7_u8).await.is_ok();
    spawned a_fallback: async |flaky| in_a_fallback(&flaky).await.is_ok();
    spawned a_method_that_is_judged: async |flaky| judged(&flaky, &mut 0).await.is_ok();
    spawned a_leaf_in_place: async |flaky| in_place(&flaky).await.is_ok();
    spawned a_leaf_in_place_with_its_error: async |flaky| with_its_error(&flaky).await.is_ok();
}

#[retry(attempts = 3, takes = 1s)]
async fn method(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 3, takes = 1s)]
async fn reborrowed(flaky: &Flaky, calls: &mut u32) -> io::Result<u32> {
    count(flaky, calls).await
}

#[retry(attempts = 3, attempt = 500ms, when = |_| true)]
async fn judged(flaky: &Flaky, calls: &mut u32) -> io::Result<u32> {
    count(flaky, calls).await
}

async fn count(flaky: &Flaky, calls: &mut u32) -> io::Result<u32> {
    *calls += 1;
    assert_eq!(*calls, flaky.calls() + 1);
    flaky.answer().await
}

#[retry(attempts = 3, takes = 1s)]
async fn given(flaky: &Flaky, calls: &mut u32) -> io::Result<u32> {
    beside(flaky, calls).await
}

async fn beside<T>(flaky: &Flaky, _: T) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 3, takes = 1s)]
async fn changed(flaky: &Flaky, mut list: Vec<u32>) -> io::Result<usize> {
    push(flaky, &mut list).await
}

async fn push(flaky: &Flaky, list: &mut Vec<u32>) -> io::Result<usize> {
    list.push(flaky.answer().await?);
    Ok(list.len())
}

#[retry(attempts = 3, takes = 1s, clone(flaky))]
async fn cloned(flaky: Arc<Flaky>) -> io::Result<u32> {
    owned(flaky).await
}

async fn owned(flaky: Arc<Flaky>) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 3, takes = 1s, context = cx)]
async fn told(flaky: &Flaky) -> io::Result<u32> {
    numbered(flaky, &cx).await
}

async fn numbered(flaky: &Flaky, cx: &Attempt) -> io::Result<u32> {
    assert_eq!(cx.number(), flaky.calls() + 1);
    flaky.answer().await
}

#[retry(attempts = 3, takes = 1s)]
async fn temporaries(flaky: &Flaky) -> io::Result<u32> {
    beside(flaky, &String::from("seven").as_str()[1..]).await
}

#[retry(attempts = 3, takes = 1s)]
async fn inferred(flaky: &Flaky) -> io::Result<String> {
    whatever(flaky).await
}

async fn whatever<T: Default>(flaky: &Flaky) -> io::Result<T> {
    flaky.answer().await?;
    Ok(T::default())
}

#[retry(attempts = 3, takes = 1s)]
async fn option(flaky: &Flaky) -> Option<u32> {
    maybe(flaky).await
}

async fn maybe(flaky: &Flaky) -> Option<u32> {
    flaky.answer().await.ok()
}

#[retry(attempts = 3, takes = 1s)]
async fn opaque(flaky: &Flaky) -> io::Result<impl Iterator<Item = u32> + use<>> {
    list(flaky).await
}

async fn list(flaky: &Flaky) -> io::Result<std::iter::Empty<u32>> {
    flaky.answer().await?;
    Ok(std::iter::empty())
}

struct Request<'a>(&'a Flaky);

impl IntoFuture for Request<'_> {
    type Output = io::Result<u32>;
    type IntoFuture = Ready<io::Result<u32>>;

    fn into_future(self) -> Self::IntoFuture {
        ready(self.0.call())
    }
}

#[retry(attempts = 3, takes = 1s)]
async fn asked(flaky: &Flaky) -> io::Result<u32> {
    Request(flaky).await
}

#[retry(attempts = 3, takes = 1s)]
async fn boxed(flaky: &Flaky) -> io::Result<u32> {
    Box::pin(flaky.answer()).await
}

#[async_trait]
trait Sell {
    async fn sell(&self, more: u32) -> io::Result<u32>;
}

struct Shop<'a>(&'a Flaky);

#[async_trait]
impl Sell for Shop<'_> {
    #[retry(attempts = 3, takes = 1s)]
    async fn sell(&self, more: u32) -> io::Result<u32> {
        beside(self.0, more).await
    }
}

#[retry(attempts = 3, takes = 1s)]
fn returned(flaky: &Flaky) -> impl Future<Output = io::Result<u32>> + Send {
    async move { flaky.answer().await }
}

#[retry(attempts = 3, takes = 1s)]
async fn generic<T: Copy + Send + Sync>(flaky: &Flaky, value: &T) -> io::Result<u32> {
    beside::<T>(flaky, *value).await
}

#[retry(fallback { only: retry(attempts = 3, jitter = full) { attempt(takes = 1s) } })]
async fn in_a_fallback(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

async fn in_place(flaky: &Flaky) -> io::Result<u32> {
    retry_policy!(attempts = 3, takes = 1s, async |cx| numbered(flaky, &cx).await).await
}

async fn with_its_error(flaky: &Flaky) -> io::Result<u32> {
    retry_policy! {
        type Error = io::Error;
        retry(attempts = 3, jitter = full) { attempt(takes = 1s) async |_| { flaky.answer().await } }
    }
    .await
}

/// What has happened, in order.
#[derive(Default)]
struct Diary(RefCell<Vec<&'static str>>);

impl Diary {
    fn note(&self, what: &'static str) {
        self.0.borrow_mut().push(what);
    }

    fn told(self) -> Vec<&'static str> {
        self.0.into_inner()
    }

    /// Fails, pending once before it does.
    async fn fail(&self) -> io::Result<u32> {
        self.note("asked");
        tokio::task::yield_now().await;
        self.note("failed");
        Err(broken())
    }
}

/// Notes its end.
struct Guard<'a>(&'a Diary);

impl Deref for Guard<'_> {
    type Target = Diary;

    fn deref(&self) -> &Diary {
        self.0
    }
}

impl Clone for Guard<'_> {
    fn clone(&self) -> Self {
        self.0.note("cloned");
        Self(self.0)
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.note("dropped");
    }
}

fn lock(diary: &Diary) -> Guard<'_> {
    diary.note("locked");
    Guard(diary)
}

#[tokio::test(start_paused = true)]
async fn what_a_body_locks_is_free_before_the_wait() {
    #[retry(attempts = 2, takes = 1s, on_retry = |_| diary.note("waits"))]
    async fn locked(diary: &Diary) -> io::Result<u32> {
        lock(diary).fail().await
    }

    let diary = Diary::default();
    assert!(locked(&diary).await.is_err());
    let once = ["locked", "asked", "failed", "dropped"];
    assert_eq!(diary.told(), [&once[..], &["waits"], &once].concat());
}

#[tokio::test(start_paused = true)]
async fn what_an_attempt_was_given_is_gone_before_the_wait() {
    #[retry(attempts = 2, takes = 1s, clone(own), on_retry = |_| own.note("waits"))]
    async fn given(own: Guard<'_>) -> io::Result<u32> {
        own.fail().await
    }

    let diary = Diary::default();
    assert!(given(Guard(&diary)).await.is_err());
    let once = ["cloned", "asked", "failed", "dropped"];
    assert_eq!(
        diary.told(),
        [&once[..], &["waits"], &once, &["dropped"]].concat()
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_dropped_while_it_is_out_frees_what_it_locked() {
    #[retry(attempts = 2, takes = 1s)]
    async fn locked(diary: &Diary) -> io::Result<u32> {
        lock(diary).fail().await
    }

    let diary = Diary::default();
    {
        let run = std::pin::pin!(locked(&diary));
        assert!(polled_once(run).await.is_none());
    }
    assert_eq!(diary.told(), ["locked", "asked", "dropped"]);
}

async fn polled_once<F: Future>(run: std::pin::Pin<&mut F>) -> Option<F::Output> {
    tokio::select! {
        biased;
        output = run => Some(output),
        () = ready(()) => None,
    }
}

/// The time left to whoever asks, before the future that brings it is polled.
fn left(asked: &Mutex<Vec<Option<Duration>>>) -> Ready<io::Result<u32>> {
    let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
    asked.push(Scope::current().remaining());
    ready(Err(broken()))
}

/// The same, asked where it becomes a future.
struct Left<'a>(&'a Mutex<Vec<Option<Duration>>>);

impl IntoFuture for Left<'_> {
    type Output = io::Result<u32>;
    type IntoFuture = Ready<io::Result<u32>>;

    fn into_future(self) -> Self::IntoFuture {
        left(self.0)
    }
}

#[tokio::test(start_paused = true)]
async fn what_makes_the_future_sees_the_limit_of_its_attempt() {
    #[retry(attempts = 2, attempt = 300ms, backoff = none, when = |_| true)]
    async fn judged(asked: &Mutex<Vec<Option<Duration>>>) -> io::Result<u32> {
        Left(asked).await
    }
    #[retry(attempts = 2, attempt = 300ms, backoff = none)]
    async fn bounded(asked: &Mutex<Vec<Option<Duration>>>) -> io::Result<u32> {
        left(asked).await
    }
    #[retry(attempts = 2, takes = 1s, backoff = none)]
    async fn unbounded(asked: &Mutex<Vec<Option<Duration>>>) -> io::Result<u32> {
        left(asked).await
    }

    let asked = Mutex::default();
    let limit = Duration::from_secs(7);
    let run = async {
        assert!(judged(&asked).await.is_err());
        assert_eq!(Scope::current().remaining(), Some(limit));
        assert!(bounded(&asked).await.is_err());
        assert!(unbounded(&asked).await.is_err());
    };
    Scope::current().within(limit).run(run).await;
    let bound = Duration::from_millis(300);
    assert_eq!(
        *asked.lock().unwrap_or_else(PoisonError::into_inner),
        [
            Some(bound),
            Some(bound),
            Some(bound),
            Some(bound),
            Some(limit),
            Some(limit)
        ]
    );
}

/// An answer that never comes is of every type.
#[tokio::test(start_paused = true)]
async fn what_never_ends_is_of_the_type_of_the_function() {
    #[retry(attempts = 2, takes = 1s)]
    async fn waiting() -> io::Result<u32> {
        forever().await
    }

    async fn forever() -> ! {
        std::future::pending().await
    }

    let ended = tokio::time::timeout(Duration::from_secs(7), waiting()).await;
    assert!(ended.is_err());
}
