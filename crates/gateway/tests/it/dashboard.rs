//! The dashboard as browsers get it, and what they get where a build has none.

use std::borrow::Cow;

use gateway::{Dashboard, File};
use testkit::{app::TestApp, database::Backend};

/// A build of the app, as small as one can be.
pub(crate) fn file(path: &str) -> Option<File> {
    let (bytes, digest): (&'static [u8], u8) = match path {
        "index.html" => (b"<!doctype html>the app", 1),
        "assets/index-C0ffee.js" => (b"console.log('plain')", 2),
        "assets/index-C0ffee.js.br" => (b"(brotli)", 3),
        "assets/index-C0ffee.js.gz" => (b"(gzip)", 4),
        "icon.svg" => (b"<svg/>", 5),
        "docs.html" => (b"<!doctype html>the reference", 6),
        _ => return None,
    };
    Some(File {
        bytes: Cow::Borrowed(bytes),
        sha256: [digest; 32],
    })
}

async fn with_dashboard() -> TestApp {
    TestApp::builder(Backend::Sqlite)
        .options(|options| options.dashboard = Dashboard::new(file))
        .start()
        .await
}

const SCRIPT: &str = "/assets/index-C0ffee.js";

#[tokio::test]
async fn the_page_is_at_every_address_of_the_app() {
    let app = with_dashboard().await;
    for address in [
        "/",
        "/sessions",
        "/sessions/0192f0c1-2345-7abc-8def-0123456789ab",
        "/sessions/0192f0c1-2345-7abc-8def-0123456789ab/diff",
        "/approvals",
        "/grants",
        "/connectors/new",
        "/configurations",
        "/secrets",
        "/automations",
        "/policy",
        "/audit",
        "/fleet",
        "/organizations",
        "/settings/members",
        "/login",
        "/setup?code=stp_00",
    ] {
        let answer = app.anonymous().get(address).await;
        assert_eq!(answer.status, 200, "{address}");
        assert_eq!(answer.text(), "<!doctype html>the app", "{address}");
        let expected = [
            ("content-type", "text/html; charset=utf-8"),
            ("cache-control", "no-cache"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
        ];
        for (name, value) in expected {
            assert_eq!(answer.header(name), Some(value), "{address} {name}");
        }
        let policy = answer.header("content-security-policy").unwrap();
        let parts: Vec<_> = policy.split("; ").collect();
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "connect-src 'self'",
            "img-src 'self' data: blob:",
            "frame-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(parts.contains(&part), "{part} is not in {policy}");
        }
        assert!(!policy.contains("unsafe-eval"), "{policy}");
    }
    for elsewhere in [
        "/nope",
        "/index.html",
        "/docs.html",
        "/sessionsx",
        "/v1/nope",
    ] {
        let answer = app.anonymous().get(elsewhere).await;
        answer.expect_problem(404, "NOT_FOUND");
    }
    let answer = app
        .anonymous()
        .post("/sessions", serde_json::json!({}))
        .await;
    answer.expect_problem(405, "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn files_are_kept_for_ever_and_sent_as_small_as_the_client_takes_them() {
    let app = with_dashboard().await;
    let table = [
        (None, None, "console.log('plain')"),
        (Some("gzip, deflate, br"), Some("br"), "(brotli)"),
        (Some("gzip"), Some("gzip"), "(gzip)"),
        (Some("br;q=0, gzip;q=0.5"), Some("gzip"), "(gzip)"),
        (Some("identity"), None, "console.log('plain')"),
    ];
    let mut tags = Vec::new();
    for (accepted, coding, text) in table {
        let mut call = app.anonymous().get(SCRIPT);
        if let Some(accepted) = accepted {
            call = call.header("accept-encoding", accepted);
        }
        let answer = call.await;
        assert_eq!((answer.status, answer.text()), (200, text));
        assert_eq!(answer.header("content-encoding"), coding);
        let expected = [
            ("content-type", "text/javascript; charset=utf-8"),
            ("cache-control", "public, max-age=31536000, immutable"),
            ("x-content-type-options", "nosniff"),
        ];
        for (name, value) in expected {
            assert_eq!(answer.header(name), Some(value), "{name}");
        }
        let varies = answer.headers.get_all("vary").iter();
        assert!(varies.into_iter().any(|value| value == "accept-encoding"));
        tags.push(answer.header("etag").unwrap().to_owned());
    }
    // A tag is of the bytes that were sent.
    assert_eq!(tags[0], tags[4]);
    assert_eq!(tags[2], tags[3]);
    assert_ne!(tags[0], tags[1]);
    let known = format!("\"other\", {}", tags[0]);
    let answer = app
        .anonymous()
        .get(SCRIPT)
        .header("if-none-match", &known)
        .await;
    assert_eq!((answer.status, answer.text()), (304, ""));
    assert_eq!(answer.header("etag"), Some(tags[0].as_str()));
}

#[tokio::test]
async fn nothing_but_the_files_is_served() {
    let app = with_dashboard().await;
    for path in [
        "/assets/nope.js",
        "/assets/index-C0ffee.js.br",
        "/assets/..%2Findex.html",
        "/assets/%2e%2e/%2e%2e/Cargo.toml",
        "/icon.svg.gz",
    ] {
        let answer = app.anonymous().get(path).await;
        answer.expect_problem(404, "NOT_FOUND");
    }
    let icon = app.anonymous().get("/icon.svg").await;
    assert_eq!(icon.status, 200);
    assert_eq!(icon.header("content-type"), Some("image/svg+xml"));
    assert_eq!(icon.header("cache-control"), Some("no-cache"));
}

#[tokio::test]
async fn the_reference_of_the_api_is_a_page_of_the_build_under_the_strict_policy() {
    let app = with_dashboard().await;
    let reference = app.anonymous().get("/docs").await;
    assert_eq!(reference.status, 200);
    assert_eq!(reference.text(), "<!doctype html>the reference");
    assert_eq!(reference.header("cache-control"), Some("no-cache"));
    let policy = reference.header("content-security-policy").unwrap();
    assert!(
        policy.contains("script-src 'self'; style-src 'self';"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[tokio::test]
async fn an_old_link_to_a_session_leads_to_its_page() {
    let app = with_dashboard().await;
    let answer = app.anonymous().get("/session/abc?tab=diff").await;
    assert_eq!(answer.status, 307);
    assert_eq!(answer.header("location"), Some("/sessions/abc?tab=diff"));
}

#[tokio::test]
async fn a_build_without_the_app_says_what_to_run() {
    let app = TestApp::start(Backend::Sqlite).await;
    for (address, status) in [("/", 200), ("/sessions", 404), ("/docs", 404)] {
        let answer = app.anonymous().get(address).await;
        assert_eq!(answer.status, status, "{address}");
        let text = answer.text();
        assert!(text.contains("The dashboard was not built"), "{text}");
        for command in ["./run", "npm --prefix dashboard run build", "cargo build"] {
            assert!(text.contains(&format!("<code>{command}</code>")), "{text}");
        }
        assert!(text.contains(r#"href="/assets/style.css""#), "{text}");
    }
    let style = app.anonymous().get("/assets/style.css").await;
    assert_eq!(
        style.header("content-type"),
        Some("text/css; charset=utf-8")
    );
    let answer = app.anonymous().get(SCRIPT).await;
    answer.expect_problem(404, "NOT_FOUND");
    let document = app.anonymous().get("/openapi.json").await.expect(200);
    assert_eq!(document["openapi"], "3.1.0");
}
