//! Plain functions: they wait on their thread, by its own clock.

use std::io;
use std::time::{Duration, Instant};

use retry_plan::{Interrupted, Outcome, Stop, retry};

use crate::table::{Flaky, broken, table};

table! {
    blocking a_plain_function: |flaky| plain(flaky).is_ok();
    blocking a_plain_function_with_an_early_return: |flaky| early_return(flaky).is_ok();
    blocking a_plain_method_that_borrows: |flaky| Client { flaky, log: Vec::new() }.shared().is_ok();
    blocking a_plain_method_that_mutates: |flaky| Client { flaky, log: Vec::new() }.exclusive().is_ok();
    blocking a_plain_method_that_gives_itself_away: |flaky| Client { flaky, log: Vec::new() }.given_away().is_ok();
    blocking a_plain_trait_method: |flaky| Fetch::fetch(&Client { flaky, log: Vec::new() }, 7).is_ok();
    blocking a_plain_generic_function: |flaky| generic(flaky, "seven", [0; 3]).is_ok();
    blocking a_plain_function_with_fresh_arguments: |flaky| fresh(flaky, vec![0], String::new()).is_ok_and(|n| n == 2);
    blocking a_plain_function_that_returns_an_option: |flaky| option(flaky).is_some();
    blocking a_plain_function_that_returns_an_outcome: |flaky| matches!(reply(flaky), Reply::Found(_));
    blocking a_plain_function_that_returns_impl_trait: |flaky| opaque(flaky).is_ok();
    blocking a_plain_function_with_hooks: |flaky| hooks(flaky, io::ErrorKind::BrokenPipe, &mut Vec::new()).is_ok();
    blocking a_plain_function_with_an_instrumented_body: |flaky| instrumented(flaky).is_ok();
    blocking a_plain_function_of_futures_elsewhere: |flaky| returns_a_closure(flaky).is_ok();
}

#[retry(attempts = 3, takes = 1ms, backoff = none)]
fn plain(flaky: &Flaky) -> io::Result<u32> {
    let value = flaky.call()?;
    Ok(value)
}

#[retry(attempts = 3, takes = 1ms, backoff = none)]
fn early_return(flaky: &Flaky) -> io::Result<u32> {
    if flaky.call().is_err() {
        return Err(broken());
    }
    Ok(0)
}

#[derive(Clone)]
struct Client<'a> {
    flaky: &'a Flaky,
    log: Vec<u32>,
}

trait Fetch {
    fn fetch(&self, id: u32) -> io::Result<u32>;
}

impl Client<'_> {
    #[retry(attempts = 3, takes = 1ms, backoff = none)]
    fn shared(&self) -> io::Result<u32> {
        self.flaky.call()
    }

    #[retry(attempts = 3, takes = 1ms, backoff = none)]
    fn exclusive(&mut self) -> io::Result<usize> {
        self.log.push(self.flaky.call()?);
        Ok(self.log.len())
    }

    #[retry(attempts = 3, takes = 1ms, backoff = none, clone(self))]
    fn given_away(self) -> io::Result<Vec<u32>> {
        self.flaky.call()?;
        Ok(self.log)
    }
}

impl Fetch for Client<'_> {
    #[retry(attempts = 3, takes = 1ms, backoff = none)]
    fn fetch(&self, id: u32) -> io::Result<u32> {
        Ok(self.flaky.call()? + id)
    }
}

#[retry(attempts = 3, takes = 1ms, backoff = none)]
fn generic<T: ?Sized + AsRef<str>, const N: usize>(
    flaky: &Flaky,
    text: &T,
    more: [u8; N],
) -> io::Result<usize> {
    flaky.call()?;
    Ok(text.as_ref().len() + more.len())
}

#[retry(attempts = 3, takes = 1ms, backoff = none, clone(text))]
fn fresh(flaky: &Flaky, mut seen: Vec<u32>, text: String) -> io::Result<usize> {
    seen.push(1);
    flaky.call()?;
    let bytes = text.into_bytes();
    Ok(seen.len() + bytes.len())
}

#[retry(attempts = 3, takes = 1ms, backoff = none)]
fn option(flaky: &Flaky) -> Option<u32> {
    flaky.call().ok()
}

enum Reply {
    Found(u32),
    Busy,
}

impl Outcome for Reply {
    type Value = u32;
    type Error = ();

    fn into_result(self) -> Result<u32, ()> {
        match self {
            Self::Found(value) => Ok(value),
            Self::Busy => Err(()),
        }
    }

    fn from_result(result: Result<u32, ()>) -> Self {
        result.map_or(Self::Busy, Self::Found)
    }
}

#[retry(attempts = 3, takes = 1ms, backoff = none)]
fn reply(flaky: &Flaky) -> Reply {
    flaky.call().map_or(Reply::Busy, Reply::Found)
}

#[retry(attempts = 3, takes = 1ms, backoff = none)]
fn opaque(flaky: &Flaky) -> io::Result<impl Iterator<Item = u32> + use<>> {
    Ok(std::iter::once(flaky.call()?))
}

#[retry(
    attempts = 3, takes = 1ms, backoff = none,
    when = |error| error.kind() == retried, on_retry = |retry| seen.push(retry.attempt())
)]
fn hooks(flaky: &Flaky, retried: io::ErrorKind, seen: &mut Vec<u32>) -> io::Result<u32> {
    flaky.call()
}

#[retry(attempts = 3, takes = 1ms, backoff = none)]
#[tracing::instrument(skip_all)]
fn instrumented(flaky: &Flaky) -> io::Result<u32> {
    flaky.call()
}

#[retry(attempts = 3, takes = 1ms, backoff = none)]
fn returns_a_closure(flaky: &Flaky) -> io::Result<Box<dyn Fn() -> u32>> {
    let call = flaky.call()?;
    Ok(Box::new(move || call))
}

#[test]
fn hooks_of_a_plain_function_see_its_arguments() {
    let mut seen = Vec::new();
    let flaky = Flaky::new(3);
    hooks(&flaky, io::ErrorKind::BrokenPipe, &mut seen).unwrap();
    assert_eq!(seen, [1, 2]);
    let flaky = Flaky::new(3);
    hooks(&flaky, io::ErrorKind::NotFound, &mut seen).unwrap_err();
    assert_eq!((flaky.calls(), seen.len()), (1, 2));
}

#[retry(attempts = 3, backoff = fixed(20ms), jitter = none, takes = 1s, deadline = 10s, context = cx)]
fn remaining(flaky: &Flaky, seen: &mut Vec<Duration>) -> io::Result<u32> {
    seen.extend(cx.remaining());
    flaky.call()
}

#[test]
fn a_plain_function_waits_on_its_thread_and_sees_what_remains() {
    let start = Instant::now();
    let mut seen = Vec::new();
    remaining(&Flaky::new(3), &mut seen).unwrap();
    let waited = start.elapsed();
    assert!(waited >= Duration::from_millis(40), "{waited:?}");
    assert_eq!(seen.len(), 3);
    for pair in seen.windows(2) {
        assert!(pair[0] >= pair[1] + Duration::from_millis(20), "{seen:?}");
    }
    assert!(seen[0] <= Duration::from_secs(10), "{seen:?}");
}

#[retry(attempts = ..=9, backoff = fixed(10s), jitter = none, takes = 1ms, deadline = 5s)]
fn short_of_time(flaky: &Flaky) -> io::Result<u32> {
    flaky.call()
}

#[test]
fn a_plain_function_does_not_sleep_into_its_deadline() {
    let flaky = Flaky::new(100);
    let start = Instant::now();
    let error = short_of_time(&flaky).unwrap_err();
    assert_eq!(
        error.kind(),
        io::ErrorKind::BrokenPipe,
        "the last error is its own"
    );
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(flaky.calls(), 1);
}

#[retry(attempts = 2, backoff = none, takes = 1ms, deadline = 200ms)]
fn late(flaky: &Flaky) -> Result<u32, Late> {
    flaky.call().map_err(|_| Late::Broken)?;
    std::thread::sleep(Duration::from_millis(250));
    Err(Late::Slow)
}

#[derive(Debug)]
enum Late {
    Broken,
    Slow,
    Interrupted(Interrupted),
}

impl From<Interrupted> for Late {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

#[test]
fn no_attempt_of_a_plain_function_starts_after_its_deadline() {
    let flaky = Flaky::new(1);
    assert!(matches!(late(&flaky), Err(Late::Slow)));
    assert_eq!(
        flaky.calls(),
        1,
        "nothing cut the first one off, and no second one started"
    );
}

#[test]
fn a_plain_function_inherits_the_deadline_of_the_async_code_around_it() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime starts");
    let flaky = Flaky::new(9);
    let ended = runtime.block_on(
        retry_plan::Scope::new()
            .within(Duration::ZERO)
            .run(async { late(&flaky) }),
    );
    let Err(Late::Interrupted(told)) = ended else {
        panic!("{ended:?}");
    };
    assert_eq!(
        (told.stop, told.attempts, flaky.calls()),
        (Stop::DeadlineExceeded, 0, 0)
    );
}
