//! Targets' configurations through the real binary.

mod support;

use serde_json::Value;
use support::{run, sample};

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
