//! Storage of one test.

use std::{future::Future, sync::Arc, time::Duration};

use blobs::{Blobs, Error, Location, S3Credentials, S3Location, Scope};
use bytes::Bytes;
use domain::{artifact::ArtifactScope, id::OrganizationId};
use futures::{Stream, stream};
use testkit::{
    clock::SeededEntropy,
    s3::{self, S3},
};

/// More than fits into a single request to storage.
pub(crate) const LARGE: usize = 6 * 1024 * 1024 + 7;
pub(crate) const MAX: u64 = 32 * 1024 * 1024;

pub(crate) fn open(location: &Location) -> Blobs {
    try_open(location).unwrap()
}

pub(crate) fn try_open(location: &Location) -> Result<Blobs, Error> {
    Blobs::open(location, Arc::new(SeededEntropy::new(1)))
}

pub(crate) fn in_s3(server: &S3) -> Location {
    Location::S3(S3Location {
        bucket: s3::BUCKET.to_owned(),
        prefix: "team/blobs".to_owned(),
        region: "us-east-1".to_owned(),
        endpoint: Some(server.url()),
        credentials: Some(S3Credentials {
            access_key_id: s3::ACCESS_KEY_ID.to_owned(),
            secret_access_key: s3::SECRET_ACCESS_KEY.into(),
        }),
        allow_http: true,
    })
}

pub(crate) fn scope(organization: &str, case: &str) -> Scope {
    let organization_id = OrganizationId::new(organization).unwrap();
    Scope::new(
        &organization_id,
        &ArtifactScope::Case(case.parse().unwrap()),
    )
}

pub(crate) fn bytes(size: usize) -> Bytes {
    (0..size)
        .map(|n| u8::try_from(n % 251).unwrap())
        .collect::<Vec<_>>()
        .into()
}

/// The bytes in pieces, and then an error if `broken`.
pub(crate) fn pieces(
    bytes: &Bytes,
    broken: bool,
) -> impl Stream<Item = Result<Bytes, std::io::Error>> + Send + use<> {
    let mut pieces: Vec<_> = bytes
        .chunks(777_777)
        .map(|piece| Ok(bytes.slice_ref(piece)))
        .collect();
    if broken {
        pieces.push(Err(std::io::Error::other("the client went away")));
    }
    stream::iter(pieces)
}

/// Waits for an effect after the response.
pub(crate) async fn eventually<F: Future<Output = bool>>(holds: impl Fn() -> F) {
    let wait = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), wait)
        .await
        .unwrap();
}
