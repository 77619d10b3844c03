//! Against `@modelcontextprotocol/server-everything`, a server that we did not write.

use serde_json::json;
use testkit::{app::TestApp, database::Backend, standin::everything::Everything};

use super::{CONNECTORS, added, config, tool, tools, trial};
use crate::support::id;

testkit::on_both_databases!(a_real_server_is_tried_out_saved_and_listed);

async fn a_real_server_is_tried_out_saved_and_listed(backend: Backend) {
    let server = Everything::start().await;
    let app = TestApp::builder(backend)
        .reach(&server.host())
        .start()
        .await;
    let mut connector = config(1, &server.url());
    connector["riskPolicy"] = json!({"overrides": {"echo": "read"}});
    let validate = "/v1/connectors/validate";
    let tried = app
        .owner()
        .post(validate, trial(&connector))
        .await
        .expect(200);
    assert_eq!(tried["ok"], true, "{tried}");
    let echo = tool(&tried, "echo");
    assert_eq!(
        (&echo["riskLevel"], &echo["riskSource"], &echo["state"]),
        (&json!("read"), &json!("tool_override"), &json!("new"))
    );
    assert_eq!(echo["params"][0]["name"], "message");
    assert_eq!(tool(&tried, "get-sum")["riskLevel"], "write");

    let made = added(&app, connector).await;
    let listing = tools(&app.member(), &id(&made)).await;
    assert_eq!(tool(&listing, "echo")["state"], "unchanged");
    assert_eq!(tool(&listing, "echo")["sha256"], echo["sha256"]);
    // A definition of the same server reads the same each time.
    let again = app
        .owner()
        .post(validate, trial(&config(1, &server.url())))
        .await;
    for found in again.expect(200)["tools"].as_array().unwrap() {
        assert_eq!(found["state"], "unchanged", "{found}");
    }
    let path = format!("{CONNECTORS}/{}", id(&made));
    app.owner().delete(&path).await.expect(204);
}
