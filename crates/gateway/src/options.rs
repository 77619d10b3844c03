//! The limits and settings of the gateway.

use std::time::Duration;

use app::installation::CheckRunner;
use domain::{capacity::CapacityLimits, limits, network::Network};

use crate::{connections::ConnectionBounds, dashboard::Dashboard};

#[derive(Debug, Clone)]
pub struct Options {
    /// Web pages of these origins may call the API; none by default.
    pub cors_allowed_origins: Vec<String>,
    pub request_timeout: Duration,
    pub request_body_bytes_max: usize,
    /// Once for users, and once more for sandboxes.
    pub requests_in_flight_max: usize,
    /// Of the listeners for users and for sandboxes.
    pub people: ConnectionBounds,
    pub sandboxes: ConnectionBounds,
    /// Proxies in front, whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<Network>,
    pub uploads_at_once_max: usize,
    /// Instead of the request timeout, for uploads.
    pub upload_timeout: Duration,
    /// How far an upload may fall behind the minimum rate, and so its longest pause.
    pub upload_pause_max: Duration,
    /// How long a tool of a sandbox waits before its agent is told to retry.
    pub callback_wait: Duration,
    /// How far any other body may fall behind the minimum rate.
    pub body_grace: Duration,
    /// How long a client may leave a chunk of a stream unread.
    pub send_stall_max: Duration,
    /// Concurrent fetches and pushes of git in sandboxes.
    pub git_streams: CapacityLimits,
    /// How often the client of a stream is re-authenticated.
    pub standing_every: Duration,
    pub shutdown_drain: Duration,
    /// Whether requests for sessions of other instances are forwarded to them.
    pub forward: bool,
    /// The URL for browsers, if it differs from the one advertised to other instances.
    pub public_url: Option<String>,
    /// The checks of the installation; none by default.
    pub installation_checks: Option<CheckRunner>,
    /// The files of the dashboard; none by default.
    pub dashboard: Dashboard,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cors_allowed_origins: Vec::new(),
            request_timeout: limits::REQUEST_TIMEOUT,
            request_body_bytes_max: limits::REQUEST_BODY_BYTES_MAX,
            requests_in_flight_max: limits::REQUESTS_IN_FLIGHT_MAX,
            people: ConnectionBounds::people(),
            sandboxes: ConnectionBounds::sandboxes(),
            trusted_proxies: Vec::new(),
            uploads_at_once_max: limits::UPLOADS_AT_ONCE_MAX,
            upload_timeout: limits::UPLOAD_TIMEOUT,
            upload_pause_max: limits::UPLOAD_PAUSE_MAX,
            callback_wait: limits::CALLBACK_WAIT,
            body_grace: limits::BODY_GRACE,
            send_stall_max: limits::SEND_STALL_MAX,
            git_streams: limits::GIT_STREAMS,
            standing_every: limits::STANDING_EVERY,
            shutdown_drain: limits::SHUTDOWN_DRAIN,
            forward: true,
            public_url: None,
            installation_checks: None,
            dashboard: Dashboard::default(),
        }
    }
}
