//! In place: the operation stands last.
use retry_plan::retry_policy;

fn main() {
    retry_policy!(attempts = 3, attempt = 200ms);
}
