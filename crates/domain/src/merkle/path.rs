//! Proofs by position: which perfect subtrees a proof is made of, without their hashes. A store of some of
//! those hashes can build proofs of a long log from a few of them, without reading the log.

use super::{Hash, node_hash};

/// A perfect subtree: the leaves from `index << height` on, `1 << height` of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subtree {
    pub height: u32,
    pub index: u64,
}

/// One hash of a proof: the perfect subtrees it is joined from, from left to right.
pub type Join = Vec<Subtree>;

impl Subtree {
    /// The two subtrees below; `None` for a leaf.
    pub fn halves(self) -> Option<(Self, Self)> {
        let height = self.height.checked_sub(1)?;
        let half = |index| Self { height, index };
        Some((half(self.index * 2), half(self.index * 2 + 1)))
    }
}

/// The hash of a join whose subtrees have these hashes; `None` for none.
pub fn join(hashes: &[Hash]) -> Option<Hash> {
    let (last, before) = hashes.split_last()?;
    let up = |right: Hash, left: &Hash| node_hash(left, &right);
    Some(before.iter().rev().fold(*last, up))
}

/// The parts of [`super::inclusion_proof`]; `None` if there is no such leaf.
pub fn inclusion_path(index: u64, size: u64) -> Option<Vec<Join>> {
    if index >= size {
        return None;
    }
    let (mut from, mut to, mut path) = (0, size, Vec::new());
    // From the root down; a proof goes up.
    while to - from > 1 {
        let middle = from + split(to - from);
        if index < middle {
            path.push(cover(middle, to));
            to = middle;
        } else {
            path.push(cover(from, middle));
            from = middle;
        }
    }
    path.reverse();
    Some(path)
}

/// The parts of [`super::consistency_proof`]; `None` for an older log that is longer.
pub fn consistency_path(old_size: u64, size: u64) -> Option<Vec<Join>> {
    if old_size > size {
        return None;
    }
    if old_size == 0 || old_size == size {
        return Some(Vec::new());
    }
    let (mut from, mut to, mut whole, mut path) = (0, size, true, Vec::new());
    while old_size != to {
        let middle = from + split(to - from);
        if old_size <= middle {
            path.push(cover(middle, to));
            to = middle;
        } else {
            path.push(cover(from, middle));
            from = middle;
            whole = false;
        }
    }
    if !whole {
        path.push(cover(from, to));
    }
    path.reverse();
    Some(path)
}

/// The perfect subtrees of the leaves from `from` to before `to`, the largest first. `from` is a multiple
/// of every power of two up to their number, as it is for every part of a tree.
fn cover(mut from: u64, to: u64) -> Join {
    let mut join = Join::new();
    while from < to {
        let height = (to - from).ilog2();
        let index = from >> height;
        join.push(Subtree { height, index });
        from += 1 << height;
    }
    join
}

/// The largest power of two below `n`, for `n > 1`.
fn split(n: u64) -> u64 {
    1 << (n - 1).ilog2()
}
