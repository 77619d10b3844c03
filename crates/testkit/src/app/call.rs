//! A request to the routes in process, and its answer.

use std::{
    future::{Future, IntoFuture},
    pin::Pin,
};

use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderMap, Method, Request, header, request::Builder},
};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use super::TestApp;

/// A client that sends requests.
#[derive(Debug, Clone)]
pub struct Client {
    router: Router,
    token: Option<String>,
}

/// A request that is sent when awaited.
#[derive(Debug)]
#[must_use = "a call is made by awaiting it"]
pub struct Call {
    router: Router,
    request: Builder,
    body: Body,
    is_endless: bool,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct TestResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl TestApp {
    /// A client without a token.
    pub fn anonymous(&self) -> Client {
        Client {
            router: self.router.clone(),
            token: None,
        }
    }

    pub fn with_token(&self, token: impl Into<String>) -> Client {
        Client {
            router: self.router.clone(),
            token: Some(token.into()),
        }
    }
}

impl Client {
    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    pub fn delete(&self, path: &str) -> Call {
        self.call(Method::DELETE, path)
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers write `json!({..})` in place"
    )]
    pub fn post(&self, path: &str, body: Value) -> Call {
        self.call(Method::POST, path).json(&body)
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers write `json!({..})` in place"
    )]
    pub fn patch(&self, path: &str, body: Value) -> Call {
        self.call(Method::PATCH, path).json(&body)
    }

    pub fn call(&self, method: Method, path: &str) -> Call {
        let request = Request::builder().method(method).uri(path);
        let call = Call {
            router: self.router.clone(),
            request,
            body: Body::empty(),
            is_endless: false,
        };
        match &self.token {
            Some(token) => call.header("authorization", &format!("Bearer {token}")),
            None => call,
        }
    }
}

impl Call {
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    /// The answer may have no end: what it begins with is enough.
    pub fn endless(mut self) -> Self {
        self.is_endless = true;
        self
    }

    pub fn body(mut self, content_type: &str, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self.header("content-type", content_type)
    }
}

/// The first piece of it.
async fn beginning(mut body: Body) -> Bytes {
    let first = body.frame().await.expect("it has a beginning");
    let first = first.expect("it can be read").into_data();
    first.expect("it begins with bytes")
}

impl IntoFuture for Call {
    type Output = TestResponse;
    type IntoFuture = Pin<Box<dyn Future<Output = TestResponse> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let request = self.request.body(self.body).expect("a valid request");
            let response = self.router.oneshot(request).await;
            let (parts, body) = response.expect("routes do not fail").into_parts();
            TestResponse {
                status: parts.status.as_u16(),
                body: if self.is_endless {
                    beginning(body).await
                } else {
                    let body = body.collect().await;
                    body.expect("the body is complete").to_bytes()
                },
                headers: parts.headers,
            }
        })
    }
}

impl TestResponse {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn text(&self) -> &str {
        str::from_utf8(&self.body).expect("the body is text")
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .get(name)
            .map(|value| value.to_str().expect("the header is text"))
    }

    /// The body, if the status is this.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        if self.body.is_empty() {
            return Value::Null;
        }
        self.json()
    }

    /// The problem document, if that is what it is, in every particular a client may rely on.
    #[track_caller]
    pub fn expect_problem(&self, status: u16, code: &str) -> Value {
        let problem = self.expect(status);
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], format!("/errors/{code}"));
        let content_type = self.header(header::CONTENT_TYPE.as_str());
        assert_eq!(content_type, Some("application/problem+json"));
        let request_id = self.header("x-request-id").expect("a request id");
        assert_eq!(problem["request_id"], request_id);
        problem
    }
}
