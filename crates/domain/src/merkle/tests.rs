//! The published roots, and every proof of every small tree, whole and damaged.

use super::*;
use proptest::prelude::*;

/// The leaves of the Certificate Transparency reference tests.
fn reference_leaves() -> Vec<Hash> {
    let leaves = [
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    ];
    leaves
        .iter()
        .map(|text| leaf_hash(&hex::decode(text).unwrap()))
        .collect()
}

fn leaves(count: usize) -> Vec<Hash> {
    (0..count).map(|n| leaf_hash(&n.to_be_bytes())).collect()
}

#[test]
fn published_roots() {
    let leaves = reference_leaves();
    let table = [
        (
            0,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ),
        (
            1,
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        ),
        (
            2,
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        ),
        (
            3,
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        ),
        (
            5,
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        ),
        (
            8,
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ),
    ];
    for (size, expected) in table {
        assert_eq!(hex::encode(root(&leaves[..size])), expected, "{size}");
    }
}

#[test]
fn every_inclusion_proof_of_every_small_tree() {
    for size in 1..=33_usize {
        let leaves = leaves(size);
        let root = root(&leaves);
        assert_eq!(inclusion_proof(&leaves, size), None);
        for index in 0..size {
            let proof = inclusion_proof(&leaves, index).unwrap();
            let holds = |leaf: &Hash, at: usize, size: usize, proof: &[Hash], root: &Hash| {
                verify_inclusion(leaf, at as u64, size as u64, proof, root)
            };
            assert!(
                holds(&leaves[index], index, size, &proof, &root),
                "{index} of {size}"
            );
            assert!(!holds(&leaf_hash(b"other"), index, size, &proof, &root));
            assert!(!holds(
                &leaves[index],
                index,
                size,
                &proof,
                &leaf_hash(b"other")
            ));
            for other in (0..size).filter(|other| *other != index) {
                assert!(
                    !holds(&leaves[index], other, size, &proof, &root),
                    "{index} as {other}"
                );
            }
            let mut longer = proof.clone();
            longer.push(root);
            assert!(!holds(&leaves[index], index, size, &longer, &root));
            if let Some((_, shorter)) = proof.split_last() {
                assert!(!holds(&leaves[index], index, size, shorter, &root));
            }
        }
    }
}

#[test]
fn every_consistency_proof_of_every_small_tree() {
    for size in 0..=24_usize {
        let leaves = leaves(size);
        let new = (size as u64, &root(&leaves));
        assert_eq!(consistency_proof(&leaves, size + 1), None);
        for old_size in 0..=size {
            let old_root = root(&leaves[..old_size]);
            let old = (old_size as u64, &old_root);
            let proof = consistency_proof(&leaves, old_size).unwrap();
            assert!(verify_consistency(old, new, &proof), "{old_size} in {size}");
            let mut longer = proof.clone();
            longer.push(old_root);
            assert!(
                !verify_consistency(old, new, &longer),
                "{old_size} in {size}, too long"
            );
            if old_size == 0 {
                continue;
            }
            // Another history of the same length is not the beginning of this one.
            let mut forged = leaves[..old_size].to_vec();
            forged[old_size / 2] = leaf_hash(b"forged");
            let forged_root = root(&forged);
            assert!(!verify_consistency(
                (old_size as u64, &forged_root),
                new,
                &proof
            ));
        }
    }
}

proptest! {
    #[test]
    fn appending_one_by_one_gives_the_root_of_the_whole(count in 0_usize..200) {
        let leaves = leaves(count);
        let mut frontier = Frontier::default();
        for leaf in &leaves {
            frontier.push(*leaf);
        }
        prop_assert_eq!(frontier.size(), count as u64);
        prop_assert_eq!(frontier.root(), recursive_root(&leaves));
    }

    #[test]
    fn a_tree_goes_on_from_its_parts(count in 0_usize..200, more in 0_usize..50) {
        let leaves = leaves(count + more);
        let mut frontier = Frontier::default();
        leaves[..count].iter().for_each(|leaf| frontier.push(*leaf));
        let (size, subtrees) = frontier.parts();
        let mut again = Frontier::from_parts(size, subtrees.to_vec()).unwrap();
        prop_assert_eq!(&again, &frontier);
        leaves[count..].iter().for_each(|leaf| again.push(*leaf));
        prop_assert_eq!(again.root(), recursive_root(&leaves));
        let too_many = [subtrees, &[[0; 32]]].concat();
        prop_assert_eq!(Frontier::from_parts(size, too_many), None);
    }

    #[test]
    fn any_flipped_bit_of_a_proof_is_noticed(
        size in 2_usize..60, index in 0_usize..60, at in 0_usize..10, bit in 0_usize..256,
    ) {
        let (leaves, index) = (leaves(size), index % size);
        let root = root(&leaves);
        let mut proof = inclusion_proof(&leaves, index).unwrap();
        let at = at % proof.len();
        proof[at][bit / 8] ^= 1 << (bit % 8);
        prop_assert!(!verify_inclusion(&leaves[index], index as u64, size as u64, &proof, &root));
    }
}

/// The definition of RFC 6962, section 2.1.
fn recursive_root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => Sha256::digest([]).into(),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(split(leaves.len()));
            node_hash(&recursive_root(left), &recursive_root(right))
        }
    }
}

/// Every subtree that a growing tree reports has the hash of its leaves, and proofs that are joined from
/// them equal the proofs computed from all leaves.
#[test]
fn proofs_joined_from_subtrees_are_the_proofs() {
    let all = leaves(40);
    let (mut tree, mut known) = (Frontier::default(), std::collections::HashMap::new());
    for leaf in &all {
        tree.push_seen(*leaf, |subtree, hash| {
            assert_eq!(known.insert(subtree, *hash), None);
        });
    }
    for (Subtree { height, index }, hash) in &known {
        let first = usize::try_from(*index).unwrap() << height;
        assert_eq!(*hash, root(&all[first..first + (1 << height)]));
    }
    let joined = |path: Vec<Join>| -> Vec<Hash> {
        let hashes = |one: &Join| one.iter().map(|subtree| known[subtree]).collect::<Vec<_>>();
        path.iter().map(|one| join(&hashes(one)).unwrap()).collect()
    };
    for size in 0..=all.len() {
        for other in 0..=all.len() {
            let (size, other) = (size as u64, other as u64);
            let (leaves, at) = (
                &all[..usize::try_from(size).unwrap()],
                usize::try_from(other).unwrap(),
            );
            let inclusion = inclusion_path(other, size).map(joined);
            assert_eq!(inclusion, inclusion_proof(leaves, at), "{other} in {size}");
            let consistency = consistency_path(other, size).map(joined);
            assert_eq!(
                consistency,
                consistency_proof(leaves, at),
                "{other} to {size}"
            );
        }
    }
}
