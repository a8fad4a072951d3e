//! Functions whose arguments can all be copied: they return the run itself, which borrows nothing of what lies beside it.

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use retry_plan::{Attempt, Budget, Outcome, Scope, retry, retry_policy};

use crate::table::{Flaky, broken, table};

table! {
    spawned a_reference: async |flaky| reference(&flaky).await.is_ok();
    spawned numbers_and_the_like: async |flaky| numbers(&flaky, 7, (true, 'x'), [1, 2]).await.is_ok_and(|sum| sum > 9);
    spawned a_method: async |flaky| Holder(flaky).all_of_itself().await.is_ok();
    spawned a_mut_number: async |flaky| counted(&flaky, 7).await.is_ok_and(|number| number == 8);
    spawned an_argument_without_a_name: async |flaky| unnamed(&flaky, 7).await.is_ok();
    spawned patterns_that_bind_otherwise: async |flaky| patterns(&flaky, 7, &8, 9).await.is_ok();
    spawned a_temporary: async |flaky| temporary(&flaky, 7).await.is_ok();
    spawned a_method_of_references_alone: async |flaky| autoref(&flaky).await.is_ok();
    spawned a_context: async |flaky| context(&flaky).await.is_ok();
    spawned a_returned_reference: async |flaky| text(&flaky, "other", "text").await.is_ok_and(|text| text == "text");
    spawned an_output_of_another_type: async |flaky| option(&flaky).await.is_some();
    spawned an_output_of_ones_own: async |flaky| matches!(reply(&flaky).await, Reply::Found(_));
    spawned a_generic_function: async |flaky| generic(&flaky, &[[1_u8]]).await.is_ok();
    spawned a_judge_that_sees_arguments: async |flaky| judged(&flaky, io::ErrorKind::BrokenPipe as u8).await.is_ok();
    spawned a_budget: async |flaky| paid(&flaky).await.is_ok();
    spawned a_budget_that_is_an_argument: async |flaky| paid_by(&flaky, &FUNDS).await.is_ok();
    spawned an_interruption_that_sees_arguments: async |flaky| told(&flaky, &7).await.is_ok();
    spawned a_named_policy: async |flaky| named(&flaky).await.is_ok();
    spawned a_named_policy_of_any_error: async |flaky| named_in(&flaky).await.is_ok();
    spawned a_future_in_an_instrument: async |flaky| instrumented(&flaky).await.is_ok();
    spawned a_trait_that_says_send: async |flaky| Holder(flaky).fetch(7).await.is_ok();
    awaited an_argument_that_stays: async |flaky| stays(&flaky, &Cell::new(7)).await.is_ok();
}

#[retry(attempts = 3, takes = 1s)]
async fn reference(flaky: &Flaky) -> io::Result<u32> {
    let answer = flaky.answer().await?;
    if answer == 0 {
        return Err(broken());
    }
    Ok(answer)
}

#[retry(attempts = 3, attempt = 500ms, deadline = 5s)]
async fn numbers(flaky: &Flaky, more: u32, of: (bool, char), list: [u32; 2]) -> io::Result<u32> {
    let sum: u32 = list.iter().sum();
    Ok(flaky.answer().await? + more + u32::from(of.0) + sum)
}

struct Holder(Arc<Flaky>);

trait Fetch {
    fn fetch(&self, more: u32) -> impl Future<Output = io::Result<u32>> + Send;
}

impl Holder {
    #[retry(attempts = 3, attempt = 500ms)]
    #[expect(clippy::needless_arbitrary_self_type, reason = "people write it")]
    async fn all_of_itself(self: &Self) -> io::Result<u32> {
        self.0.answer().await
    }
}

impl Fetch for Holder {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn fetch(&self, more: u32) -> io::Result<u32> {
        Ok(self.0.answer().await? + more)
    }
}

/// Each attempt starts from the number that was given.
#[retry(attempts = 3, takes = 1s)]
async fn counted(flaky: &Flaky, mut number: u32) -> io::Result<u32> {
    number += 1;
    flaky.answer().await?;
    Ok(number)
}

#[retry(attempts = 3, takes = 1s)]
async fn unnamed(flaky: &Flaky, _: u32) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 3, takes = 1s)]
#[expect(clippy::toplevel_ref_arg, reason = "people write it")]
async fn patterns(
    flaky: &Flaky,
    ref one: u32,
    &other: &u32,
    whole @ (..=100 | 101..): u32,
) -> io::Result<u32> {
    Ok(flaky.answer().await? + one + other + whole)
}

async fn lent(flaky: &Flaky, number: &u32, list: &[u32]) -> io::Result<u32> {
    Ok(flaky.answer().await? + number + list[0])
}

#[retry(attempts = 3, takes = 1s)]
async fn temporary(flaky: &Flaky, number: u32) -> io::Result<u32> {
    lent(flaky, &number, &[number]).await
}

trait Ask {
    fn ask(&self) -> impl Future<Output = io::Result<u32>> + Send;
}

impl Ask for &Flaky {
    async fn ask(&self) -> io::Result<u32> {
        self.answer().await
    }
}

/// What is called borrows the argument, not what that refers to.
#[retry(attempts = 3, takes = 1s)]
async fn autoref(flaky: &Flaky) -> io::Result<u32> {
    flaky.ask().await
}

#[retry(attempts = 3, attempt = 500ms, context = cx)]
async fn context(flaky: &Flaky) -> io::Result<u32> {
    let cx: Attempt = cx;
    assert_eq!(cx.number(), flaky.calls() + 1);
    flaky.answer().await
}

#[retry(attempts = 3, attempt = 500ms)]
async fn text<'a>(flaky: &Flaky, other: &str, text: &'a str) -> io::Result<&'a str> {
    flaky
        .answer()
        .await
        .map(|_| if other.is_empty() { "" } else { text })
}

#[retry(attempts = 3, takes = 1s)]
async fn option(flaky: &Flaky) -> Option<u32> {
    flaky.answer().await.ok()
}

enum Reply {
    Found(u32),
    Lost,
}

impl Outcome for Reply {
    type Value = u32;
    type Error = io::Error;

    fn into_result(self) -> io::Result<u32> {
        match self {
            Self::Found(value) => Ok(value),
            Self::Lost => Err(broken()),
        }
    }

    fn from_result(result: io::Result<u32>) -> Self {
        result.map_or(Self::Lost, Self::Found)
    }
}

#[retry(attempts = 3, attempt = 500ms)]
async fn reply(flaky: &Flaky) -> Reply {
    flaky.answer().await.map_or(Reply::Lost, Reply::Found)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn generic<T: AsRef<[u8]> + Sync, const N: usize>(flaky: &Flaky, of: &[T; N]) -> io::Result<usize>
where
    for<'a> &'a T: Send,
{
    flaky.answer().await?;
    Ok(of.iter().map(|of| of.as_ref().len()).sum())
}

#[retry(attempts = 3, takes = 1s, when = |error: &io::Error| error.kind() as u8 == kind)]
async fn judged(flaky: &Flaky, kind: u8) -> io::Result<u32> {
    flaky.answer().await
}

static FUNDS: Budget = Budget::ratio(1.0, 1000);

#[retry(attempts = 3, takes = 1s, budget = FUNDS)]
async fn paid(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 3, takes = 1s, budget = funds)]
async fn paid_by(flaky: &Flaky, funds: &'static Budget) -> io::Result<u32> {
    flaky.answer().await
}

#[derive(Debug, PartialEq)]
enum Told {
    Broken,
    Interrupted(u32),
}

#[retry(attempts = 3, attempt = 500ms, deadline = 5s, interrupted = |_| Told::Interrupted(*number))]
async fn told(flaky: &Flaky, number: &u32) -> Result<u32, Told> {
    flaky.answer().await.map_err(|_| Told::Broken)
}

retry_policy! {
    struct Thrice {
        type Error = io::Error;
        retry(attempts = 3) { attempt(500ms) }
    }

    struct AnyThrice {
        retry(attempts = 3, when = |_| true) { attempt(takes = 1s) }
    }
}

#[retry(Thrice)]
async fn named(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(AnyThrice)]
async fn named_in(flaky: &Flaky) -> Result<u32, Told> {
    flaky.answer().await.map_err(|_| Told::Broken)
}

/// An attribute below that looks at the function sees what was written.
#[retry(attempts = 3, takes = 1s)]
#[tracing::instrument(skip_all)]
async fn instrumented(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 3, takes = 1s)]
async fn stays(flaky: &Flaky, number: &Cell<u32>) -> io::Result<u32> {
    number.set(number.get() + 1);
    flaky.answer().await
}

#[tokio::test(start_paused = true)]
async fn nothing_happens_before_the_first_poll() {
    let flaky = Flaky::new(1);
    drop(reference(&flaky));
    let run = reference(&flaky);
    assert_eq!(flaky.calls(), 0);
    assert_eq!(run.await.ok(), Some(1));
}

#[tokio::test(start_paused = true)]
async fn an_interruption_is_what_the_arguments_make_it() {
    #[retry(attempts = 3, attempt = 500ms, deadline = 5s, interrupted = |_| Told::Interrupted(*number))]
    async fn hangs(number: &u32) -> Result<u32, Told> {
        std::future::pending::<()>().await;
        Ok(*number)
    }
    assert_eq!(hangs(&7).await, Err(Told::Interrupted(7)));
}

#[tokio::test(start_paused = true)]
async fn who_runs_it_imposes_as_much() {
    let flaky = Flaky::new(9);
    let scope = Scope::new().within(Duration::from_millis(1));
    let late = scope.run(async { reference(&flaky).await.is_err() }).await;
    assert!(late);
    let once = Scope::new().once();
    once.run(async { reference(&flaky).await.is_err() }).await;
    assert!(flaky.calls() <= 3, "{}", flaky.calls());
}

#[tokio::test(start_paused = true)]
async fn a_function_may_call_itself() {
    #[retry(attempts = 3, takes = 1s)]
    async fn down(flaky: &Flaky, depth: u32) -> io::Result<u32> {
        if depth == 0 {
            return flaky.answer().await;
        }
        Box::pin(down(flaky, depth - 1)).await
    }
    let flaky = Arc::new(Flaky::new(20));
    let run = {
        let flaky = Arc::clone(&flaky);
        async move { down(&flaky, 2).await.ok() }
    };
    assert_eq!(tokio::spawn(run).await.ok(), Some(Some(20)));
}

/// The run is the future: no block holds the arguments and the run once more.
#[test]
fn it_is_as_large_as_a_run_of_a_named_policy() {
    let flaky = Flaky::new(1);
    #[retry(attempts = 3, attempt = 500ms)]
    async fn owned(flaky: Arc<Flaky>) -> io::Result<u32> {
        flaky.answer().await
    }
    #[retry(attempts = 3, attempt = 500ms)]
    async fn copied(flaky: &Flaky) -> io::Result<u32> {
        flaky.answer().await
    }
    let named = Thrice::run(|_| flaky.answer());
    let (of_named, of_copied) = (size_of_val(&named), size_of_val(&copied(&flaky)));
    assert!(of_copied <= of_named + 16, "{of_copied} bytes beside {of_named}");
    assert!(of_copied <= size_of_val(&owned(Arc::new(Flaky::new(1)))));
}
