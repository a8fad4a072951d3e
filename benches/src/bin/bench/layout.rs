//! Prints what lies in the future of each policy of the `size` discipline: `NAME PART FIELD BYTES`, tab-separated, as the
//! compiler lays it out at the await that holds most.
//!
//! The compiler tells it under an unstable option, which `RUSTC_BOOTSTRAP` lets a stable one take.

use retry_bench::contest::size;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// A type with the fields of its widest variant, or of its only one.
struct Layout {
    of: String,
    bytes: u64,
    fields: Vec<(String, u64)>,
}

pub(super) fn print() -> Result<(), String> {
    let layouts = layouts(&printed()?);
    for (name, policy) in size::POLICIES {
        let place = size::place_of(policy).ok_or_else(|| format!("no policy `{policy}`"))?;
        // A policy whose run is a future of the runtime is a parameter of that.
        let own = format!("retry_runtime::plain::Run<contest::ours::{policy},");
        let parts = [
            ("run", format!("{{async block@{place}}}")),
            ("copies", "retry_runtime::hedge::Hedge<".to_owned()),
            ("one copy", format!("{{async closure body@{place}}}")),
        ];
        for (part, prefix) in parts {
            let found = |of: &str| {
                of.starts_with(&prefix) && of.contains(&place) || part == "run" && of.starts_with(&own)
            };
            // The operation of a kilobyte makes the largest future of each policy.
            let largest = layouts
                .iter()
                .filter(|layout| found(&layout.of))
                .max_by_key(|layout| layout.bytes);
            match largest {
                Some(layout) => {
                    for (field, bytes) in layout.fields.iter().filter(|(_, bytes)| *bytes > 0) {
                        println!("{name}\t{part}\t{field}\t{bytes}");
                    }
                }
                None if part == "run" => return Err(format!("no future at {place}")),
                None => {}
            }
        }
    }
    Ok(())
}

/// What the compiler prints of this package's library.
fn printed() -> Result<String, String> {
    // A new name each time, since nothing is printed of what is built already.
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_err(|error| error.to_string())?;
    let output = Command::new("cargo")
        .args([
            "rustc",
            "--quiet",
            "--locked",
            "--profile",
            "plain",
            "--lib",
            "--",
        ])
        .args(["-Zprint-type-sizes", "--check-cfg=cfg(printed, values(any()))"])
        .arg(format!("--cfg=printed=\"{}\"", now.as_nanos()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn layouts(printed: &str) -> Vec<Layout> {
    let mut layouts: Vec<Layout> = Vec::new();
    let (mut variant, mut widest) = (0, 0);
    for line in printed
        .lines()
        .filter_map(|line| line.strip_prefix("print-type-size "))
    {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("type: `") {
            let Some((of, bytes)) = rest.rsplit_once("`: ") else {
                continue;
            };
            (variant, widest) = (0, 0);
            layouts.push(Layout {
                of: of.to_owned(),
                bytes: number(bytes),
                fields: Vec::new(),
            });
            continue;
        }
        let (Some(layout), Some((kind, rest))) = (layouts.last_mut(), line.split_once([' ', ':'])) else {
            continue;
        };
        let (name, bytes) = rest.rsplit_once("`: ").unwrap_or(("", rest.trim()));
        match kind {
            "variant" => {
                variant = number(bytes);
                if variant > widest {
                    widest = variant;
                    layout.fields.clear();
                }
            }
            "field" | "local" | "upvar" | "padding" if variant >= widest => {
                let name = name.trim_start_matches(['`', '.']);
                let name = if name.is_empty() { kind } else { name };
                layout.fields.push((name.to_owned(), number(bytes)));
            }
            "discriminant" => layout.fields.push((kind.to_owned(), number(bytes))),
            "end" => layout.fields.push(("padding".to_owned(), number(bytes))),
            _ => {}
        }
    }
    layouts
}

/// The number that a text such as `8 bytes, offset: 0 bytes` begins with.
fn number(text: &str) -> u64 {
    let text = text.trim_start_matches("padding: ").trim_start();
    let digits = text.find(|letter: char| !letter.is_ascii_digit());
    text[..digits.unwrap_or(text.len())].parse().unwrap_or(0)
}
