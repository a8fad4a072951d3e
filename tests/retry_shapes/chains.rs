//! What functions that call each other show of themselves. (What is refused of them is pinned in `ui-tests`.)

use std::io;
use std::time::Duration;

use retry_plan::{Budget, Plan, retry, retry_policy};

use crate::table::Flaky;

static SHOP: Budget = Budget::unlimited();

#[retry(attempts = 3, attempt = 100ms, backoff = fixed(10ms), jitter = none, export = STOCK_PLAN)]
async fn stock(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 2, backoff = fixed(10ms), jitter = none, calls(STOCK_PLAN), export = ORDER_PLAN)]
async fn order(flaky: &Flaky) -> io::Result<u32> {
    stock(flaky).await
}

#[test]
fn a_plan_counts_what_its_function_calls() {
    assert_eq!(
        (STOCK_PLAN.calls(), STOCK_PLAN.worst()),
        (Some(3), Some(Duration::from_millis(320)))
    );
    assert_eq!(
        (ORDER_PLAN.calls(), ORDER_PLAN.worst()),
        (Some(6), Some(Duration::from_millis(650)))
    );
}

#[tokio::test(start_paused = true)]
async fn a_chain_makes_the_calls_that_its_plan_counts_and_no_more() {
    let flaky = Flaky::new(99);
    order(&flaky).await.unwrap_err();
    assert_eq!(Some(u64::from(flaky.calls())), ORDER_PLAN.calls());
}

/// Twelve calls, but all the outer repeats are paid for.
#[retry(attempts = 4, backoff = fixed(10ms), jitter = none, budget = SHOP, calls(STOCK_PLAN), export = PAID_PLAN)]
async fn paid(flaky: &Flaky) -> io::Result<u32> {
    stock(flaky).await
}

#[tokio::test(start_paused = true)]
async fn a_chain_of_which_all_but_one_pay_may_multiply() {
    let flaky = Flaky::new(99);
    paid(&flaky).await.unwrap_err();
    assert_eq!(PAID_PLAN.calls(), Some(12));
    assert_eq!(flaky.calls(), 12);
}

#[retry(attempts = 2, takes = 1ms, backoff = none, export = READ_PLAN)]
fn read(flaky: &Flaky) -> io::Result<u32> {
    flaky.call()
}

#[retry(attempts = 2, backoff = none, calls(READ_PLAN), export = COPY_PLAN)]
fn copy(flaky: &Flaky) -> io::Result<u32> {
    read(flaky)
}

#[test]
fn plain_functions_are_a_chain_too() {
    let flaky = Flaky::new(99);
    copy(&flaky).unwrap_err();
    assert_eq!((COPY_PLAN.calls(), flaky.calls()), (Some(4), 4));
}

retry_policy! {
    struct Twice { retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(500ms) } }
}

struct Shop<'a>(&'a Flaky);

impl Shop<'_> {
    #[retry(attempts = 2, attempt = 100ms, backoff = none, export = ASK_PLAN)]
    async fn ask(&self) -> io::Result<u32> {
        self.0.answer().await
    }

    #[retry(Twice, calls(Shop::ASK_PLAN), export = ASK_TWICE_PLAN)]
    async fn ask_twice(&self) -> io::Result<u32> {
        self.ask().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_method_under_a_named_policy_is_planned_with_what_it_calls() {
    let flaky = Flaky::new(99);
    Shop(&flaky).ask_twice().await.unwrap_err();
    let plan: Plan<'_> = Shop::ASK_TWICE_PLAN;
    assert_eq!(
        (plan.name(), plan.calls(), flaky.calls()),
        ("ask_twice", Some(4), 4)
    );
    assert_eq!(plan.worst(), Some(Duration::from_millis(410)));
}

trait Limits {
    const LIMIT: Duration;
}

struct Short;

impl Limits for Short {
    const LIMIT: Duration = Duration::from_millis(320);
}

#[retry(attempts = 2, attempt = T::LIMIT, backoff = none, calls(STOCK_PLAN))]
async fn generic<T: Limits>(flaky: &Flaky) -> io::Result<u32> {
    stock(flaky).await
}

#[tokio::test(start_paused = true)]
async fn a_generic_function_calls_like_any_other() {
    let flaky = Flaky::new(6);
    assert_eq!(generic::<Short>(&flaky).await.unwrap(), 6);
}

mod bank {
    retry_plan::retry_policy! {
        /// A policy whose name could be that of a constant.
        pub(crate) struct FX {
            retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(100ms) }
        }
    }
}

retry_policy! {
    struct Exchange {
        deadline(2s) { retry(attempts = 3, backoff = fixed(10ms), jitter = none) { call(bank::FX) } }
    }
    struct GBP {
        retry(attempts = 2, backoff = fixed(10ms), jitter = none) { call(bank::FX) }
    }
}

#[retry(attempts = 2, backoff = fixed(10ms), jitter = none, calls(GBP), export = TRANSFER_PLAN)]
async fn transfer(flaky: &Flaky) -> io::Result<u32> {
    GBP::run(async |_| bank::FX::run(async |_| flaky.answer().await).await).await
}

#[tokio::test(start_paused = true)]
async fn a_policy_is_called_by_whatever_name_it_has() {
    assert_eq!(Exchange::PLAN.calls(), Some(6));
    assert_eq!(TRANSFER_PLAN.calls(), Some(8));
    let flaky = Flaky::new(99);
    transfer(&flaky).await.unwrap_err();
    assert_eq!(flaky.calls(), 8);
}
