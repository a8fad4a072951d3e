//! From a case to figures: instructions, nanoseconds, and the arithmetic on samples.

use crate::case::{Case, Discipline, Drive};
use crate::operation::Remote;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::task::LocalSet;

/// The runtime that every case runs in: one thread, with the drivers that a service has, and nothing else to do.
///
/// # Panics
///
/// Where the system refuses one.
#[must_use]
pub fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

/// Makes `n` runs and tells how long they took.
///
/// # Panics
///
/// Where one does.
pub fn runs(case: &Case, drive: Drive, runtime: &Runtime, remote: &'static Remote, n: u64) -> Duration {
    let start = Instant::now();
    match drive {
        Drive::Polled => {
            let _inside = runtime.enter();
            (case.poll)(remote, n);
        }
        Drive::Awaited => runtime.block_on((case.block)(remote, n)),
        Drive::Idle => {
            let tasks = LocalSet::new();
            let task = tasks.spawn_local((case.idle)(remote, n));
            return tasks.block_on(runtime, task).expect("no run panics");
        }
    }
    start.elapsed()
}

/// The remote side of all runs of this process.
#[must_use]
pub fn remote() -> &'static Remote {
    Box::leak(Box::default())
}

/// Whether `valgrind` can be started.
#[must_use]
pub fn has_valgrind() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Where one count ends and the next begins: callgrind writes what it counted each time it comes here.
#[inline(never)]
pub fn callgrind_counts_up_to_here() {
    std::hint::black_box(());
}

/// Few and many runs of a case: what differs between their counts is the runs, and setup and first use fall out.
#[must_use]
pub fn few_and_many(discipline: &Discipline) -> [u64; 2] {
    let few = discipline.runs.div_ceil(10);
    [few, few + discipline.runs.div_ceil(2)]
}

/// The instructions of one run, for each of the cases, all counted in one process.
///
/// # Errors
///
/// What `valgrind` said, where it counted nothing.
pub fn instructions(bench: &Path, cases: &[(&Discipline, &Case)]) -> Result<Vec<f64>, String> {
    let parts = dumps(bench, cases, &[])?;
    let counted: Vec<u64> = parts.iter().map(|text| total(text)).collect::<Result<_, _>>()?;
    cases
        .iter()
        .zip(counted.chunks_exact(2))
        .map(|((discipline, case), counted)| {
            let [few, many] = few_and_many(discipline);
            let &[less, more] = counted else {
                return Err(format!("{}: no two counts", case.name));
            };
            Ok(as_f64(more.saturating_sub(less)) / as_f64(many - few))
        })
        .collect()
}

/// What callgrind wrote between each two marks: two texts for each case, of few and of many runs.
///
/// # Errors
///
/// What `valgrind` said, where it counted nothing.
pub fn dumps(bench: &Path, cases: &[(&Discipline, &Case)], options: &[&str]) -> Result<Vec<String>, String> {
    let folder = std::env::temp_dir().join(format!("retry-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let texts = dumps_in(&folder, bench, cases, options);
    drop(std::fs::remove_dir_all(&folder));
    texts
}

fn dumps_in(
    folder: &Path,
    bench: &Path,
    cases: &[(&Discipline, &Case)],
    options: &[&str],
) -> Result<Vec<String>, String> {
    let out = folder.join("out");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-before=*callgrind_counts_up_to_here*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .args(options)
        .arg(bench)
        .arg("run")
        .args(
            cases
                .iter()
                .flat_map(|(discipline, case)| [discipline.id, case.name]),
        )
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    // Of the three marks of a case, the second ends the few runs and the third the many; the first ends all before.
    (1..=3 * cases.len())
        .filter(|part| part % 3 != 1)
        .map(|part| {
            let path = out.with_extension(part.to_string());
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        })
        .collect()
}

fn total(dump: &str) -> Result<u64, String> {
    dump.lines()
        .find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
        .ok_or_else(|| "callgrind: nothing counted".to_owned())
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
    let remote = remote();
    let mut samples = vec![Vec::new(); discipline.cases.len()];
    for round in 0..=rounds {
        for (case, samples) in discipline.cases.iter().zip(&mut samples) {
            let took = runs(case, discipline.timed, &runtime, remote, discipline.runs);
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

/// The running binary, built with `profile`.
///
/// # Panics
///
/// Where the running binary has no path.
#[must_use]
pub fn sibling(profile: &str) -> PathBuf {
    let me = std::env::current_exe().expect("a running binary has a path");
    let target = me
        .ancestors()
        .nth(2)
        .expect("a binary lies in a profile's folder");
    target.join(profile).join("bench")
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
