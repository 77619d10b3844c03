//! Evidence that agents submitted.

use chrono::{DateTime, Utc};
use domain::{Invalid, id::ArtifactId, page::PageRequest};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::page::page_request;

/// Which files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VerificationMediaQuery {
    /// Those whose keys have this prefix, such as the `prefix` that the tool returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// One file, with the URL of its bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// With `key`: the bytes themselves.
    #[serde(default)]
    #[param(default = false)]
    pub stream: bool,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many calls of the tool at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

/// The request of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerificationMediaAsked {
    List {
        prefix: Option<String>,
        page: PageRequest<ArtifactId>,
    },
    One(String),
    Bytes(String),
}

impl VerificationMediaQuery {
    pub fn asked(self) -> Result<VerificationMediaAsked, Invalid> {
        let together = |field: &str| Invalid::new(field, "cannot be combined with `key`");
        match self.key {
            None if self.stream => Err(Invalid::new("key", "must name the file to stream")),
            None => Ok(VerificationMediaAsked::List {
                page: page_request(self.cursor.as_deref(), self.limit)?,
                prefix: self.prefix,
            }),
            Some(_) if self.prefix.is_some() => Err(together("prefix")),
            Some(_) if self.cursor.is_some() => Err(together("cursor")),
            Some(_) if self.limit.is_some() => Err(together("limit")),
            Some(key) if self.stream => Ok(VerificationMediaAsked::Bytes(key)),
            Some(key) => Ok(VerificationMediaAsked::One(key)),
        }
    }
}

/// Submitted files, those of the newest call first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerificationMedia {
    pub files: Vec<VerificationFile>,
    /// The URL of the bytes of the file that `key` named; for the same caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub url: Option<String>,
    /// Pass it as `cursor` to get the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerificationFile {
    #[schema(
        example = "sessions/0192f0c1-2345-7abc-8def-0123456789ab/verification/1763200000/shots/cart.png"
    )]
    pub key: String,
    #[schema(example = "cart.png")]
    pub name: String,
    /// Below the submitted folder.
    #[schema(example = "shots/cart.png")]
    pub path: String,
    /// Derived from the file's name.
    #[schema(example = "image/png")]
    pub content_type: String,
    pub size: u64,
    pub last_modified: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(json: serde_json::Value) -> Result<VerificationMediaAsked, String> {
        let query: VerificationMediaQuery = serde_json::from_value(json).unwrap();
        query.asked().map_err(|invalid| invalid.field)
    }

    #[test]
    fn a_question_is_for_a_list_or_for_one_file() {
        use serde_json::json;
        let one = || "k".to_owned();
        assert_eq!(
            asked(json!({"key": "k"})),
            Ok(VerificationMediaAsked::One(one()))
        );
        assert_eq!(
            asked(json!({"key": "k", "stream": true})),
            Ok(VerificationMediaAsked::Bytes(one()))
        );
        for (wrong, field) in [
            (json!({"stream": true}), "key"),
            (json!({"key": "k", "prefix": "p"}), "prefix"),
            (json!({"key": "k", "cursor": "c"}), "cursor"),
            (json!({"key": "k", "limit": 1}), "limit"),
            (json!({"limit": 0}), "limit"),
            (json!({"cursor": "c"}), "cursor"),
        ] {
            assert_eq!(asked(wrong).unwrap_err(), field);
        }
    }
}
