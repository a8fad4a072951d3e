//! Hygiene: nothing is taken from the prelude.
#![no_implicit_prelude]

use ::retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = 3) {
                attempt(500ms)
            }
        }
    }
}

fn main() {
    ::std::mem::drop(Charge::run(async |_| ::core::result::Result::Ok::<u32, ::std::io::Error>(7)));
}
