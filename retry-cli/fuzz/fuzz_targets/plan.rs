#![no_main]

use libfuzzer_sys::fuzz_target;
use retry_cli::plan::{parse, planned};
use retry_cli::run::Source;

// Policies, each of which can be planned, or a refusal.
fuzz_target!(|text: &str| {
    let source = Source {
        origin: "fuzz".to_owned(),
        text: text.to_owned(),
    };
    if let Ok(policies) = parse(&source) {
        for policy in policies.iter().take(8) {
            let _ = planned(policy);
        }
    }
});
