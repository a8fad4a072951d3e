//! The signature and the visibility are those that were written. (What the documentation says is pinned with the expansions.)

use std::future::Future;
use std::io;
use std::pin::Pin;

use retry_plan::retry;

use crate::table::Flaky;

type Pinned<'a> = Pin<Box<dyn Future<Output = io::Result<u32>> + Send + 'a>>;

mod shop {
    use super::{Flaky, io, retry};

    #[retry(attempts = 3, attempt = 500ms, export = ASK_PLAN)]
    pub(in crate::documentation) async fn ask(flaky: &Flaky, text: String) -> io::Result<usize> {
        flaky.answer().await?;
        Ok(text.len())
    }

    pub(in crate::documentation) struct Shop;

    impl Shop {
        #[retry(attempts = 2, attempt = 500ms, export = SELL_PLAN)]
        pub(in crate::documentation) async fn sell(&self, id: u32) -> io::Result<u32> {
            Ok(id)
        }
    }
}

#[test]
fn a_function_with_the_attribute_is_passed_where_the_plain_one_is() {
    fn takes_async<'a, F>(_: impl Fn(&'a Flaky, String) -> F)
    where
        F: Future<Output = io::Result<usize>> + Send + 'a,
    {
    }
    fn takes_pinned(_: fn(&Flaky) -> Pinned<'_>) {}
    fn takes_plain(_: fn(&Flaky) -> io::Result<u32>) {}

    #[retry(attempts = 3, takes = 1ms, backoff = none)]
    fn plain(flaky: &Flaky) -> io::Result<u32> {
        flaky.call()
    }

    #[retry(attempts = 3, attempt = 500ms)]
    fn pinned(flaky: &Flaky) -> Pin<Box<dyn Future<Output = io::Result<u32>> + Send + '_>> {
        Box::pin(async move { flaky.answer().await })
    }

    takes_async(shop::ask);
    takes_plain(plain);
    takes_pinned(pinned);
}

#[test]
fn the_exported_plan_has_the_visibility_and_the_place_of_the_function() {
    assert_eq!((shop::ASK_PLAN.name(), shop::ASK_PLAN.calls()), ("ask", Some(3)));
    assert_eq!(
        (shop::Shop::SELL_PLAN.name(), shop::Shop::SELL_PLAN.calls()),
        ("sell", Some(2))
    );
    drop(shop::Shop.sell(7));
}
