//! What counts allocations: `weigh bytes` and `weigh crowd`.

mod bytes;
mod crowd;

use retry_bench::allocations::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("bytes") => bytes::print(),
        Some("crowd") => crowd::print(),
        other => panic!("`bytes` or `crowd`, not {other:?}"),
    }
}
