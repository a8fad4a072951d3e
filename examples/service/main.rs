//! A shop whose handlers ask a flaky upstream, through the annotated methods of a client.
//!
//! `cargo run --example service` starts the upstream and the shop on loopback, sends the shop three requests, prints what
//! happened, and ends. `cargo run --example service -- --serve` goes on serving until Ctrl-C.

mod shop;

use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", shop::plans());
    let shop = shop::Shop::open().await?;
    if std::env::args().any(|argument| argument == "--serve") {
        println!("serving http://{}/items/tea, until Ctrl-C", shop.address());
        tokio::signal::ctrl_c().await?;
        return Ok(());
    }
    for answered in shop.tour().await? {
        println!("{answered}");
    }
    println!("orders that the upstream took: {}", shop.orders());
    Ok(())
}
