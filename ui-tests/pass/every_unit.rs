//! Values: is exact.
use std::io::Error;

use retry_plan::planner::Kind;
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        parallel {
            a: attempt(1ns),
            b: attempt(2us),
            c: attempt(3µs),
            d: attempt(4ms),
            e: attempt(1.5s),
            f: attempt(1_000min),
            g: attempt(2h),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let nanos: Vec<u128> = Charge::POLICY
        .nodes
        .iter()
        .filter_map(|node| match node.kind {
            Kind::Attempt(attempt) => attempt.bound.map(|bound| bound.hi.as_nanos()),
            _ => None,
        })
        .collect();
    assert_eq!(nanos, [1, 2_000, 3_000, 4_000_000, 1_500_000_000, 60_000_000_000_000, 7_200_000_000_000]);
    let _ = Error::other("unused");
}
