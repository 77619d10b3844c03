//! URLs, and that their passwords are not exposed.

use std::sync::Arc;

use coord::{Error, open};
use testkit::clock::FakeClock;

#[tokio::test]
async fn the_scheme_chooses_the_implementation() {
    let clock = Arc::new(FakeClock::new());
    for (url, name) in [
        ("memory://", "MemoryCoordination"),
        ("redis://localhost", "RedisCoordination"),
        (
            "rediss://user:pass@cache.example:6380/1",
            "RedisCoordination",
        ),
    ] {
        let coordination = open(url, clock.clone()).unwrap();
        assert!(format!("{coordination:?}").starts_with(name), "{url}");
    }
    for url in [
        "",
        "memory",
        "memory://x",
        "http://localhost",
        "unix:///run/r",
        "redis://:x:y",
    ] {
        let error = open(url, clock.clone()).unwrap_err();
        assert!(matches!(error, Error::InvalidUrl { .. }), "{url}");
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn passwords_are_in_no_text() {
    let clock = Arc::new(FakeClock::new());
    let url = "redis://user:hunter2@127.0.0.1:1";
    let coordination = open(url, clock.clone()).unwrap();
    let debug = format!("{coordination:?} {coordination:#?}");
    assert!(debug.contains("127.0.0.1:1"), "{debug}");
    let error = coordination.ping().await.unwrap_err();
    let invalid = open("redis://user:hunter2@127.0.0.1:port", clock).unwrap_err();
    for text in [debug, all_texts(&error), all_texts(&invalid)] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

fn all_texts(error: &Error) -> String {
    let first: &dyn std::error::Error = error;
    let chain: Vec<_> = std::iter::successors(Some(first), |error| error.source()).collect();
    format!("{chain:?} {chain:#?} {error}")
}
