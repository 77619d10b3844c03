//! Slack: methods of its Web API. Nearly every reply has status 200; `ok` says whether it is a success.

mod actions;
mod declaration;
mod replies;
mod requests;

use domain::{clock::Timestamp, source::SourceDeclaration};
use reqwest::header::{AUTHORIZATION, HeaderMap};
use secrecy::SecretString;

use crate::{
    Failure,
    failure::UpstreamFailure,
    http::{Reply, secret_header},
    service::{ActionDefinition, Service},
};

pub(crate) struct Slack;

impl Service for Slack {
    const SOURCE: &'static SourceDeclaration = &declaration::SOURCE;
    const GUIDE: &'static str = include_str!("guide.md");

    fn definitions() -> Vec<ActionDefinition> {
        actions::definitions()
    }

    fn headers(credential: &SecretString) -> Result<HeaderMap, Failure> {
        secret_header(AUTHORIZATION, "Bearer ", credential)
    }

    fn failure(reply: &Reply, _now: Timestamp) -> Option<UpstreamFailure> {
        replies::failure(reply)
    }
}
