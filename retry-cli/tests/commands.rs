//! Every command through the real binary: outputs and exit codes.

mod support;

use serde_json::{Value, json};
use support::{case, run};
use unicode_width::UnicodeWidthStr;

#[test]
fn each_format_of_a_chain_is_pinned() {
    let chain = case("checkout_baseline");
    for (name, arguments) in [
        ("text", &["chain", "-"][..]),
        ("markdown", &["chain", "-", "--format", "markdown", "--fix"]),
        ("json", &["chain", "-", "--json"]),
        ("sarif", &["chain", "-", "--format", "sarif"]),
        ("fix", &["chain", "-", "--fix"]),
        ("fix_json", &["chain", "-", "--fix", "--json"]),
    ] {
        let ran = run(arguments, chain.as_bytes());
        assert_eq!(ran.exit, 1);
        insta::assert_snapshot!(format!("chain_{name}"), format!("{}{}", ran.out, ran.err));
    }
}

#[test]
fn the_page_and_the_picture_are_pinned() {
    let folder = tempfile::tempdir().unwrap();
    let (page, picture) = (folder.path().join("p.html"), folder.path().join("p.svg"));
    let files = [
        "--html",
        page.to_str().unwrap(),
        "--svg",
        picture.to_str().unwrap(),
    ];
    run(
        &[&["chain", "-"][..], &files].concat(),
        case("checkout_baseline").as_bytes(),
    );
    let read = |path| std::fs::read_to_string(path).unwrap().replace("><", ">\n<");
    // The style sheet is a file of its own.
    let page = read(&page);
    let (before, style) = page.split_once("<style>").unwrap();
    let (_, after) = style.split_once("</style>").unwrap();
    insta::assert_snapshot!("chain_html", format!("{before}{after}"));
    insta::assert_snapshot!("chain_svg", read(&picture));
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let colored = |arguments: &[&str], input: &[u8]| {
        let output = assert_cmd::Command::cargo_bin("retry-plan")
            .unwrap()
            .args(arguments)
            .env("CLICOLOR_FORCE", "1")
            .write_stdin(input)
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8(text).unwrap().replace('\u{1b}', "␛")
    };
    insta::assert_snapshot!(
        "chain_colours",
        colored(&["chain", "-"], case("checkout_baseline").as_bytes())
    );
    insta::assert_snapshot!("plan_colours", colored(&["plan", "-"], POLICIES.as_bytes()));
    insta::assert_snapshot!(
        "fault_colours",
        colored(&["chain", "-"], b"{\"layers\":[{\"attempt\":0}]}")
    );
    for command in [
        &["chain", "-"][..],
        &["chain", "-", "--fix"],
        &["chain", "-", "--format", "markdown"],
    ] {
        let ran = run(command, case("checkout_baseline").as_bytes());
        assert!(!format!("{}{}", ran.out, ran.err).contains('\u{1b}'));
    }
}

#[test]
fn faults_are_pinned_with_their_paths_and_places() {
    let chain = "{\n  \"name\": 3,\n  \"failure_rate\": 2,\n  \"layers\": [\n    {\"name\": \"a\", \"name\": \"b\", \"attempts\": 0},\n    \
        {\"max_delay\": 5, \"jitter\": \"ful\", \"retry_on\": [\"503\", true, 99]},\n    7\n  ]\n}\n";
    insta::assert_snapshot!("faults_chain", run(&["chain", "-"], chain.as_bytes()).err);
    let policies = b"struct A { retry(attempts = 0) { atempt(5m) } }\nstruct B { call(C) }\n";
    insta::assert_snapshot!("faults_plan", run(&["plan", "-"], policies).err);
    let yaml = b"route:\n  timeout: soon\n  retry_policy: {num_retries: -1, retry_on: 5xx, tries: 3}\n";
    insta::assert_snapshot!("faults_envoy", run(&["import", "envoy", "-"], yaml).err);
}

#[test]
fn text_stays_within_80_columns() {
    let mut wide: Value = serde_json::from_str(&case("checkout_baseline")).unwrap();
    wide["name"] = "東京の店".repeat(30).into();
    wide["layers"][1]["name"] = "東京の店".repeat(30).into();
    let ran = run(&["chain", "-"], wide.to_string().as_bytes());
    assert!(ran.out.lines().all(|line| line.width() <= 80), "{}", ran.out);
    for name in [
        "checkout_baseline",
        "forty_layers_of_ten",
        "unbounded_inner",
        "markdown_injection_name",
    ] {
        let ran = run(&["chain", "-"], case(name).as_bytes());
        let widest = ran.out.lines().map(UnicodeWidthStr::width).max().unwrap();
        assert!(widest <= 80, "{name}: {widest}\n{}", ran.out);
    }
}

const POLICIES: &str = "struct Charge {\n    deadline(2s) {\n        retry(attempts = 4, backoff = exponential(100ms, factor = 2, max = 1s), jitter = none, budget = PAY) {\n            attempt(800ms)\n        }\n    }\n}\nstruct Page { timeout(9s) { series { a: attempt(200ms), b: call(Charge) } } }\n";

#[test]
fn policies_are_planned_from_text() {
    let ran = run(&["plan", "-", "--json"], POLICIES.as_bytes());
    assert_eq!(ran.exit, 1, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let charge = &report["policies"][0];
    assert_eq!(charge["worst_ns"], 2_000_000_000_u64);
    assert_eq!(charge["calls"], 4);
    assert_eq!(charge["leaves"], json!([{ "name": "attempt", "calls": 4 }]));
    assert_eq!(
        charge["budgets"],
        json!([{ "key": "PAY", "required": 3, "limit": null, "status": "unverified" }])
    );
    assert_eq!(charge["findings"][0]["lint"], "cannot_fit");
    assert_eq!(charge["findings"][0]["fits"].as_array().unwrap().len(), 3);
    assert_eq!(charge["timeline"][4]["cut_ns"], 2_000_000_000_u64);
    let page = &report["policies"][1];
    assert_eq!(
        page["leaves"],
        json!([{ "name": "a", "calls": 1 }, { "name": "b", "calls": 4 }])
    );
    insta::assert_snapshot!("plan_json", ran.out);
    insta::assert_snapshot!("plan_text", run(&["plan", "-"], POLICIES.as_bytes()).out);
}

#[test]
fn a_wrong_policy_is_shown_on_its_source() {
    let ran = run(&["plan", "-"], b"struct A { retry(attempts = 0) { atempt(5m) } }");
    assert_eq!(ran.exit, 2);
    assert!(
        ran.err.contains("<stdin>:1:") && ran.err.contains('^'),
        "{}",
        ran.err
    );
}

#[test]
fn an_expectation_that_is_met_is_silent_and_another_is_told() {
    let text = b"#[expect(no_jitter, reason = \"one client\")]\nstruct A { deadline(1s) { retry(attempts = 2, backoff = fixed(1ms)) { attempt(1ms) } } }\n\
        #[expect(cannot_fit)]\nstruct B { attempt(1ms) }";
    let ran = run(&["plan", "-", "--json"], text);
    assert_eq!(ran.exit, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["policies"][0]["findings"], json!([]));
    let told = &report["policies"][1]["findings"][0];
    assert_eq!(
        (&told["lint"], &told["line"], &told["column"]),
        (&json!("unfulfilled_expect"), &json!(3), &json!(10))
    );
}

#[test]
fn a_source_tree_is_scanned() {
    let folder = tempfile::tempdir().unwrap();
    let code = "retry_policy! { pub struct Charge { deadline(1s) { retry(attempts = 3) { attempt(500ms) } } } }\n\
        impl C {\n    #[retry(attempts = 2, attempt = LIMIT, deadline = 2s)]\n    async fn pay(&self) -> Result<(), E> { x }\n    #[retry(crate::Charge)]\n    async fn charge(&self) {}\n}\n\
        retry_policy! { pub struct Page { timeout(9s) { series { a: attempt(200ms), b: call(super::Charge) } } } }\n";
    std::fs::write(folder.path().join("a.rs"), code).unwrap();
    std::fs::write(folder.path().join("broken.rs"), "retry_policy! { struct X { ").unwrap();
    let path = folder.path().to_str().unwrap();
    let ran = run(&["scan", path, "--json"], b"");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["found"][0]["name"], "Charge");
    assert_eq!(report["found"][0]["findings"][0]["lint"], "cannot_fit");
    assert_eq!(report["found"][1]["name"], "pay");
    assert_eq!(report["found"][1]["line"], 4);
    assert_eq!(report["found"][1]["unknown_values"], 1);
    assert_eq!(report["found"][2]["runs"], "Charge");
    assert_eq!(report["found"][2]["calls"], report["found"][0]["calls"]);
    // `Page` calls `Charge`, which is known by its name.
    assert_eq!(
        report["found"][3]["leaves"],
        json!([{ "name": "a", "calls": 1 }, { "name": "b", "calls": 3 }])
    );
    assert_eq!(report["skipped"].as_array().unwrap().len(), 1);
    let table = run(&["scan", path], b"");
    insta::assert_snapshot!("scan_table", format!("{}{}", table.out, table.err));
    assert_eq!(run(&["scan", "/nowhere"], b"").exit, 2);
}

#[test]
fn wrong_command_lines_are_bad_input() {
    for arguments in [
        &["chain"][..],
        &["chain", "/nowhere"],
        &["chain", "/"],
        &["chain", "-", "--failure-rate", "2"],
        &["chain", "-", "--failure-rate", "NaN"],
        &["chain", "-", "--max-amplification", "0"],
        &["import", "grcp", "-"],
        &["import", "grpc", "-", "aws"],
        &["nothing"],
    ] {
        assert_eq!(run(arguments, b"{\"layers\":[{}]}").exit, 2, "{arguments:?}");
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        run(&["man", "--out", folder.path().to_str().unwrap()], b"").exit,
        0
    );
    let mut pages: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    let commands = ["-chain", "-completions", "-import", "-man", "-plan", "-scan", ""];
    assert_eq!(pages, commands.map(|command| format!("retry-plan{command}.1")));
    let chain = std::fs::read_to_string(folder.path().join("retry-plan-chain.1")).unwrap();
    assert!(chain.contains("max\\-amplification"), "{chain}");
    assert_eq!(run(&["man", "--out", "/nowhere/at/all"], b"").exit, 2);
}

#[test]
fn the_manual_and_the_completions_are_generated() {
    assert!(run(&["man"], b"").out.contains(".TH retry-plan"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            run(&["completions", shell], b"")
                .out
                .contains("max-amplification")
        );
    }
}
