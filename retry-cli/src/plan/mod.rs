//! `retry-plan plan`: policies written as text, planned and judged.
//!
//! text → [`read`] → [`report`] (figures, findings, budgets) with a [`timeline`] → JSON, or [`text`] for people.

pub mod read;
pub mod report;
pub mod text;
pub mod timeline;

use std::path::Path;

use crate::cli::PlanArgs;
use crate::report::json;
use crate::run::{Refusal, Verdict, print};

pub use read::parse;
pub use report::{Planned, planned};

/// Does `retry-plan plan`.
///
/// # Errors
/// If the text can't be read or is no policy.
pub fn run(args: &PlanArgs) -> Result<Verdict, Refusal> {
    let source = crate::run::read(Path::new(&args.file))?;
    let policies = parse(&source)?;
    let report = report::Report {
        policies: policies.iter().map(planned).collect(),
    };
    let denied = report
        .policies
        .iter()
        .flat_map(|policy| &policy.findings)
        .any(|finding| finding.level == "deny");
    print(&if args.json {
        json::pretty(&report)
    } else {
        text::text(&report, &source)
    })?;
    Ok(if denied { Verdict::Bad } else { Verdict::Fine })
}
