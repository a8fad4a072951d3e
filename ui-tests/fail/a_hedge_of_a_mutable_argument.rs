//! Functions: share their arguments with every copy of a hedge.
use std::io::Error;

use retry_plan::retry;

struct Client;

impl Client {
    #[retry(hedge(after = 50ms, copies = 2) { attempt(500ms) })]
    async fn ask(&mut self, orders: &mut Vec<u32>, shop: &str) -> Result<u32, Error> {
        orders.push(7);
        u32::try_from(shop.len()).map_err(Error::other)
    }
}

fn main() {
    drop(Client.ask(&mut Vec::new(), "shop"));
}
