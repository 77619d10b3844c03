//! Attacks on a storage directory.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    time::Duration,
};

use blobs::{Blobs, Error, Location};
use domain::audit::Sha256Hex;
use testkit::clock::SeededEntropy;

use crate::support::{LARGE, MAX, bytes, open, scope, try_open};

#[tokio::test]
async fn the_directory_is_made_for_its_owner_alone() {
    let parent = tempfile::tempdir().unwrap();
    let root = parent.path().join("a/b");
    open(&Location::Directory(root.clone()));
    let mode = fs::metadata(&root).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    open(&Location::Directory(root));
}

#[tokio::test]
async fn a_directory_that_is_not_ours_alone_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let refused = |name: &str| {
        let opened = try_open(&Location::Directory(parent.path().join(name)));
        assert!(
            matches!(opened, Err(Error::Unsafe { .. })),
            "{name}: {opened:?}"
        );
    };
    let open_to_others = parent.path().join("open");
    fs::create_dir(&open_to_others).unwrap();
    fs::set_permissions(&open_to_others, fs::Permissions::from_mode(0o750)).unwrap();
    refused("open");
    fs::create_dir(parent.path().join("real")).unwrap();
    symlink(parent.path().join("real"), parent.path().join("link")).unwrap();
    refused("link");
    fs::write(parent.path().join("file"), "").unwrap();
    refused("file");
}

#[tokio::test]
async fn case_54_a_symbolic_link_anywhere_below_the_root_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let (root, elsewhere) = (parent.path().join("blobs"), parent.path().join("elsewhere"));
    let blobs = open(&Location::Directory(root.clone()));
    let scope = scope("org_a", "CASE-1");
    let stored = blobs.put_bytes(&scope, bytes(5), MAX).await.unwrap();
    let digest = stored.sha256.as_str();
    let parts = [
        "artifacts",
        "org_a",
        "case",
        "CASE-1",
        "sha256",
        &digest[..2],
        digest,
    ];
    for depth in 1..=parts.len() {
        let place: std::path::PathBuf = parts[..depth].iter().collect();
        let place = root.join(place);
        // The same bytes, but reached through a link.
        fs::rename(&place, &elsewhere).unwrap();
        symlink(&elsewhere, &place).unwrap();
        let read = blobs.get(&scope, &stored.sha256, 5).await;
        assert!(
            matches!(read, Err(Error::Unsafe { .. })),
            "{depth}: {read:?}"
        );
        let written = blobs.put_bytes(&scope, bytes(5), MAX).await;
        assert!(
            matches!(written, Err(Error::Unsafe { .. })),
            "{depth}: {written:?}"
        );
        fs::remove_file(&place).unwrap();
        fs::rename(&elsewhere, &place).unwrap();
    }
    blobs.get(&scope, &stored.sha256, 5).await.unwrap();
    // An upload in parts uses a temporary path first.
    fs::create_dir(&elsewhere).unwrap();
    let temporary = root.join("tmp");
    if temporary.exists() {
        fs::remove_dir_all(&temporary).unwrap();
    }
    symlink(&elsewhere, &temporary).unwrap();
    let written = blobs.put_bytes(&scope, bytes(LARGE), MAX).await;
    assert!(matches!(written, Err(Error::Unsafe { .. })), "{written:?}");
    let probed = blobs.probe(Duration::ZERO).await;
    assert!(matches!(probed, Err(Error::Unsafe { .. })), "{probed:?}");
    assert!(fs::read_dir(&elsewhere).unwrap().next().is_none());
}

#[tokio::test]
async fn something_that_is_no_plain_file_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let root = parent.path().join("blobs");
    let blobs = open(&Location::Directory(root.clone()));
    let scope = scope("org_a", "CASE-1");
    let sha256 = Sha256Hex::of(b"x");
    let place = root
        .join("artifacts/org_a/case/CASE-1/sha256")
        .join(&sha256.as_str()[..2])
        .join(sha256.as_str());
    fs::create_dir_all(&place).unwrap();
    let read = blobs.get(&scope, &sha256, 1).await;
    assert!(matches!(read, Err(Error::Unsafe { .. })), "{read:?}");
}

#[tokio::test]
async fn a_probe_counts_for_a_while_and_a_failed_one_does_not() {
    let parent = tempfile::tempdir().unwrap();
    let root = parent.path().join("blobs");
    let blobs = open(&Location::Directory(root.clone()));
    blobs.probe(Duration::from_secs(100)).await.unwrap();
    fs::remove_dir_all(&root).unwrap();
    fs::write(&root, "").unwrap();
    // A second probe at once writes nothing.
    blobs.probe(Duration::from_secs(129)).await.unwrap();
    assert!(blobs.probe(Duration::from_secs(130)).await.is_err());
    fs::remove_file(&root).unwrap();
    fs::create_dir(&root).unwrap();
    blobs.probe(Duration::from_secs(130)).await.unwrap();
}

#[tokio::test]
async fn closed_storage_says_why() {
    let entropy = std::sync::Arc::new(SeededEntropy::new(1));
    let blobs = Blobs::closed("there is none here", entropy);
    let scope = scope("org_a", "CASE-1");
    for size in [5, LARGE] {
        let error = blobs.put_bytes(&scope, bytes(size), MAX).await.unwrap_err();
        assert!(error.to_string().contains("there is none here"), "{error}");
    }
    assert!(blobs.get(&scope, &Sha256Hex::of(b"x"), 1).await.is_err());
    assert!(blobs.probe(Duration::ZERO).await.is_err());
}
