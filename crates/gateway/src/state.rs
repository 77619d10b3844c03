//! What handlers share.

use std::sync::{Arc, OnceLock};

use app::App;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::sync::Semaphore;

use crate::options::Options;

/// The gateway of one process: cheap to clone.
#[derive(Debug, Clone)]
pub struct Gateway {
    pub(crate) app: App,
    pub(crate) options: Arc<Options>,
    pub(crate) in_flight: Arc<Semaphore>,
    pub(crate) uploads: Arc<Semaphore>,
    pub(crate) metrics: Metrics,
}

impl Gateway {
    pub fn new(app: App, options: Options) -> Self {
        let in_flight = Arc::new(Semaphore::new(options.requests_in_flight_max));
        let uploads = Arc::new(Semaphore::new(options.uploads_at_once_max));
        Self {
            app,
            options: Arc::new(options),
            in_flight,
            uploads,
            metrics: Metrics::install(),
        }
    }
}

/// The process's measurements, for Prometheus.
#[derive(Clone)]
pub struct Metrics(PrometheusHandle);

impl Metrics {
    /// The one recorder of the process; installed by whoever asks first.
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
