#![no_main]

use libfuzzer_sys::fuzz_target;
use retry_cli::fault::Faults;
use retry_cli::import::layers;

// Layers or faults, whatever the text is.
fuzz_target!(|text: &str| {
    let faults = Faults::default();
    assert!(layers("envoy", text, &faults).is_some() || !faults.render("fuzz", text).is_empty());
});
