//! What holds for any text of a format: a result or faults, and never a panic. The fuzz targets and the tests share it.

use retry_cli::chain::model::Chain;
use retry_cli::chain::{Judged, fix, input, write};
use retry_cli::fault::Faults;
use retry_cli::plan::{parse, planned, report, text};
use retry_cli::report::{html, json, markdown, svg, terminal};
use retry_cli::run::Source;
use retry_cli::scan;

/// A chain, or faults. A chain is written as it was read, judged, shown in every format, and fixed so that it passes.
pub(crate) fn chain(text: &str) {
    let faults = Faults::default();
    match input::read(text, &faults) {
        Some(chain) => judged(&chain),
        None => assert!(
            !faults.render("text", text).is_empty(),
            "nothing is said of {text}"
        ),
    }
}

/// The layers of a target's configuration, or faults. Layers make a chain file.
pub(crate) fn import(target: &str, text: &str) {
    let faults = Faults::default();
    match retry_cli::import::layers(target, text, &faults) {
        Some(found) if !found.is_empty() => judged(&Chain {
            name: target.to_owned(),
            failure_rate: input::FAILURE_RATE,
            max_amplification: input::MAX_AMPLIFICATION,
            layers: found
                .into_iter()
                .map(|found| found.layer)
                .take(input::MAX_LAYERS)
                .collect(),
        }),
        Some(_) => assert!(faults.is_empty()),
        None => assert!(
            !faults.render("text", text).is_empty(),
            "{target} says nothing of {text}"
        ),
    }
}

/// Policies that are planned and shown, or a refusal.
pub(crate) fn policies(text: &str) {
    let source = Source {
        origin: "text".to_owned(),
        text: text.to_owned(),
    };
    match parse(&source) {
        Ok(policies) => {
            let report = report::Report {
                policies: policies.iter().take(8).map(planned).collect(),
            };
            let _ = (json::pretty(&report), text::text(&report, &source));
        }
        Err(refusal) => assert!(!refusal.0.is_empty(), "nothing is said of {text}"),
    }
}

/// Rust source in which policies are found, or a reason why it is skipped.
pub(crate) fn source(text: &str) {
    let report = scan::source(text, "text.rs");
    let _ = (json::pretty(&report), scan::table(&report));
}

fn judged(chain: &Chain) {
    let written = write::text(chain);
    let faults = Faults::default();
    let again = input::read(&written, &faults);
    assert_eq!(
        again.as_ref().map(|chain| &chain.layers),
        Some(&chain.layers),
        "{:?}",
        faults.sentences()
    );
    let judged = Judged::new(chain.clone());
    let fix = fix::propose(&judged);
    if let Some(fix) = &fix {
        assert_eq!(fix.after.high(), 0, "{written}");
    }
    let _ = (
        json::chain(&judged, fix.as_ref()),
        markdown::chain(&judged, fix.as_ref()),
        terminal::chain(&judged, 80),
        html::chain(&judged, fix.as_ref()),
        svg::chain(&judged),
    );
}
