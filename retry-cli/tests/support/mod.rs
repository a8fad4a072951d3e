//! The real binary, under the limits that hold for every input.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;

/// How a command ended.
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the command with 5 seconds of processor time and 200 MiB of address space, which holds the program, its stack and
/// all that it reads. On a busy machine it may wait longer than it works.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> Ran {
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -v 204800; ulimit -t 5; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_retry-plan"),
        ])
        .args(arguments)
        .env_remove("CLICOLOR_FORCE")
        .write_stdin(input)
        .timeout(Duration::from_secs(120))
        .output()
        .expect("it can be started");
    let text = |bytes| String::from_utf8(bytes).expect("all output is UTF-8");
    Ran {
        exit: output
            .status
            .code()
            .expect("it ends by itself, within its limits"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// All chains that the right answers are known for.
pub(crate) fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../data/chain-cases.json")).expect("it is a list")
}

/// The text of one of them.
pub(crate) fn case(name: &str) -> String {
    let cases = cases();
    let case = cases.iter().find(|case| case["name"] == name);
    case.expect("there is such a case")["chain"].to_string()
}

/// The path of a target's sample.
pub(crate) fn sample(name: &str) -> String {
    format!("{}/tests/data/samples/{name}", env!("CARGO_MANIFEST_DIR"))
}
