//! Traces over OTLP. Spans wait in a bounded queue and leave in batches; when the collector is slow
//! or gone they are dropped, never waited for.
//!
//! The exporter has a small runtime of its own: the batches are made on a plain thread, where the
//! HTTP client could not run, and a shutdown must not depend on the runtime that is going away.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use config::{ConnectionUrl, TelemetrySettings};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, WithExportConfig as _};
use opentelemetry_sdk::{
    Resource,
    error::{OTelSdkError, OTelSdkResult},
    trace::{
        BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider, SpanData,
        SpanExporter,
    },
};
use tokio::runtime::{Builder, Handle, Runtime};
use tracing::{Level, Metadata};
use tracing_subscriber::filter::FilterFn;

use super::{scrub::Scrubber, span::scrub_span};

/// Longest that ending the process waits for the last batch.
pub(super) const SHUTDOWN_MAX: Duration = Duration::from_secs(5);
/// Longest that one batch may take, its retries included; below [`SHUTDOWN_MAX`], so that a batch
/// under way does not use up the time of the last one.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(4);
/// Spans waiting; at about 1 KB each this is 2 MB. More are dropped.
const QUEUE_MAX: usize = 2048;
const BATCH_MAX: usize = 512;
const BATCH_EVERY: Duration = Duration::from_secs(2);
const ATTRIBUTES_PER_SPAN_MAX: u32 = 64;
const EVENTS_PER_SPAN_MAX: u32 = 128;
const LINKS_PER_SPAN_MAX: u32 = 16;
/// Where a collector takes traces, below its base URL.
const TRACES_PATH: &str = "/v1/traces";

/// The export of traces, from start to finish.
#[derive(Debug)]
pub(super) struct Traces {
    provider: SdkTracerProvider,
    runtime: Runtime,
}

impl Traces {
    pub(super) fn start(
        settings: &TelemetrySettings,
        endpoint: &ConnectionUrl,
        scrubber: Arc<Scrubber>,
    ) -> anyhow::Result<Self> {
        let inner = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(traces_url(endpoint.expose()))
            .with_timeout(EXPORT_TIMEOUT)
            .build()
            // The cause would repeat the URL, password included.
            .map_err(|_| {
                anyhow::anyhow!(
                    "`telemetry.otlp_endpoint` is {endpoint}, which the trace exporter cannot use"
                )
            })?;
        // Last of what can fail: a runtime that is dropped inside another one panics.
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("otlp")
            .enable_all()
            .build()
            .context("cannot start the runtime of the trace exporter")?;
        let exporter = Exporter {
            inner: Arc::new(inner),
            runtime: runtime.handle().clone(),
            scrubber,
            failing: AtomicBool::new(false),
        };
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE_MAX)
            .with_max_export_batch_size(BATCH_MAX)
            .with_scheduled_delay(BATCH_EVERY)
            .build();
        let processor = BatchSpanProcessor::builder(exporter)
            .with_batch_config(batches)
            .build();
        let sampler = Sampler::TraceIdRatioBased(settings.sampling_ratio);
        let provider = SdkTracerProvider::builder()
            .with_span_processor(processor)
            // A caller that already decided to trace a request is followed.
            .with_sampler(Sampler::ParentBased(Box::new(sampler)))
            .with_max_attributes_per_span(ATTRIBUTES_PER_SPAN_MAX)
            .with_max_events_per_span(EVENTS_PER_SPAN_MAX)
            .with_max_links_per_span(LINKS_PER_SPAN_MAX)
            .with_resource(
                Resource::builder_empty()
                    .with_service_name(settings.service_name.clone())
                    .with_attribute(opentelemetry::KeyValue::new(
                        "service.version",
                        env!("CARGO_PKG_VERSION"),
                    ))
                    .build(),
            )
            .build();
        Ok(Self { provider, runtime })
    }

    pub(super) fn tracer(&self) -> SdkTracer {
        self.provider.tracer("proliferate")
    }

    /// Sends what is left, waiting at most `timeout`.
    pub(super) fn finish(self, timeout: Duration) {
        if let Err(error) = self.provider.shutdown_with_timeout(timeout) {
            tracing::warn!(%error, "the last traces could not be sent");
        }
        // A request that hangs must not hold up the end of the process.
        self.runtime.shutdown_background();
    }
}

/// Which spans may leave: those an operator cares about, and not those of the client that carries
/// them, or each batch would cause the next one.
pub(super) fn exportable() -> FilterFn<fn(&Metadata<'_>) -> bool> {
    const CARRIERS: &[&str] = &[
        "h2",
        "hyper",
        "hyper_util",
        "opentelemetry",
        "reqwest",
        "rustls",
    ];
    FilterFn::new(|meta| {
        let root = meta.target().split("::").next().unwrap_or_default();
        *meta.level() <= Level::INFO && !CARRIERS.contains(&root)
    })
}

/// The collector's address for traces; a base URL is completed, a complete one is left alone.
fn traces_url(endpoint: &str) -> String {
    let base = endpoint.trim_end_matches('/');
    if base.ends_with(TRACES_PATH) {
        base.to_owned()
    } else {
        format!("{base}{TRACES_PATH}")
    }
}

/// Scrubs each batch and sends it on the exporter's runtime.
#[derive(Debug)]
struct Exporter {
    inner: Arc<opentelemetry_otlp::SpanExporter>,
    runtime: Handle,
    scrubber: Arc<Scrubber>,
    /// Whether the last batch was lost, so that an outage is logged once and not every few seconds.
    failing: AtomicBool,
}

impl SpanExporter for Exporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let batch: Vec<SpanData> = batch
            .into_iter()
            .map(|span| scrub_span(&self.scrubber, span))
            .collect();
        let inner = Arc::clone(&self.inner);
        let sent = self.runtime.spawn(async move { inner.export(batch).await });
        let result = sent
            .await
            .unwrap_or_else(|error| Err(OTelSdkError::InternalFailure(error.to_string())));
        let was_failing = self.failing.swap(result.is_err(), Ordering::Relaxed);
        match &result {
            Err(error) if !was_failing => {
                tracing::warn!(%error, "traces cannot be sent and are dropped");
            }
            Ok(()) if was_failing => tracing::info!("traces can be sent again"),
            _ => {}
        }
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        // Called before the first batch, while no other task holds the exporter.
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.set_resource(resource);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_completed_once() {
        for (endpoint, expected) in [
            ("http://c:4318", "http://c:4318/v1/traces"),
            ("http://c:4318/", "http://c:4318/v1/traces"),
            ("http://c/otlp", "http://c/otlp/v1/traces"),
            ("http://c/v1/traces", "http://c/v1/traces"),
        ] {
            assert_eq!(traces_url(endpoint), expected);
        }
    }
}
