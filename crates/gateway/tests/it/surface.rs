//! What holds for every answer, whatever it is about: problems, headers, request ids, CORS, health
//! and measurements.

use axum::http::Method;
use domain::limits::READINESS_FRESH;
use serde_json::{Value, json};
use testkit::{
    app::{CoordinationBackend, TestApp, TestResponse},
    database::Backend,
};
use wire::problem::Code;

use crate::support::UNKNOWN_ID;

testkit::on_both_databases!(a_closed_database_is_named_by_ready_and_answered_503,);

const ORIGIN: &str = "https://app.example";

async fn sqlite() -> TestApp {
    TestApp::start(Backend::Sqlite).await
}

#[tokio::test]
async fn unknown_routes_and_methods_are_problems() {
    let app = sqlite().await;
    app.anonymous()
        .get("/nope")
        .await
        .expect_problem(404, "NOT_FOUND");
    let table = [
        (Method::POST, "/v1/sessions", "GET,HEAD"),
        (Method::PUT, "/v1/sessions/x", "GET,HEAD,PATCH,DELETE"),
        (Method::GET, "/proliferate/sessions", "POST"),
        (Method::DELETE, "/health", "GET,HEAD"),
    ];
    for (method, path, allowed) in table {
        let answer = app.owner().call(method, path).await;
        answer.expect_problem(405, "METHOD_NOT_ALLOWED");
        let mut allow: Vec<_> = answer
            .header("allow")
            .unwrap_or_default()
            .split(',')
            .collect();
        let mut allowed: Vec<_> = allowed.split(',').collect();
        allow.sort_unstable();
        allowed.sort_unstable();
        assert_eq!(allow, allowed, "{path}");
    }
    let head = app.anonymous().call(Method::HEAD, "/health").await;
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[tokio::test]
async fn every_kind_of_answer_has_the_security_headers() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.cors_allowed_origins = vec![ORIGIN.to_owned()])
        .start()
        .await;
    let owner = app.owner();
    let answers = [
        owner.get("/v1/me").await,
        owner.get("/").await,
        owner.get("/docs").await,
        owner.get("/session/any").await,
        owner.get("/assets/style.css").await,
        owner.get("/nope").await,
        app.anonymous().get("/v1/me").await,
        owner.call(Method::PUT, "/v1/me").await,
        owner.get("/errors/NOT_FOUND").await,
        preflight(&app, ORIGIN).await,
    ];
    for answer in answers {
        let expected = [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
            ("cross-origin-opener-policy", "same-origin"),
        ];
        for (name, value) in expected {
            assert_eq!(answer.header(name), Some(value), "{name}: {answer:?}");
        }
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none';"));
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(answer.header("x-request-id").is_some());
        assert_eq!(answer.headers.get_all("x-request-id").iter().count(), 1);
    }
}

async fn preflight(app: &TestApp, origin: &str) -> TestResponse {
    app.anonymous()
        .call(Method::OPTIONS, "/v1/sessions")
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization,idempotency-key",
        )
        .await
}

#[tokio::test]
async fn only_listed_origins_may_call_from_a_browser() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.cors_allowed_origins = vec![ORIGIN.to_owned()])
        .start()
        .await;
    let allowed = "access-control-allow-origin";
    let answer = preflight(&app, ORIGIN).await;
    assert_eq!(answer.header(allowed), Some(ORIGIN));
    let headers = answer.header("access-control-allow-headers").unwrap();
    for name in [
        "authorization",
        "content-type",
        "idempotency-key",
        "x-org-id",
    ] {
        assert!(headers.contains(name), "{headers}");
    }
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    for path in ["/v1/me", "/nope"] {
        let answer = app.owner().get(path).header("origin", ORIGIN).await;
        assert_eq!(answer.header(allowed), Some(ORIGIN), "{path}");
        assert!(answer.header("vary").unwrap().contains("origin"), "{path}");
    }
    for origin in [
        "https://evil.example",
        "null",
        "https://app.example.evil.example",
    ] {
        assert_eq!(preflight(&app, origin).await.header(allowed), None);
        let answer = app.owner().get("/v1/me").header("origin", origin).await;
        assert_eq!(answer.header(allowed), None);
    }
}

#[tokio::test]
async fn a_harmless_request_id_is_taken_over() {
    let app = sqlite().await;
    let ask = async |id: &str| {
        let answer = app
            .anonymous()
            .get("/v1/me")
            .header("x-request-id", id)
            .await;
        let problem = answer.expect_problem(401, "UNAUTHENTICATED");
        problem["request_id"].as_str().unwrap().to_owned()
    };
    let long = "x".repeat(65);
    for good in ["abc", "a-b_c.9", &long[..64]] {
        assert_eq!(ask(good).await, good);
    }
    for bad in ["", "a b", "a\tb", "<script>", "a;b", "a/b", &long] {
        let id = ask(bad).await;
        assert!(
            id.parse::<domain::id::RequestId>().is_ok(),
            "{bad:?} became {id}"
        );
    }
    assert_ne!(ask("").await, ask("").await);
}

#[tokio::test]
async fn every_code_has_a_page() {
    let app = sqlite().await;
    for code in Code::ALL {
        let answer = app.anonymous().get(&code.type_uri()).await;
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.header("content-type"),
            Some("text/plain; charset=utf-8")
        );
        assert!(answer.text().contains(code.as_str()), "{code}");
    }
}

#[tokio::test]
async fn measurements_are_labelled_by_route_not_by_path() {
    let app = sqlite().await;
    app.owner().get(&format!("/v1/sessions/{UNKNOWN_ID}")).await;
    app.owner().get("/v1/me").await;
    app.anonymous().get("/nowhere/at/all").await;
    let invented = Method::from_bytes(b"BREW").unwrap();
    app.anonymous().call(invented, "/v1/me").await;
    let answer = app.anonymous().get("/metrics").await;
    let text = answer.text();
    let counter = |method: &str, route: &str, status: u16| {
        let labels = format!(r#"{{method="{method}",route="{route}",status="{status}"}}"#);
        assert!(
            text.contains(&format!("proliferate_http_requests_total{labels}")),
            "{text}"
        );
    };
    counter("GET", "/v1/sessions/{id}", 404);
    counter("GET", "/v1/me", 200);
    counter("GET", "(none)", 404);
    counter("(other)", "/v1/me", 405);
    for leak in [UNKNOWN_ID, "nowhere", "BREW"] {
        assert!(!text.contains(leak), "{leak}");
    }
    assert!(text.contains("proliferate_http_request_seconds"));
}

#[tokio::test]
async fn health_and_readiness() {
    ready(sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_and_readiness_with_redis() {
    let app = TestApp::builder(Backend::Sqlite)
        .coordination(CoordinationBackend::Redis)
        .start()
        .await;
    ready(app).await;
}

async fn ready(app: TestApp) {
    let health = app.anonymous().get("/health").await.expect(200);
    assert_eq!(health, json!({"status": "ok"}));
    let ready = app.anonymous().get("/ready").await.expect(200);
    assert_eq!(ready["status"], "ready");
    assert_eq!(
        checks(&ready),
        [
            ("database", true),
            ("coordination", true),
            ("storage", true)
        ]
    );
}

#[tokio::test]
async fn a_schema_that_excludes_this_binary_is_named_by_ready() {
    let app = sqlite().await;
    let newer =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
            SELECT MAX(version) + 1, 'newer', TRUE, 'x', 0 FROM _sqlx_migrations;
        INSERT INTO schema_compatibility (version, kind, oldest_binary)
            SELECT MAX(version) + 1, 'contract', MAX(version) + 1 FROM schema_compatibility;";
    app.database.execute(newer).await;
    let ready = app.anonymous().get("/ready").await.expect(503);
    let detail = ready["checks"][0]["detail"].as_str().unwrap();
    assert!(
        detail.contains("needs a binary of schema version"),
        "{detail}"
    );
    assert!(detail.contains("update this binary"), "{detail}");
}

fn checks(ready: &Value) -> Vec<(&str, bool)> {
    let checks = ready["checks"].as_array().unwrap().iter();
    checks
        .map(|check| {
            (
                check["name"].as_str().unwrap(),
                check["ok"].as_bool().unwrap(),
            )
        })
        .collect()
}

#[tokio::test]
async fn ready_asks_the_services_behind_it_once_a_second_at_most() {
    let app = sqlite().await;
    app.anonymous().get("/ready").await.expect(200);
    app.database.db.close().await;
    app.anonymous().get("/ready").await.expect(200);
    app.clock.advance(READINESS_FRESH);
    app.anonymous().get("/ready").await.expect(503);
}

async fn a_closed_database_is_named_by_ready_and_answered_503(backend: Backend) {
    let app = TestApp::start(backend).await;
    app.database.db.close().await;
    let ready = app.anonymous().get("/ready").await.expect(503);
    assert_eq!(ready["status"], "not_ready");
    assert_eq!(
        checks(&ready),
        [
            ("database", false),
            ("coordination", true),
            ("storage", true)
        ]
    );
    app.anonymous().get("/health").await.expect(200);
    let answer = app.owner().get("/v1/me").await;
    let problem = answer.expect_problem(503, "DATABASE_UNAVAILABLE");
    assert_eq!(problem["retryable"], true);
    assert_eq!(answer.header("retry-after"), Some("1"));
}
