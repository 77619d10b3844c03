//! A client of a gateway, for the commands that are no more than requests. Retries what may be
//! retried: every request it makes can be repeated without harm, because reading and stopping are
//! idempotent by nature and creating carries an `Idempotency-Key`.

mod endpoint;
mod events;
mod page;
mod query;
mod refusal;
mod selector;

use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response, StatusCode, header};
use serde::{Serialize, de::DeserializeOwned};

use self::query::query_string;
use crate::{context::Context, exit::Exit, failure::Failure};

pub(crate) use endpoint::{Endpoint, EndpointArgs, dev_file, valid_url};
pub(crate) use events::{Events, StreamItem};
pub(crate) use page::{PageArgs, Pages};
pub(crate) use selector::{Selector, resolve_option, select_id};

/// Tries of one request. With the pauses between them: a gateway that restarts is waited for, one
/// that is gone is reported within seconds.
const TRIES_MAX: u32 = 4;
/// The first pause; each further one is twice as long.
const RETRY_DELAY: Duration = Duration::from_millis(200);
/// Longest pause that a gateway may ask for.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(10);
/// Longer than a gateway lets a request take by default.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(40);
/// Longest download: half a gigabyte over a slow line.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_mins(30);
/// Longer than a gateway lets an upload take.
const UPLOAD_TIMEOUT: Duration = Duration::from_mins(11);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Largest answer read; a page of sessions with long prompts may have megabytes.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A client of the gateway that the command line names.
pub(crate) fn connect(context: &Context, args: EndpointArgs) -> Result<Client, Failure> {
    Client::new(Endpoint::resolve(context, args)?)
}

/// Talks to one gateway as one caller.
#[derive(Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    endpoint: Endpoint,
}

impl Client {
    pub(crate) fn new(endpoint: Endpoint) -> Result<Self, Failure> {
        let http = reqwest::Client::builder()
            .timeout(REQUEST_TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("proliferate/", env!("CARGO_PKG_VERSION")))
            // A token must not follow a redirect to somewhere else.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| Failure::caused(Exit::Failed, "cannot make an HTTP client", &error))?;
        Ok(Self { http, endpoint })
    }

    /// The gateway's address, without a slash at its end.
    pub(crate) fn url(&self) -> &str {
        &self.endpoint.url
    }

    /// Reads what is at a path.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &impl Serialize,
    ) -> Result<T, Failure> {
        let query = query_string(query);
        let path = if query.is_empty() {
            path.to_owned()
        } else {
            format!("{path}?{query}")
        };
        self.answer(|| self.request(Method::GET, &path)).await
    }

    /// Sends a request without a body that is answered with nothing, and that can be repeated.
    pub(crate) async fn send_empty(&self, method: Method, path: &str) -> Result<(), Failure> {
        let request = || Ok(self.request(method.clone(), path));
        let response = self.send_with_retries(request).await?;
        self.bytes(response).await.map(drop)
    }

    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        self.answer(|| self.request(Method::POST, path).json(body))
            .await
    }

    /// Sends a request that must not be done twice and has no idempotency key: it is sent once.
    pub(crate) async fn post_once<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let sent = self.request(Method::POST, path).json(body).send().await;
        self.read(sent).await
    }

    /// Sends a file as it is. Sent again, it becomes the same artifact.
    pub(crate) async fn upload<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &impl Serialize,
        media_type: &str,
        file: &std::path::Path,
    ) -> Result<T, Failure> {
        let path = format!("{path}?{}", query_string(query));
        let request = || {
            let opened = std::fs::File::open(file).and_then(|opened| {
                let length = opened.metadata()?.len();
                Ok((opened, length))
            });
            let (opened, length) = opened.map_err(|error| {
                let message = format!("cannot read {}", file.display());
                Failure::caused(Exit::NotFound, message, &error)
            })?;
            let request = self.request(Method::POST, &path).timeout(UPLOAD_TIMEOUT);
            Ok(request
                .header(header::CONTENT_TYPE, media_type)
                .header(header::CONTENT_LENGTH, length)
                .body(tokio::fs::File::from_std(opened)))
        };
        let response = self.send_with_retries(request).await?;
        self.read(Ok(response)).await
    }

    /// Changes the members that the body has.
    pub(crate) async fn patch<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        self.answer(|| self.request(Method::PATCH, path).json(body))
            .await
    }

    /// Replaces the whole value.
    pub(crate) async fn put<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        self.answer(|| self.request(Method::PUT, path).json(body))
            .await
    }

    pub(crate) async fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.answer(|| self.request(Method::DELETE, path)).await
    }

    /// The same, with what the query says of it.
    pub(crate) async fn delete_with<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &impl Serialize,
    ) -> Result<T, Failure> {
        self.delete(&format!("{path}?{}", query_string(query)))
            .await
    }

    /// Creates a row, once, however often the request is sent.
    pub(crate) async fn create<T: DeserializeOwned>(
        &self,
        path: &str,
        idempotency_key: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let request = || {
            self.request(Method::POST, path)
                .header("idempotency-key", idempotency_key)
                .json(body)
        };
        self.answer(request).await
    }

    /// Sends a request whose answer has the same shape whether it is done, denied or fails: only another shape is a
    /// failure. Done once, however often the request is sent.
    pub(crate) async fn post_for_answer<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &impl Serialize,
        idempotency_key: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let path = format!("{path}?{}", query_string(query));
        let request = || {
            let request = self.request(Method::POST, &path);
            Ok(request
                .header("idempotency-key", idempotency_key)
                .json(body))
        };
        let response = self.send_with_retries(request).await?;
        let status = response.status();
        let bytes = self.read_body(response).await?;
        match serde_json::from_slice(&bytes) {
            Ok(answer) => Ok(answer),
            Err(_) if !status.is_success() => Err(refusal::failure(status, &bytes)),
            Err(error) => Err(self.not_understood(&error)),
        }
    }

    /// Writes an answer of any length to `output`, as it comes. The inner result is that of writing.
    pub(crate) async fn download(
        &self,
        path: &str,
        query: &impl Serialize,
        output: &mut dyn std::io::Write,
    ) -> Result<std::io::Result<()>, Failure> {
        let path = format!("{path}?{}", query_string(query));
        let request = self.request(Method::GET, &path).timeout(DOWNLOAD_TIMEOUT);
        let sent = request.send().await;
        let mut response = sent.map_err(|error| self.unreachable(&error))?;
        if !response.status().is_success() {
            let refused: Result<serde_json::Value, Failure> = self.read(Ok(response)).await;
            return refused.map(|_| Ok(()));
        }
        loop {
            let chunk = response.chunk().await;
            let Some(chunk) = chunk.map_err(|error| self.unreachable(&error))? else {
                break;
            };
            if let Err(error) = output.write_all(&chunk) {
                return Ok(Err(error));
            }
        }
        Ok(output.flush())
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.endpoint.url);
        let request = self.http.request(method, url);
        let request = match self.endpoint.token() {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        match &self.endpoint.organization {
            Some(organization) => request.header("x-org-id", organization),
            None => request,
        }
    }

    /// Sends until there is an answer that a repetition would not change, and reads it.
    async fn answer<T: DeserializeOwned>(
        &self,
        request: impl Fn() -> RequestBuilder,
    ) -> Result<T, Failure> {
        let sent = self.send_with_retries(|| Ok(request())).await;
        self.read(Ok(sent?)).await
    }

    /// Sends until there is an answer that a repetition would not change, good or bad. Not by `backon`: an answer that is to
    /// be sent again for is no error, and the last one is returned whole.
    async fn send_with_retries(
        &self,
        request: impl Fn() -> Result<RequestBuilder, Failure>,
    ) -> Result<Response, Failure> {
        let mut delay = RETRY_DELAY;
        let mut tries = 1;
        loop {
            let sent = request()?.send().await;
            let pause = match &sent {
                Ok(response) => retry_after(response, delay),
                // Wrong before anything was sent: the same again next time.
                Err(error) if error.is_builder() => None,
                Err(_) => Some(delay),
            };
            match pause.filter(|_| tries < TRIES_MAX) {
                Some(pause) => {
                    tokio::time::sleep(pause).await;
                    delay *= 2;
                    tries += 1;
                }
                None => return sent.map_err(|error| self.unreachable(&error)),
            }
        }
    }

    async fn read<T: DeserializeOwned>(
        &self,
        sent: Result<Response, reqwest::Error>,
    ) -> Result<T, Failure> {
        let response = sent.map_err(|error| self.unreachable(&error))?;
        let bytes = self.bytes(response).await?;
        serde_json::from_slice(&bytes).map_err(|error| self.not_understood(&error))
    }

    /// The answer of a server that is no gateway, or one of another version.
    fn not_understood(&self, error: &serde_json::Error) -> Failure {
        let message = format!("{} did not answer as a gateway does", self.endpoint.url);
        Failure::caused(Exit::Failed, message, error)
            .hint("check the URL, and that gateway and command are of the same version")
    }

    /// The body of a successful answer.
    async fn bytes(&self, response: Response) -> Result<Vec<u8>, Failure> {
        let status = response.status();
        let bytes = self.read_body(response).await?;
        if !status.is_success() {
            return Err(refusal::failure(status, &bytes));
        }
        Ok(bytes)
    }

    /// The body of an answer, good or bad, up to a bound.
    async fn read_body(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.unreachable(&error))?
        {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > ANSWER_BYTES_MAX {
                return Err(Failure::new(Exit::Failed, "the answer is too large"));
            }
        }
        Ok(bytes)
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        // The causes alone: the error itself repeats the URL, query and all.
        let mut failure = Failure::new(
            Exit::Unavailable,
            format!("cannot reach {}", self.endpoint.url),
        );
        let cause = std::error::Error::source(error);
        if let Some(cause) = cause {
            failure.causes = Failure::caused(Exit::Unavailable, "", cause).causes;
        }
        if error.is_timeout() {
            failure.causes.push("no answer in time".to_owned());
        }
        failure.hint(self.endpoint.unreachable_hint())
    }
}

/// How long to wait before the same request may succeed; `None` if it will not.
fn retry_after(response: &Response, delay: Duration) -> Option<Duration> {
    let later = [
        StatusCode::SERVICE_UNAVAILABLE,
        StatusCode::TOO_MANY_REQUESTS,
    ];
    if !later.contains(&response.status()) {
        return None;
    }
    let asked = response
        .headers()
        .get(header::RETRY_AFTER)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse().ok())
        .map(Duration::from_secs);
    Some(asked.unwrap_or(delay).min(RETRY_AFTER_MAX))
}
