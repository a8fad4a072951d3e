//! A short soak; `cargo run --release --example soak` is the long one.

#[path = "../examples/soak/load.rs"]
mod load;

#[test]
fn every_count_adds_up_and_memory_is_flat() {
    let seed = std::process::id().into();
    println!("seed {seed}");
    println!("{}", load::soak(100_000, seed));
}
