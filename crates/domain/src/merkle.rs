//! RFC 6962 Merkle trees over the leaves of the audit log: one root for a whole log, proofs that one
//! leaf is in it and that an older log is the beginning of a newer one. Only hashes; `audit` defines
//! the content of leaves.

mod path;

pub use path::{Join, Subtree, consistency_path, inclusion_path, join};

use sha2::{Digest, Sha256};

/// A SHA-256 digest.
pub type Hash = [u8; 32];

/// The hash of a leaf. Its prefix keeps a leaf from being presented as a node.
pub fn leaf_hash(data: &[u8]) -> Hash {
    Sha256::new_with_prefix([0])
        .chain_update(data)
        .finalize()
        .into()
}

/// The hash of a node above two others.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Sha256::new_with_prefix([1])
        .chain_update(left)
        .chain_update(right)
        .finalize()
        .into()
}

/// The root of the tree over `leaves`, which are leaf hashes.
pub fn root(leaves: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    for leaf in leaves {
        frontier.push(*leaf);
    }
    frontier.root()
}

/// The right edge of a growing tree: enough to append and to know the root, in logarithmic space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    /// Roots of the perfect subtrees, largest first: one per set bit of `size`.
    subtrees: Vec<Hash>,
}

impl Frontier {
    /// The inverse of [`Frontier::parts`]; `None` for a size and a number of subtrees that do not
    /// match.
    pub fn from_parts(size: u64, subtrees: Vec<Hash>) -> Option<Self> {
        (subtrees.len() == size.count_ones() as usize).then_some(Self { size, subtrees })
    }

    /// The size and the roots of the perfect subtrees, largest first: all there is to store.
    pub fn parts(&self) -> (u64, &[Hash]) {
        (self.size, &self.subtrees)
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    pub fn push(&mut self, leaf: Hash) {
        self.push_seen(leaf, |_, _| {});
    }

    /// Pushes a leaf and calls `seen` for every subtree that the leaf completes, starting with the
    /// leaf itself.
    pub fn push_seen(&mut self, leaf: Hash, mut seen: impl FnMut(Subtree, &Hash)) {
        let (mut hash, mut height) = (leaf, 0);
        let mut show = |height: u32, hash: &Hash| {
            let index = self.size >> height;
            seen(Subtree { height, index }, hash);
        };
        show(height, &hash);
        // Each trailing one of the size is a subtree that the new leaf completes into a larger one.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.subtrees.pop() {
                hash = node_hash(&left, &hash);
                height += 1;
                show(height, &hash);
            }
        }
        self.subtrees.push(hash);
        self.size += 1;
    }

    pub fn root(&self) -> Hash {
        let mut subtrees = self.subtrees.iter().rev();
        let Some(smallest) = subtrees.next() else {
            return Sha256::digest([]).into();
        };
        subtrees.fold(*smallest, |right, left| node_hash(left, &right))
    }
}

/// The largest power of two below `n`, for `n > 1`: where RFC 6962 splits a tree.
fn split(n: usize) -> usize {
    1 << (usize::BITS - 1 - (n - 1).leading_zeros())
}

/// The hashes that, with the leaf at `index`, give the root; `None` if there is no such leaf.
pub fn inclusion_proof(leaves: &[Hash], index: usize) -> Option<Vec<Hash>> {
    if index >= leaves.len() {
        return None;
    }
    if leaves.len() == 1 {
        return Some(Vec::new());
    }
    let (left, right) = leaves.split_at(split(leaves.len()));
    let (inside, at, beside) = if index < left.len() {
        (left, index, right)
    } else {
        (right, index - left.len(), left)
    };
    let mut proof = inclusion_proof(inside, at)?;
    proof.push(root(beside));
    Some(proof)
}

/// Whether `proof` shows that `leaf` is at `index` of the tree of `size` leaves with `root`.
pub fn verify_inclusion(leaf: &Hash, index: u64, size: u64, proof: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut node, mut last, mut hash) = (index, size - 1, *leaf);
    for beside in proof {
        if last == 0 {
            return false;
        }
        if node % 2 == 1 || node == last {
            hash = node_hash(beside, &hash);
            while node % 2 == 0 && node != 0 {
                node >>= 1;
                last >>= 1;
            }
        } else {
            hash = node_hash(&hash, beside);
        }
        node >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// The hashes that show that the first `old_size` leaves are the beginning of `leaves`.
pub fn consistency_proof(leaves: &[Hash], old_size: usize) -> Option<Vec<Hash>> {
    if old_size > leaves.len() {
        return None;
    }
    if old_size == 0 || old_size == leaves.len() {
        return Some(Vec::new());
    }
    Some(subproof(leaves, old_size, true))
}

fn subproof(leaves: &[Hash], old_size: usize, whole: bool) -> Vec<Hash> {
    if old_size == leaves.len() {
        return if whole {
            Vec::new()
        } else {
            vec![root(leaves)]
        };
    }
    let (left, right) = leaves.split_at(split(leaves.len()));
    if old_size <= left.len() {
        let mut proof = subproof(left, old_size, whole);
        proof.push(root(right));
        proof
    } else {
        let mut proof = subproof(right, old_size - left.len(), false);
        proof.push(root(left));
        proof
    }
}

/// Whether `proof` shows that the tree `(old_size, old_root)` is the beginning of `(size, root)`.
pub fn verify_consistency(
    (old_size, old_root): (u64, &Hash),
    (size, root): (u64, &Hash),
    proof: &[Hash],
) -> bool {
    if old_size > size {
        return false;
    }
    if old_size == size {
        return proof.is_empty() && old_root == root;
    }
    if old_size == 0 {
        return proof.is_empty();
    }
    // An old tree that is a perfect subtree is its own first hash.
    let mut hashes = proof.iter();
    let first = if old_size.is_power_of_two() {
        Some(old_root)
    } else {
        hashes.next()
    };
    let Some(first) = first else { return false };
    let (mut node, mut last) = (old_size - 1, size - 1);
    while node % 2 == 1 {
        node >>= 1;
        last >>= 1;
    }
    let (mut old_hash, mut hash) = (*first, *first);
    for beside in hashes {
        if last == 0 {
            return false;
        }
        if node % 2 == 1 || node == last {
            old_hash = node_hash(beside, &old_hash);
            hash = node_hash(beside, &hash);
            while node % 2 == 0 && node != 0 {
                node >>= 1;
                last >>= 1;
            }
        } else {
            hash = node_hash(&hash, beside);
        }
        node >>= 1;
        last >>= 1;
    }
    last == 0 && old_hash == *old_root && hash == *root
}

#[cfg(test)]
mod tests;
