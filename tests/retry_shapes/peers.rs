//! What other attributes do to ordinary functions, and this one doesn't: each claim names where the fault was seen.
//!
//! What they tell wrongly of mistyped arguments is pinned in `ui-tests`: a missing comma that was accepted, and unknown keys
//! of which only the first was reported, without a suggestion.

use std::fmt::Display;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use async_trait::async_trait;
use retry_plan::retry;

use crate::table::Flaky;

/// `retrying` 0.1.0: the `?` left the loop, so that this ran once.
#[tokio::test(start_paused = true)]
async fn a_question_mark_does_not_leave_the_loop() {
    #[retry(attempts = 4, attempt = 500ms)]
    async fn fetch(flaky: &Flaky) -> io::Result<u32> {
        let value = flaky.answer().await?;
        Ok(value)
    }
    assert_eq!(fetch(&Flaky::new(4)).await.unwrap(), 4);
}

/// `backon-macros` 1.0.0: E0525.
#[tokio::test(start_paused = true)]
async fn an_owned_argument_compiles() {
    #[retry(attempts = 2, attempt = 500ms)]
    async fn fetch(flaky: &Flaky, name: String) -> io::Result<String> {
        flaky.answer().await?;
        Ok(name.to_uppercase())
    }
    assert_eq!(fetch(&Flaky::new(2), "a".to_owned()).await.unwrap(), "A");
}

/// `backon-macros` 1.0.0: with a context, `?` was E0277 and `return` E0308, and a `&str` had a lifetime error.
#[tokio::test(start_paused = true)]
async fn a_context_stands_beside_a_question_mark_a_return_and_a_str() {
    #[retry(attempts = 3, attempt = 500ms, context = cx)]
    async fn fetch(flaky: &Flaky, name: &str) -> io::Result<String> {
        if cx.number() == 1 {
            return Err(io::Error::other(name.to_owned()));
        }
        let answer = flaky.answer().await?;
        Ok(format!("{name}{answer}{}", cx.number()))
    }
    assert_eq!(fetch(&Flaky::new(2), "a").await.unwrap(), "a23");
}

/// `backon-macros` 1.0.0: E0562.
#[tokio::test(start_paused = true)]
async fn impl_trait_compiles_as_an_argument_and_in_the_return_type() {
    #[retry(attempts = 2, attempt = 500ms)]
    async fn fetch(flaky: &Flaky, name: impl Display) -> Result<impl Display, io::Error> {
        flaky.answer().await?;
        Ok(format!("{name}!"))
    }
    assert_eq!(fetch(&Flaky::new(2), 'a').await.unwrap().to_string(), "a!");
}

/// `backon-macros` 1.0.0: E0382.
#[tokio::test(start_paused = true)]
async fn an_argument_that_is_moved_is_cloned_by_its_name() {
    #[retry(attempts = 2, attempt = 500ms, clone(names))]
    async fn fetch(flaky: &Flaky, names: Vec<String>) -> io::Result<usize> {
        let joined = names.into_iter().collect::<String>();
        flaky.answer().await?;
        Ok(joined.len())
    }
    assert_eq!(fetch(&Flaky::new(2), vec!["a".to_owned()]).await.unwrap(), 1);
}

/// `backon-macros` 1.0.0: E0407, for a function beside the method.
#[tokio::test(start_paused = true)]
async fn a_method_of_a_trait_has_no_second_function_beside_it() {
    trait Fetch {
        async fn fetch(&self) -> io::Result<u32>;
    }
    impl Fetch for Flaky {
        #[retry(attempts = 2, attempt = 500ms)]
        async fn fetch(&self) -> io::Result<u32> {
            self.answer().await
        }
    }
    assert_eq!(Flaky::new(2).fetch().await.unwrap(), 2);
}

/// `backon-macros` 1.0.0: E0525; backon #49 for `&mut self` in a closure.
#[tokio::test(start_paused = true)]
async fn mutable_arguments_and_receivers_compile() {
    struct Reader<'a> {
        flaky: &'a Flaky,
        read: Vec<u32>,
    }
    impl Reader<'_> {
        #[retry(attempts = 2, attempt = 500ms)]
        async fn next(&mut self, into: &mut Vec<u32>) -> io::Result<usize> {
            self.read.push(0);
            into.push(self.flaky.answer().await?);
            Ok(self.read.len())
        }
    }
    let flaky = Flaky::new(2);
    let mut reader = Reader {
        flaky: &flaky,
        read: Vec::new(),
    };
    assert_eq!(reader.next(&mut Vec::new()).await.unwrap(), 2);
}

/// `backon-macros` 1.0.0: "expected identifier", as its own documentation writes it.
#[tokio::test(start_paused = true)]
async fn a_predicate_may_be_a_closure() {
    #[retry(attempts = 9, attempt = 500ms, when = |error| error.kind() == io::ErrorKind::NotFound)]
    async fn fetch(flaky: &Flaky) -> io::Result<u32> {
        flaky.answer().await
    }
    let flaky = Flaky::new(2);
    fetch(&flaky).await.unwrap_err();
    assert_eq!(flaky.calls(), 1);
}

/// `retryable` 0.1.1: its README lists `async_trait` and `move` as known bugs.
#[tokio::test(start_paused = true)]
async fn async_trait_and_move_blocks_compile() {
    #[async_trait]
    trait Fetch {
        async fn fetch(&self, name: String) -> io::Result<usize>;
    }
    #[async_trait]
    impl Fetch for Flaky {
        #[retry(attempts = 2, attempt = 500ms)]
        async fn fetch(&self, name: String) -> io::Result<usize> {
            let answer = self.answer().await?;
            let length = name.len();
            let moved = async move { answer as usize + length };
            Ok(moved.await)
        }
    }
    let flaky: Box<dyn Fetch + Sync> = Box::new(Flaky::new(2));
    assert_eq!(flaky.fetch("abc".to_owned()).await.unwrap(), 5);
}

/// `backoff-macro` 0.2.0: a function with parameters was impossible.
#[test]
fn a_plain_function_has_parameters() {
    #[retry(attempts = 2, takes = 1ms, backoff = none)]
    fn fetch(flaky: &Flaky, one: u32, other: u32) -> io::Result<u32> {
        Ok(flaky.call()? + one + other)
    }
    assert_eq!(fetch(&Flaky::new(2), 1, 2).unwrap(), 5);
}

/// tracing #1053, #2270: a trait object was no longer coerced, since the body's type was inferred.
#[tokio::test(start_paused = true)]
async fn a_trait_object_is_coerced_in_the_body() {
    #[retry(attempts = 2, attempt = 500ms)]
    async fn fetch(flaky: &Flaky) -> Result<Box<dyn Display>, Box<dyn std::error::Error>> {
        flaky.answer().await?;
        Ok(Box::new("coerced"))
    }
    assert_eq!(fetch(&Flaky::new(2)).await.unwrap().to_string(), "coerced");
}

/// Counts the spans that are opened.
struct Spans(&'static AtomicU32);

impl tracing::Subscriber for Spans {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        if span.metadata().name() == "fetch" {
            self.0.fetch_add(1, SeqCst);
        }
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, _: &tracing::Event<'_>) {}

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

/// tracing #399, #768, #3179: a span that is lost, or opened where it shouldn't be.
#[tokio::test(start_paused = true)]
async fn a_span_below_the_attribute_is_one_for_the_run_and_above_it_one_for_each_attempt() {
    static BELOW: AtomicU32 = AtomicU32::new(0);
    static ABOVE: AtomicU32 = AtomicU32::new(0);
    mod below {
        #[retry_plan::retry(attempts = 3, attempt = 500ms)]
        #[tracing::instrument(skip_all)]
        pub(super) async fn fetch(flaky: &super::Flaky) -> std::io::Result<u32> {
            flaky.answer().await
        }
    }
    mod above {
        #[tracing::instrument(skip_all)]
        #[retry_plan::retry(attempts = 3, attempt = 500ms)]
        pub(super) async fn fetch(flaky: &super::Flaky) -> std::io::Result<u32> {
            flaky.answer().await
        }
    }
    {
        let _default = tracing::subscriber::set_default(Spans(&BELOW));
        below::fetch(&Flaky::new(3)).await.unwrap();
    }
    {
        let _default = tracing::subscriber::set_default(Spans(&ABOVE));
        above::fetch(&Flaky::new(3)).await.unwrap();
    }
    assert_eq!((BELOW.load(SeqCst), ABOVE.load(SeqCst)), (1, 3));
}
