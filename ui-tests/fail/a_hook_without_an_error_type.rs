//! Types: what `when` looks at has to be known.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, when = |error: &Error| error.kind() == std::io::ErrorKind::TimedOut) {
            attempt(500ms)
        }
    }
}

fn main() {
    let _charge = Charge::run(async |_| Ok::<u32, Error>(7));
}
