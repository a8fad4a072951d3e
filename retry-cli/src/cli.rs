//! The command line: what can be asked.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Judges retry policies and chains of retry settings before they run.
#[derive(Debug, Parser)]
#[command(
    name = "retry-plan",
    version,
    about,
    long_about = "Judges retry policies and chains of retry settings before they run: the worst case, the calls one request \
                  can cause, and what is wrong.\n\nExit codes: 0 nothing bad was found, 1 something bad was found, 2 the \
                  input or the command line is wrong.",
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge a call chain: the retry settings of several services, outermost first
    Chain(ChainArgs),
    /// Plan policies written as text
    Plan(PlanArgs),
    /// Turn a target's own configuration into a chain file
    Import(ImportArgs),
    /// Find and plan every policy in a Rust source tree
    Scan(ScanArgs),
    /// Print the manual page
    Man {
        /// Write the pages of all commands into this folder instead
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// `retry-plan chain`
#[derive(Debug, Args)]
pub struct ChainArgs {
    /// The chain file, JSON; `-` reads standard input
    pub file: PathBuf,
    /// How likely one try fails, 0 to 1, in place of the file's value
    #[arg(long, value_name = "RATE")]
    pub failure_rate: Option<f64>,
    /// How many calls one request may cause, in place of the file's value
    #[arg(long, value_name = "CALLS")]
    pub max_amplification: Option<f64>,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write a page that shows everything, without network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the worst-case timeline as a picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print a chain that passes: with text, the chain on standard output and what changed on standard error
    #[arg(long)]
    pub fix: bool,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a terminal
    Text,
    /// Markdown
    Markdown,
    /// JSON
    Json,
    /// SARIF 2.1.0
    Sarif,
}

/// `retry-plan plan`
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The policy text; `-` reads standard input
    pub file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `retry-plan import`
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Pairs of a target (grpc, envoy, istio, temporal, aws) and its file, outermost first. Where a file holds several
    /// policies, FILE#NAME chooses one
    #[arg(required = true, num_args = 2.., value_names = ["TARGET", "FILE"])]
    pub pairs: Vec<String>,
    /// The name of the chain
    #[arg(long)]
    pub name: Option<String>,
}

/// `retry-plan scan`
#[derive(Debug, Args)]
pub struct ScanArgs {
    /// The folder
    pub dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
