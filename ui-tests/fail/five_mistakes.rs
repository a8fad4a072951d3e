//! Structure: are five errors, and nothing else.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(5m) {
            retry(retries = 2, backof = fixed(50ms), jitter = ful) {
                atempt(200ms)
            }
        }
    }
}

fn main() {
    let _run = Charge::run(async |_| Ok::<_, std::io::Error>(()));
}
