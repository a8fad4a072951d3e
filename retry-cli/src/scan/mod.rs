//! `retry-plan scan`: every policy and every annotated function of a Rust source tree.
//!
//! files → `find` (tokens, never Rust: `retry_policy! { … }` and `#[retry(…)]` wherever they stand) → `judge` (each
//! planned, callees of the same tree by their names) → [`Report`] → JSON or a [`table`].

mod find;
mod judge;
mod table;

use std::path::Path;

use serde::Serialize;

use crate::cli::ScanArgs;
use crate::plan::Planned;
use crate::report::escape::terminal as escape;
use crate::report::json;
use crate::run::{Refusal, Verdict, complain, print, read};

use find::Found as Written;
pub use table::table;

/// So many bytes of source are read in all, so that memory stays bounded whatever the tree holds.
const MAX_SOURCE: usize = 32 << 20;

/// A policy and where it was found.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The file, below the folder that was asked for.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// `policy`, `in place` or `function`.
    pub form: &'static str,
    /// The named policy that a function runs, where it has none of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<String>,
    /// Values that only the compiler knows. Where there are any, figures are `None`, and only findings that hold whatever
    /// the values are, are listed.
    pub unknown_values: usize,
    /// What is said of it.
    #[serde(flatten)]
    pub plan: Planned,
}

/// All that was found.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// In the order of the files.
    pub found: Vec<Found>,
    /// Files or policies that couldn't be read, with the reason.
    pub skipped: Vec<String>,
}

/// Does `retry-plan scan`.
///
/// # Errors
/// If the folder isn't one.
pub fn run(args: &ScanArgs) -> Result<Verdict, Refusal> {
    if !args.dir.is_dir() {
        let dir = escape(&args.dir.display().to_string());
        return Err(Refusal(format!("error: {dir}: is no folder\n")));
    }
    let mut written = Written::default();
    let mut read_in_all = 0;
    let walk = ignore::WalkBuilder::new(&args.dir)
        .filter_entry(|entry| entry.file_name() != "target")
        .sort_by_file_path(Ord::cmp)
        .build();
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                written.skipped.push(error.to_string());
                continue;
            }
        };
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if is_file
            && entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "rs")
        {
            let name = entry.path().strip_prefix(&args.dir).unwrap_or(entry.path());
            file(
                entry.path(),
                &name.display().to_string(),
                &mut written,
                &mut read_in_all,
            );
        }
    }
    let report = judge::judge(written);
    let denied = report
        .found
        .iter()
        .flat_map(|found| &found.plan.findings)
        .any(|finding| finding.level == "deny");
    if args.json {
        print(&json::pretty(&report))?;
    } else {
        print(&table(&report))?;
        for skipped in &report.skipped {
            complain(&format!("skipped: {}\n", escape(skipped)));
        }
    }
    Ok(if denied { Verdict::Bad } else { Verdict::Fine })
}

fn file(path: &Path, name: &str, written: &mut Written, read_in_all: &mut usize) {
    match read(path) {
        Ok(found) if find::may_hold(&found.text) => {
            *read_in_all += found.text.len();
            if *read_in_all > MAX_SOURCE {
                let why = format!("{name}: more than {} MiB of source", MAX_SOURCE >> 20);
                written.skipped.push(why);
            } else {
                written.source(&found.text, name);
            }
        }
        Ok(_) => {}
        Err(Refusal(why)) => {
            let why = why.trim().trim_start_matches("error: ");
            written.skipped.push(why.to_owned());
        }
    }
}

/// What one text holds.
#[must_use]
pub fn source(text: &str, name: &str) -> Report {
    let mut written = Written::default();
    if find::may_hold(text) {
        written.source(text, name);
    }
    judge::judge(written)
}
