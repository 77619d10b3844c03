//! Failures of S3.

use std::time::Duration;

use blobs::{Error, Location};
use testkit::s3::{S3, S3Fault};

use crate::support::{LARGE, MAX, bytes, eventually, in_s3, open, pieces, scope};

#[tokio::test]
async fn a_server_that_is_busy_once_is_asked_again() {
    let server = S3::start().await;
    let blobs = open(&in_s3(&server));
    let scope = scope("org_a", "CASE-1");
    for size in [5, LARGE] {
        server.fail_next([S3Fault::SlowDown]);
        let stored = blobs
            .put(&scope, pieces(&bytes(size), false), MAX)
            .await
            .unwrap();
        server.fail_next([S3Fault::SlowDown]);
        blobs
            .get(&scope, &stored.sha256, stored.byte_size)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn an_answer_that_got_lost_is_no_conflict() {
    let server = S3::start().await;
    let blobs = open(&in_s3(&server));
    let scope = scope("org_a", "CASE-1");
    // The object is created, the retry finds it, and it is what was to be stored.
    server.fail_next([S3Fault::AnswerLost]);
    let stored = blobs.put_bytes(&scope, bytes(5), MAX).await.unwrap();
    blobs
        .get(&scope, &stored.sha256, stored.byte_size)
        .await
        .unwrap();
    let puts = server
        .requests()
        .iter()
        .filter(|line| line.starts_with("PUT"))
        .count();
    assert_eq!(puts, 2, "{:?}", server.requests());
}

#[tokio::test]
async fn what_is_small_takes_one_request_and_what_is_large_a_temporary_object() {
    let server = S3::start().await;
    let blobs = open(&in_s3(&server));
    let scope = scope("org_a", "CASE-1");
    blobs.put_bytes(&scope, bytes(5), MAX).await.unwrap();
    assert_eq!(server.requests().len(), 1, "{:?}", server.requests());
    blobs
        .put(&scope, pieces(&bytes(LARGE), false), MAX)
        .await
        .unwrap();
    eventually(|| async { server.keys().len() == 2 && server.uploads_open() == 0 }).await;
    let temporary = server.requests();
    let temporary = temporary.iter().find(|line| line.starts_with("DELETE"));
    assert!(temporary.unwrap().contains("team/blobs/tmp/"));
}

#[tokio::test]
async fn a_part_that_fails_for_good_publishes_nothing() {
    let server = S3::start().await;
    let blobs = open(&in_s3(&server));
    let scope = scope("org_a", "CASE-1");
    // Starting succeeds; no part does. S3 reports a permanent error.
    let begun = tokio::spawn({
        let (blobs, scope) = (blobs.clone(), scope.clone());
        async move { blobs.put(&scope, pieces(&bytes(LARGE), false), MAX).await }
    });
    eventually(|| async { !server.requests().is_empty() }).await;
    server.fail_next([S3Fault::Denied; 8]);
    let stored = begun.await.unwrap();
    assert!(matches!(stored, Err(Error::Unavailable(_))), "{stored:?}");
    server.forget_faults();
    assert!(
        server.keys().iter().all(|key| key.contains("/tmp/")),
        "{:?}",
        server.keys()
    );
    // It works again, and leftovers of the failure do not interfere.
    blobs
        .put(&scope, pieces(&bytes(LARGE), false), MAX)
        .await
        .unwrap();
}

#[tokio::test]
async fn wrong_credentials_are_told_without_the_secret() {
    let server = S3::start().await;
    let Location::S3(mut location) = in_s3(&server) else {
        unreachable!("it is S3");
    };
    if let Some(credentials) = &mut location.credentials {
        credentials.access_key_id = "AKIAOTHER".to_owned();
    }
    let location = Location::S3(location);
    assert!(!format!("{location:?}").contains(testkit::s3::SECRET_ACCESS_KEY));
    let blobs = open(&location);
    let error = blobs.probe(Duration::ZERO).await.unwrap_err();
    let shown = format!("{error} {error:?} {blobs:?}");
    assert!(matches!(error, Error::Unavailable(_)), "{shown}");
    assert!(!shown.contains(testkit::s3::SECRET_ACCESS_KEY), "{shown}");
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_given_up() {
    let server = S3::start().await;
    let location = in_s3(&server);
    let address = server.address;
    drop(server);
    eventually(|| async { std::net::TcpStream::connect(address).is_err() }).await;
    let blobs = open(&location);
    let probed = blobs.probe(Duration::ZERO).await;
    assert!(matches!(probed, Err(Error::Unavailable(_))), "{probed:?}");
}
