//! GitHub: its REST interface, of the service or of an operator's own (`https://HOST/api/v3`).

mod actions;
mod replies;
mod requests;

use domain::clock::Timestamp;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;

use crate::{
    Failure,
    failure::Trouble,
    http::{Reply, secret_header},
    service::{Definition, Service},
};

/// Without it GitHub answers as the version of the day does.
const API_VERSION: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-github-api-version"),
    HeaderValue::from_static("2022-11-28"),
);
const MEDIA_TYPE: HeaderValue = HeaderValue::from_static("application/vnd.github+json");

pub(crate) struct GitHub;

impl Service for GitHub {
    const NAME: &'static str = "github";
    const DISPLAY_NAME: &'static str = "GitHub";
    const GUIDE: &'static str = include_str!("guide.md");

    fn definitions() -> Vec<Definition> {
        actions::definitions()
    }

    fn headers(credential: &SecretString) -> Result<HeaderMap, Failure> {
        let mut headers = secret_header(AUTHORIZATION, "Bearer ", credential)?;
        headers.extend([API_VERSION, (ACCEPT, MEDIA_TYPE)]);
        Ok(headers)
    }

    fn trouble(reply: &Reply, now: Timestamp) -> Option<Trouble> {
        replies::trouble(reply, now)
    }
}
