//! Functions: are what the attribute stands on.
use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms)]
struct Charge;

fn main() {
    let Charge = Charge;
}
