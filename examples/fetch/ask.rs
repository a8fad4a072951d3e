//! What the command does: no runtime, no `async`; waits are the thread's own, and the deadline is kept between them.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use clap::Parser;
use retry_plan::{Retrying, retry};

/// Asks a server for lines, and again where it fails.
#[derive(Debug, Parser)]
#[command(name = "fetch")]
pub(crate) struct Args {
    /// What to ask for.
    #[arg(required = true)]
    names: Vec<String>,
    /// Where to ask; without it, a flaky server of its own on loopback.
    #[arg(long)]
    server: Option<SocketAddr>,
    /// Say when and why it asks again.
    #[arg(short, long)]
    verbose: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> io::Result<()> {
    let server = match args.server {
        Some(server) => server,
        None => flaky_server()?,
    };
    if args.verbose {
        writeln!(out, "plan: {ASK_PLAN}")?;
    }
    for name in &args.names {
        let line = ask(server, name, args.verbose, out)?;
        writeln!(out, "{name}: {line}")?;
    }
    Ok(())
}

/// The longest that one try takes: declared to the planner, and kept by the socket.
const TRY: Duration = Duration::from_secs(1);

#[retry(
    attempts = 4, backoff = exponential(10ms, max = 100ms), takes = TRY, deadline = 5s, context = cx,
    when = is_transient, on_retry = |retry| report(verbose, &retry, out), export = ASK_PLAN
)]
fn ask(server: SocketAddr, name: &str, verbose: bool, out: &mut dyn Write) -> io::Result<String> {
    let left = cx.remaining().map_or(TRY, |left| left.min(TRY));
    let mut stream = TcpStream::connect_timeout(&server, left)?;
    stream.set_read_timeout(Some(left))?;
    writeln!(stream, "{name}")?;
    let mut line = String::new();
    if BufReader::new(stream).read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    match line.trim_end().strip_prefix("no ") {
        Some(why) => Err(io::Error::new(io::ErrorKind::NotFound, why.to_owned())),
        None => Ok(line.trim_end().to_owned()),
    }
}

/// Another try won't find what isn't there.
fn is_transient(error: &io::Error) -> bool {
    error.kind() != io::ErrorKind::NotFound
}

fn report(verbose: bool, retry: &Retrying<'_, io::Error>, out: &mut dyn Write) {
    if verbose && let Some(error) = retry.error() {
        // What can't be told is no reason to stop.
        let _ = writeln!(
            out,
            "try {}: {error}; again in {:.0?}",
            retry.attempt(),
            retry.wait()
        );
    }
}

/// A server that hangs up on the first two who ask, and knows nothing of `nothing`.
fn flaky_server() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        for (asked, stream) in listener.incoming().enumerate() {
            // Who hangs up or is hung up on is of no concern to the next.
            let _ = stream.and_then(|stream| answer(asked, stream));
        }
    });
    Ok(address)
}

fn answer(asked: usize, mut stream: TcpStream) -> io::Result<()> {
    let mut name = String::new();
    BufReader::new(stream.try_clone()?).read_line(&mut name)?;
    match name.trim_end() {
        _ if asked < 2 => Ok(()),
        "nothing" => writeln!(stream, "no such name"),
        name => writeln!(stream, "the answer to {name}"),
    }
}
