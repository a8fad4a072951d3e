//! The order in which rows are opened, filled and closed: over a table with a row a node, or with the rows of one path alone.

use super::figures::Row;
use super::start::Start;
use super::view::View;

/// Rows of one path that are held at once; a deeper subtree gets a walk of its own.
const PATH: usize = 24;

/// The row of the subtree at `node`, started at `start`.
///
/// Only the rows between `node` and where the walk is are held, so that any number of leaves costs no room; one frame of
/// the stack serves 24 levels.
pub(crate) const fn walk(view: &View<'_>, node: usize, start: Start) -> Row {
    let mut path = [Row::EMPTY; PATH];
    let mut depth = 0;
    path[0] = Row::open(view, node, start);
    loop {
        let row = path[depth];
        let first = row.node + 1;
        if view.nodes[row.node].size > 1 && depth + 1 < PATH {
            depth += 1;
            path[depth] = Row::open(view, first, row.next(view));
            continue;
        }
        if view.nodes[row.node].size > 1 {
            let mut child = first;
            while child < view.end(row.node) {
                let closed = walk(view, child, path[depth].next(view));
                path[depth] = path[depth].take(view, &closed);
                child = view.end(child);
            }
        }
        // Up to the next one that has another child.
        loop {
            let closed = path[depth].close(view);
            if depth == 0 {
                return closed;
            }
            let behind = view.end(closed.node);
            depth -= 1;
            path[depth] = path[depth].take(view, &closed);
            if behind < view.end(path[depth].node) {
                depth += 1;
                path[depth] = Row::open(view, behind, path[depth - 1].next(view));
                break;
            }
        }
    }
}
