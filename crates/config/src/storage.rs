//! `[storage]`: where artifacts and copies of checkpoints are kept.

use std::{
    net::IpAddr,
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use secrecy::SecretString;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal},
    resolve::{NOT_SET, Resolver},
    setting::{SecretSetting, Setting},
    url::HttpUrl,
    value::Value,
};

pub const URL: Setting = Setting {
    path: "storage.url",
    flag: "--storage-url",
    env: &[env::STORAGE_URL],
};
pub const S3_ENDPOINT: Setting = Setting {
    path: "storage.s3_endpoint",
    flag: "--s3-endpoint",
    env: &[env::S3_ENDPOINT],
};
pub const S3_REGION: Setting = Setting {
    path: "storage.s3_region",
    flag: "--s3-region",
    env: &[env::S3_REGION],
};
pub const S3_ACCESS_KEY_ID: Setting = Setting {
    path: "storage.s3_access_key_id",
    flag: "--s3-access-key-id",
    env: &[env::S3_ACCESS_KEY_ID],
};
pub const S3_SECRET_ACCESS_KEY: SecretSetting = SecretSetting {
    value: Setting {
        path: "storage.s3_secret_access_key",
        flag: "",
        env: &[env::S3_SECRET_ACCESS_KEY],
    },
    file: Setting {
        path: "storage.s3_secret_access_key_file",
        flag: "--s3-secret-access-key-file",
        env: &[env::S3_SECRET_ACCESS_KEY_FILE],
    },
};

/// The directory inside the data directory.
const DIRECTORY: &str = "blobs";
/// Where Amazon puts a bucket when nobody says.
const REGION: &str = "us-east-1";

/// Where bytes are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageUrl {
    /// A directory, made when absent, for its owner alone.
    Directory(PathBuf),
    /// `s3://BUCKET/PREFIX`; the prefix may be empty.
    S3 { bucket: String, prefix: String },
}

impl Value for StorageUrl {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let hint = "write the path of a directory, `file:///PATH` or `s3://BUCKET/PREFIX`";
        if let Some(path) = text.strip_prefix("file://") {
            if !path.starts_with('/') {
                return Err(Refusal::new("does not name an absolute path", hint));
            }
            return Ok(Self::Directory(path.into()));
        }
        let Some(place) = text.strip_prefix("s3://") else {
            return match text {
                "" => Err(Refusal::new("names no directory", hint)),
                _ if text.contains("://") => Err(Refusal::new(
                    "has a scheme this setting does not know",
                    hint,
                )),
                _ => Ok(Self::Directory(text.into())),
            };
        };
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let prefix = prefix.trim_end_matches('/');
        let in_bucket =
            |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-');
        if !(3..=63).contains(&bucket.len()) || !bucket.bytes().all(in_bucket) {
            return Err(Refusal::new("names no bucket", hint));
        }
        let in_prefix = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
        let segment = |part: &str| {
            !part.is_empty() && part.bytes().all(in_prefix) && !part.bytes().all(|b| b == b'.')
        };
        if !prefix.is_empty() && !prefix.split('/').all(segment) {
            return Err(Refusal::new(
                "has a prefix with more than letters, digits, `.`, `-`, `_` and single slashes",
                hint,
            ));
        }
        Ok(Self::S3 {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
        })
    }

    fn show(&self) -> String {
        match self {
            Self::Directory(path) => path.display().to_string(),
            Self::S3 { bucket, prefix } if prefix.is_empty() => format!("s3://{bucket}"),
            Self::S3 { bucket, prefix } => format!("s3://{bucket}/{prefix}"),
        }
    }
}

/// Storage.
#[derive(Debug, Clone)]
pub struct StorageSettings {
    pub url: StorageUrl,
    /// Absent: Amazon's, in the region.
    pub s3_endpoint: Option<HttpUrl>,
    pub s3_region: String,
    /// Absent, like the secret: the machine's own credentials, given by the cloud it runs in.
    pub s3_access_key_id: Option<String>,
    pub s3_secret_access_key: Option<SecretString>,
}

impl StorageSettings {
    /// The defaults for a data directory: a directory in it.
    pub fn default_in(data_dir: &Path) -> Self {
        Self {
            url: StorageUrl::Directory(data_dir.join(DIRECTORY)),
            s3_endpoint: None,
            s3_region: REGION.to_owned(),
            s3_access_key_id: None,
            s3_secret_access_key: None,
        }
    }

    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: StorageFile, data_dir: &Path) -> Self {
        let default = Self::default_in(data_dir);
        Self {
            url: resolver.value(&URL, file.url, default.url),
            s3_endpoint: resolver.optional(
                &S3_ENDPOINT,
                file.s3_endpoint,
                "(Amazon's, in the region)",
            ),
            s3_region: resolver.value(&S3_REGION, file.s3_region, default.s3_region),
            s3_access_key_id: resolver.optional(&S3_ACCESS_KEY_ID, file.s3_access_key_id, NOT_SET),
            s3_secret_access_key: resolver
                .secret(&S3_SECRET_ACCESS_KEY, file.s3_secret_access_key_file),
        }
    }

    /// Whether the endpoint is this machine, which may do without TLS.
    pub fn s3_endpoint_is_loopback(&self) -> bool {
        self.s3_endpoint.as_ref().is_some_and(is_loopback)
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let mut complaints = Vec::new();
        if let Some(endpoint) = &self.s3_endpoint
            && endpoint.as_str().starts_with("http://")
            && !is_loopback(endpoint)
        {
            complaints.push(Complaint::new(
                S3_ENDPOINT.path,
                "is http, which sends what is stored in the clear",
                "write an https URL; http is for this machine alone, such as `http://127.0.0.1:9000`",
            ));
        }
        let [set, missing] = [&S3_ACCESS_KEY_ID, &S3_SECRET_ACCESS_KEY.value];
        let halves = match (&self.s3_access_key_id, &self.s3_secret_access_key) {
            (Some(_), None) => Some((set, missing)),
            (None, Some(_)) => Some((missing, set)),
            _ => None,
        };
        // A directory needs neither.
        if let (StorageUrl::S3 { .. }, Some((set, missing))) = (&self.url, halves) {
            complaints.push(Complaint::new(
                set.path,
                format!("is set, but `{}` is not", missing.path),
                "set both, or neither to use the credentials of the machine",
            ));
        }
        complaints
    }
}

fn is_loopback(url: &HttpUrl) -> bool {
    let rest = url.as_str().split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// `[storage]` of the file. The secret is named by file, never written here.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StorageFile {
    /// Path of a directory, `file:///PATH` or `s3://BUCKET/PREFIX`. Default: the directory `blobs` in the
    /// data directory.
    url: Option<String>,
    /// URL of a service that speaks S3's language. Default: Amazon's, in the region.
    s3_endpoint: Option<String>,
    /// Region of the bucket. Default `us-east-1`.
    s3_region: Option<String>,
    /// Which key the requests to S3 are signed with. Default: the credentials that the cloud gives this
    /// machine.
    s3_access_key_id: Option<String>,
    /// File that holds the secret of that key; relative to this file.
    s3_secret_access_key_file: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_and_buckets() {
        for (text, path) in [
            ("blobs", "blobs"),
            ("/var/blobs", "/var/blobs"),
            ("file:///var/blobs", "/var/blobs"),
        ] {
            let expected = StorageUrl::Directory(path.into());
            assert_eq!(StorageUrl::parse(text), Ok(expected));
        }
        for (text, bucket, prefix) in [
            ("s3://acme-blobs", "acme-blobs", ""),
            ("s3://acme.blobs/", "acme.blobs", ""),
            ("s3://abc/a/b_c/", "abc", "a/b_c"),
        ] {
            let (bucket, prefix) = (bucket.to_owned(), prefix.to_owned());
            assert_eq!(
                StorageUrl::parse(text),
                Ok(StorageUrl::S3 { bucket, prefix })
            );
        }
        for bad in [
            "",
            "file://blobs",
            "gs://bucket",
            "s3://",
            "s3://ab",
            "s3://Acme",
            "s3://key:secret@bucket",
            "s3://abc/../x",
            "s3://abc/a//b",
            "s3://abc/a?x=1",
        ] {
            assert!(StorageUrl::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_this_machine_may_be_asked_without_tls() {
        let with = |endpoint: &str| StorageSettings {
            s3_endpoint: Some(HttpUrl::parse(endpoint).unwrap()),
            ..StorageSettings::default_in(Path::new("d"))
        };
        for good in [
            "https://minio.example",
            "http://127.0.0.1:9000",
            "http://localhost",
            "http://[::1]:9000/x",
        ] {
            assert_eq!(with(good).validate(), [], "{good}");
        }
        for bad in [
            "http://minio.example",
            "http://10.0.0.1:9000",
            "http://localhost.example",
            "http://127.0.0.1.example:9000",
        ] {
            assert_eq!(with(bad).validate().len(), 1, "{bad}");
        }
    }

    #[test]
    fn a_key_needs_its_secret() {
        let mut settings = StorageSettings {
            url: StorageUrl::parse("s3://abc").unwrap(),
            ..StorageSettings::default_in(Path::new("d"))
        };
        assert_eq!(settings.validate(), []);
        settings.s3_access_key_id = Some("AKIA".to_owned());
        assert_eq!(settings.validate()[0].setting, "storage.s3_access_key_id");
        settings.s3_secret_access_key = Some("hush".into());
        assert_eq!(settings.validate(), []);
        settings.s3_access_key_id = None;
        assert_eq!(
            settings.validate()[0].setting,
            "storage.s3_secret_access_key"
        );
    }
}
