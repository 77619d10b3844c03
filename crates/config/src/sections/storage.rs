//! `[storage]`: where artifacts and copies of checkpoints are kept.

use std::path::{Path, PathBuf};

use secrecy::SecretString;

use crate::{
    invalid::{InvalidSetting, InvalidValue},
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, SecretSetting, Section, SectionEntry, Setting, ValueKind},
    value::{SettingValue, url::HttpUrl},
};

pub const URL: Setting = Setting {
    path: "storage.url",
    flag: "--storage-url",
    env: &[EnvVar::new("PROLIFERATE_STORAGE_URL", "0.1.0")],
    kind: ValueKind::Url,
    default: DefaultValue::Computed("the directory `blobs` in the data directory"),
    help: "Where artifacts are kept: the path of a directory, `file:///PATH` or `s3://BUCKET/PREFIX`.",
};
pub const S3_ENDPOINT: Setting = Setting {
    path: "storage.s3_endpoint",
    flag: "--s3-endpoint",
    env: &[EnvVar::new("PROLIFERATE_S3_ENDPOINT", "0.1.0")],
    kind: ValueKind::Url,
    default: DefaultValue::Absent("Amazon's, in the region"),
    help: "URL of a service with the API of S3.",
};
pub const S3_REGION: Setting = Setting {
    path: "storage.s3_region",
    flag: "--s3-region",
    env: &[EnvVar::new("PROLIFERATE_S3_REGION", "0.1.0")],
    kind: ValueKind::Text,
    // Where Amazon puts a bucket without a named region.
    default: DefaultValue::Text("us-east-1"),
    help: "Region of the bucket.",
};
pub const S3_ACCESS_KEY_ID: Setting = Setting {
    path: "storage.s3_access_key_id",
    flag: "--s3-access-key-id",
    env: &[EnvVar::new("PROLIFERATE_S3_ACCESS_KEY_ID", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Unset,
    help: "Which key signs requests to S3; if not set, the credentials that the cloud gives this machine.",
};
pub const S3_SECRET_ACCESS_KEY: SecretSetting = SecretSetting {
    value: Setting {
        path: "storage.s3_secret_access_key",
        flag: "",
        env: &[EnvVar::new("PROLIFERATE_S3_SECRET_ACCESS_KEY", "0.1.0")],
        kind: ValueKind::Secret,
        default: DefaultValue::Unset,
        help: "The secret of that key.",
    },
    file: Setting {
        path: "storage.s3_secret_access_key_file",
        flag: "--s3-secret-access-key-file",
        env: &[EnvVar::new(
            "PROLIFERATE_S3_SECRET_ACCESS_KEY_FILE",
            "0.1.0",
        )],
        kind: ValueKind::FileBesideFile,
        default: DefaultValue::Unset,
        help: "File that holds the secret of that key.",
    },
};

pub(crate) const SECTION: Section = Section {
    name: "storage",
    heading: "Storage",
    entries: &[
        SectionEntry::Open(URL),
        SectionEntry::Open(S3_ENDPOINT),
        SectionEntry::Open(S3_REGION),
        SectionEntry::Open(S3_ACCESS_KEY_ID),
        SectionEntry::Secret(S3_SECRET_ACCESS_KEY),
    ],
    other_variables: &[],
};

/// The directory inside the data directory.
const DIRECTORY: &str = "blobs";

/// Where bytes are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageUrl {
    /// A directory, made when absent, for its owner alone.
    Directory(PathBuf),
    /// `s3://BUCKET/PREFIX`; the prefix may be empty.
    S3 { bucket: String, prefix: String },
}

impl SettingValue for StorageUrl {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let hint = "write the path of a directory, `file:///PATH` or `s3://BUCKET/PREFIX`";
        if let Some(path) = text.strip_prefix("file://") {
            if !path.starts_with('/') {
                return Err(InvalidValue::new("does not name an absolute path", hint));
            }
            return Ok(Self::Directory(path.into()));
        }
        let Some(place) = text.strip_prefix("s3://") else {
            return match text {
                "" => Err(InvalidValue::new("names no directory", hint)),
                _ if text.contains("://") => Err(InvalidValue::new(
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
            return Err(InvalidValue::new("names no bucket", hint));
        }
        let in_prefix = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
        let segment = |part: &str| {
            !part.is_empty() && part.bytes().all(in_prefix) && !part.bytes().all(|b| b == b'.')
        };
        if !prefix.is_empty() && !prefix.split('/').all(segment) {
            return Err(InvalidValue::new(
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
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, data_dir: &Path) -> Self {
        let url = StorageUrl::Directory(data_dir.join(DIRECTORY));
        Self {
            url: resolver.value_or(&URL, url),
            s3_endpoint: resolver.optional(&S3_ENDPOINT),
            s3_region: resolver.value(&S3_REGION),
            s3_access_key_id: resolver.optional(&S3_ACCESS_KEY_ID),
            s3_secret_access_key: resolver.secret(&S3_SECRET_ACCESS_KEY),
        }
    }

    /// Whether the endpoint is this machine, which may do without TLS.
    pub fn s3_endpoint_is_loopback(&self) -> bool {
        self.s3_endpoint.as_ref().is_some_and(HttpUrl::is_loopback)
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let mut found = Vec::new();
        if let Some(endpoint) = &self.s3_endpoint
            && endpoint.as_str().starts_with("http://")
            && !endpoint.is_loopback()
        {
            found.push(InvalidSetting::new(
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
            found.push(InvalidSetting::new(
                set.path,
                format!("is set, but `{}` is not", missing.path),
                "set both, or neither to use the credentials of the machine",
            ));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults() -> StorageSettings {
        Resolver::defaults(|it| StorageSettings::resolve(it, Path::new("d")))
    }

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
            ..defaults()
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
            ..defaults()
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
