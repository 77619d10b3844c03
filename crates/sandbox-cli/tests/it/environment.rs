//! The variables, the token's file, and that the token is never printed (every run checks that too).

use crate::{
    program::{Program, TOKEN},
    sandbox::Sandbox,
    stand_in::{End, Fault, Plan, StandIn},
};

const LIST: &[&str] = &["actions", "list"];

#[tokio::test]
async fn without_the_environment_of_a_sandbox_it_says_what_is_missing() {
    for name in [
        "PROLIFERATE_GATEWAY_URL",
        "PROLIFERATE_SESSION_ID",
        "SANDBOX_MCP_AUTH_TOKEN",
    ] {
        let finished = Program::new("http://127.0.0.1:1", LIST)
            .without(name)
            .finish()
            .await;
        let finished = finished.ended(2);
        assert_eq!(finished.stdout, "");
        finished.said(&format!("error: the variable {name} is not set\nhint: "));
    }
    for (name, value) in [
        ("PROLIFERATE_GATEWAY_URL", "gopher://x"),
        ("PROLIFERATE_GATEWAY_URL", "http://u:p@x"),
        ("PROLIFERATE_SESSION_ID", "../other"),
        ("SANDBOX_MCP_AUTH_TOKEN", "two words"),
        ("SANDBOX_MCP_AUTH_TOKEN_FILE", "/nowhere/at/all"),
    ] {
        let program = Program::new("http://127.0.0.1:1", LIST).env(name, value);
        program.finish().await.ended(2);
    }
}

#[tokio::test]
async fn the_token_can_be_in_a_file_which_goes_first() {
    let gateway = StandIn::ending(End::Completed).await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{TOKEN}\n")).unwrap();
    let path = file.path().display().to_string();
    let program = Program::new(&gateway.url, LIST)
        .env("SANDBOX_MCP_AUTH_TOKEN", "stale")
        .env("SANDBOX_MCP_AUTH_TOKEN_FILE", &path);
    program.finish().await.ended(0);
    // The stand-in looks at the token of every request.
    assert_eq!(gateway.recorded().len(), 1);
}

#[tokio::test]
async fn a_sandbox_without_certificates_of_authorities_can_ask() {
    let gateway = StandIn::ending(End::Completed).await;
    let sandbox = Sandbox::start();
    let none = |program: Program| {
        let program = program.env("SSL_CERT_FILE", "/nowhere");
        program.env("SSL_CERT_DIR", "/nowhere").finish()
    };
    none(Program::new(&gateway.url, LIST)).await.ended(0);
    none(sandbox.program(&["services", "list"])).await.ended(0);
    let secure = none(Program::new("https://127.0.0.1:1", LIST)).await;
    secure
        .ended(6)
        .said("hint: this sandbox may have no certificates");
}

#[tokio::test]
async fn a_token_that_is_echoed_is_taken_out() {
    let plan = Plan {
        looks: 0,
        end: Some(End::Completed),
    };
    let echoes = [
        Fault::Body(200, format!(r#"{{"echo": "Bearer {TOKEN}"}}"#)),
        Fault::Body(400, format!(r#"{{"detail": "not with {TOKEN}"}}"#)),
    ];
    let gateway = StandIn::start(plan, echoes).await;
    let good = Program::new(&gateway.url, LIST).finish().await.ended(0);
    assert_eq!(good.json()["echo"], "Bearer [redacted]");
    let bad = Program::new(&gateway.url, LIST).finish().await.ended(2);
    bad.said("not with [redacted]");
}
