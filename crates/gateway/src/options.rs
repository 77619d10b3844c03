//! How the gateway bounds what it takes on.

use std::time::Duration;

use domain::limits;

use crate::dashboard::Dashboard;

#[derive(Debug, Clone)]
pub struct Options {
    /// Web pages of these origins may call the API; none by default.
    pub cors_allowed_origins: Vec<String>,
    pub request_timeout: Duration,
    pub request_body_bytes_max: usize,
    pub requests_in_flight_max: usize,
    pub uploads_at_once_max: usize,
    /// Instead of the request timeout, for uploads.
    pub upload_timeout: Duration,
    /// Between two pieces of an upload.
    pub upload_pause_max: Duration,
    /// How long the tool of a sandbox is waited for before its agent is told to ask again.
    pub callback_wait: Duration,
    /// How often a stream is asked whether its client may still have it.
    pub standing_every: Duration,
    pub shutdown_drain: Duration,
    /// Whether requests for sessions of other instances are carried to them.
    pub forward: bool,
    /// Where people open it in a browser, if not at the address it tells others.
    pub public_url: Option<String>,
    /// The app that browsers are given.
    pub dashboard: Dashboard,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cors_allowed_origins: Vec::new(),
            request_timeout: limits::REQUEST_TIMEOUT,
            request_body_bytes_max: limits::REQUEST_BODY_BYTES_MAX,
            requests_in_flight_max: limits::REQUESTS_IN_FLIGHT_MAX,
            uploads_at_once_max: limits::UPLOADS_AT_ONCE_MAX,
            upload_timeout: limits::UPLOAD_TIMEOUT,
            upload_pause_max: limits::UPLOAD_PAUSE_MAX,
            callback_wait: limits::CALLBACK_WAIT,
            standing_every: limits::STANDING_EVERY,
            shutdown_drain: limits::SHUTDOWN_DRAIN,
            forward: true,
            public_url: None,
            dashboard: Dashboard::default(),
        }
    }
}
