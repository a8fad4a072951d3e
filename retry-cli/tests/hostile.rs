//! Whatever the input: a sentence and exit 2, or an answer, within 5 seconds and 200 MiB.

mod support;

use serde_json::{Value, json};
use support::run;

/// Everything a chain can be asked for at once.
const CHAIN: &[&str] = &[
    "chain",
    "-",
    "--json",
    "--fix",
    "--html",
    "/dev/null",
    "--svg",
    "/dev/null",
];

const READERS: [&[&str]; 7] = [
    &["chain", "-"],
    &["import", "grpc", "-"],
    &["import", "envoy", "-"],
    &["import", "istio", "-"],
    &["import", "temporal", "-"],
    &["import", "aws", "-"],
    &["plan", "-"],
];

#[test]
fn what_is_no_input_is_refused_by_every_reader() {
    let repeated = |text: &str, count| text.repeat(count).into_bytes();
    let texts: [(&str, Vec<u8>); 18] = [
        ("nothing", Vec::new()),
        ("no UTF-8", b"\xff\xfe".to_vec()),
        ("a zero byte", b"\0".to_vec()),
        ("spaces", vec![b' '; 1 << 20]),
        ("too much", vec![b' '; 5 << 20]),
        ("open braces", repeated("{", 1_000_000)),
        ("open brackets", repeated("[", 1_000_000)),
        ("too many brackets", repeated("[", 4_000_000)),
        ("open parentheses", repeated("(", 200_000)),
        ("nested objects", repeated("{\"a\":", 100_000)),
        ("nested sequences", repeated("- ", 100_000)),
        ("a long list", format!("[{}0]", "0,".repeat(500_000)).into_bytes()),
        (
            "a long key",
            format!("{{\"{}\":0}}", "k".repeat(1_000_000)).into_bytes(),
        ),
        (
            "an open string",
            format!("\"{}", "\\u0041".repeat(100_000)).into_bytes(),
        ),
        ("a long number", repeated("9", 1_000_000)),
        ("exclamations", repeated("!", 200_000)),
        (
            "anchors of anchors",
            b"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n\
              d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e]"
                .to_vec(),
        ),
        ("a chain of colons", repeated("a: ", 80_000)),
    ];
    for (what, text) in &texts {
        for command in READERS {
            let ran = run(command, text);
            assert_eq!(
                ran.exit, 2,
                "{what}, {command:?}: {:.300}{:.300}",
                ran.out, ran.err
            );
            assert!(
                ran.err.starts_with("error: "),
                "{what}, {command:?}: {:.300}",
                ran.err
            );
            assert!(ran.out.is_empty(), "{what}, {command:?}: {:.300}", ran.out);
        }
    }
}

#[test]
fn a_mebibyte_of_keys_or_layers_is_refused() {
    let keys = |count: usize, key: fn(usize) -> String| -> String {
        let keys: Vec<String> = (0..count).map(|i| format!("\"{}\":0", key(i))).collect();
        format!("{{{}}}", keys.join(","))
    };
    for text in [
        keys(70_000, |i| format!("k{i}")),
        keys(70_000, |_| "name".to_owned()),
        keys(30_000, |i| format!("max_delay_ms_{i}")),
        format!("{{\"layers\":[{}{{}}]}}", "{},".repeat(300_000)),
        format!("{{\"layers\":[{{\"attempts\":{}}}]}}", "9".repeat(1_000_000)),
        format!("{{\"layers\":[{{\"retry_on\":[{}0]}}]}}", "503,".repeat(200_000)),
        format!(
            "{{\"layers\":[{{\"retry_on\":[{}503,true]}}]}}",
            "503,".repeat(200_000)
        ),
    ] {
        for command in [READERS[0], CHAIN] {
            let ran = run(command, text.as_bytes());
            assert_eq!(ran.exit, 2, "{:.60}: {:.300}", text, ran.err);
            assert!(
                ran.err.starts_with("error: ") && ran.err.len() < 100_000,
                "{:.300}",
                ran.err
            );
        }
    }
}

/// A hundred layers, no two alike, so that no figure is computed once for all of them.
fn hundred(layer: impl Fn(u32) -> Value) -> String {
    let layers: Vec<Value> = (1..=100).map(layer).collect();
    json!({ "layers": layers }).to_string()
}

#[test]
fn chains_of_a_hundred_hostile_layers_are_judged_and_fixed() {
    let most = u32::MAX;
    let base = |i: u32| f64::from(i) * 1e-6;
    let long = "x".repeat(9_000);
    let chains = [
        (
            "decorrelated waits over the whole range of time",
            hundred(
                |i| json!({ "attempts": most, "base_delay_ms": base(i), "max_delay_ms": 1e22, "jitter": "decorrelated" }),
            ),
        ),
        (
            "waits that hardly grow, under a deadline",
            hundred(|i| {
                json!({ "attempts": most, "base_delay_ms": base(i), "multiplier": 1.0001, "max_delay_ms": 1e22,
                "jitter": "equal", "per_try_timeout_ms": 10, "deadline_ms": 1e22 })
            }),
        ),
        (
            "waits that hardly grow, and hints",
            hundred(|i| {
                json!({ "attempts": most, "base_delay_ms": base(i), "multiplier": 1.0001, "max_delay_ms": 1e22,
                "jitter": "full", "per_try_timeout_ms": 10, "deadline_ms": 1e22, "retry_on": [503],
                "respect_retry_after": true, "max_retry_after_ms": 5 })
            }),
        ),
        (
            "unlimited tries of four billion copies",
            hundred(|i| {
                json!({ "attempts": "unlimited", "base_delay_ms": base(i), "multiplier": 1e18, "jitter": "equal",
                "per_try_timeout_ms": 1e300, "deadline_ms": 1e300, "hedge": { "after_ms": 1e-6, "copies": most } })
            }),
        ),
        (
            "digits without end",
            hundred(|i| {
                json!({ "attempts": i, "base_delay_ms": 1e-300, "multiplier": 1.000_000_000_000_001,
                "max_delay_ms": 1e308, "jitter": "plus_minus(0.123456789012345678)" })
            }),
        ),
        (
            "long names",
            hundred(|i| json!({ "name": format!("{long}{i}"), "attempts": 9, "retry_on": [503] })),
        ),
    ];
    for (what, chain) in &chains {
        let ran = run(CHAIN, chain.as_bytes());
        assert_eq!(ran.exit, 1, "{what}: {:.300}", ran.err);
        let text = run(&["chain", "-", "--fix"], chain.as_bytes());
        let again = run(&["chain", "-"], text.out.as_bytes());
        assert_eq!(again.exit, 0, "{what}: {:.300}{:.300}", again.out, again.err);
    }
}

#[test]
fn policies_of_any_length_and_depth_are_planned_or_refused() {
    let nested = |count: usize| {
        format!(
            "struct A {{ {}attempt{} }}",
            "timeout(1s) {".repeat(count),
            "}".repeat(count)
        )
    };
    let retries = |count: usize| {
        format!(
            "{}attempt(1ns){}",
            "retry(attempts = 4294967295) {".repeat(count),
            "}".repeat(count)
        )
    };
    let steps = |count: usize| {
        (0..count)
            .map(|i| format!("s{i}: retry(attempts = 3) {{ attempt(1ms) }},"))
            .collect::<Vec<_>>()
            .concat()
    };
    let calls = |count: usize| {
        (0..count).fold("struct P0 { attempt(1ms) }".to_owned(), |text, i| {
            format!(
                "{text} struct P{} {{ series {{ a: call(P{i}), b: call(P{i}) }} }}",
                i + 1
            )
        })
    };
    for (what, text, exits) in [
        ("braces", "struct A { ".repeat(20_000), &[2][..]),
        (
            "signs",
            format!("struct A {{ attempt({}1ms) }}", "-".repeat(100_000)),
            &[2],
        ),
        (
            "a long literal",
            format!("struct A {{ attempt({}ms) }}", "9".repeat(100_000)),
            &[2],
        ),
        ("nested limits", nested(60), &[0, 1]),
        ("deeply nested limits", nested(2_000), &[2]),
        ("nested retries", retries(40), &[1]),
        ("many steps", format!("series {{ {} }}", steps(140)), &[0, 1]),
        (
            "unnamed steps",
            format!("struct A {{ series {{ {} }} }}", "attempt(1ms),".repeat(10_000)),
            &[2],
        ),
        ("calls that double", calls(60), &[0, 1]),
        (
            "calls inside of calls",
            (0..400)
                .rev()
                .map(|i| format!("struct P{} {{ call(P{i}) }}\n", i + 1))
                .collect::<Vec<_>>()
                .concat()
                + "struct P0 { attempt(1ms) }",
            &[2],
        ),
        (
            "too many policies",
            "struct P { attempt(1ms) }\n".repeat(8_000),
            &[2],
        ),
        ("a policy of itself", "struct A { call(A) }".to_owned(), &[2]),
        (
            "many policies",
            (0..400)
                .map(|i| format!("struct P{i} {{ attempt(1ms) }}\n"))
                .collect::<Vec<_>>()
                .concat(),
            &[0, 1],
        ),
    ] {
        for command in [&["plan", "-"][..], &["plan", "-", "--json"]] {
            let ran = run(command, text.as_bytes());
            assert!(
                exits.contains(&ran.exit),
                "{what}: exit {}: {:.300}",
                ran.exit,
                ran.err
            );
            assert!(
                ran.exit != 2 || ran.err.starts_with("error: "),
                "{what}: {:.300}",
                ran.err
            );
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
fn no_importer_passes_on_what_a_name_holds() {
    let name = "x\u{1b}[2J\u{202e}\u{9b}\n# forged";
    let quoted = json!(name).to_string();
    for (target, text) in [
        ("grpc", json!({ "methodConfig": [{ "name": [{ "service": name }], "retryPolicy": { "maxAttempts": 9,
            "initialBackoff": "1s", "maxBackoff": "2s", "backoffMultiplier": 2, "retryableStatusCodes": [name] } }] }).to_string()),
        ("envoy", format!("route: {{cluster: {quoted}, retry_policy: {{retry_on: {quoted}}}}}")),
        ("istio", format!("spec: {{hosts: [{quoted}], http: [{{fault: {{}}, retries: {{retryOn: {quoted}}}}}]}}")),
        ("temporal", json!({ "activityType": name }).to_string()),
        ("aws", format!("[profile {name}]")),
    ] {
        let ran = run(&["import", target, "-"], text.as_bytes());
        let all = format!("{}{}", ran.out, ran.err);
        assert!(!all.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{target}: {all}");
        assert!(!all.lines().any(|line| line.starts_with("# forged")), "{target}: {all}");
    }
}

#[test]
fn a_hostile_source_tree_is_scanned_or_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).unwrap();
    let calls: Vec<String> = (0..2_000)
        .rev()
        .map(|i| format!("retry_policy! {{ pub struct P{} {{ call(P{i}) }} }}\n", i + 1))
        .collect();
    write("calls.rs", calls.concat().as_bytes());
    write("itself.rs", b"retry_policy! { pub struct Q { call(Q) } }");
    write(
        "words.rs",
        format!("retry_policy {}", "a ".repeat(240_000)).as_bytes(),
    );
    write(
        "marks.rs",
        format!("retry_policy {}", "!".repeat(500_000)).as_bytes(),
    );
    write(
        "long.rs",
        format!("retry_policy {}", "a ".repeat(500_000)).as_bytes(),
    );
    write(
        "deep.rs",
        format!("retry_policy! {}", "{".repeat(100_000)).as_bytes(),
    );
    write("bytes.rs", b"retry_policy! \xff\xfe");
    write("open.rs", b"retry_policy! { pub struct \"");
    write(
        "name\u{1b}[31m\n.rs",
        b"retry_policy! { pub struct R { attempt(1ms) } }",
    );
    std::fs::create_dir(folder.path().join("folder.rs")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), folder.path().join("round.rs")).unwrap();
    let path = folder.path().to_str().unwrap();
    let ran = run(&["scan", path, "--json"], b"");
    assert_eq!(ran.exit, 0, "{:.500}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["found"].as_array().unwrap().len(), 2_002);
    assert_eq!(
        report["skipped"].as_array().unwrap().len(),
        4,
        "{}",
        report["skipped"]
    );
    let table = run(&["scan", path], b"");
    assert!(
        !table.out.contains('\u{1b}') && !table.err.contains('\u{1b}'),
        "{:.500}",
        table.err
    );
}
