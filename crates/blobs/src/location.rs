//! The location of storage, from the settings.

use std::{path::PathBuf, sync::Arc};

use domain::limits::{
    BLOB_CONNECT_TIMEOUT, BLOB_REQUEST_TIMEOUT, BLOB_RETRIES_MAX, BLOB_RETRY_TIMEOUT,
};
use object_store::{
    ClientOptions, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, S3ConditionalPut, S3CopyIfNotExists},
    path::Path,
};
use secrecy::{ExposeSecret, SecretString};

use crate::{error::Result, key::join};

/// The location of stored bytes.
#[derive(Debug, Clone)]
pub enum Location {
    /// A directory that belongs to the gateway alone.
    Directory(PathBuf),
    S3(S3Location),
}

/// A bucket of S3, or of a compatible service.
#[derive(Debug, Clone)]
pub struct S3Location {
    pub bucket: String,
    /// The prefix of every key; may be empty or contain slashes.
    pub prefix: String,
    pub region: String,
    /// Absent: that of Amazon in the region.
    pub endpoint: Option<String>,
    /// Absent: those the machine gets from its cloud.
    pub credentials: Option<S3Credentials>,
    /// Allows an endpoint without TLS.
    pub allow_http: bool,
}

#[derive(Debug, Clone)]
pub struct S3Credentials {
    pub access_key_id: String,
    pub secret_access_key: SecretString,
}

impl S3Location {
    pub(crate) fn open(&self) -> Result<(Arc<dyn ObjectStore>, Path)> {
        let parts: Vec<&str> = self
            .prefix
            .split('/')
            .filter(|part| !part.is_empty())
            .collect();
        let prefix = join(&Path::default(), &parts)?;
        let client = ClientOptions::new()
            .with_connect_timeout(BLOB_CONNECT_TIMEOUT)
            .with_timeout(BLOB_REQUEST_TIMEOUT)
            .with_allow_http(self.allow_http);
        let retry = RetryConfig {
            max_retries: BLOB_RETRIES_MAX,
            retry_timeout: BLOB_RETRY_TIMEOUT,
            ..RetryConfig::default()
        };
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&self.bucket)
            .with_region(&self.region)
            .with_client_options(client)
            .with_retry(retry)
            // Both are how S3 creates an object only if it is absent: in one request, and from another
            // object.
            .with_conditional_put(S3ConditionalPut::ETagMatch)
            .with_copy_if_not_exists(S3CopyIfNotExists::Multipart)
            // The gateway deletes one object at a time, which every service supports.
            .with_disable_bulk_delete(true);
        if let Some(endpoint) = &self.endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        if let Some(credentials) = &self.credentials {
            builder = builder
                .with_access_key_id(&credentials.access_key_id)
                .with_secret_access_key(credentials.secret_access_key.expose_secret());
        }
        Ok((Arc::new(builder.build()?), prefix))
    }
}
