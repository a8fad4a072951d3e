//! Types: `type Error` names an error that can't say that a limit ended the run.
use retry_plan::retry_policy;

#[derive(Debug)]
struct Declined;

retry_policy! {
    struct Charge {
        type Error = Declined;
        deadline(2s) {
            retry(attempts = 3) {
                attempt(500ms)
            }
        }
    }
}

fn main() {
    let _charge = Charge::run(async |_| Err::<u32, _>(Declined));
}
