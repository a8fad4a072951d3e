#![no_main]

use libfuzzer_sys::fuzz_target;
use retry_cli::chain::{Judged, fix, input, write};
use retry_cli::fault::Faults;
use retry_cli::report::{html, json, markdown, svg, terminal};

// A chain or faults; a chain is judged, fixed, shown in every format, and written as it was read.
fuzz_target!(|text: &str| {
    let faults = Faults::default();
    let Some(chain) = input::read(text, &faults) else {
        assert!(!faults.render("fuzz", text).is_empty());
        return;
    };
    let again = input::read(&write::text(&chain), &faults).expect("what is written can be read");
    assert_eq!(chain.layers, again.layers);
    let judged = Judged::new(chain);
    let fix = fix::propose(&judged);
    let _ = (json::chain(&judged, fix.as_ref()), markdown::chain(&judged, fix.as_ref()), terminal::chain(&judged, 80));
    let _ = (html::chain(&judged, fix.as_ref()), svg::chain(&judged));
});
