//! From a case to figures: instructions, nanoseconds, and the arithmetic on samples.

use crate::case::{Case, Discipline, Drive};
use crate::operation::Remote;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The runtime that every case runs in: one thread, timers, nothing else to do.
///
/// # Panics
///
/// Where the system refuses one.
#[must_use]
pub fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
}

/// Makes `n` runs.
pub fn runs(case: &Case, drive: Drive, runtime: &Runtime, remote: &Remote, n: u64) {
    match drive {
        Drive::Polled => {
            let _inside = runtime.enter();
            (case.poll)(remote, n);
        }
        Drive::Awaited => runtime.block_on((case.block)(remote, n)),
    }
}

/// Whether `valgrind` can be started.
#[must_use]
pub fn has_valgrind() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// The instructions of one run. `run_case` is counted twice, with few and with many runs: what differs is the runs, and
/// start, setup and end of the process fall out.
///
/// # Errors
///
/// What `valgrind` said, where it counted nothing.
pub fn instructions(run_case: &Path, discipline: &Discipline, case: &Case) -> Result<f64, String> {
    let few = discipline.runs.div_ceil(5);
    let many = few + discipline.runs;
    let counted = |n: u64| -> Result<u64, String> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(run_case)
            .args([discipline.id, case.name, &n.to_string()])
            .output()
            .map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        said.lines()
            .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
            .filter(|_| output.status.success())
            .ok_or(said)
    };
    let difference = counted(many)?.saturating_sub(counted(few)?);
    Ok(as_f64(difference) / as_f64(many - few))
}

/// Median and quartiles of samples.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// A quarter of the samples is below.
    pub low: f64,
    /// Half of the samples is below.
    pub median: f64,
    /// Three quarters of the samples are below.
    pub high: f64,
}

impl Spread {
    /// Of at least one sample.
    ///
    /// # Panics
    ///
    /// Without a sample.
    #[must_use]
    pub fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let at = |quarter: usize| samples[(samples.len() - 1) * quarter / 4];
        Self {
            low: at(1),
            median: at(2),
            high: at(3),
        }
    }
}

/// The nanoseconds of one run, for every case of a discipline. Rounds are interleaved, so that a busy moment of the
/// machine meets every contestant.
#[must_use]
pub fn nanoseconds(discipline: &Discipline, rounds: u32) -> Vec<Spread> {
    let runtime = runtime();
    let remote = Remote::default();
    let mut samples = vec![Vec::new(); discipline.cases.len()];
    for round in 0..=rounds {
        for (case, samples) in discipline.cases.iter().zip(&mut samples) {
            let start = Instant::now();
            runs(case, discipline.timed, &runtime, &remote, discipline.runs);
            let took = start.elapsed();
            // The first round warms up.
            if round > 0 {
                samples.push(nanos(took) / as_f64(discipline.runs));
            }
        }
    }
    samples.into_iter().map(Spread::of).collect()
}

/// Nanoseconds, exact up to 104 days.
#[must_use]
pub fn nanos(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e9
}

/// A count as a number to divide, exact up to 2^53.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of a bench stay below 2^53")]
pub fn as_f64(count: u64) -> f64 {
    count as f64
}

/// A binary of this package beside the running one, built with `profile`.
///
/// # Panics
///
/// Where the running binary has no path.
#[must_use]
pub fn sibling(profile: &str, name: &str) -> PathBuf {
    let me = std::env::current_exe().expect("a running binary has a path");
    let target = me
        .ancestors()
        .nth(2)
        .expect("a binary lies in a profile's folder");
    target.join(profile).join(name)
}

/// The first line that a program prints on `argument`.
#[must_use]
pub fn first_line(program: &str, argument: &str) -> String {
    let output = Command::new(program)
        .arg(argument)
        .output()
        .map(|output| output.stdout)
        .unwrap_or_default();
    String::from_utf8_lossy(&output)
        .lines()
        .next()
        .unwrap_or("none")
        .to_owned()
}

/// The compiler's version.
#[must_use]
pub fn compiler() -> String {
    first_line("rustc", "--version")
}
