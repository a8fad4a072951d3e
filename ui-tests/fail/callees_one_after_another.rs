//! Calls: take callees one after another.
use std::io::Error;

use retry_plan::{retry, retry_policy};

retry_policy! {
    struct Refund { attempt(500ms) }
}

struct Shop;

impl Shop {
    #[retry(attempts = 1, takes = 1s, export = SHIP_PLAN)]
    async fn ship(&self) -> Result<(), Error> {
        Ok(())
    }

    #[retry(attempts = 1, deadline = 1s, calls(Self::SHIP_PLAN, Refund))]
    async fn give_back(&self) -> Result<(), Error> {
        self.ship().await?;
        Refund::run(async |_| Ok::<_, Error>(())).await
    }
}

fn main() {
    drop(Shop.give_back());
}
