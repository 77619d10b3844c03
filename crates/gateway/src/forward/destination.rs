//! Which instance has to handle a request, by its route.

use axum::{
    extract::{MatchedPath, Request},
    http::{Method, header, request::Parts},
};
use domain::id::{InstanceId, SessionId};

/// Paths below a session that any instance serves: they need the database alone.
const ANYWHERE: [&str; 3] = ["/actions/", "/mcp", "/verification-media"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    Anywhere,
    /// This instance alone.
    Instance(InstanceId),
    /// The owner of this session.
    Session(SessionId),
    /// An instance that opens sessions: the request may create one with its sandbox.
    AcceptingInstance,
}

impl Destination {
    pub(super) fn of(request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>();
        let found = route.and_then(|route| Self::of_route(route.as_str(), request));
        found.unwrap_or(Self::Anywhere)
    }

    fn of_route(route: &str, request: &Request) -> Option<Self> {
        let part = |place: usize| request.uri().path().split('/').nth(place);
        let session = |place| part(place)?.parse().ok().map(Self::Session);
        match route {
            "/v1/sessions/{id}" if request.method() == Method::DELETE => session(3),
            "/v1/sessions/{id}/env" | "/v1/sessions/{id}/budget" | "/v1/sessions/{id}/migrate" => {
                session(3)
            }
            "/proliferate/sessions" | "/v1/automations/{id}/runs"
                if request.method() == Method::POST =>
            {
                Some(Self::AcceptingInstance)
            }
            "/proliferate/{id}" if !request.headers().contains_key(header::UPGRADE) => None,
            "/v1/fleet/instances/{id}" | "/v1/fleet/instances/{id}/drain" => {
                part(4)?.parse().ok().map(Self::Instance)
            }
            route => {
                let below = route.strip_prefix("/proliferate/{id}")?;
                if ANYWHERE.iter().any(|part| below.starts_with(part)) {
                    return None;
                }
                session(2)
            }
        }
    }
}

/// Where a request for a session carries its credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Credential {
    /// In a header or a cookie.
    Header,
    /// In git's form, HTTP Basic.
    Git,
    /// In its URL.
    Ticket,
}

impl Credential {
    pub(super) fn of(head: &Parts) -> Self {
        let route = head.extensions.get::<MatchedPath>();
        let below = route.and_then(|route| route.as_str().strip_prefix("/proliferate/{id}"));
        match below {
            Some(below) if below.starts_with("/look/") => Self::Ticket,
            Some(below) if below.starts_with("/git/{repo}/") => Self::Git,
            _ => Self::Header,
        }
    }
}
