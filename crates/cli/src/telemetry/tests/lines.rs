//! Lines as they are written, in both looks.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use config::{LogFormat, TelemetrySettings};
use tracing_subscriber::fmt::MakeWriter;

use crate::telemetry::assemble;

/// Keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Kept {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

fn lines(settings: &TelemetrySettings, is_terminal: bool, body: impl FnOnce()) -> String {
    let kept = Kept::default();
    let (subscriber, _guard) = assemble(settings, is_terminal, kept.clone()).unwrap();
    tracing::subscriber::with_default(subscriber, body);
    let bytes = kept.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

fn speak() {
    let span = tracing::info_span!("request", url = "redis://:planted@cache/0");
    let _entered = span.enter();
    tracing::info!(password = "planted \"quoted", token = %"planted", user = "ada", "told password=planted to ada");
    tracing::debug!("not at this level");
}

#[test]
fn json_lines_stay_json_without_their_secrets() {
    let line = lines(&TelemetrySettings::default(), false, speak);
    assert!(!line.contains("planted"), "{line}");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value["message"], "told password=*** to ada");
    assert_eq!(value["password"], "***");
    assert_eq!(value["user"], "ada");
    assert_eq!(value["span"]["name"], "request");
    assert_eq!(value["span"]["url"], "redis://:***@cache/0");
}

#[test]
fn human_lines_hide_secrets_with_and_without_colours() {
    for (is_terminal, color) in [(true, true), (true, false), (false, true)] {
        let settings = TelemetrySettings {
            log_format: LogFormat::Human,
            color,
            ..TelemetrySettings::default()
        };
        let line = lines(&settings, is_terminal, speak);
        assert!(!line.contains("planted"), "{line}");
        assert!(line.contains("told password=*** to ada"), "{line}");
        assert_eq!(line.contains('\u{1b}'), is_terminal && color, "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
    }
}

#[test]
fn the_filter_decides_and_a_bad_one_is_explained() {
    let settings = TelemetrySettings {
        log_filter: "warn,cli=debug".to_owned(),
        ..TelemetrySettings::default()
    };
    let line = lines(&settings, false, || {
        tracing::debug!("ours");
        tracing::info!(target: "theirs", "not shown");
    });
    assert!(
        line.contains("ours") && !line.contains("not shown"),
        "{line}"
    );

    let settings = TelemetrySettings {
        log_filter: "store=loud".to_owned(),
        ..TelemetrySettings::default()
    };
    let error = assemble(&settings, false, io::stderr).err().unwrap();
    assert!(
        error.to_string().contains("telemetry.log_filter"),
        "{error}"
    );
}

#[test]
fn a_process_sets_up_its_telemetry_once() {
    let settings = TelemetrySettings::default();
    let guard = crate::telemetry::init(&settings, false).unwrap();
    let error = crate::telemetry::init(&settings, false).err().unwrap();
    assert!(error.to_string().contains("twice"), "{error}");
    guard.shutdown();
}
