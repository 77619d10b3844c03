//! The one shape of an error response: an RFC 9457 problem document (`application/problem+json`)
//! with a stable code, a hint, and whether a retry can help. Every text in it is bounded and free of
//! control characters, because parts of it repeat the caller's input.

mod code;
#[cfg(test)]
mod tests;

use domain::{Invalid, limits::ERROR_MESSAGE_LENGTH_MAX};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use code::Code;

/// The media type of a problem document.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// What failed and how to fix it (RFC 9457).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Address of the page that explains this kind of problem, relative to the gateway.
    #[serde(rename = "type", default = "about_blank")]
    #[schema(required, example = "/errors/NOT_FOUND")]
    pub type_uri: String,
    /// The kind of problem in a few words; the same for every problem of this code.
    #[serde(default)]
    #[schema(required, example = "Not found")]
    pub title: String,
    /// The HTTP status, repeated.
    #[schema(example = 404)]
    pub status: u16,
    /// What happened this time, in one sentence.
    #[serde(default)]
    #[schema(required, max_length = 500, example = "There is no such session.")]
    pub detail: String,
    /// The stable name of this kind of problem. Programs decide by it, never by the texts.
    // A text, because readers must handle codes that are newer than themselves.
    #[serde(default)]
    #[schema(required, value_type = Code)]
    pub code: String,
    /// The usual remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 500)]
    pub hint: Option<String>,
    /// Whether the same request may succeed later without being changed.
    #[serde(default)]
    #[schema(required)]
    pub retryable: bool,
    /// Identifies this request in the logs; quote it when asking for help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "0192f0c1-2345-7abc-8def-0123456789ab")]
    pub request_id: Option<String>,
    /// The invalid members of the request, if they are the problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// For a session that another instance serves: the URL of that instance.
    #[serde(default, rename = "ownerUrl", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "http://10.0.0.2:7777")]
    pub owner_url: Option<String>,
}

/// One invalid member of a request, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// Path of the member.
    #[schema(example = "envFiles[0].path")]
    pub field: String,
    #[schema(example = "must be a relative path")]
    pub message: String,
}

impl Problem {
    pub fn new(code: Code, detail: impl AsRef<str>) -> Self {
        Self {
            type_uri: code.type_uri(),
            title: code.title().to_owned(),
            status: code.status(),
            detail: bounded(detail.as_ref()),
            code: code.as_str().to_owned(),
            hint: code.hint().map(ToOwned::to_owned),
            retryable: code.retryable(),
            request_id: None,
            errors: Vec::new(),
            owner_url: None,
        }
    }

    /// Names the instance that serves the session.
    #[must_use]
    pub fn with_owner_url(mut self, url: impl AsRef<str>) -> Self {
        self.owner_url = Some(bounded(url.as_ref()));
        self
    }

    /// Replaces the code's own hint by a more precise one.
    #[must_use]
    pub fn with_hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hint = Some(bounded(hint.as_ref()));
        self
    }

    #[must_use]
    pub fn with_field(mut self, field: impl AsRef<str>, message: impl AsRef<str>) -> Self {
        self.errors.push(FieldError {
            field: bounded(field.as_ref()),
            message: bounded(message.as_ref()),
        });
        self
    }

    #[must_use]
    pub fn with_request_id(mut self, request_id: impl Into<String>) -> Self {
        self.request_id = Some(request_id.into());
        self
    }

    /// The code, unless it is newer than this program.
    pub fn known_code(&self) -> Option<Code> {
        self.code.parse().ok()
    }
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Self {
        Self::new(Code::InvalidRequest, invalid.to_string())
            .with_field(invalid.field, invalid.message)
    }
}

/// The meaning of an absent `type` in RFC 9457; other servers in the path may respond that way.
fn about_blank() -> String {
    "about:blank".to_owned()
}

/// Truncates visibly, and counts characters because the limit is in characters.
fn bounded(text: &str) -> String {
    let mut shown = text.chars().filter(|c| !c.is_control());
    let mut kept: String = shown.by_ref().take(ERROR_MESSAGE_LENGTH_MAX).collect();
    if shown.next().is_some() {
        kept.pop();
        kept.push('…');
    }
    kept
}
