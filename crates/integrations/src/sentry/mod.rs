//! Sentry: its REST interface, of the service or of an operator's own.

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

pub(crate) struct Sentry;

impl Service for Sentry {
    const SOURCE: &'static SourceDeclaration = &declaration::SOURCE;
    const GUIDE: &'static str = include_str!("guide.md");

    fn definitions() -> Vec<ActionDefinition> {
        actions::definitions()
    }

    fn headers(credential: &SecretString) -> Result<HeaderMap, Failure> {
        secret_header(AUTHORIZATION, "Bearer ", credential)
    }

    fn failure(reply: &Reply, now: Timestamp) -> Option<UpstreamFailure> {
        replies::failure(reply, now)
    }
}
