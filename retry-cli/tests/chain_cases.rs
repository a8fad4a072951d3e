//! The right answers for chains, through the real binary.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;

const CASES: &str = include_str!("data/chain-cases.json");

fn judge(text: &str, arguments: &[&str]) -> (i32, String, String, Duration) {
    let started = Instant::now();
    let output = Command::cargo_bin("retry-plan")
        .unwrap()
        .args(["chain", "-"])
        .args(arguments)
        .write_stdin(text)
        .timeout(Duration::from_secs(5))
        .output()
        .unwrap();
    (
        output.status.code().expect("it ends by itself"),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
        started.elapsed(),
    )
}

fn near(found: &Value, expected: &Value) -> bool {
    match (found.as_f64(), expected.as_f64()) {
        (Some(found), Some(expected)) => (found - expected).abs() <= 0.001_f64.max(expected.abs() * 1e-9),
        _ => found == expected,
    }
}

/// A second answer that a case's note allows: a tight bound in place of the product, and what follows from it.
fn tight(case: &Value) -> Value {
    let mut expect = case["expect"].clone();
    if let Some(tight) = expect.get("tight_worst_amplification").cloned() {
        expect["worst_amplification"] = tight;
        expect["exit"] = 0.into();
        for codes in expect["codes"].as_array_mut().unwrap() {
            codes
                .as_array_mut()
                .unwrap()
                .retain(|code| code != "AMPLIFICATION");
        }
    }
    expect
}

fn check(case: &Value) -> Result<(), String> {
    let text = match case.get("chain_text").and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None => case["chain"].to_string(),
    };
    let expect = tight(case);
    let (exit, out, err, took) = judge(&text, &["--json"]);
    let want = expect["exit"].as_i64().unwrap();
    if i64::from(exit) != want {
        return Err(format!("exit {exit}, expected {want}: {err}"));
    }
    for (format, arguments) in [
        ("markdown", ["--format", "markdown"]),
        ("sarif", ["--format", "sarif"]),
    ] {
        let (again, ..) = judge(&text, &arguments);
        if again != exit {
            return Err(format!("exit {again} as {format}, {exit} as JSON"));
        }
    }
    if want == 2 {
        let mentions = expect
            .get("error_mentions")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let missing = mentions.iter().find(|word| !err.contains(word.as_str().unwrap()));
        return match missing {
            Some(word) => Err(format!("{word} isn't mentioned in: {err}")),
            None if !out.is_empty() || !err.starts_with("error: ") => Err(format!("no sentence: {out}{err}")),
            None => Ok(()),
        };
    }
    let report: Value = serde_json::from_str(&out).map_err(|error| format!("{error} in {out}"))?;
    for key in ["worst_amplification", "expected_amplification"] {
        if let Some(expected) = expect.get(key)
            && !near(&report[key], expected)
        {
            return Err(format!("{key} is {}, expected {expected}", report[key]));
        }
    }
    let layers = report["layers"].as_array().unwrap();
    if let Some(worst) = expect.get("worst_case_ms").and_then(Value::as_array) {
        for (layer, expected) in layers.iter().zip(worst) {
            if !near(&layer["worst_case_ms"], expected) {
                return Err(format!(
                    "worst case {}, expected {expected}",
                    layer["worst_case_ms"]
                ));
            }
        }
    }
    if let Some(codes) = expect.get("codes").and_then(Value::as_array) {
        for (index, (layer, expected)) in layers.iter().zip(codes).enumerate() {
            let set = |list: &Value, of: fn(&Value) -> &Value| -> BTreeSet<String> {
                let items = list.as_array().unwrap().iter();
                items.map(|item| of(item).as_str().unwrap().to_owned()).collect()
            };
            let found = set(&layer["flags"], |flag| &flag["code"]);
            let expected = set(expected, |code| code);
            if found != expected {
                return Err(format!("layer {index} has {found:?}, expected {expected:?}"));
            }
        }
    }
    if let Some(limit) = expect.get("max_seconds").and_then(Value::as_f64)
        && took.as_secs_f64() > limit
    {
        return Err(format!("took {took:?}"));
    }
    if let Some(most) = expect
        .get("md_lines_with_text_no_findings")
        .and_then(Value::as_u64)
    {
        let (_, markdown, ..) = judge(&text, &["--format", "markdown"]);
        let forged = markdown
            .lines()
            .filter(|line| line.contains("No findings."))
            .count();
        if forged as u64 > most {
            return Err(format!("a name forged a line:\n{markdown}"));
        }
    }
    Ok(())
}

#[test]
fn every_case_has_its_answer() {
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    assert_eq!(cases.len(), 31);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| check(case).err().map(|why| format!("{}: {why}", case["name"])))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
