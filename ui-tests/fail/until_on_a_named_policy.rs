//! Types: what `until` looks at is known where the policy runs.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, until = |value: &u32| *value == 7) {
            attempt(500ms)
        }
    }
}

fn main() {
    drop(Charge::run(async |_| Ok::<u32, std::io::Error>(7)));
}
