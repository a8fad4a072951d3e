//! What the README shows is what the command does.

mod support;

use serde_json::Value;
use support::{case, run};

const README: &str = include_str!("../README.md");

/// The code behind a heading, up to the end of its block.
fn block(after: &str, language: &str) -> &'static str {
    let rest = README.split_once(after).expect("the README has it").1;
    let code = rest
        .split_once(&format!("```{language}\n"))
        .expect("and a block")
        .1;
    code.split_once("\n```").expect("that ends").0
}

#[test]
fn the_chain_of_the_readme_is_judged_as_it_says() {
    let chain = block("## A chain file", "json");
    let ran = run(&["chain", "-"], chain.as_bytes());
    assert_eq!(ran.exit, 1, "{}", ran.err);
    assert_eq!(block("says", "text"), ran.out.trim_end());
}

#[test]
fn the_policies_of_the_readme_are_planned() {
    let ran = run(
        &["plan", "-", "--json"],
        block("## Policies as text", "text").as_bytes(),
    );
    assert_eq!(ran.exit, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn every_key_and_every_finding_is_in_the_readme() {
    let report: Value =
        serde_json::from_str(&run(&["chain", "-", "--json"], case("checkout_baseline").as_bytes()).out)
            .unwrap();
    for key in report
        .as_object()
        .unwrap()
        .keys()
        .chain(report["layers"][0].as_object().unwrap().keys())
    {
        assert!(README.contains(&format!("`{key}`")), "{key} isn't in the README");
    }
    for code in retry_cli::chain::findings::Code::ALL {
        assert!(
            README.contains(code.name()),
            "{} isn't in the README",
            code.name()
        );
    }
    for target in retry_cli::import::TARGETS {
        assert!(
            README.contains(&format!("| `{target}` |")),
            "{target} isn't in the README"
        );
    }
}
