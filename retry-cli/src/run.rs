//! From the command line to an exit code.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;

use crate::chain::{self, Judged, input};
use crate::cli::{ChainArgs, Cli, Command, Format};
use crate::fault::Faults;
use crate::report::{escape, html, json, markdown, sarif, svg, terminal};

/// Longer inputs are refused: no configuration is this long, and memory stays bounded.
pub const MAX_INPUT: u64 = 1 << 20;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing bad was found.
    Fine,
    /// Something bad was found.
    Bad,
    /// The input was wrong.
    BadInput,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Fine => Self::SUCCESS,
            Verdict::Bad => Self::from(1),
            Verdict::BadInput => Self::from(2),
        }
    }
}

/// Why there is no answer: the sentence for standard error.
#[derive(Debug)]
pub struct Refusal(pub String);

/// Does what was asked.
#[must_use]
pub fn run(cli: Cli) -> Verdict {
    let done = match cli.command {
        Command::Chain(args) => chain(&args),
        Command::Plan(args) => crate::plan::run(&args),
        Command::Import(args) => crate::import::run(&args),
        Command::Scan(args) => crate::scan::run(&args),
        Command::Man { out } => man(out.as_deref()),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "retry-plan", &mut text);
            print(&String::from_utf8_lossy(&text)).map(|()| Verdict::Fine)
        }
    };
    match done {
        Ok(verdict) => verdict,
        Err(Refusal(text)) => {
            complain(&text);
            Verdict::BadInput
        }
    }
}

/// A text with the name it is known by.
pub struct Source {
    /// The name.
    pub origin: String,
    /// The text.
    pub text: String,
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// If it can't be read, is too long or isn't UTF-8.
pub fn read(path: &Path) -> Result<Source, Refusal> {
    let (origin, bytes) = if path.as_os_str() == "-" {
        ("<stdin>".to_owned(), read_bounded(io::stdin().lock()))
    } else {
        (
            path.display().to_string(),
            File::open(path).and_then(read_bounded),
        )
    };
    let refuse = |why: String| Refusal(format!("error: {}: {why}\n", escape::terminal(&origin)));
    let bytes = bytes.map_err(|error| refuse(format!("can't be read: {error}")))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(refuse(format!("is longer than {} MiB", MAX_INPUT >> 20)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { origin, text }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at].split(|byte| *byte == b'\n').count();
            Err(refuse(format!("is no UTF-8 text (line {line}, byte {at})")))
        }
    }
}

fn read_bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The refusal that shows `faults` on the text.
#[must_use]
pub fn refusal(faults: &Faults, source: &Source) -> Refusal {
    Refusal(faults.render(&source.origin, &source.text))
}

fn chain(args: &ChainArgs) -> Result<Verdict, Refusal> {
    let option = |name: &str, what: &str| Refusal(format!("error: --{name}: expected {what}\n"));
    if args.failure_rate.is_some_and(|rate| !input::is_rate(rate)) {
        return Err(option("failure-rate", "a number from 0 to 1"));
    }
    if args
        .max_amplification
        .is_some_and(|limit| !input::is_amplification(limit))
    {
        return Err(option("max-amplification", "a number of at least 1"));
    }
    let source = read(&args.file)?;
    let faults = Faults::default();
    let Some((mut chain, places)) = input::read_placed(&source.text, &faults) else {
        return Err(refusal(&faults, &source));
    };
    chain.failure_rate = args.failure_rate.unwrap_or(chain.failure_rate);
    chain.max_amplification = args.max_amplification.unwrap_or(chain.max_amplification);
    let judged = Judged::new(chain);
    let fix = (args.fix || args.html.is_some())
        .then(|| chain::fix::propose(&judged))
        .flatten();
    if let Some(path) = &args.html {
        write(path, &html::chain(&judged, fix.as_ref()))?;
    }
    if let Some(path) = &args.svg {
        write(path, &svg::chain(&judged))?;
    }
    let shown = fix.as_ref().filter(|_| args.fix);
    match if args.json { Format::Json } else { args.format } {
        Format::Json => print(&json::chain(&judged, shown))?,
        Format::Markdown => print(&markdown::chain(&judged, shown))?,
        Format::Sarif => print(&sarif::chain(&judged, &source.origin, &source.text, &places))?,
        Format::Text if args.fix => {
            match shown {
                Some(fix) => complain(&terminal::fix(&judged, fix, width(io::stderr().is_terminal()))),
                None => complain("nothing is wrong, so nothing is changed\n"),
            }
            let after = shown.map_or(&judged.chain, |fix| &fix.after.chain);
            print(&chain::write::text(after))?;
        }
        Format::Text => print(&terminal::chain(&judged, width(io::stdout().is_terminal())))?,
    }
    Ok(if judged.high() > 0 {
        Verdict::Bad
    } else {
        Verdict::Fine
    })
}

fn man(out: Option<&Path>) -> Result<Verdict, Refusal> {
    if let Some(folder) = out {
        clap_mangen::generate_to(Cli::command(), folder)
            .map_err(|error| Refusal(format!("error: {}: {error}\n", folder.display())))?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command())
            .render(&mut page)
            .map_err(|error| Refusal(format!("error: {error}\n")))?;
        print(&String::from_utf8_lossy(&page))?;
    }
    Ok(Verdict::Fine)
}

/// The width to write for: the terminal's, or 80 columns where there is none.
#[must_use]
pub fn width(is_terminal: bool) -> usize {
    let terminal = is_terminal.then(terminal_size::terminal_size).flatten();
    terminal.map_or(80, |(width, _)| usize::from(width.0))
}

fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    std::fs::write(path, text)
        .map_err(|error| Refusal(format!("error: {}: can't be written: {error}\n", path.display())))
}

/// Prints to standard output; colours only where they are seen. Nobody reading any more is no fault.
///
/// # Errors
/// If writing fails otherwise.
pub fn print(text: &str) -> Result<(), Refusal> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Refusal(format!(
            "error: standard output can't be written: {error}\n"
        ))),
        _ => Ok(()),
    }
}

/// Prints to standard error; where even that fails, the exit code has to do.
pub fn complain(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}
