//! Requests to a repository's server in git's smart protocol over HTTP.

use std::io;

use bytes::Bytes;
use domain::{
    id::SessionId,
    limits::{GIT_FETCH_BYTES_MAX, GIT_REQUEST_MAX},
    repo::Repo,
};
use futures::StreamExt as _;
use reqwest::{
    Client, Method, RequestBuilder, Response, StatusCode, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName},
};

use super::{
    pieces::{GitBody, bounded},
    place::GitCredential,
};
use crate::{
    context::App,
    error::{Error, Result},
};

/// Which of the protocol's versions git speaks; part of its request.
const GIT_PROTOCOL: HeaderName = HeaderName::from_static("git-protocol");
/// Headers of a request that are forwarded to the server.
const FORWARDED_HEADERS: [HeaderName; 4] = [GIT_PROTOCOL, CONTENT_TYPE, CONTENT_ENCODING, ACCEPT];

const MOVED: &str = "the repository has moved; change its address in the repository's settings";
const NO_WAY: &str = "the server of the repository is not on the public network, and the operator has not allowed it";
const CLOSED: &str = "the server of the repository wants a credential, and this session has none: connect GitHub \
                      and give the session that connection, or store the repository's secret GIT_CREDENTIAL";
const REFUSED: &str = "the server of the repository does not let this session's credential in";

/// The service of git's protocol that a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitService {
    /// Fetching.
    UploadPack,
    /// Pushing.
    ReceivePack,
}

impl GitService {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UploadPack => "git-upload-pack",
            Self::ReceivePack => "git-receive-pack",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let all = [Self::UploadPack, Self::ReceivePack];
        all.into_iter().find(|service| service.as_str() == text)
    }
}

/// What a request asks a service for: first the refs, then the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitEndpoint {
    Refs(GitService),
    Pack(GitService),
}

impl GitEndpoint {
    const fn service(self) -> GitService {
        match self {
            Self::Refs(service) | Self::Pack(service) => service,
        }
    }

    pub(super) fn content_type(self) -> String {
        let step = match self {
            Self::Refs(_) => "advertisement",
            Self::Pack(_) => "result",
        };
        format!("application/x-{}-{step}", self.service().as_str())
    }
}

/// The response to git.
#[derive(Debug)]
pub struct GitResponse {
    pub content_type: String,
    pub body: GitBody,
}

/// Sends a request to the repository's server with the credential, and reads its response.
pub(super) async fn forward_to_server(
    app: &App,
    session_id: SessionId,
    (repo, url): (&Repo, &Url),
    endpoint: GitEndpoint,
    headers: &HeaderMap,
    body: Option<GitBody>,
) -> Result<GitResponse> {
    let credential = GitCredential::find(app, session_id, repo, url).await?;
    let server = GitServer::at(app, url, endpoint).await?;
    let response = server.ask(headers, &credential, body).await?;
    // What was sent cannot be sent again; what was only looked up can.
    let is_refused = response.status() == StatusCode::UNAUTHORIZED;
    if is_refused
        && matches!(endpoint, GitEndpoint::Refs(_))
        && let Some(renewed) = credential.renewed(app).await
    {
        let response = server.ask(headers, &renewed, None).await?;
        return read_response(response, endpoint, &renewed);
    }
    read_response(response, endpoint, &credential)
}

struct GitServer {
    client: Client,
    url: Url,
    endpoint: GitEndpoint,
}

impl GitServer {
    async fn at(app: &App, repo: &Url, endpoint: GitEndpoint) -> Result<Self> {
        let mut url = repo.clone();
        let path = repo.path().trim_end_matches('/');
        let service = endpoint.service().as_str();
        let (below, query) = match endpoint {
            GitEndpoint::Refs(_) => ("info/refs", Some(format!("service={service}"))),
            GitEndpoint::Pack(_) => (service, None),
        };
        url.set_path(&format!("{path}/{below}"));
        url.set_query(query.as_deref());
        url.set_fragment(None);
        let route = app.guard.check(url.as_str()).await.map_err(|refused| {
            tracing::info!(%refused, "the server of a repository may not be reached");
            match refused {
                tools::egress::Refused::Unresolved => outside("cannot be found by its name"),
                _ => Error::Forbidden(NO_WAY),
            }
        })?;
        let client = route.client_for_streams(GIT_REQUEST_MAX);
        let client = client.map_err(|_| outside("cannot be asked now"))?;
        Ok(Self {
            client,
            url,
            endpoint,
        })
    }

    async fn ask(
        &self,
        headers: &HeaderMap,
        credential: &GitCredential,
        body: Option<GitBody>,
    ) -> Result<Response> {
        let method = match self.endpoint {
            GitEndpoint::Refs(_) => Method::GET,
            GitEndpoint::Pack(_) => Method::POST,
        };
        let mut request: RequestBuilder = self.client.request(method, self.url.clone());
        for name in FORWARDED_HEADERS {
            if let Some(value) = headers.get(&name) {
                request = request.header(name, value);
            }
        }
        if let Some(header) = credential.header() {
            request = request.header(AUTHORIZATION, header);
        }
        if let Some(body) = body {
            request = request.body(reqwest::Body::wrap_stream(body));
        }
        request.send().await.map_err(|error| {
            let error = error.without_url();
            tracing::info!(%error, "the server of a repository does not answer");
            outside("does not answer")
        })
    }
}

fn read_response(
    response: Response,
    endpoint: GitEndpoint,
    credential: &GitCredential,
) -> Result<GitResponse> {
    let status = response.status();
    match status {
        StatusCode::OK => {}
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
            // Servers do not say of what is private that it is there.
            let is_open = matches!(credential, GitCredential::None);
            return Err(Error::Forbidden(if is_open { CLOSED } else { REFUSED }));
        }
        status if status.is_redirection() => return Err(Error::Conflict(MOVED.to_owned())),
        status => {
            let status = status.as_u16();
            return Err(outside(&format!("answers with an error ({status})")));
        }
    }
    let content_type = response.headers().get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    // A page to log in at is no repository.
    if content_type != Some(endpoint.content_type().as_str()) {
        let message = "there is no git server at the address of the repository";
        return Err(Error::Conflict(message.to_owned()));
    }
    let pieces = response.bytes_stream();
    let pieces = pieces.map(|piece: reqwest::Result<Bytes>| {
        piece.map_err(|error| io::Error::other(error.without_url()))
    });
    Ok(GitResponse {
        content_type: endpoint.content_type(),
        body: bounded(GitBody::new(pieces), GIT_FETCH_BYTES_MAX),
    })
}

fn outside(what: &str) -> Error {
    Error::Outside(format!("the server of the repository {what}"))
}
