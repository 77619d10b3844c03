//! The promises of storage, at any location.

use std::{sync::Arc, time::Duration};

use blobs::{Blobs, Error, Location};
use bytes::Bytes;
use domain::{audit::Sha256Hex, id::OrganizationId};
use futures::StreamExt as _;
use tempfile::TempDir;
use testkit::s3::S3;

use crate::support::{LARGE, MAX, bytes, in_s3, open, pieces, scope};

/// Each promise on a directory and on S3.
macro_rules! promises {
    ($($name:ident),+ $(,)?) => {
        mod directory {
            $(#[tokio::test]
            async fn $name() {
                let root = tempfile::tempdir().unwrap();
                super::$name(super::Place::directory(&root)).await;
            })+
        }

        mod s3 {
            $(#[tokio::test]
            async fn $name() {
                let server = testkit::s3::S3::start().await;
                super::$name(super::Place::s3(&server)).await;
            })+
        }
    };
}

promises!(
    what_goes_in_comes_out,
    the_same_bytes_twice_are_fine,
    case_54_two_writers_of_one_key_have_one_winner_and_both_succeed,
    case_54_a_scope_does_not_find_the_bytes_of_another,
    case_54_altered_bytes_are_found_out_on_reading_and_on_writing,
    case_56_over_the_cap_nothing_is_published,
    a_body_that_breaks_off_is_not_published,
    a_file_is_stored_and_fetched,
    a_checkpoint_is_created_once,
    a_probe_leaves_nothing_behind,
);

/// The storage of a test, and access to its raw content.
struct Place<'a> {
    blobs: Blobs,
    backend: Backend<'a>,
}

enum Backend<'a> {
    Directory(&'a TempDir),
    S3(&'a S3),
}

impl<'a> Place<'a> {
    fn directory(root: &'a TempDir) -> Self {
        Self {
            blobs: open(&Location::Directory(root.path().join("blobs"))),
            backend: Backend::Directory(root),
        }
    }

    fn s3(server: &'a S3) -> Self {
        Self {
            blobs: open(&in_s3(server)),
            backend: Backend::S3(server),
        }
    }

    /// The keys of everything stored, below the root or the prefix.
    fn keys(&self) -> Vec<String> {
        match &self.backend {
            Backend::S3(server) => {
                let keys = server.keys().into_iter();
                keys.map(|key| key.strip_prefix("team/blobs/").unwrap().to_owned())
                    .collect()
            }
            Backend::Directory(root) => {
                let (mut directories, mut keys) = (vec![root.path().join("blobs")], vec![]);
                let root = directories[0].clone();
                while let Some(directory) = directories.pop() {
                    for entry in std::fs::read_dir(directory).unwrap() {
                        let path = entry.unwrap().path();
                        if path.is_dir() {
                            directories.push(path);
                        } else {
                            let key = path.strip_prefix(&root).unwrap();
                            keys.push(key.to_str().unwrap().to_owned());
                        }
                    }
                }
                keys
            }
        }
    }

    fn replace(&self, key: &str, content: impl Into<Bytes>) {
        match &self.backend {
            Backend::S3(server) => server.replace(&format!("team/blobs/{key}"), content),
            Backend::Directory(root) => {
                std::fs::write(root.path().join("blobs").join(key), content.into()).unwrap();
            }
        }
    }

    /// Waits until exactly `expected` objects exist and no upload is open.
    async fn settles_at(&self, expected: usize) {
        let settled = || async {
            let open = match &self.backend {
                Backend::S3(server) => server.uploads_open(),
                Backend::Directory(_) => 0,
            };
            open == 0 && self.keys().len() == expected
        };
        crate::support::eventually(settled).await;
    }
}

async fn what_goes_in_comes_out(place: Place<'_>) {
    let scope = scope("org_a", "CASE-1");
    for size in [0, 1, 2 * 1024 * 1024, LARGE] {
        let content = bytes(size);
        let stored = place
            .blobs
            .put(&scope, pieces(&content, false), MAX)
            .await
            .unwrap();
        assert_eq!(stored.sha256, Sha256Hex::of(&content));
        assert_eq!(stored.byte_size, size as u64);
        let read = place
            .blobs
            .get(&scope, &stored.sha256, stored.byte_size)
            .await
            .unwrap();
        let mut chunks = read.into_stream();
        let mut whole = Vec::new();
        while let Some(chunk) = chunks.next().await {
            whole.extend_from_slice(&chunk.unwrap());
        }
        assert_eq!(whole, content);
        let read = place
            .blobs
            .get(&scope, &stored.sha256, stored.byte_size)
            .await
            .unwrap();
        assert_eq!(read.into_bytes().await.unwrap(), content);
    }
    place.settles_at(4).await;
    let expected = "artifacts/org_a/case/CASE-1/sha256/";
    assert!(place.keys().iter().all(|key| key.starts_with(expected)));
}

async fn the_same_bytes_twice_are_fine(place: Place<'_>) {
    let scope = scope("org_a", "CASE-1");
    for size in [5, LARGE] {
        let content = bytes(size);
        let first = place
            .blobs
            .put_bytes(&scope, content.clone(), MAX)
            .await
            .unwrap();
        let again = place
            .blobs
            .put(&scope, pieces(&content, false), MAX)
            .await
            .unwrap();
        assert_eq!(first, again);
    }
    place.settles_at(2).await;
}

async fn case_54_two_writers_of_one_key_have_one_winner_and_both_succeed(place: Place<'_>) {
    let scope = Arc::new(scope("org_a", "CASE-1"));
    for size in [5, LARGE] {
        let content = bytes(size);
        let writers: Vec<_> = (0..8)
            .map(|_| {
                let (blobs, scope) = (place.blobs.clone(), scope.clone());
                let body = pieces(&content, false);
                tokio::spawn(async move { blobs.put(&scope, body, MAX).await })
            })
            .collect();
        for writer in writers {
            let stored = writer.await.unwrap().unwrap();
            assert_eq!(stored.sha256, Sha256Hex::of(&content));
        }
    }
    place.settles_at(2).await;
}

async fn case_54_a_scope_does_not_find_the_bytes_of_another(place: Place<'_>) {
    let content = bytes(100);
    let own = scope("org_a", "CASE-1");
    let stored = place.blobs.put_bytes(&own, content.clone(), MAX).await;
    let stored = stored.unwrap();
    for other in [scope("org_a", "CASE-2"), scope("org_b", "CASE-1")] {
        let found = place
            .blobs
            .get(&other, &stored.sha256, stored.byte_size)
            .await;
        assert!(matches!(found, Err(Error::NotFound)), "{found:?}");
        place
            .blobs
            .put_bytes(&other, content.clone(), MAX)
            .await
            .unwrap();
    }
    place.settles_at(3).await;
}

async fn case_54_altered_bytes_are_found_out_on_reading_and_on_writing(place: Place<'_>) {
    let scope = scope("org_a", "CASE-1");
    for size in [5, LARGE] {
        let content = bytes(size);
        let stored = place
            .blobs
            .put_bytes(&scope, content.clone(), MAX)
            .await
            .unwrap();
        place.settles_at(1).await;
        let key = place.keys().pop().unwrap();
        let mut altered = content.to_vec();
        altered[size - 1] ^= 1;
        for wrong in [
            altered,
            content[1..].to_vec(),
            [&content[..], b"x"].concat(),
            vec![],
        ] {
            place.replace(&key, wrong);
            let read = place
                .blobs
                .get(&scope, &stored.sha256, stored.byte_size)
                .await;
            assert!(matches!(read, Err(Error::Altered { .. })), "{read:?}");
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("fetched");
            let (sha256, size) = (&stored.sha256, stored.byte_size);
            let fetched = place.blobs.fetch_to_file(&scope, sha256, size, &path).await;
            assert!(matches!(fetched, Err(Error::Altered { .. })), "{fetched:?}");
            assert!(!path.exists(), "what is wrong does not stay");
            let written = place.blobs.put(&scope, pieces(&content, false), MAX).await;
            assert!(matches!(written, Err(Error::Altered { .. })), "{written:?}");
        }
        place.replace(&key, content.clone());
        place
            .blobs
            .put(&scope, pieces(&content, false), MAX)
            .await
            .unwrap();
        // Removes it, for the next size.
        match &place.backend {
            Backend::Directory(root) => {
                std::fs::remove_file(root.path().join("blobs").join(&key)).unwrap();
            }
            Backend::S3(server) => server.remove(&format!("team/blobs/{key}")),
        }
        place.settles_at(0).await;
    }
}

async fn case_56_over_the_cap_nothing_is_published(place: Place<'_>) {
    let scope = scope("org_a", "CASE-1");
    for size in [6, LARGE] {
        let content = bytes(size);
        let max = size as u64 - 1;
        let stored = place.blobs.put(&scope, pieces(&content, false), max).await;
        assert!(matches!(stored, Err(Error::TooLarge { max: found }) if found == max));
        place.settles_at(0).await;
    }
    let exactly = place.blobs.put_bytes(&scope, bytes(6), 6).await;
    assert!(exactly.is_ok(), "{exactly:?}");
}

async fn a_body_that_breaks_off_is_not_published(place: Place<'_>) {
    let scope = scope("org_a", "CASE-1");
    for size in [0, 5, LARGE] {
        let stored = place
            .blobs
            .put(&scope, pieces(&bytes(size), true), MAX)
            .await;
        assert!(matches!(stored, Err(Error::Body(_))), "{stored:?}");
    }
    // Nor one whose caller was cancelled.
    let content = bytes(LARGE);
    let endless = pieces(&content, false).chain(futures::stream::pending());
    let given_up = tokio::time::timeout(
        Duration::from_millis(200),
        place.blobs.put(&scope, endless, MAX),
    );
    assert!(given_up.await.is_err());
    place.settles_at(0).await;
}

async fn a_file_is_stored_and_fetched(place: Place<'_>) {
    let scope = scope("org_a", "CASE-1");
    let directory = tempfile::tempdir().unwrap();
    let (source, target) = (directory.path().join("in"), directory.path().join("out"));
    for size in [0, 5, LARGE] {
        let content = bytes(size);
        std::fs::write(&source, &content).unwrap();
        let stored = place.blobs.put_file(&scope, &source, MAX).await.unwrap();
        let (sha256, size) = (&stored.sha256, stored.byte_size);
        place
            .blobs
            .fetch_to_file(&scope, sha256, size, &target)
            .await
            .unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), content);
        // An existing object is not overwritten.
        let again = place
            .blobs
            .fetch_to_file(&scope, sha256, size, &target)
            .await;
        assert!(matches!(again, Err(Error::Unavailable(_))), "{again:?}");
        assert_eq!(std::fs::read(&target).unwrap(), content);
        std::fs::remove_file(&target).unwrap();
    }
}

async fn a_checkpoint_is_created_once(place: Place<'_>) {
    let organization = OrganizationId::new("org_a").unwrap();
    let put = async |size, note: &'static str| {
        let note = Bytes::from_static(note.as_bytes());
        place.blobs.put_checkpoint(&organization, size, note).await
    };
    put(7, "seven").await.unwrap();
    put(7, "seven").await.unwrap();
    put(8, "eight").await.unwrap();
    let forged = put(7, "another seven").await;
    assert!(matches!(forged, Err(Error::Altered { .. })), "{forged:?}");
    let read = place.blobs.get_checkpoint(&organization, 7).await.unwrap();
    assert_eq!(read.as_deref(), Some(&b"seven"[..]));
    assert_eq!(
        place.blobs.get_checkpoint(&organization, 9).await.unwrap(),
        None
    );
    let mut keys = place.keys();
    keys.sort();
    assert_eq!(
        keys,
        ["audit/org_a/checkpoints/7", "audit/org_a/checkpoints/8"]
    );
}

async fn a_probe_leaves_nothing_behind(place: Place<'_>) {
    place.blobs.probe(Duration::ZERO).await.unwrap();
    assert!(place.keys().is_empty());
}
