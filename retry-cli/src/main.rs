//! The `retry-plan` command.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    retry_cli::run::run(retry_cli::cli::Cli::parse()).into()
}
