//! Linear: one GraphQL endpoint. Personal keys (`lin_api_...`) are sent as they are, tokens of OAuth as
//! `Bearer`.

mod actions;
mod declaration;
mod replies;
mod requests;

use domain::{clock::Timestamp, source::SourceDeclaration};
use reqwest::header::{AUTHORIZATION, HeaderMap};
use secrecy::{ExposeSecret as _, SecretString};

use crate::{
    Failure,
    failure::UpstreamFailure,
    http::{Reply, secret_header},
    service::{ActionDefinition, Service},
};

pub(crate) struct Linear;

impl Service for Linear {
    const SOURCE: &'static SourceDeclaration = &declaration::SOURCE;
    const GUIDE: &'static str = include_str!("guide.md");

    fn definitions() -> Vec<ActionDefinition> {
        actions::definitions()
    }

    fn headers(credential: &SecretString) -> Result<HeaderMap, Failure> {
        let is_personal = credential.expose_secret().starts_with("lin_api_");
        let scheme = if is_personal { "" } else { "Bearer " };
        secret_header(AUTHORIZATION, scheme, credential)
    }

    fn failure(reply: &Reply, now: Timestamp) -> Option<UpstreamFailure> {
        replies::failure(reply, now)
    }
}
