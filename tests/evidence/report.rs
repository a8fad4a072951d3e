//! What `EVIDENCE.md` says: each part is written by the run that it tells of, and compared by every later one.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

static FILE: Mutex<()> = Mutex::new(());

/// The part of one run.
pub(crate) struct Section {
    name: &'static str,
    lines: Vec<String>,
    told: String,
    took: Duration,
}

impl Section {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self {
            name,
            lines: Vec::new(),
            told: String::new(),
            took: Duration::ZERO,
        }
    }

    /// One more statement, the same in every run.
    pub(crate) fn line(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }

    /// What changes with the project's own texts, and is told and not compared.
    pub(crate) fn told(mut self, line: String) -> Self {
        self.told = format!(" {line}");
        self
    }

    /// The time that it took, which is told and not compared.
    pub(crate) const fn took(mut self, took: Duration) -> Self {
        self.took = took;
        self
    }

    /// Writes the part, or holds it against what is written.
    pub(crate) fn settle(self) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("EVIDENCE.md");
        let _one_at_a_time = FILE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let text = std::fs::read_to_string(&path).expect("EVIDENCE.md");
        let (open, close) = (format!("<!-- {} -->\n", self.name), "<!-- end -->");
        let from = text
            .find(&open)
            .unwrap_or_else(|| panic!("EVIDENCE.md has no part {open}"))
            + open.len();
        let to = from + text[from..].find(close).expect("a part ends");
        let own: String = self.lines.iter().map(|line| format!("- {line}\n")).collect();
        if std::env::var("RETRY_PLAN_EVIDENCE").is_ok_and(|what| what == "write") {
            let profile = if cfg!(debug_assertions) {
                "unoptimised"
            } else {
                "optimised"
            };
            let took = format!(
                "- This took {:.1} s, {profile}.{}\n",
                self.took.as_secs_f64(),
                self.told
            );
            let new = format!("{}{own}{took}{}", &text[..from], &text[to..]);
            std::fs::write(&path, new).expect("EVIDENCE.md can be written");
            return;
        }
        let written: String = text[from..to]
            .lines()
            .filter(|line| !line.starts_with("- This took "))
            .map(|line| format!("{line}\n"))
            .collect();
        assert!(
            alike(&written, &own),
            "EVIDENCE.md tells of another run; write it anew with RETRY_PLAN_EVIDENCE=write\nit says:\n{written}now:\n{own}"
        );
    }
}

/// Whether two parts say the same, in numbers that differ by two in a hundred at most: a planner that is a little tighter is
/// no other evidence.
fn alike(written: &str, own: &str) -> bool {
    let words = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    let numbers = |text: &str| -> Vec<u64> {
        let digits = text.split(|c: char| !c.is_ascii_digit());
        digits.filter_map(|number| number.parse().ok()).collect()
    };
    let (one, other) = (numbers(written), numbers(own));
    let near = |(a, b): (&u64, &u64)| a.abs_diff(*b) <= (a / 50).max(2);
    words(written) == words(own) && one.len() == other.len() && one.iter().zip(&other).all(near)
}

#[test]
fn parts_that_say_something_else_are_not_alike() {
    assert!(alike("1000 trees, 7 seeds", "1019 trees, 8 seeds"));
    assert!(!alike("1000 trees", "1100 trees"));
    assert!(!alike("1000 trees", "1000 runs"));
    assert!(!alike("1000 trees", "1000 trees, 3 runs"));
}

/// Shows the smallest of what should not be.
pub(crate) fn expect_none(what: &str, all: &[String]) -> bool {
    let mut shortest: Vec<&String> = all.iter().collect();
    shortest.sort_by_key(|text| text.len());
    for text in shortest.iter().take(4) {
        println!("{what}:\n{text}");
    }
    if !all.is_empty() {
        println!("{what}: {} in all", all.len());
    }
    all.is_empty()
}
