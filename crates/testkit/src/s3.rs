//! A small stand-in for S3, on a port of its own: objects in memory, the requests and answers that S3
//! documents for what storage asks of it, conditions included, and faults on demand. Signatures are not
//! verified; that a request is signed with the right key id is.

use std::{
    collections::{BTreeMap, VecDeque},
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

pub const BUCKET: &str = "test-bucket";
pub const ACCESS_KEY_ID: &str = "AKIATESTKEY";
pub const SECRET_ACCESS_KEY: &str = "secret-access-key-of-the-tests";
/// Larger than anything a test sends at once.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The stand-in; stopped when dropped.
#[derive(Debug)]
pub struct S3 {
    pub address: SocketAddr,
    state: Shared,
    _stop: DropGuard,
}

type Shared = Arc<Mutex<Held>>;

/// What it holds.
#[derive(Debug, Default)]
struct Held {
    objects: BTreeMap<String, Bytes>,
    uploads: BTreeMap<String, Upload>,
    uploads_begun: u32,
    /// Answers to give instead of doing what is asked, one for each request.
    faults: VecDeque<S3Fault>,
    requests: Vec<String>,
}

#[derive(Debug)]
struct Upload {
    key: String,
    parts: BTreeMap<u32, Bytes>,
}

/// Something that goes wrong with one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum S3Fault {
    /// `503 SlowDown`, nothing done.
    SlowDown,
    /// Done, and answered as if it had failed: the answer got lost.
    AnswerLost,
    /// `403 AccessDenied`, nothing done.
    Denied,
}

impl S3 {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (state, stop) = (Shared::default(), CancellationToken::new());
        let router = Router::new().fallback(answer).with_state(state.clone());
        let stopped = stop.clone().cancelled_owned();
        tokio::spawn(async move {
            let served = axum::serve(listener, router).with_graceful_shutdown(stopped);
            served.await.expect("it serves");
        });
        Self {
            address,
            state,
            _stop: stop.drop_guard(),
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The keys of all objects.
    pub fn keys(&self) -> Vec<String> {
        self.held().objects.keys().cloned().collect()
    }

    /// Replaces an object behind the client's back.
    pub fn replace(&self, key: &str, bytes: impl Into<Bytes>) {
        self.held().objects.insert(key.to_owned(), bytes.into());
    }

    pub fn remove(&self, key: &str) {
        self.held().objects.remove(key);
    }

    /// Uploads in parts that were neither completed nor aborted.
    pub fn uploads_open(&self) -> usize {
        self.held().uploads.len()
    }

    /// Lets the next requests fail, each in its way.
    pub fn fail_next(&self, faults: impl IntoIterator<Item = S3Fault>) {
        self.held().faults.extend(faults);
    }

    pub fn forget_faults(&self) {
        self.held().faults.clear();
    }

    /// The requests so far, such as `PUT tmp/x?uploadId`, without values.
    pub fn requests(&self) -> Vec<String> {
        self.held().requests.clone()
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        self.state.lock().expect("no test panics holding it")
    }
}

async fn answer(State(state): State<Shared>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().trim_start_matches('/').to_owned();
    let Some(key) = path
        .strip_prefix(BUCKET)
        .map(|key| key.trim_start_matches('/'))
    else {
        return refusal(StatusCode::NOT_FOUND, "NoSuchBucket");
    };
    let signed = parts.headers.get(header::AUTHORIZATION);
    let signed = signed
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let scheme = format!("AWS4-HMAC-SHA256 Credential={ACCESS_KEY_ID}/");
    if !signed.starts_with(&scheme) || !signed.contains("Signature=") {
        return refusal(StatusCode::FORBIDDEN, "AccessDenied");
    }
    let Ok(body) = to_bytes(Body::new(body), BODY_BYTES_MAX).await else {
        return refusal(StatusCode::BAD_REQUEST, "IncompleteBody");
    };
    let query: BTreeMap<String, String> = parts
        .uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut held = state.lock().expect("no test panics holding it");
    let names: Vec<&str> = query.keys().map(String::as_str).collect();
    let line = format!("{} {key}?{}", parts.method, names.join("&"));
    held.requests.push(line.trim_end_matches('?').to_owned());
    match held.faults.pop_front() {
        Some(S3Fault::SlowDown) => refusal(StatusCode::SERVICE_UNAVAILABLE, "SlowDown"),
        Some(S3Fault::Denied) => refusal(StatusCode::FORBIDDEN, "AccessDenied"),
        Some(S3Fault::AnswerLost) => {
            held.act(&parts.method, key, &query, &parts.headers, body);
            refusal(StatusCode::SERVICE_UNAVAILABLE, "SlowDown")
        }
        None => held.act(&parts.method, key, &query, &parts.headers, body),
    }
}

impl Held {
    fn act(
        &mut self,
        method: &Method,
        key: &str,
        query: &BTreeMap<String, String>,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Response {
        let upload = query.get("uploadId").map(String::as_str);
        match (method.as_str(), upload) {
            ("GET" | "HEAD", None) => match self.objects.get(key) {
                // What is sent in answer to HEAD is the headers alone; axum sees to that.
                Some(bytes) => found(bytes),
                None => refusal(StatusCode::NOT_FOUND, "NoSuchKey"),
            },
            ("DELETE", None) => {
                self.objects.remove(key);
                StatusCode::NO_CONTENT.into_response()
            }
            ("PUT", None) => self.create(key, headers, body, etag_only),
            ("POST", None) if query.contains_key("uploads") => self.begin(key),
            ("PUT", Some(id)) => self.part(id, query.get("partNumber"), headers, body),
            ("POST", Some(id)) => self.complete(id, headers),
            ("DELETE", Some(id)) => {
                self.uploads.remove(id);
                StatusCode::NO_CONTENT.into_response()
            }
            _ => refusal(StatusCode::NOT_IMPLEMENTED, "NotImplemented"),
        }
    }

    /// Stores unless there is a condition that does not hold.
    fn create(
        &mut self,
        key: &str,
        headers: &HeaderMap,
        body: Bytes,
        done: fn(&str, &str) -> Response,
    ) -> Response {
        let only_if_absent = headers.get(header::IF_NONE_MATCH).is_some_and(|v| v == "*");
        if only_if_absent && self.objects.contains_key(key) {
            return refusal(StatusCode::PRECONDITION_FAILED, "PreconditionFailed");
        }
        let etag = etag(&body);
        self.objects.insert(key.to_owned(), body);
        done(key, &etag)
    }

    fn begin(&mut self, key: &str) -> Response {
        self.uploads_begun += 1;
        let id = format!("upload-{}", self.uploads_begun);
        let upload = Upload {
            key: key.to_owned(),
            parts: BTreeMap::new(),
        };
        self.uploads.insert(id.clone(), upload);
        xml(&format!(
            "<InitiateMultipartUploadResult><Bucket>{BUCKET}</Bucket><Key>{key}</Key>\
             <UploadId>{id}</UploadId></InitiateMultipartUploadResult>"
        ))
    }

    fn part(
        &mut self,
        id: &str,
        number: Option<&String>,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Response {
        let source = headers
            .get("x-amz-copy-source")
            .and_then(|v| v.to_str().ok());
        let bytes = match source {
            None => body,
            Some(source) => {
                let source = source.trim_start_matches('/');
                let key = source.strip_prefix(BUCKET).unwrap_or(source);
                match self.objects.get(key.trim_start_matches('/')) {
                    Some(bytes) => bytes.clone(),
                    None => return refusal(StatusCode::NOT_FOUND, "NoSuchKey"),
                }
            }
        };
        let Some(upload) = self.uploads.get_mut(id) else {
            return refusal(StatusCode::NOT_FOUND, "NoSuchUpload");
        };
        let Some(number) = number.and_then(|number| number.parse().ok()) else {
            return refusal(StatusCode::BAD_REQUEST, "InvalidArgument");
        };
        let etag = etag(&bytes);
        upload.parts.insert(number, bytes);
        match source {
            None => etag_only("", &etag),
            Some(_) => xml(&format!(
                "<CopyPartResult><LastModified>2026-01-01T00:00:00Z</LastModified>\
                 <ETag>{etag}</ETag></CopyPartResult>"
            )),
        }
    }

    fn complete(&mut self, id: &str, headers: &HeaderMap) -> Response {
        let Some(upload) = self.uploads.get(id) else {
            return refusal(StatusCode::NOT_FOUND, "NoSuchUpload");
        };
        // Only the last part may be short, as with S3.
        let short = |bytes: &Bytes| bytes.len() < 5 * 1024 * 1024;
        let last = upload.parts.len().saturating_sub(1);
        if upload.parts.values().take(last).any(short) {
            return refusal(StatusCode::BAD_REQUEST, "EntityTooSmall");
        }
        let parts: Vec<&[u8]> = upload.parts.values().map(AsRef::as_ref).collect();
        let whole = parts.concat();
        let key = upload.key.clone();
        let done = |key: &str, etag: &str| {
            xml(&format!(
                "<CompleteMultipartUploadResult><Bucket>{BUCKET}</Bucket><Key>{key}</Key>\
                 <ETag>{etag}</ETag></CompleteMultipartUploadResult>"
            ))
        };
        let answer = self.create(&key, headers, whole.into(), done);
        if answer.status().is_success() {
            self.uploads.remove(id);
        }
        answer
    }
}

/// A tag. What it is made of is S3's own business; here, of length and ends.
fn etag(bytes: &[u8]) -> String {
    let ends = [bytes.first(), bytes.last()].map(|byte| byte.copied().unwrap_or_default());
    format!("\"{:08x}{:02x}{:02x}\"", bytes.len(), ends[0], ends[1])
}

fn found(bytes: &Bytes) -> Response {
    let headers = [
        (header::ETAG, etag(bytes)),
        (
            header::LAST_MODIFIED,
            "Thu, 01 Jan 2026 00:00:00 GMT".to_owned(),
        ),
        (header::CONTENT_LENGTH, bytes.len().to_string()),
    ];
    (headers, bytes.clone()).into_response()
}

fn etag_only(_: &str, etag: &str) -> Response {
    [(header::ETAG, etag.to_owned())].into_response()
}

fn xml(body: &str) -> Response {
    let body = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{body}");
    ([(header::CONTENT_TYPE, "application/xml")], body).into_response()
}

fn refusal(status: StatusCode, code: &str) -> Response {
    let body = xml(&format!(
        "<Error><Code>{code}</Code><Message>{code}</Message><RequestId>1</RequestId></Error>"
    ));
    (status, body).into_response()
}
