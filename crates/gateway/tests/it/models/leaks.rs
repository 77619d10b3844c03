//! That the operator's key and the sessions' keys are seen nowhere: answers, log lines at the finest level, events,
//! stored bytes.

use serde_json::json;
use testkit::{
    app::{MODEL_KEY, TestApp},
    database::Backend,
    log::Log,
};

use super::{Canned, Provider, ask, asked, session};

/// On one thread, so that its subscriber hears all of it.
#[tokio::test]
async fn no_answer_event_log_line_or_stored_byte_holds_a_key_sqlite() {
    let (log, _listening) = Log::listen();

    let provider = Provider::start().await;
    let app = TestApp::builder(Backend::Sqlite).model(&provider.url);
    let app = app.start().await;
    let (id, key) = session(&app).await;
    let mut seen = String::new();
    let telling =
        json!({"type": "error", "error": {"type": "x", "message": MODEL_KEY}}).to_string();
    for status in [200, 401, 403, 307, 400, 500] {
        if status != 200 {
            provider.next(Canned::Whole(status, vec![], telling.clone()));
        }
        let answer = asked(&app, &key, &ask()).await;
        seen += answer.text();
        seen += &printed(&answer.headers);
    }
    seen += asked(&app, &format!("{key}0"), &ask()).await.text();
    ::app::audit::sign_pending(&app.app, &app.acme)
        .await
        .unwrap();
    let usage = format!("/v1/sessions/{id}/usage");
    for path in [usage.as_str(), "/v1/audit/events", "/metrics"] {
        seen += app.owner().get(path).await.text();
    }
    seen += &printed(&app.app);

    let written = log.text();
    assert!(
        written.contains("hyper_util"),
        "the libraries' logs are part of it"
    );
    assert!(
        written.contains("refuses the operator's key"),
        "the operator is told"
    );
    let path = app.database.url.trim_start_matches("sqlite:");
    let mut stored = std::fs::read(path).unwrap();
    stored.extend(std::fs::read(format!("{path}-wal")).unwrap_or_default());
    let stored = String::from_utf8_lossy(&stored);
    assert!(
        stored.contains("claude-opus-4.6"),
        "what was used is stored"
    );
    let mac = key.rsplit_once('_').unwrap().1;
    for (place, text) in [
        ("seen", seen.as_str()),
        ("log", &written),
        ("stored", &stored),
    ] {
        for secret in [MODEL_KEY, mac] {
            assert!(!text.contains(secret), "{place}");
        }
    }
}

fn printed(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}
