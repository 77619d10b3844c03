//! Spans as a collector receives them, over a real socket.

use std::{net::TcpListener, sync::Arc, time::Duration};

use config::{Overrides, SettingSources, Settings, TelemetrySettings, telemetry};

use super::collector;
use crate::{
    load::CATALOG,
    telemetry::{Scrubber, assemble, otlp::Traces},
};

/// Settings with a collector, the way a user sets one.
fn settings(endpoint: &str) -> TelemetrySettings {
    let flags = Overrides::default()
        .with(&telemetry::OTLP_ENDPOINT, endpoint)
        .with(&telemetry::SERVICE_NAME, "gateway-under-test");
    let env = |name: &str| (name == "HOME").then(|| "/home/ada".to_owned());
    let sources = SettingSources {
        flags,
        env: &env,
        file: None,
    };
    Settings::load(&CATALOG, sources).unwrap().telemetry
}

// Inside a runtime, as in the product: nothing may block on it or be dropped in it.
#[tokio::test]
async fn a_span_reaches_the_collector_before_shutdown_returns() {
    let (address, received) = collector::start();
    // Logs are quiet, traces are not.
    let settings = TelemetrySettings {
        log_filter: "off".to_owned(),
        ..settings(&format!("http://{address}"))
    };
    let (subscriber, guard) = assemble(&settings, false, std::io::sink).unwrap();
    tracing::subscriber::with_default(subscriber, || {
        let span = tracing::info_span!(
            "session_create",
            password = "planted",
            title = "Bearer planted"
        );
        let _entered = span.enter();
        tracing::info!("told token=planted");
        tracing::info_span!(target: "hyper::client", "carrier").in_scope(|| {});
        tracing::debug_span!("detail_span").in_scope(|| {});
    });
    guard.shutdown();

    let received = received.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(
        received.head.starts_with("POST /v1/traces HTTP/1.1"),
        "{}",
        received.head
    );
    assert!(
        received.head.contains("application/x-protobuf"),
        "{}",
        received.head
    );
    assert!(received.contains("session_create"));
    assert!(received.contains("gateway-under-test"));
    assert!(received.contains("told token=***"));
    assert!(!received.contains("planted"));
    assert!(!received.contains("carrier"));
    assert!(!received.contains("detail_span"));
}

#[test]
fn a_collector_that_never_answers_does_not_hold_up_the_end() {
    // Accepts, because the kernel does, and says nothing.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = settings(&format!("http://{}", listener.local_addr().unwrap()));
    let scrubber = Arc::new(Scrubber::new().unwrap());
    let endpoint = settings.otlp_endpoint.as_ref().unwrap();
    let traces = Traces::start(&settings, endpoint, scrubber).unwrap();
    drop(opentelemetry::trace::Tracer::start(
        &traces.tracer(),
        "span",
    ));

    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        traces.finish(Duration::from_millis(200));
        sender.send(()).unwrap();
    });
    receiver.recv_timeout(Duration::from_secs(3)).unwrap();
}

#[test]
fn no_span_leaves_when_nothing_is_sampled() {
    let (address, received) = collector::start();
    let settings = TelemetrySettings {
        sampling_ratio: 0.0,
        ..settings(&format!("http://{address}"))
    };
    let (subscriber, guard) = assemble(&settings, false, std::io::sink).unwrap();
    tracing::subscriber::with_default(subscriber, || {
        tracing::info_span!("session_create").in_scope(|| {});
    });
    guard.shutdown();
    assert!(received.try_recv().is_err());
}

#[tokio::test]
async fn an_endpoint_the_exporter_cannot_use_is_an_error_without_its_password() {
    let settings = settings("http://ada:planted@bücher.example");
    let error = assemble(&settings, false, std::io::sink).err().unwrap();
    let shown = format!("{error:#}");
    assert!(shown.contains("telemetry.otlp_endpoint"), "{shown}");
    assert!(!shown.contains("planted"), "{shown}");
}
