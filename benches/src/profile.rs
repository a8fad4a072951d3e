//! Where a run's instructions go: callgrind's counts of single instructions, each booked on the room of source that it
//! was written in.
//!
//! Most of what a run executes is inlined into one function, so that counts by function say nothing. The binary's line
//! tables tell for each instruction the calls that were inlined around it; the innermost one outside of the standard
//! library is whose instruction it is.

use crate::case::{Case, Discipline};
use crate::measure::{as_f64, dumps, few_and_many};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What one room of source costs a run.
#[derive(Clone, Debug)]
pub struct Share {
    /// The room.
    pub room: String,
    /// Instructions of one run.
    pub instructions: f64,
}

/// The shares of a case's run, the largest first.
///
/// # Errors
///
/// Where `valgrind` or `addr2line` isn't there or says something else.
pub fn shares(bench: &Path, discipline: &Discipline, case: &Case) -> Result<Vec<Share>, String> {
    let options = ["--dump-instr=yes", "--compress-strings=no", "--compress-pos=no"];
    let texts = dumps(bench, &[(discipline, case)], &options)?;
    let [few, many] = texts.as_slice() else {
        return Err(format!("{}: no two counts", case.name));
    };
    let [less, more] = few_and_many(discipline);
    let (few, mut counts) = (Counts::of(few), Counts::of(many));
    counts.less(&few);
    let mut rooms = counts.elsewhere;
    let addresses: Vec<u64> = counts.inside.keys().copied().collect();
    for (address, room) in addresses.iter().zip(rooms_of(bench, &addresses)?) {
        *rooms.entry(room).or_default() += counts.inside[address];
    }
    let mut shares: Vec<Share> = rooms
        .into_iter()
        .map(|(room, count)| Share {
            room,
            instructions: as_f64(count) / as_f64(more - less),
        })
        .collect();
    shares.sort_by(|one, other| other.instructions.total_cmp(&one.instructions));
    Ok(shares)
}

/// Counts of instructions by address in the binary, and by name in other objects.
#[derive(Default)]
struct Counts {
    inside: BTreeMap<u64, u64>,
    elsewhere: BTreeMap<String, u64>,
}

impl Counts {
    /// Reads callgrind's format: `ob=` names the object, a line of three numbers is an instruction's address, its source
    /// line and its count; the line after `calls=` is what a call cost in all, which is counted where it is spent.
    fn of(text: &str) -> Self {
        let mut counts = Self::default();
        let mut object = String::new();
        let mut is_call = false;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("ob=") {
                name.rsplit('/').next().unwrap_or(name).clone_into(&mut object);
            } else if line.starts_with("calls=") {
                is_call = true;
            } else if let Some((address, rest)) =
                line.strip_prefix("0x").and_then(|line| line.split_once(' '))
                && !core::mem::take(&mut is_call)
                && let (Ok(address), Some(count)) = (
                    u64::from_str_radix(address, 16),
                    rest.split(' ').nth(1).and_then(|count| count.parse::<u64>().ok()),
                )
            {
                if object == "bench" {
                    *counts.inside.entry(address).or_default() += count;
                } else {
                    let name = object.split(['.', '-']).next().unwrap_or_default();
                    *counts.elsewhere.entry(name.to_owned()).or_default() += count;
                }
            }
        }
        counts
    }

    fn less(&mut self, other: &Self) {
        for (address, count) in &mut self.inside {
            *count = count.saturating_sub(other.inside.get(address).copied().unwrap_or(0));
        }
        for (name, count) in &mut self.elsewhere {
            *count = count.saturating_sub(other.elsewhere.get(name).copied().unwrap_or(0));
        }
        self.inside.retain(|_, count| *count > 0);
    }
}

/// The room of each address.
fn rooms_of(bench: &Path, addresses: &[u64]) -> Result<Vec<String>, String> {
    let mut child = Command::new("addr2line")
        .args(["--addresses", "--inlines", "--exe"])
        .arg(bench)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("addr2line: {error}"))?;
    let mut input = child.stdin.take().ok_or("addr2line: no input")?;
    let mut asked = String::new();
    for address in addresses {
        writeln!(asked, "{address:#x}").map_err(|error| error.to_string())?;
    }
    // Written beside reading, since the answers are longer than a pipe holds.
    let writer = std::thread::spawn(move || input.write_all(asked.as_bytes()));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    writer
        .join()
        .map_err(|_| "addr2line: no answer")?
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut rooms: Vec<String> = Vec::with_capacity(addresses.len());
    let mut found = true;
    for line in text.lines() {
        if line.starts_with("0x") {
            if !found {
                rooms.push("standard library".to_owned());
            }
            found = false;
        } else if !found && let Some(room) = room(line) {
            rooms.push(room);
            found = true;
        }
    }
    if !found {
        rooms.push("standard library".to_owned());
    }
    if rooms.len() == addresses.len() {
        Ok(rooms)
    } else {
        Err("addr2line: not an answer for each address".to_owned())
    }
}

/// The room of a line such as `/path/retry-runtime/src/budget/tally.rs:12`; none in the standard library.
fn room(line: &str) -> Option<String> {
    let path = line.split(':').next()?;
    if path.contains("/rustc/") || path.starts_with("library/") || path.starts_with("??") {
        return None;
    }
    let (folder, inside) = path.rsplit_once("/src/")?;
    let name = folder.rsplit('/').next()?;
    let stem = |path: &str| {
        let first = path.split('/').next().unwrap_or(path);
        first.trim_end_matches(".rs").to_owned()
    };
    Some(match name {
        "benches" if inside.starts_with("contest/") => "the loop itself".to_owned(),
        "benches" => "operation and bench".to_owned(),
        "retry-runtime" => format!("`{}`", stem(inside)),
        // `tokio-1.54.1`
        other => match other.rsplit_once('-') {
            Some((name, version)) if version.starts_with(|first: char| first.is_ascii_digit()) => {
                name.to_owned()
            }
            _ => other.to_owned(),
        },
    })
}
