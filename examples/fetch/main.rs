//! A command that asks a server for lines, by plain functions on its own thread.
//!
//! `cargo run --example fetch -- -v one two` asks a flaky server of its own on loopback; `--server ADDRESS` asks another.

mod ask;

use clap::Parser;

fn main() -> std::process::ExitCode {
    match ask::run(&ask::Args::parse(), &mut std::io::stdout().lock()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fetch: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
