//! Reads bodies of requests, up to a bound.

use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Incoming;
use serde::de::DeserializeOwned;
use wire::problem::Code;

use crate::{daemon::refusal::Refusal, limits::JSON_BYTES_MAX, strict_json};

pub(super) async fn read_bytes(body: Incoming, bytes_max: usize) -> Result<Bytes, Refusal> {
    match Limited::new(body, bytes_max).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            let why = format!("The body has more than {bytes_max} bytes.");
            Err(Refusal::new(Code::PayloadTooLarge, why))
        }
        Err(_) => Err(Refusal::new(
            Code::InvalidRequest,
            "The body was not received.",
        )),
    }
}

pub(super) async fn read_json<T: DeserializeOwned>(body: Incoming) -> Result<T, Refusal> {
    let bytes = read_bytes(body, JSON_BYTES_MAX).await?;
    let wrong = |why: String| Refusal::new(Code::InvalidJson, why);
    let parsed = strict_json::parse(&bytes).map_err(|why| wrong(format!("The body: {why}.")))?;
    serde_json::from_value(parsed)
        .map_err(|error| Refusal::new(Code::InvalidRequest, format!("The body: {error}.")))
}
