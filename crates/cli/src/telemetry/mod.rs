//! Logs and traces of the process. Logs go to stderr, because stdout is for data; every line is
//! scrubbed of secrets on its way out, our own and those of libraries. Traces go to a collector when one is set.

mod format;
mod otlp;
mod scrub;
mod span;
mod writer;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::Context as _;
use config::TelemetrySettings;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Subscriber;
use tracing_subscriber::{EnvFilter, Layer as _, fmt::MakeWriter, layer::SubscriberExt as _};

pub use scrub::Scrubber;

/// Keeps telemetry running; the last spans are sent when it is shut down or dropped.
#[must_use = "dropping the guard ends the export of traces"]
#[derive(Debug)]
pub struct Guard {
    traces: Option<otlp::Traces>,
}

impl Guard {
    /// Sends what is left, waiting at most [`otlp::SHUTDOWN_MAX`]. Blocks: call it last, when no
    /// request is being served any more.
    pub fn shutdown(mut self) {
        self.finish();
    }

    fn finish(&mut self) {
        if let Some(traces) = self.traces.take() {
            traces.finish(otlp::SHUTDOWN_MAX);
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Sets up logs and traces for this process, once.
pub fn init(settings: &TelemetrySettings, stderr_is_terminal: bool) -> anyhow::Result<Guard> {
    let (subscriber, guard) = assemble(settings, stderr_is_terminal, std::io::stderr)?;
    tracing::subscriber::set_global_default(subscriber)
        .context("logging was set up twice in this process")?;
    // The gateway continues the traces of its callers, in the W3C format.
    opentelemetry::global::set_text_map_propagator(TraceContextPropagator::new());
    Ok(guard)
}

/// Everything [`init`] does that is not global, writing to `output`.
fn assemble<W>(
    settings: &TelemetrySettings,
    is_terminal: bool,
    output: W,
) -> anyhow::Result<(impl Subscriber + Send + Sync + use<W>, Guard)>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let scrubber = Arc::new(Scrubber::new().context("the patterns of secrets do not compile")?);
    let filter = EnvFilter::builder()
        // Values in a filter are compared as they are: a regular expression there would be a surprise.
        .with_regex(false)
        .parse(&settings.log_filter)
        .with_context(|| {
            format!(
                "`telemetry.log_filter` is `{}`, which is not a filter\n  hint: write a level, or \
                 levels by module, such as `info` or `info,store=debug`",
                settings.log_filter
            )
        })?;
    let style = format::Style::choose(settings, is_terminal);
    let output = writer::ScrubbingOutput::new(output, Arc::clone(&scrubber), style);
    let traces = match &settings.otlp_endpoint {
        Some(endpoint) => Some(otlp::Traces::start(settings, endpoint, scrubber)?),
        None => None,
    };
    let exported = traces.as_ref().map(|traces| {
        tracing_opentelemetry::layer()
            .with_tracer(traces.tracer())
            // Where in our source a span was made helps no operator and names build directories.
            .with_location(false)
            .with_threads(false)
            .with_filter(otlp::exportable())
    });
    let subscriber = tracing_subscriber::registry()
        .with(exported)
        // The filter is for lines alone: quieter logs are no reason for gaps in traces.
        .with(style.layer(output).with_filter(filter));
    Ok((subscriber, Guard { traces }))
}
