//! Every command through the real binary: outputs, exit codes, hostile inputs.

use std::path::Path;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::{Value, json};

struct Ran {
    exit: i32,
    out: String,
    err: String,
}

fn run(arguments: &[&str], input: &[u8]) -> Ran {
    let started = Instant::now();
    // An address space of 200 MiB holds the program, its stack and all that it reads.
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -v 204800; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_retry-plan"),
        ])
        .args(arguments)
        .write_stdin(input)
        .timeout(Duration::from_secs(5))
        .output()
        .unwrap();
    assert!(started.elapsed() < Duration::from_secs(5), "too slow");
    Ran {
        exit: output.status.code().expect("it ends by itself"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn case(name: &str) -> String {
    let cases: Value = serde_json::from_str(include_str!("data/chain-cases.json")).unwrap();
    let case = cases
        .as_array()
        .unwrap()
        .iter()
        .find(|case| case["name"] == name)
        .unwrap();
    case["chain"].to_string()
}

fn sample(name: &str) -> String {
    format!("{}/tests/data/samples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn each_format_of_a_chain_is_pinned() {
    let chain = case("checkout_baseline");
    for (name, arguments) in [
        ("text", &["chain", "-"][..]),
        ("markdown", &["chain", "-", "--format", "markdown", "--fix"]),
        ("json", &["chain", "-", "--json"]),
        ("sarif", &["chain", "-", "--format", "sarif"]),
        ("fix", &["chain", "-", "--fix"]),
    ] {
        let ran = run(arguments, chain.as_bytes());
        assert_eq!(ran.exit, 1);
        insta::assert_snapshot!(format!("chain_{name}"), format!("{}{}", ran.out, ran.err));
    }
}

#[test]
fn text_stays_within_80_columns() {
    for name in [
        "checkout_baseline",
        "forty_layers_of_ten",
        "unbounded_inner",
        "markdown_injection_name",
    ] {
        let ran = run(&["chain", "-"], case(name).as_bytes());
        let widest = ran.out.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= 80, "{name}: {widest}\n{}", ran.out);
    }
}

#[test]
fn a_fixed_chain_passes() {
    let cases: Value = serde_json::from_str(include_str!("data/chain-cases.json")).unwrap();
    for case in cases.as_array().unwrap() {
        if case["expect"]["exit"] == 2 {
            continue;
        }
        let fixed = run(&["chain", "-", "--fix"], case["chain"].to_string().as_bytes());
        let again = run(&["chain", "-", "--json"], fixed.out.as_bytes());
        assert_eq!(again.exit, 0, "{}: {}{}", case["name"], fixed.out, again.out);
    }
}

#[test]
fn incidents_of_chains_are_refused() {
    let layer = |name: &str, attempts: u32, per_try: u64, deadline: Option<u64>| json!({ "name": name, "attempts": attempts, "per_try_timeout_ms": per_try, "deadline_ms": deadline });
    let product = |attempts: &[u32]| -> Vec<Value> {
        attempts
            .iter()
            .map(|attempts| layer("hop", *attempts, 1000, None))
            .collect()
    };
    for (id, layers) in [
        (
            "scn-1779",
            vec![layer("hystrix", 1, 1000, None), layer("ribbon", 2, 5000, None)],
        ),
        (
            "scn-2987",
            vec![
                layer("hystrix", 1, 20_000, None),
                layer("ribbon", 2, 20_000, None),
            ],
        ),
        (
            "lambda-sdk-120",
            vec![
                layer("apigw", 1, 29_000, None),
                layer("lambda", 1, 30_000, None),
                layer("dynamodb sdk", 11, 120_000, None),
            ],
        ),
        (
            "tachyon-92",
            vec![layer("apigw", 1, 29_000, None), layer("lambda", 1, 60_000, None)],
        ),
        ("nanobot-2760", product(&[4, 3])),
        ("code-puppy-317", product(&[3, 3, 5])),
        ("codestream-1914", product(&[3, 3, 3])),
    ] {
        let ran = run(
            &["chain", "-", "--json"],
            json!({ "layers": layers }).to_string().as_bytes(),
        );
        assert_eq!(ran.exit, 1, "{id}: {}{}", ran.out, ran.err);
    }
}

/// Incidents of importers: the file's verdict, the target, the text and what has to be found.
const IMPORTED: [(&str, &str, &str, &str, &str); 9] = [
    (
        "grpc-go-6811",
        "reject",
        "grpc",
        r#"{"methodConfig":[{"name":[{"service":"s"}],"timeout":"2s","retryPolicy":{"maxAttempts":5,
        "initialBackoff":"0.1s","maxBackoff":"1s","backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE","DEADLINE_EXCEEDED"]}}]}"#,
        "UNREACHABLE_RETRY",
    ),
    (
        "grpc-35060",
        "warn",
        "grpc",
        r#"{"methodConfig":[{"name":[{"service":"s"}],"retryPolicy":{"maxAttempts":5,
        "initialBackoff":"0.1s","maxBackoff":"60s","backoffMultiplier":10,"retryableStatusCodes":["UNAVAILABLE"]}}]}"#,
        "NO_TIMEOUT",
    ),
    (
        "gapic-545",
        "warn",
        "grpc",
        r#"{"methodConfig":[{"name":[{"service":"s"}],"retryPolicy":{"maxAttempts":8,
        "initialBackoff":"0.25s","maxBackoff":"2s","backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE"]}}]}"#,
        "CLAMPED",
    ),
    (
        "istio-13167",
        "warn",
        "istio",
        "spec: {http: [{retries: {attempts: 1, perTryTimeout: 200ms, retryOn: 5xx}}]}",
        "VERSION_DEPENDENT",
    ),
    (
        "istio-39097",
        "warn",
        "istio",
        "spec: {http: [{timeout: 3s, retries: {attempts: 3, perTryTimeout: 1s, retryOn: 'gateway-error,5xx'}}]}",
        "LAST_TRY_UNREACHABLE",
    ),
    (
        "istio-21137",
        "reject",
        "istio",
        "spec: {http: [{timeout: 2s, retries: {attempts: 3}}]}",
        "NO_PER_TRY_TIMEOUT",
    ),
    (
        "istio-55748",
        "reject",
        "istio",
        "spec: {http: [{retries: {attempts: 3, perTryTimeout: 2s, retryOn: '503'}}]}",
        "TIMEOUT_NOT_RETRIED",
    ),
    (
        "istio-17613",
        "reject",
        "istio",
        "spec: {http: [{retries: {attempts: 3, perTryTimeout: 1s, retryOn: 'connect-failure,refused-stream,unavailable,cancelled'}}]}",
        "TIMEOUT_NOT_RETRIED",
    ),
    (
        "istio-20928",
        "warn",
        "istio",
        "spec: {http: [{fault: {delay: {fixedDelay: 2s}}, retries: {attempts: 10, perTryTimeout: 1s, retryOn: 5xx}}]}",
        "IGNORED_BY_TARGET",
    ),
];

#[test]
fn incidents_of_importers_have_the_verdict_of_the_file() {
    let incidents: Value = serde_json::from_str(include_str!("data/incidents.json")).unwrap();
    for (id, verdict, target, text, code) in IMPORTED {
        let incident = incidents["incidents"]
            .as_array()
            .unwrap()
            .iter()
            .find(|incident| incident["id"] == id)
            .unwrap();
        assert_eq!(incident["verdict"], verdict);
        let ran = run(&["import", target, "-"], text.as_bytes());
        assert_eq!(ran.exit, i32::from(verdict == "reject"), "{id}: {}", ran.err);
        assert!(ran.err.contains(&format!("[{code}]")), "{id}: {}", ran.err);
        let judged = run(&["chain", "-", "--json"], ran.out.as_bytes());
        assert_ne!(judged.exit, 2, "{id}: {}", judged.err);
    }
}

#[test]
fn the_samples_become_one_chain() {
    let files = [
        "istio.yaml",
        "envoy.yaml",
        "grpc.json",
        "temporal.json",
        "aws.ini",
    ]
    .map(sample);
    let targets = ["istio", "envoy", "grpc", "temporal", "aws"];
    let mut arguments = vec!["import"];
    for (target, file) in targets.iter().zip(&files) {
        arguments.extend([target, file.as_str()]);
    }
    let ran = run(&arguments, b"");
    assert_eq!(ran.exit, 0, "{}", ran.err);
    insta::assert_snapshot!("import_samples", ran.out);
    let chain: Value = serde_json::from_str(&ran.out).unwrap();
    // Istio counts retries: `attempts: 2` is three requests.
    assert_eq!(chain["layers"][0]["attempts"], 3);
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
fn a_source_tree_is_scanned() {
    let folder = tempfile::tempdir().unwrap();
    let code = "retry_policy! { pub struct Charge { deadline(1s) { retry(attempts = 3) { attempt(500ms) } } } }\n\
        impl C {\n    #[retry(attempts = 2, attempt = LIMIT, deadline = 2s)]\n    async fn pay(&self) -> Result<(), E> { x }\n}\n";
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
    assert_eq!(report["skipped"].as_array().unwrap().len(), 1);
    assert_eq!(run(&["scan", "/nowhere"], b"").exit, 2);
}

#[test]
fn hostile_inputs_are_bad_input_or_answered_in_time_and_memory() {
    let many_layers = format!("{{\"layers\":[{}]}}", vec!["{\"attempts\":4294967295,\"base_delay_ms\":1,\"multiplier\":1.000000000000000001,\"jitter\":\"decorrelated\",\"max_delay_ms\":1000000}"; 40].join(","));
    let texts: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"\xff\xfe".to_vec(),
        b"{".repeat(1_000_000),
        b"[".repeat(4_000_000),
        format!("[{}]", "0,".repeat(2_000_000)).into_bytes(),
        format!("{{\"layers\":[{}]}}", "{},".repeat(500_000)).into_bytes(),
        format!("{{{}}}", (0..60_000).map(|i| format!("\"k{i}\":0")).collect::<Vec<_>>().join(",")).into_bytes(),
        format!("{{\"layers\":[{{\"attempts\":{}}}]}}", "9".repeat(1_000_000)).into_bytes(),
        vec![b' '; 5 << 20],
        many_layers.into_bytes(),
        b"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]".to_vec(),
        b"struct A { ".repeat(20_000),
        b"!".repeat(200_000),
        format!("struct A {{ attempt({}1ms) }}", "-".repeat(100_000)).into_bytes(),
        format!("struct A {{ series {{ {} }} }}", "attempt(1ms),".repeat(10_000)).into_bytes(),
    ];
    let commands: [&[&str]; 8] = [
        &["chain", "-"],
        &["chain", "-", "--json"],
        &["import", "grpc", "-"],
        &["import", "envoy", "-"],
        &["import", "istio", "-"],
        &["import", "temporal", "-"],
        &["import", "aws", "-"],
        &["plan", "-"],
    ];
    for (index, text) in texts.iter().enumerate() {
        for command in commands {
            let ran = run(command, text);
            let judged = index == 9 && command[0] == "chain";
            let empty = command.contains(&"temporal") || ran.exit == 2;
            assert!(
                judged && ran.exit == 1 || empty,
                "text {index}, {command:?}: exit {} {:.300}",
                ran.exit,
                ran.err
            );
            if ran.exit == 2 {
                assert!(
                    ran.err.starts_with("error: "),
                    "text {index}, {command:?}: {:.300}",
                    ran.err
                );
            }
        }
    }
}

#[test]
fn no_format_passes_on_what_a_name_holds() {
    let name = "x\u{1b}[2J\u{202e}\u{9b}|<script>alert(1)</script>`**\n# forged";
    let chain =
        json!({ "name": name, "layers": [{ "name": name, "attempts": 9, "retry_on": [name] }] }).to_string();
    let folder = tempfile::tempdir().unwrap();
    let (page, picture) = (folder.path().join("p.html"), folder.path().join("p.svg"));
    let files = [
        "--html",
        page.to_str().unwrap(),
        "--svg",
        picture.to_str().unwrap(),
    ];
    let mut texts = Vec::new();
    for format in ["text", "markdown", "json", "sarif"] {
        texts.push(
            run(
                &[&["chain", "-", "--fix", "--format", format][..], &files].concat(),
                chain.as_bytes(),
            )
            .out,
        );
    }
    texts.push(std::fs::read_to_string(&page).unwrap());
    texts.push(std::fs::read_to_string(&picture).unwrap());
    for text in &texts {
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{text}");
        assert!(!text.lines().any(|line| line.starts_with("# forged")), "{text}");
    }
    for markup in &texts[4..] {
        assert!(!markup.contains("<script"), "{markup}");
    }
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

#[test]
fn the_page_opens_in_a_browser_without_errors_or_requests() {
    let chromium = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let Some(chromium) = chromium.into_iter().find(|path| Path::new(path).exists()) else {
        eprintln!("SKIPPED: no Chromium on this machine");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    run(
        &["chain", "-", "--html", page.to_str().unwrap()],
        case("checkout_baseline").as_bytes(),
    );
    let log = folder.path().join("net.json");
    let output = Command::new(chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(format!("--log-net-log={}", log.display()))
        .args(["--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .timeout(Duration::from_secs(60))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    for code in [
        "INNER_OUTLIVES_CALLER",
        "RETRY_UNSAFE",
        "AMPLIFICATION",
        "A chain that passes",
    ] {
        assert!(dom.contains(code), "{code} isn't on the page");
    }
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!told.contains(":CONSOLE"), "{told}");
    // The page itself is the only thing that is asked for.
    let source = std::fs::read_to_string(&page).unwrap();
    for reference in ["src=", "@import", "url(http", "<script", "href=\"http"] {
        assert!(!source.contains(reference), "{reference}");
    }
}
