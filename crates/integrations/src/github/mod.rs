//! GitHub: its REST interface, of the service or of an operator's own (`https://HOST/api/v3`).

mod actions;
mod declaration;
mod replies;
mod requests;

use domain::{clock::Timestamp, source::SourceDeclaration};
use reqwest::{
    Url,
    header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue},
};
use secrecy::SecretString;

use crate::{
    Failure,
    failure::UpstreamFailure,
    http::{Reply, secret_header},
    service::{ActionDefinition, Service},
};

/// Without it GitHub answers with its newest version.
const API_VERSION: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-github-api-version"),
    HeaderValue::from_static("2022-11-28"),
);
const MEDIA_TYPE: HeaderValue = HeaderValue::from_static("application/vnd.github+json");

/// The origin of the repositories that belong to this API: the public API has a host of its own, a self-hosted one a
/// path.
pub fn github_origin(interface: &str) -> String {
    match Url::parse(interface) {
        Ok(url) if url.host_str() == Some("api.github.com") => "https://github.com".to_owned(),
        Ok(url) => url.origin().ascii_serialization(),
        Err(_) => String::new(),
    }
}

pub(crate) struct GitHub;

impl Service for GitHub {
    const SOURCE: &'static SourceDeclaration = &declaration::SOURCE;
    const GUIDE: &'static str = include_str!("guide.md");

    fn definitions() -> Vec<ActionDefinition> {
        actions::definitions()
    }

    fn headers(credential: &SecretString) -> Result<HeaderMap, Failure> {
        let mut headers = secret_header(AUTHORIZATION, "Bearer ", credential)?;
        headers.extend([API_VERSION, (ACCEPT, MEDIA_TYPE)]);
        Ok(headers)
    }

    fn failure(reply: &Reply, now: Timestamp) -> Option<UpstreamFailure> {
        replies::failure(reply, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_are_beside_the_interface() {
        for (interface, origin) in [
            ("https://api.github.com", "https://github.com"),
            (
                "https://git.acme.example/api/v3",
                "https://git.acme.example",
            ),
            ("http://127.0.0.1:4567", "http://127.0.0.1:4567"),
            ("nonsense", ""),
        ] {
            assert_eq!(github_origin(interface), origin);
        }
    }
}
