//! Deep and wide policies, as importers and run-time callers may meet them.

use std::time::Duration;

use retry_planner::plan::Plan;
use retry_planner::{Attempt, Kind, Levels, Node, Policy, Range};

const fn node(size: usize, kind: Kind<'static>) -> Node<'static> {
    Node {
        name: "",
        size,
        levels: Levels::DEFAULT,
        kind,
    }
}

const LEAF: Kind<'static> = Kind::Attempt(Attempt {
    bound: Some(Range::exact(Duration::from_millis(1))),
    takes: None,
    idempotent: true,
    key: false,
});

#[test]
fn a_hundred_thousand_leaves_are_planned() {
    const LEAVES: usize = 100_000;
    let mut nodes = vec![node(LEAVES + 1, Kind::Series)];
    nodes.resize(LEAVES + 1, node(1, LEAF));
    let plan = Plan::of(&Policy {
        name: "Wide",
        nodes: &nodes,
    });
    assert_eq!(plan.calls(), Some(LEAVES as u64));
    assert_eq!(plan.worst(), Some(Duration::from_secs(100)));
}

#[test]
fn a_thousand_levels_are_planned() {
    const LEVELS: usize = 1_000;
    let limit = Kind::Timeout(Range::exact(Duration::from_secs(1)));
    let mut nodes: Vec<_> = (0..LEVELS).map(|at| node(LEVELS + 1 - at, limit)).collect();
    nodes.push(node(1, LEAF));
    let plan = Plan::of(&Policy {
        name: "Deep",
        nodes: &nodes,
    });
    assert_eq!(plan.worst(), Some(Duration::from_millis(1)));
}
