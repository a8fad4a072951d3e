//! What `--fix` prints passes.

mod support;

use serde_json::Value;
use support::run;

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
