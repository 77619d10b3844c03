//! That nothing secret is seen: every answer, every event, every log line at the finest level, every byte of the
//! database, through success and failure.

use std::time::Duration;

use serde_json::json;
use testkit::{
    database::Backend,
    log::Log,
    standin::{
        Fault,
        oauth::{self, CLIENT_SECRET, INSTALLATION, MARK, Shape},
    },
};

use super::{HOUR, begin, builder, come_back, connected_by, token};

/// On one thread, so that its subscriber hears all of it.
#[tokio::test]
async fn no_answer_event_log_line_or_stored_byte_holds_a_secret_sqlite() {
    let (log, _listening) = Log::listen();

    let oauth = oauth::start(Shape::GitHub).await;
    let app = builder(Backend::Sqlite, "github", &oauth).github_app(oauth.github_app());
    let app = app.start().await;
    let mut seen = String::new();
    let mut states = Vec::new();
    let body = json!({"integrationId": "github"});
    for fault in [
        None,
        Some(Fault::Status(503)),
        Some(Fault::Status(401)),
        Some(Fault::CutAfter),
    ] {
        let (url, cookie) = begin(&app.owner(), body.clone()).await;
        let location = oauth.say_yes(&url).await;
        states.push(location.split_once("state=").unwrap().1.to_owned());
        states.push(cookie.split_once('=').unwrap().1.to_owned());
        oauth.server.fail_next(fault);
        seen += come_back(&app, &location, Some(&cookie)).await.text();
    }
    let installed = json!({"integrationId": "github", "installationId": INSTALLATION});
    let installation = connected_by(&app, &oauth, installed).await;
    for fault in [Some(Fault::Status(500)), None] {
        oauth.server.fail_next(fault);
        seen += &printed(&token(&app, installation).await);
        app.clock.advance(Duration::from_secs(2));
    }
    let id = connected_by(&app, &oauth, body).await;
    for fault in [None, Some(Fault::Status(503)), Some(Fault::Malformed), None] {
        app.clock.advance(HOUR);
        oauth.server.fail_next(fault);
        seen += &printed(&token(&app, id).await);
    }
    let paths = ["/v1/integrations", "/v1/audit/events", "/metrics"];
    ::app::audit::sign_pending(&app.app, &app.acme)
        .await
        .unwrap();
    for path in paths {
        let answer = app.owner().get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        seen += answer.text();
    }
    seen += &printed(&app.app);
    for operation in ["connect", "renew", "expire"] {
        assert!(seen.contains(&format!("integration_{operation}")));
    }

    let written = log.text();
    assert!(
        written.contains("hyper_util"),
        "the libraries' logs are part of it"
    );
    assert!(written.contains("a token was not renewed"));
    let key = oauth.private_key();
    let key = secrecy::ExposeSecret::expose_secret(&key);
    let key_line = key.lines().nth(5).unwrap();
    let stored = stored(&app.database.url);
    for (place, text) in [
        ("seen", seen.as_bytes()),
        ("log", written.as_bytes()),
        ("stored", &stored),
    ] {
        let mut secrets = vec![MARK, CLIENT_SECRET, key_line];
        secrets.extend(states.iter().map(String::as_str));
        for secret in secrets {
            let found = text
                .windows(secret.len())
                .position(|part| part == secret.as_bytes());
            let around =
                found.map(|at| String::from_utf8_lossy(&text[at.saturating_sub(200)..][..250]));
            assert_eq!(around, None, "{place}");
        }
    }
    // The verifiers, which only the stand-in has seen.
    for request in oauth.grants("authorization_code") {
        let verifier = &request.form["code_verifier"];
        assert!(!written.contains(verifier) && !seen.contains(verifier));
        assert!(
            !stored
                .windows(verifier.len())
                .any(|part| part == verifier.as_bytes())
        );
    }
}

fn printed(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

/// The database's file and its log, byte by byte.
fn stored(url: &str) -> Vec<u8> {
    let path = url.trim_start_matches("sqlite:");
    let mut bytes = std::fs::read(path).unwrap();
    bytes.extend(std::fs::read(format!("{path}-wal")).unwrap_or_default());
    assert!(bytes.len() > 10_000);
    bytes
}
