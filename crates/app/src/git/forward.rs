//! One request of git's smart protocol over HTTP, carried to the repository's server and back.

use std::io;

use bytes::Bytes;
use domain::{
    caller::Caller,
    git_push::Push,
    id::{RepoId, SessionId},
    limits::{GIT_ASK_BYTES_MAX, GIT_FETCH_BYTES_MAX, GIT_REQUEST_MAX},
    repo::Repo,
};
use futures::StreamExt as _;
use reqwest::{
    Client, Method, RequestBuilder, Response, StatusCode, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName},
};

pub use super::pieces::Carried;
use super::{
    pieces::bounded,
    place::{Pass, repo_of_session},
    push,
};
use crate::{
    access::SessionAccess,
    context::App,
    error::{Error, Result},
};

/// Which of the protocol's versions git speaks; part of what it asks for.
const GIT_PROTOCOL: HeaderName = HeaderName::from_static("git-protocol");
/// Headers of a request that the server is to see.
const ASKED: [HeaderName; 4] = [GIT_PROTOCOL, CONTENT_TYPE, CONTENT_ENCODING, ACCEPT];

const MOVED: &str = "the repository has moved; change its address in the repository's settings";
const NO_WAY: &str = "the server of the repository is not on the public network, and the operator has not allowed it";
const CLOSED: &str = "the server of the repository wants a credential, and this session has none: connect GitHub \
                      and give the session that connection, or store the repository's secret GIT_CREDENTIAL";
const REFUSED: &str = "the server of the repository does not let this session's credential in";

/// What is done to a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Fetching.
    UploadPack,
    /// Pushing.
    ReceivePack,
}

impl Service {
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

/// The two steps of either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Refs(Service),
    Pack(Service),
}

impl Asked {
    const fn service(self) -> Service {
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

/// What git asks for.
#[derive(Debug)]
pub struct Request {
    pub repo_id: RepoId,
    pub asked: Asked,
    /// All of them; those that may be passed on are picked here.
    pub headers: HeaderMap,
    pub body: Carried,
}

/// What the server says to it.
#[derive(Debug)]
pub struct Answer {
    pub content_type: String,
    pub body: Carried,
}

/// Carries it, for the session's own sandbox.
pub async fn forward(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    request: Request,
) -> Result<Answer> {
    let access = SessionAccess::of_agent(app, caller, session_id).await?;
    let organization_id = access.organization_id();
    let (repo, url) = repo_of_session(app, organization_id, session_id, request.repo_id).await?;
    let (asked, headers) = (request.asked, request.headers);
    let body = match asked {
        Asked::Refs(Service::UploadPack) => None,
        Asked::Refs(Service::ReceivePack) => {
            // Nothing is named yet.
            push::allowed(&repo, &Push::default()).map_err(Error::Forbidden)?;
            None
        }
        Asked::Pack(Service::UploadPack) => Some(bounded(request.body, GIT_ASK_BYTES_MAX)),
        Asked::Pack(Service::ReceivePack) => {
            let place = (repo, url);
            return push::push(app, caller, session_id, place, headers, request.body).await;
        }
    };
    carry(app, session_id, (&repo, &url), asked, &headers, body).await
}

/// To the repository's server and back, with the credential.
pub(super) async fn carry(
    app: &App,
    session_id: SessionId,
    (repo, url): (&Repo, &Url),
    asked: Asked,
    headers: &HeaderMap,
    body: Option<Carried>,
) -> Result<Answer> {
    let pass = Pass::find(app, session_id, repo, url).await?;
    let server = Server::at(app, url, asked).await?;
    let response = server.ask(headers, &pass, body).await?;
    // What was sent cannot be sent again; what was only looked up can.
    let is_refused = response.status() == StatusCode::UNAUTHORIZED;
    if is_refused
        && matches!(asked, Asked::Refs(_))
        && let Some(renewed) = pass.renewed(app).await
    {
        let response = server.ask(headers, &renewed, None).await?;
        return told(response, asked, &renewed);
    }
    told(response, asked, &pass)
}

struct Server {
    client: Client,
    url: Url,
    asked: Asked,
}

impl Server {
    async fn at(app: &App, repo: &Url, asked: Asked) -> Result<Self> {
        let mut url = repo.clone();
        let path = repo.path().trim_end_matches('/');
        let service = asked.service().as_str();
        let (below, query) = match asked {
            Asked::Refs(_) => ("info/refs", Some(format!("service={service}"))),
            Asked::Pack(_) => (service, None),
        };
        url.set_path(&format!("{path}/{below}"));
        url.set_query(query.as_deref());
        url.set_fragment(None);
        let route = app.guard.check(url.as_str()).await.map_err(|refused| {
            tracing::info!(%refused, "a repository cannot be asked for");
            match refused {
                tools::egress::Refused::Unresolved => outside("cannot be found by its name"),
                _ => Error::Forbidden(NO_WAY),
            }
        })?;
        let client = route.client_for_streams(GIT_REQUEST_MAX);
        let client = client.map_err(|_| outside("cannot be asked now"))?;
        Ok(Self { client, url, asked })
    }

    async fn ask(
        &self,
        headers: &HeaderMap,
        pass: &Pass,
        body: Option<Carried>,
    ) -> Result<Response> {
        let method = match self.asked {
            Asked::Refs(_) => Method::GET,
            Asked::Pack(_) => Method::POST,
        };
        let mut request: RequestBuilder = self.client.request(method, self.url.clone());
        for name in ASKED {
            if let Some(value) = headers.get(&name) {
                request = request.header(name, value);
            }
        }
        if let Some(header) = pass.header() {
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

fn told(response: Response, asked: Asked, pass: &Pass) -> Result<Answer> {
    let status = response.status();
    match status {
        StatusCode::OK => {}
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
            // Servers do not say of what is private that it is there.
            let is_open = matches!(pass, Pass::None);
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
    if content_type != Some(asked.content_type().as_str()) {
        let message = "there is no git server at the address of the repository";
        return Err(Error::Conflict(message.to_owned()));
    }
    let pieces = response.bytes_stream();
    let pieces = pieces.map(|piece: reqwest::Result<Bytes>| {
        piece.map_err(|error| io::Error::other(error.without_url()))
    });
    Ok(Answer {
        content_type: asked.content_type(),
        body: bounded(Carried::new(pieces), GIT_FETCH_BYTES_MAX),
    })
}

fn outside(what: &str) -> Error {
    Error::Outside(format!("the server of the repository {what}"))
}
