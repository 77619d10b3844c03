//! A request to a service, relative to its base URL.

use reqwest::Method;
use serde_json::Value;

use super::segment;
use crate::Failure;

/// A request below a service's base address.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// Encoded, beginning with a slash, or empty for the base address itself.
    pub(crate) path: String,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) body: Option<Value>,
}

impl Request {
    /// A path of segments, each of which is encoded.
    pub(crate) fn new(method: Method, segments: &[&str]) -> Result<Self, Failure> {
        let mut path = String::new();
        for text in segments {
            path.push('/');
            path.push_str(&segment(text)?);
        }
        Ok(Self {
            method,
            path,
            query: Vec::new(),
            body: None,
        })
    }

    pub(crate) fn get(segments: &[&str]) -> Result<Self, Failure> {
        Self::new(Method::GET, segments)
    }

    /// With a slash at its end, as Sentry wants it: without one it answers with a redirect.
    pub(crate) fn with_final_slash(mut self) -> Self {
        self.path.push('/');
        self
    }

    pub(crate) fn with_query(mut self, name: &'static str, value: Option<String>) -> Self {
        self.query.extend(value.map(|value| (name, value)));
        self
    }

    pub(crate) fn with_body(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }
}
