//! The bounded family: every tree of a small grammar, in a fixed order.
//!
//! - *Spines*: up to three nodes above a leaf, every kind under every other. Nodes with several children hold one more
//!   leaf, before or after the spine.
//! - *Pairs*: nodes with two children, each of them a node above a leaf, alone and under each limit, repeat and
//!   allowance.
//!
//! Figures vary with the place: each symbol has several settings, and a tree takes them by its number, so that the
//! family meets limits that bind, limits that just don't, and limits that can't.

use super::tree::{Attempts, Backoff, Charge, Jitter, Key, Kind, Retry, Tree};

/// What can stand above one node.
const SPINE: usize = 22;

/// Leaves.
const LEAF: usize = 6;

/// What stands above pairs.
const TOPS: [usize; 6] = [0, 1, 2, 9, 12, 13];

/// What each of a pair is.
const SIDES: [usize; 10] = [0, 1, 2, 3, 4, 5, 7, 9, 11, 13];

const TIMEOUTS: [u8; 5] = [4, 7, 2, 9, 5];
const DEADLINES: [u8; 5] = [6, 3, 8, 10, 4];
const WAITS: [u8; 4] = [1, 0, 3, 2];

/// Picks settings by the tree's number and the depth, always the same.
#[derive(Clone, Copy)]
struct Pick(usize);

impl Pick {
    fn of<T: Copy>(self, depth: usize, from: &[T]) -> T {
        let mixed = (self.0 + 1).wrapping_mul(0x9E37_79B9 + 0x0001_0002 * depth);
        from[(mixed >> 9) % from.len()]
    }
}

/// Every tree of the family.
pub(crate) fn family() -> impl Iterator<Item = Tree> {
    let spines = (0..=3u32).flat_map(|above| {
        let shapes = SPINE.pow(above);
        (0..shapes).flat_map(move |shape| {
            // Under three nodes every other leaf, the odd ones and the even ones in turn.
            let (first, step) = if above == 3 { (shape % 2, 2) } else { (0, 1) };
            (first..LEAF).step_by(step).map(move |leaf| {
                let pick = Pick(shape * LEAF + leaf + 7 * above as usize);
                let mut tree = leaf_of(leaf, pick, 0);
                let mut rest = shape;
                for depth in 1..=above as usize {
                    tree = spine(rest % SPINE, tree, pick, depth);
                    rest /= SPINE;
                }
                tree
            })
        })
    });
    let sides = SIDES.len() * 2;
    let pairs = (0..=TOPS.len()).flat_map(move |top| {
        (0..4 * sides * sides).map(move |n| {
            let pick = Pick(n * (TOPS.len() + 1) + top);
            let side = |n: usize| spine(SIDES[n / 2], leaf_of(n % 2, pick, n + 1), pick, n + 2);
            let kids = vec![side(n % sides), side(n / sides % sides)];
            let pair = Tree::over(joint(n / sides / sides), kids);
            if top == 0 {
                pair
            } else {
                spine(TOPS[top - 1], pair, pick, 3)
            }
        })
    });
    spines.chain(pairs).filter(small)
}

/// No more leaves than the figures have room for.
fn small(tree: &Tree) -> bool {
    tree.size() <= 12
}

fn leaf_of(n: usize, pick: Pick, depth: usize) -> Tree {
    match n {
        0 => Tree::leaf(Some(pick.of(depth, &[3, 1, 5, 2])), None),
        1 => Tree::leaf(
            None,
            Some((pick.of(depth, &[1, 2, 0]), Some(pick.of(depth + 1, &[2, 3, 4])))),
        ),
        2 => Tree::leaf(None, Some((pick.of(depth, &[4, 3]), Some(4)))),
        3 => Tree::leaf(
            Some(pick.of(depth, &[3, 2])),
            Some((1, pick.of(depth, &[None, Some(4), Some(2)]))),
        ),
        4 => Tree::leaf(None, None),
        _ => Tree::over(Kind::Call, vec![callee(pick, depth)]),
    }
}

fn callee(pick: Pick, depth: usize) -> Tree {
    let retry = Retry::new(2, Backoff::Fixed(1));
    let inside = match pick.of(depth, &[0, 1, 2]) {
        0 => Tree::over(Kind::Retry(retry), vec![Tree::leaf(Some(2), None)]),
        1 => Tree::leaf(None, Some((1, Some(3)))),
        _ => Tree::over(
            Kind::Series,
            vec![Tree::leaf(Some(1), None), Tree::leaf(Some(2), None)],
        ),
    };
    if pick.of(depth + 3, &[false, true]) {
        Tree::over(Kind::Deadline(5), vec![inside])
    } else {
        inside
    }
}

fn joint(n: usize) -> Kind {
    match n {
        0 => Kind::Series,
        1 => Kind::Parallel,
        2 => Kind::Fallback,
        _ => Kind::Race,
    }
}

fn spine(n: usize, kid: Tree, pick: Pick, depth: usize) -> Tree {
    let paid = |key| Some(Charge { key, cost: 1 });
    let retry = |retry: Retry| Kind::Retry(retry);
    let wait = pick.of(depth, &WAITS);
    let kind = match n {
        0 => Kind::Timeout(pick.of(depth, &TIMEOUTS)),
        1 => Kind::Deadline(pick.of(depth, &DEADLINES)),
        2 => retry(Retry::new(2, Backoff::Fixed(wait))),
        3 => {
            // Both ends of each wait on the grid: 1.5 ms are not.
            let (jitter, base) = pick.of(
                depth,
                &[
                    (Jitter::Full, 1),
                    (Jitter::Full, 2),
                    (Jitter::Equal, 2),
                    (Jitter::Spread(5), 2),
                ],
            );
            let backoff = Backoff::Exponential(base, 2, pick.of(depth, &[Some(2), Some(4)]));
            retry(Retry {
                jitter,
                ..Retry::new(3, backoff)
            })
        }
        4 => retry(Retry {
            when: pick.of(depth, &[true, false]),
            stop_on_timeout: pick.of(depth + 1, &[true, false, true]),
            ..Retry::new(2, Backoff::Linear(1, None))
        }),
        5 => retry(Retry {
            budget: paid(Key::K),
            ..Retry::new(3, Backoff::Fixed(wait))
        }),
        6 => retry(Retry {
            attempts: pick.of(depth, &[Attempts::UpTo(3), Attempts::Unlimited]),
            ..Retry::new(3, Backoff::Fixed(pick.of(depth, &[1, 2])))
        }),
        7 => retry(Retry {
            until: true,
            ..Retry::new(2, Backoff::Schedule(&[2], false))
        }),
        8 => retry(Retry {
            hint: Some(Some(3)),
            ..Retry::new(2, Backoff::Decorrelated(1, Some(2)))
        }),
        9 => Kind::Hedge {
            after: pick.of(depth, &[1, 2, 3]),
            copies: 2,
            budget: None,
        },
        10 => Kind::Hedge {
            after: pick.of(depth, &[1, 2]),
            copies: 2,
            budget: paid(Key::J),
        },
        11 => Kind::Hedge {
            after: pick.of(depth, &[2, 1]),
            copies: 3,
            budget: paid(Key::K),
        },
        12 => Kind::Allowance {
            key: Key::K,
            limit: pick.of(depth, &[1, 3, 2]),
        },
        13 => Kind::Deadline(pick.of(depth, &[12, 5])),
        n => {
            let n = n - 14;
            let other = leaf_of(pick.of(depth, &[0, 1, 2]), pick, depth + 5);
            let kids = if n.is_multiple_of(2) {
                vec![kid, other]
            } else {
                vec![other, kid]
            };
            return Tree::over(joint(n / 2), kids);
        }
    };
    Tree::over(kind, vec![kid])
}
