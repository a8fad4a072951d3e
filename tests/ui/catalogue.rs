//! The cases as a page that can be browsed, and whether they are all there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use retry_planner::{Level, Levels, Lint};

/// One case of `ui-tests/`.
struct Case {
    /// What it is about: the words before the first colon.
    kind: String,
    /// What it shows.
    says: String,
    file: String,
    /// The error's text, without the code it points at.
    error: Option<String>,
}

fn cases(folder: &str) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("ui-tests")
        .join(folder);
    let mut files: Vec<_> = fs::read_dir(&root)
        .expect("the folder is there")
        .map(|entry| entry.expect("is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let source = fs::read_to_string(&path).expect("is text");
            let first = source.lines().next().and_then(|line| line.strip_prefix("//! "));
            let (kind, says) = first
                .and_then(|line| line.split_once(": "))
                .unwrap_or_else(|| panic!("{} begins with `//! Kind: what it shows.`", path.display()));
            let error = fs::read_to_string(path.with_extension("stderr"))
                .ok()
                .map(|stderr| told(&stderr));
            let file = path
                .file_name()
                .and_then(|name| name.to_str())
                .expect("is text")
                .to_owned();
            Case {
                kind: kind.to_owned(),
                says: says.to_owned(),
                file,
                error,
            }
        })
        .collect()
}

/// The errors' own lines: what stands between `error` and the arrow to the code.
fn told(stderr: &str) -> String {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in stderr.lines() {
        inside = line.starts_with("error") || (inside && !line.trim_start().starts_with("-->"));
        if inside && !line.is_empty() && !line.starts_with("error: aborting") {
            lines.push(line);
        }
    }
    lines.join("\n")
}

fn catalogue() -> String {
    let mut text = String::from(
        "# What compiles, and what is refused\n\n\
         Each case shows one behaviour. Those under `pass/` compile and run; those under `fail/` are refused with the words\n\
         beside them. This page is written by `UPDATE_INDEX=1 cargo test --all-features --test ui the_catalogue`.\n",
    );
    let (fail, pass) = (cases("fail"), cases("pass"));
    let _ = writeln!(
        text,
        "\n{} cases: {} compile and run, {} are refused.",
        fail.len() + pass.len(),
        pass.len(),
        fail.len()
    );
    for (title, folder, cases) in [("Refused", "fail", fail), ("Compiles and runs", "pass", pass)] {
        let _ = writeln!(text, "\n## {title}");
        let mut kinds: BTreeMap<String, Vec<Case>> = BTreeMap::new();
        for case in cases {
            kinds.entry(case.kind.clone()).or_default().push(case);
        }
        for (kind, cases) in kinds {
            let _ = writeln!(text, "\n### {kind}\n");
            for Case {
                says, file, error, ..
            } in cases
            {
                let name = file.trim_end_matches(".rs").replace('_', " ");
                let _ = writeln!(text, "- [{name}]({folder}/{file}): {says}");
                if let Some(error) = error {
                    let _ = writeln!(text, "  ```text");
                    for line in error.lines() {
                        let _ = writeln!(text, "  {line}");
                    }
                    let _ = writeln!(text, "  ```");
                }
            }
        }
    }
    text
}

#[test]
fn the_catalogue_shows_every_case() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui-tests/README.md");
    let catalogue = catalogue();
    if std::env::var_os("UPDATE_INDEX").is_some() {
        fs::write(&path, &catalogue).expect("is writable");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == catalogue,
        "ui-tests/README.md is old: UPDATE_INDEX=1 cargo test --all-features --test ui the_catalogue"
    );
}

/// Findings that no macro can have: what they look at is known when a program runs, or by chains and importers alone.
pub(super) fn only_at_run_time(lint: Lint) -> bool {
    matches!(
        lint,
        Lint::RetryBudgetUnverified | Lint::IgnoresRetryAfter | Lint::RetriesClientErrors
    )
}

#[test]
fn every_finding_is_told_of_literals_and_of_constants() {
    let told: BTreeMap<String, String> = cases("fail")
        .into_iter()
        .filter_map(|case| Some((case.file, case.error?)))
        .collect();
    for lint in Lint::ALL {
        if only_at_run_time(lint) {
            continue;
        }
        for form in ["", "_by_const"] {
            let file = format!("{}{form}.rs", lint.name());
            let error = told
                .get(&file)
                .unwrap_or_else(|| panic!("there is no case {file}"));
            assert!(
                error.contains(lint.name()),
                "{file} doesn't name its finding:\n{error}"
            );
        }
    }
}

#[test]
fn the_text_of_a_denial_is_the_same_for_literals_and_constants() {
    let told: BTreeMap<String, String> = cases("fail")
        .into_iter()
        .filter_map(|case| Some((case.file, case.error?)))
        .collect();
    let plain = |error: &str| -> Vec<String> {
        let error = error
            .replacen("error[E0080]: evaluation panicked: ", "", 1)
            .replacen("error: ", "", 1);
        error.lines().map(|line| line.trim().to_owned()).collect()
    };
    for lint in Lint::ALL {
        if only_at_run_time(lint) || Levels::DEFAULT.get(lint) != Level::Deny {
            continue;
        }
        let (literal, constant) = (
            format!("{}.rs", lint.name()),
            format!("{}_by_const.rs", lint.name()),
        );
        assert_eq!(plain(&told[&literal]), plain(&told[&constant]), "{}", lint.name());
    }
}
