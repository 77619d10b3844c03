//! `request_env_variables`, which calls no gateway: the model's result, and its errors.

use serde_json::{Value, json};

use super::runtime::Bench;

async fn ask(bench: &Bench, args: Value) -> Result<Value, String> {
    let mut ran = bench
        .run(
            "request_env_variables",
            json!({"callID": "c", "calls": [args]}),
        )
        .await;
    ran.outcomes.remove(0)
}

#[tokio::test]
async fn the_agent_is_told_what_happens_next() {
    let bench = Bench::new().await;
    let keys = json!([
        {"key": "STRIPE_KEY", "type": "secret", "description": null},
        {"key": "SENTRY_DSN", "required": false, "suggestions": [{"label": "none", "value": ""}]},
    ]);
    let said = ask(&bench, json!({"keys": keys})).await.unwrap();
    insta::assert_snapshot!(said.as_str().unwrap());
    assert!(bench.gateway.seen().is_empty());
}

/// Arguments that are refused here are those that the gateway refuses.
#[tokio::test]
async fn what_is_wrong_is_said_as_the_gateway_would_judge() {
    let bench = Bench::new().await;
    let table = [
        (json!({}), "keys: "),
        (json!({"keys": "A"}), "keys: "),
        (json!({"keys": []}), "keys: "),
        (json!({"keys": [{"key": "A-B"}]}), "keys.0.key: "),
        (json!({"keys": [{"key": "A", "odd": 1}]}), "keys.0: "),
        (
            json!({"keys": [{"key": "A", "type": "file"}]}),
            "keys.0.type: ",
        ),
        (
            json!({"keys": [{"key": "A", "required": "yes"}]}),
            "keys.0.required: ",
        ),
        (
            json!({"keys": [{"key": "SANDBOX_MCP_AUTH_TOKEN"}]}),
            "keys: `SANDBOX_MCP_AUTH_TOKEN` is set",
        ),
        (json!({"keys": [{"key": "Home"}]}), "keys: `Home` is set"),
        (
            json!({"keys": [{"key": "npm_config_registry"}]}),
            "keys: `npm_config_registry` is set",
        ),
        (json!({"keys": [{"key": "A"}], "more": 1}), "args: "),
    ];
    for (args, place) in table {
        let error = ask(&bench, args.clone()).await.unwrap_err();
        assert!(
            error.starts_with(&format!("Invalid arguments: {place}")),
            "{error}"
        );
        assert!(
            agent::tool::validate("request_env_variables", &args).is_err(),
            "{args}"
        );
    }
}
