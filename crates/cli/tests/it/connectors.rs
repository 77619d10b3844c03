//! `connector`: a tool server from its address to its tools, and what a person reads when it is broken.

use serde_json::json;
use testkit::standin::mcp::{McpFault as Fault, McpServer};

use crate::{transcript::Transcript, workspace};

#[tokio::test]
async fn a_tool_server_is_added_looked_at_and_removed() {
    let server = McpServer::start().await;
    let workspace = workspace().env("PROLIFERATE_EGRESS_ALLOW", server.host());
    let (_dev, dev) = workspace.dev().await;
    let url = server.url();
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["connector", "list"]).await;
    let add = |name: &'static str| ["connector", "add", url.as_str(), "--name", name];
    let trusted = [&add("Docs")[..], &["--trusted", "--risk", "send=danger"]].concat();
    let id = transcript.run(&trusted).await.stdout;
    let id = id.trim();
    transcript.run(&["connector", "list"]).await;
    transcript.run(&["connector", "show", id]).await;
    transcript.run(&["connector", "validate", id]).await;
    transcript.run(&["connector", "review", id]).await;

    server.set(|knobs| knobs.tools[0]["description"] = json!("Looks.\nThen sends."));
    let changed = transcript.run(&["connector", "review", id]).await.stdout;
    let accepted = changed.lines().next().unwrap().to_owned();
    transcript
        .run(&["connector", "review", id, "--accept", &accepted])
        .await;
    transcript.run(&["connector", "show", id]).await;

    server.fail("*", Fault::Status(401), 99);
    transcript.run(&["connector", "validate", id]).await;
    transcript.run(&add("Broken")).await;
    server.set(|knobs| knobs.faults.clear());
    let secret = [&add("Closed")[..], &["--secret", "NOT_THERE"]].concat();
    transcript.run(&secret).await;
    transcript
        .run(&[
            "connector",
            "add",
            "https://169.254.169.254/",
            "--name",
            "x",
        ])
        .await;
    transcript.run(&["connector", "add"]).await;
    transcript
        .run(&["connector", "validate", "--preset", "playwright"])
        .await;
    transcript.run(&["connector", "remove", id]).await;
    transcript.run(&["connector", "remove", id]).await;
    transcript.run(&["connector", "show", "x"]).await;
    transcript.check("connector_life");

    // A member looks and changes nothing.
    let member = dev["member"].as_str().unwrap_or_default();
    let gateway = dev["url"].as_str().unwrap();
    let as_member = ["--url", gateway, "--token", member];
    let list = [&["connector", "list", "-o", "json"][..], &as_member].concat();
    let page: serde_json::Value = serde_json::from_str(&workspace.output(&list).await).unwrap();
    let names = page["items"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|item| item["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Closed", "Broken"]);
    let refused = workspace
        .run(&[&add("Mine")[..], &as_member].concat())
        .await;
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
}

#[tokio::test]
async fn a_tool_server_of_a_configuration_stays_with_it() {
    let server = McpServer::start().await;
    let workspace = workspace().env("PROLIFERATE_EGRESS_ALLOW", server.host());
    let (_dev, dev) = workspace.dev().await;
    let text = |name: &str| dev[name].as_str().unwrap().to_owned();
    let made = reqwest::Client::new()
        .post(format!("{}/v1/configurations", text("url")))
        .bearer_auth(text("owner"))
        .json(&json!({"name": "web"}));
    let made: serde_json::Value = made.send().await.unwrap().json().await.unwrap();
    let configuration = ["--configuration", made["id"].as_str().unwrap()];
    let add = ["connector", "add", &server.url(), "--name", "Docs"];
    let id = workspace.output(&[&add[..], &configuration].concat()).await;
    let list = ["connector", "list", "-o", "json"];
    let all = workspace.output(&list).await;
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&all).unwrap()["items"],
        json!([])
    );
    let list = [&list[..], &configuration].concat();
    let own: serde_json::Value = serde_json::from_str(&workspace.output(&list).await).unwrap();
    assert_eq!(own["connectors"][0]["id"], id);
    let validate = ["connector", "validate", &id, "-o", "json"];
    let tried = workspace
        .output(&[&validate[..], &configuration].concat())
        .await;
    let tried: serde_json::Value = serde_json::from_str(&tried).unwrap();
    assert_eq!(tried["tools"][0]["state"], "unchanged");
}
