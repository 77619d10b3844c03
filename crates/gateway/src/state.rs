//! The state shared by handlers.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use app::App;
use domain::limits::SOCKETS_MAX;
use hub::Hub;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    capacities::Capacities,
    connections::{Requests, UnauthenticatedSockets},
    extract::{cookie::LoginCookie, own_url::OwnUrl},
    forward::forward_client,
    options::Options,
    readiness::Readiness,
    routes::mcp::Waits,
};

/// The gateway of one process. Cheap to clone, which every layer of a route does for every request.
#[derive(Debug, Clone)]
pub struct Gateway(Arc<Shared>);

impl Deref for Gateway {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// What all requests share.
#[derive(Debug, Clone)]
pub struct Shared {
    pub(crate) app: App,
    pub(crate) options: Options,
    /// The URL of this gateway for browsers, taken apart.
    pub(crate) own_url: OwnUrl,
    /// The shared capacities.
    pub(crate) capacities: Capacities,
    /// Requests of users, and of sandboxes.
    pub(crate) people: Arc<Requests>,
    pub(crate) sandboxes: Arc<Requests>,
    /// Whether `/metrics` is on a listener of its own, and nowhere else.
    pub(crate) metrics_apart: bool,
    /// Calls over MCP that wait for an approval.
    pub(crate) mcp_waits: Arc<Waits>,
    pub(crate) metrics: Metrics,
    pub(crate) readiness: Arc<Readiness>,
    /// Live sessions, where this instance has any.
    pub(crate) hub: Option<Hub>,
    pub(crate) sockets: Sockets,
    /// For forwarding to other instances.
    pub(crate) forward_client: reqwest::Client,
}

/// WebSockets: they outlive their upgrade request.
#[derive(Debug, Clone)]
pub(crate) struct Sockets {
    pub(crate) room: Arc<Semaphore>,
    /// For clients that are not authenticated yet.
    pub(crate) unauthenticated: Arc<UnauthenticatedSockets>,
    /// Signals the server's stop to tasks without an end of their own.
    pub(crate) stop: CancellationToken,
    pub(crate) open: TaskTracker,
}

impl Gateway {
    pub fn new(app: App, options: Options) -> Self {
        let capacities = Capacities::of(&options);
        let requests = || Arc::new(Requests::new(options.requests_in_flight_max));
        let (people, sandboxes) = (requests(), requests());
        let own_url = OwnUrl::parse(public_url(&app, &options));
        Self(Arc::new(Shared {
            app,
            options,
            own_url,
            people,
            sandboxes,
            metrics_apart: false,
            capacities,
            mcp_waits: Arc::default(),
            metrics: Metrics::install(),
            readiness: Arc::default(),
            hub: None,
            sockets: Sockets {
                room: Arc::new(Semaphore::new(SOCKETS_MAX)),
                unauthenticated: Arc::default(),
                stop: CancellationToken::new(),
                open: TaskTracker::new(),
            },
            forward_client: forward_client(),
        }))
    }

    /// The URL of this gateway for browsers.
    pub(crate) fn public_url(&self) -> &str {
        public_url(&self.app, &self.options)
    }

    pub(crate) fn login_cookie(&self) -> LoginCookie {
        LoginCookie::at(&self.own_url)
    }

    /// Until `stop`.
    pub(crate) fn until(mut self, stop: CancellationToken) -> Self {
        Arc::make_mut(&mut self.0).sockets.stop = stop;
        self
    }

    pub(crate) fn with_metrics_apart(mut self, apart: bool) -> Self {
        Arc::make_mut(&mut self.0).metrics_apart = apart;
        self
    }

    /// With live sessions.
    pub fn with_hub(mut self, hub: Hub) -> Self {
        Arc::make_mut(&mut self.0).hub = Some(hub);
        self
    }
}

fn public_url<'a>(app: &'a App, options: &'a Options) -> &'a str {
    let given = options.public_url.as_deref();
    given.unwrap_or(&app.instance.advertised_url)
}

/// The process's metrics, for Prometheus.
#[derive(Clone)]
pub struct Metrics(PrometheusHandle);

impl Metrics {
    /// The one recorder of the process; installed by the first caller.
    pub fn install() -> Self {
        static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
        let handle = RECORDER.get_or_init(|| {
            let recorder = PrometheusBuilder::new().build_recorder();
            let handle = recorder.handle();
            if metrics::set_global_recorder(recorder).is_err() {
                tracing::warn!("another metrics recorder is installed; /metrics will be empty");
            }
            handle
        });
        Self(handle.clone())
    }

    /// The text a Prometheus server scrapes.
    pub(crate) fn render(&self) -> String {
        self.0.run_upkeep();
        self.0.render()
    }
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Metrics")
    }
}
