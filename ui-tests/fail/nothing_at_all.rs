//! Structure: shows both forms.
use retry_plan::retry_policy;

retry_policy! {}

fn main() {}
