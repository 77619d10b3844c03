//! Uploading and listing artifacts. An artifact itself is written as the contract's `artifact_ref`.

use domain::{
    Invalid,
    artifact::ArtifactScope,
    id::{ArtifactId, parse_field},
    page::PageRequest,
    policy::{ArtifactKind, MediaType},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{contract::ArtifactRef, page::page_request};

/// The target and kind of an upload. The bytes are the body, their media type its `Content-Type`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UploadArtifactQuery {
    /// The case it belongs to; either this or `sessionId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(example = "CASE-2026-014")]
    pub case_id: Option<String>,
    /// The session it belongs to; either this or `caseId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Its kind: 2 to 80 of `a-z`, `0-9`, `_`.
    #[param(example = "document")]
    pub kind: String,
}

/// Which artifacts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListArtifactsQuery {
    /// Those of this case; either this or `sessionId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    /// Those of this session; either this or `caseId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many entries at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

/// The result of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadArtifactResponse {
    pub artifact: ArtifactRef,
    /// The same bytes existed with the same kind and media type; `artifact` is the existing one.
    pub already_existed: bool,
}

impl UploadArtifactQuery {
    pub fn scope(&self) -> Result<ArtifactScope, Invalid> {
        scope(self.case_id.as_deref(), self.session_id.as_deref())
    }

    pub fn kind(&self) -> Result<ArtifactKind, Invalid> {
        let refuse = |error: domain::policy::InvalidName| Invalid::new("kind", error.to_string());
        self.kind.parse().map_err(refuse)
    }
}

impl ListArtifactsQuery {
    pub fn scope(&self) -> Result<ArtifactScope, Invalid> {
        scope(self.case_id.as_deref(), self.session_id.as_deref())
    }

    pub fn page_request(&self) -> Result<PageRequest<ArtifactId>, Invalid> {
        page_request(self.cursor.as_deref(), self.limit)
    }
}

/// The media type of a body, from its `Content-Type`; parameters such as a charset are not kept.
pub fn media_type(content_type: Option<&str>) -> Result<MediaType, Invalid> {
    const FIELD: &str = "Content-Type";
    let Some(text) = content_type else {
        return Err(Invalid::new(
            FIELD,
            "must say what the bytes are, such as application/pdf",
        ));
    };
    let essence = text.split(';').next().unwrap_or_default().trim();
    MediaType::new(essence.to_ascii_lowercase())
        .map_err(|error| Invalid::new(FIELD, error.to_string()))
}

fn scope(case_id: Option<&str>, session_id: Option<&str>) -> Result<ArtifactScope, Invalid> {
    match (case_id, session_id) {
        (Some(case_id), None) => case_id.parse().map(ArtifactScope::Case).map_err(
            |error: domain::policy::InvalidName| Invalid::new("caseId", error.to_string()),
        ),
        (None, Some(session_id)) => {
            parse_field("sessionId", session_id).map(ArtifactScope::Session)
        }
        _ => Err(Invalid::new("caseId", "give either caseId or sessionId")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_artifact_is_of_a_case_or_of_a_session() {
        let id = "0192f0c1-2345-7abc-8def-0123456789ab";
        assert!(matches!(
            scope(Some("CASE-1"), None),
            Ok(ArtifactScope::Case(_))
        ));
        assert!(matches!(
            scope(None, Some(id)),
            Ok(ArtifactScope::Session(_))
        ));
        let field = |case, session| scope(case, session).unwrap_err().field;
        assert_eq!(field(None, None), "caseId");
        assert_eq!(field(Some("CASE-1"), Some(id)), "caseId");
        assert_eq!(field(None, Some("x")), "sessionId");
        for bad in ["../C2", "C1/../../C2", "C1//x", "%2e%2e", "abc"] {
            assert_eq!(field(Some(bad), None), "caseId", "case 14: {bad}");
        }
    }

    #[test]
    fn a_media_type_has_no_parameters() {
        let read = |text| media_type(text).map(|found| found.to_string());
        let plain = Ok("text/plain".to_owned());
        assert_eq!(read(Some("Text/Plain; charset=utf-8")), plain);
        for bad in [None, Some(""), Some("text"), Some("image/*"), Some("a b/c")] {
            assert_eq!(read(bad).unwrap_err().field, "Content-Type");
        }
    }
}
