//! Where params come from, and what is refused before anything is sent.

use serde_json::{Value, json};

use crate::{
    program::run,
    stand_in::{End, StandIn},
};

fn sent(gateway: &StandIn) -> Value {
    gateway.recorded().pop().unwrap().body["params"].clone()
}

#[tokio::test]
async fn from_the_command_line_a_file_or_stdin() {
    let gateway = StandIn::ending(End::Completed).await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("params.json");
    std::fs::write(&file, r#"{"from": "file", "text": "--force"}"#).unwrap();
    let from_file = format!("@{}", file.display());
    run(&gateway.url, &["--params", &from_file])
        .finish()
        .await
        .ended(0);
    assert_eq!(sent(&gateway), json!({"from": "file", "text": "--force"}));
    let from_stdin = run(&gateway.url, &["--params", "-"]).stdin(r#"{"from": "stdin"}"#);
    from_stdin.finish().await.ended(0);
    assert_eq!(sent(&gateway), json!({"from": "stdin"}));
    run(&gateway.url, &["--params={\"from\": \"here\"}"])
        .finish()
        .await
        .ended(0);
    assert_eq!(sent(&gateway), json!({"from": "here"}));
}

#[tokio::test]
async fn what_is_no_object_is_refused_and_nothing_is_sent() {
    let gateway = StandIn::ending(End::Completed).await;
    for bad in [
        "",
        "[1]",
        "nonsense",
        "--dashes",
        "{\"a\": 1,}",
        "{\"a\": 1, \"a\": 2}",
        "@/nowhere/at/all",
    ] {
        let finished = run(&gateway.url, &["--params", bad])
            .finish()
            .await
            .ended(2);
        assert_eq!(finished.stdout, "", "{bad}");
        finished.said("error: ").said("params");
    }
    let endless = run(&gateway.url, &["--params", "-"]).stdin(vec![b' '; 1_500_000]);
    endless
        .finish()
        .await
        .ended(2)
        .said("more than 1000000 bytes");
    assert_eq!(gateway.recorded().len(), 0);
}

#[tokio::test]
async fn the_largest_params_fit_into_a_request() {
    let gateway = StandIn::ending(End::Completed).await;
    let text = format!("{{\"a\":\"{}\"}}", "x".repeat(1_000_000 - 8));
    let program = run(&gateway.url, &["--params", "-"]).stdin(text);
    program.finish().await.ended(0);
    let length = gateway.recorded()[0].body.to_string().len();
    assert!(length < 1024 * 1024, "{length}");
}
