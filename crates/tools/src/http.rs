//! Tools that are services. The address is the policy's, never a caller's; the request goes through the
//! egress guard; of the response only a body of an expected type and size is kept.

use std::sync::Arc;

use async_trait::async_trait;
use domain::policy::{
    Engine, HttpSpec, MediaType, ParameterValues, Permit, Send, ToolSpec, check_parameters,
};
use reqwest::{Body, RequestBuilder, Response, StatusCode, header::CONTENT_TYPE};
use serde_json::{Map, Value, json};
use tokio::{
    fs::File,
    io::{AsyncWriteExt as _, BufWriter},
};

use crate::{
    Availability, Executor, Failure, Input, Output, OutputContent, PermittedCall, Produced,
    egress::{EgressGuard, Refused},
    input::{check_type, one_input},
};

/// Calls services.
#[derive(Debug)]
pub struct HttpExecutor {
    guard: EgressGuard,
}

impl HttpExecutor {
    pub fn new(guard: EgressGuard) -> Arc<Self> {
        Arc::new(Self { guard })
    }

    async fn call_service(
        &self,
        call: &PermittedCall,
        service: &HttpSpec,
    ) -> Result<Output, Failure> {
        let values = check_parameters(&call.spec.parameters, &call.parameters)
            .map_err(|error| Failure::Invalid(error.to_string()))?;
        let input = match service.send {
            Send::Input => one_input(&call.spec, &call.inputs, true)?,
            Send::Json => {
                for input in &call.inputs {
                    check_type(&call.spec, input)?;
                }
                None
            }
        };
        let route = self
            .guard
            .check(service.url.as_str())
            .await
            .map_err(refusal_failure)?;
        let client = route.client(call.spec.timeout).map_err(refusal_failure)?;
        let request = client.post(route.url().clone());
        let request = match input {
            None => request.json(&body(call, &values)),
            Some(input) => with_bytes(request, input).await?,
        };
        let response = request
            .send()
            .await
            .map_err(|error| request_failure(&error))?;
        let media_type = check_response(&response, service)?;
        let path = call.scratch.join("answer");
        write_response(response, &path, service.output_bytes_max).await?;
        Ok(Output {
            kind: service.output_kind.clone(),
            media_type,
            content: OutputContent::File(path),
        })
    }
}

#[async_trait]
impl Executor for HttpExecutor {
    /// Checks the address only: a request to the service would be a call.
    fn availability(&self, spec: &ToolSpec) -> Availability {
        let Engine::Http(service) = &spec.engine else {
            let hint = "the tool is no service".to_owned();
            return Availability::Missing { hint };
        };
        match self.guard.check_text(service.url.as_str()) {
            Ok((url, ..)) => {
                let host = url.host_str().unwrap_or_default();
                Availability::Ready(format!("a service at {host}"))
            }
            Err(refused) => Availability::Missing {
                hint: hint(refused),
            },
        }
    }

    async fn execute(&self, permit: Permit, call: PermittedCall) -> Result<Produced, Failure> {
        call.spend(permit)?;
        let Engine::Http(service) = &call.spec.engine else {
            return Err(Failure::Invalid("the tool is no service".into()));
        };
        let output = tokio::select! {
            biased;
            () = call.cancel.cancelled() => return Err(Failure::Cancelled),
            output = self.call_service(&call, service) => output?,
            // The client has the same deadline; this one also covers resolving and writing.
            () = tokio::time::sleep(call.spec.timeout) => return Err(Failure::Timeout),
        };
        Ok(Produced {
            outputs: vec![output],
            ..Produced::default()
        })
    }
}

fn body(call: &PermittedCall, values: &ParameterValues) -> Value {
    let parameters: Map<String, Value> = values
        .iter()
        .map(|(name, value)| (name.to_string(), value.into()))
        .collect();
    let input = |input: &Input| {
        json!({
            "artifactId": input.artifact_id.to_string(),
            "kind": input.kind.as_str(),
            "mediaType": input.media_type.as_str(),
        })
    };
    let inputs: Vec<Value> = call.inputs.iter().map(input).collect();
    json!({
        "operation": call.spec.operation.as_str(),
        "parameters": parameters,
        "inputs": inputs,
    })
}

async fn with_bytes(request: RequestBuilder, input: &Input) -> Result<RequestBuilder, Failure> {
    let unreadable = |error: std::io::Error| {
        tracing::error!(%error, "an input cannot be read");
        service_failure("the input could not be read", true)
    };
    let file = File::open(&input.path).await.map_err(unreadable)?;
    Ok(request
        .header(CONTENT_TYPE, input.media_type.as_str())
        .body(Body::from(file)))
}

/// The type of a response, if it is a successful one of an expected type.
fn check_response(response: &Response, service: &HttpSpec) -> Result<MediaType, Failure> {
    let status = response.status();
    if !status.is_success() {
        let retryable = matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS
                | StatusCode::BAD_GATEWAY
                | StatusCode::SERVICE_UNAVAILABLE
                | StatusCode::GATEWAY_TIMEOUT
        );
        let reason = if status.is_redirection() {
            "the service pointed elsewhere, which is not followed"
        } else {
            "the service answered with an error"
        };
        return Err(service_failure(reason, retryable));
    }
    let stated = response.headers().get(CONTENT_TYPE);
    let stated = stated.and_then(|value| value.to_str().ok());
    let bare = stated.and_then(|text| text.split(';').next());
    let media_type = bare.and_then(|text| MediaType::new(text.trim().to_ascii_lowercase()).ok());
    media_type
        .filter(|media_type| service.output_types.contains(media_type))
        .ok_or(service_failure(
            "the service answered with another type of content",
            false,
        ))
}

/// Writes a response to a file, up to its bound. A truncated one is not kept.
async fn write_response(
    mut response: Response,
    path: &std::path::Path,
    max: u64,
) -> Result<(), Failure> {
    const TOO_LARGE: &str = "the service answered with more than it may";
    if response.content_length().is_some_and(|length| length > max) {
        return Err(service_failure(TOO_LARGE, false));
    }
    let unwritable = |error: std::io::Error| {
        tracing::error!(%error, "an answer of a service cannot be written down");
        service_failure("the answer could not be stored", true)
    };
    let file = File::create_new(path).await.map_err(unwritable)?;
    let mut file = BufWriter::new(file);
    let mut bytes = 0;
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| request_failure(&error))?
    {
        bytes += chunk.len() as u64;
        if bytes > max {
            return Err(service_failure(TOO_LARGE, false));
        }
        file.write_all(&chunk).await.map_err(unwritable)?;
    }
    file.flush().await.map_err(unwritable)
}

fn service_failure(reason: &'static str, retryable: bool) -> Failure {
    Failure::Tool { reason, retryable }
}

/// The failure of a request. Its text may contain the address, and stays in the log.
fn request_failure(error: &reqwest::Error) -> Failure {
    tracing::debug!(error = %error, "a service could not be asked");
    if error.is_timeout() {
        Failure::Timeout
    } else if error.is_connect() {
        Failure::Unavailable {
            hint: "the service cannot be reached".into(),
        }
    } else {
        service_failure("the connection to the service broke", true)
    }
}

fn refusal_failure(refused: Refused) -> Failure {
    Failure::Unavailable {
        hint: hint(refused),
    }
}

fn hint(refused: Refused) -> String {
    format!("the tool's service cannot be asked: {refused}; see its address in tools.yaml")
}
