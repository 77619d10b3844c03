//! JSON bodies: bounded, of the right type, and with errors by field.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::header,
    response::{IntoResponse, Response},
};
use domain::canonical;
use serde::{Serialize, de::DeserializeOwned};
use wire::problem::Code;

use super::{body::SmallBody, decode_error::invalid_member};
use crate::{error::Failure, state::Gateway};

/// A JSON request or response.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Gateway> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Failure> {
        decode(&body(request, gateway).await?).map(Self)
    }
}

/// A JSON request with exactly one meaning: no duplicate name, no number that parsers read differently. For
/// what is hashed and passed on.
#[derive(Debug)]
pub(crate) struct StrictJson<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Gateway> for StrictJson<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Failure> {
        Self::read(&body(request, gateway).await?)
    }
}

impl<T: DeserializeOwned> StrictJson<T> {
    /// The same, from bytes that are used again later.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Failure> {
        strict(bytes).map(Self).map_err(|wrong| match wrong {
            StrictJsonError::Text(error) => {
                Failure::new(Code::InvalidJson, format!("the body is refused: {error}"))
            }
            StrictJsonError::Member { path, error } => {
                invalid_member(&path, &error.to_string()).into()
            }
        })
    }
}

/// What is wrong with a body that must have exactly one meaning.
#[derive(Debug)]
pub(crate) enum StrictJsonError {
    /// It is not JSON, or it is ambiguous.
    Text(canonical::NotCanonical),
    Member {
        path: String,
        error: serde_json::Error,
    },
}

/// The position of an error is determined only after one occurred: tracking it takes longer than parsing.
pub(crate) fn strict<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StrictJsonError> {
    let value = canonical::parse(bytes).map_err(StrictJsonError::Text)?;
    serde_json::from_value(value).or_else(|_| {
        let value = canonical::parse(bytes).map_err(StrictJsonError::Text)?;
        serde_path_to_error::deserialize(value).map_err(|error| StrictJsonError::Member {
            path: error.path().to_string(),
            error: error.into_inner(),
        })
    })
}

/// The bytes of a JSON request, for a parser of its own.
#[derive(Debug)]
pub(crate) struct JsonBytes(pub(crate) Bytes);

impl FromRequest<Gateway> for JsonBytes {
    type Rejection = Failure;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Failure> {
        body(request, gateway).await.map(Self)
    }
}

async fn body(request: Request, gateway: &Gateway) -> Result<Bytes, Failure> {
    if !is_json(&request) {
        let detail = "send the body as JSON, with Content-Type: application/json";
        return Err(Failure::new(Code::UnsupportedMediaType, detail));
    }
    SmallBody::from_request(request, gateway)
        .await
        .map(|SmallBody(bytes)| bytes)
}

fn is_json(request: &Request) -> bool {
    let content_type = request.headers().get(header::CONTENT_TYPE);
    let content_type = content_type
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// As [`strict`] does, for values that may be written in several ways.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    if let Ok(value) = serde_json::from_slice(bytes) {
        return Ok(value);
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let inner = error.inner();
        if inner.is_data() {
            return invalid_member(&error.path().to_string(), &inner.to_string()).into();
        }
        not_json(inner)
    })?;
    reader.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

fn not_json(error: &serde_json::Error) -> Failure {
    let (line, column) = (error.line(), error.column());
    let detail = format!("the body is not JSON: see line {line}, column {column}");
    Failure::new(Code::InvalidJson, detail)
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}
