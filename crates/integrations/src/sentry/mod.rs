//! Sentry: its REST interface, of the service or of an operator's own.

mod actions;
mod replies;
mod requests;

use domain::clock::Timestamp;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use secrecy::SecretString;

use crate::{
    Failure,
    failure::UpstreamFailure,
    http::{Reply, secret_header},
    service::{Definition, Service},
};

pub(crate) struct Sentry;

impl Service for Sentry {
    const NAME: &'static str = "sentry";
    const DISPLAY_NAME: &'static str = "Sentry";
    const GUIDE: &'static str = include_str!("guide.md");

    fn definitions() -> Vec<Definition> {
        actions::definitions()
    }

    fn headers(credential: &SecretString) -> Result<HeaderMap, Failure> {
        secret_header(AUTHORIZATION, "Bearer ", credential)
    }

    fn trouble(reply: &Reply, now: Timestamp) -> Option<UpstreamFailure> {
        replies::trouble(reply, now)
    }
}
