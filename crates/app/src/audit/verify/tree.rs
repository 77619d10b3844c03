//! The root of a tree whose leaves come one by one (RFC 6962): perfect subtrees on a stack, two of the
//! same height joined as soon as they meet.

use domain::merkle::{Hash, node_hash};

#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    /// Height and root, the highest first.
    subtrees: Vec<(u32, Hash)>,
}

impl Tree {
    pub(super) fn push(&mut self, leaf: Hash) {
        self.subtrees.push((0, leaf));
        while let [.., (left_height, left), (height, right)] = self.subtrees[..] {
            if left_height != height {
                break;
            }
            self.subtrees.truncate(self.subtrees.len() - 2);
            self.subtrees.push((height + 1, node_hash(&left, &right)));
        }
    }

    /// `None` for no leaves.
    pub(super) fn root(&self) -> Option<Hash> {
        let join = |right: Hash, left: Hash| node_hash(&left, &right);
        self.subtrees
            .iter()
            .rev()
            .map(|(_, root)| *root)
            .reduce(join)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_other_implementation() {
        let mut leaves = Vec::new();
        let mut tree = Tree::default();
        for n in 0..130_u8 {
            leaves.push([n; 32]);
            tree.push([n; 32]);
            assert_eq!(tree.root(), Some(domain::merkle::root(&leaves)), "{n}");
        }
    }
}
