//! How a log line looks: short and coloured for a person, JSON for a machine.

use config::{LogFormat, TelemetrySettings};
use tracing::Subscriber;
use tracing_subscriber::{Layer, fmt::MakeWriter, registry::LookupSpan};

/// The look that was decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Human { color: bool },
    Json,
}

impl Style {
    pub(super) fn choose(settings: &TelemetrySettings, is_terminal: bool) -> Self {
        let human = match settings.log_format {
            LogFormat::Auto => is_terminal,
            LogFormat::Human => true,
            LogFormat::Json => false,
        };
        if human {
            Self::Human {
                color: is_terminal && settings.color,
            }
        } else {
            Self::Json
        }
    }

    pub(super) fn layer<S, W>(self, output: W) -> Box<dyn Layer<S> + Send + Sync>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
        W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
    {
        let layer = tracing_subscriber::fmt::layer().with_writer(output);
        match self {
            Self::Human { color } => layer.compact().with_ansi(color).boxed(),
            Self::Json => layer
                .json()
                .flatten_event(true)
                // The innermost span with its fields is enough; a list repeats it.
                .with_span_list(false)
                .boxed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_look_follows_setting_terminal_and_colour() {
        let human = |color| Style::Human { color };
        for (log_format, is_terminal, color, expected) in [
            (LogFormat::Auto, true, true, human(true)),
            (LogFormat::Auto, true, false, human(false)),
            (LogFormat::Auto, false, true, Style::Json),
            (LogFormat::Human, false, true, human(false)),
            (LogFormat::Human, true, true, human(true)),
            (LogFormat::Json, true, true, Style::Json),
        ] {
            let settings = TelemetrySettings {
                log_format,
                color,
                ..TelemetrySettings::default()
            };
            assert_eq!(Style::choose(&settings, is_terminal), expected);
        }
    }
}
