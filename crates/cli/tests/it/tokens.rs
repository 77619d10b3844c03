//! `token`: an operator makes, lists and revokes tokens with nothing but the data directory.

use serde_json::{Value, json};

use crate::{api::Api, transcript::Transcript, workspace};

#[tokio::test]
async fn every_kind_of_token_works() {
    let workspace = workspace();
    let (_dev, dev_file) = workspace.dev().await;
    let url = dev_file["url"].as_str().unwrap();
    let session = workspace.output(&["session", "create"]).await;
    for (arguments, kind, name, value) in [
        (
            &["token", "mint", "user", "user_demo_admin"][..],
            "user",
            "role",
            json!("admin"),
        ),
        (
            &["token", "mint", "service", "billing", "--ttl", "5m"],
            "service",
            "name",
            json!("billing"),
        ),
        (
            &["token", "sandbox", &session],
            "sandbox",
            "sessionId",
            json!(session),
        ),
    ] {
        let token = workspace.output(arguments).await;
        let (status, me) = Api::new(url, &token).get("/v1/me").await;
        assert_eq!(status, 200, "{me}");
        assert_eq!((&me["kind"], &me[name]), (&json!(kind), &value));
    }
}

#[tokio::test]
async fn a_revoked_api_key_is_refused() {
    let workspace = workspace();
    let (_dev, dev_file) = workspace.dev().await;
    let url = dev_file["url"].as_str().unwrap();
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["token", "list"]).await;
    let mint = [
        "token",
        "mint",
        "api-key",
        "--user",
        "user_demo_member",
        "--org",
        "org_demo",
        "--name",
        "laptop",
        "--ttl",
        "30d",
    ];
    let key = transcript.run(&mint).await.stdout;
    let api = Api::new(url, key.trim());
    assert_eq!(api.get("/v1/me").await.1["role"], json!("member"));

    transcript
        .run(&["token", "list", "--org", "org_demo"])
        .await;
    let listed = workspace.output(&["token", "list", "-o", "json"]).await;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let id = listed[0]["id"].as_str().unwrap();
    transcript.run(&["token", "revoke", id]).await;
    transcript
        .run(&["token", "revoke", id, "--org", "org_demo"])
        .await;
    transcript.run(&["token", "list"]).await;
    let (status, problem) = refused(&api).await;
    assert_eq!((status, &problem["code"]), (401, &json!("UNAUTHENTICATED")));
    transcript.check("token_api_key");
}

/// The answer once what the gateway remembers of the key has run out.
async fn refused(api: &Api) -> (u16, Value) {
    for _ in 0..3000 {
        let (status, body) = api.get("/v1/me").await;
        if status != 200 {
            return (status, body);
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the key still works");
}

#[tokio::test]
async fn what_does_not_exist_gets_no_token() {
    let workspace = workspace();
    let (mut dev, _) = workspace.dev().await;
    let session = workspace.output(&["session", "create"]).await;
    workspace.output(&["session", "stop", &session]).await;
    dev.interrupt();
    dev.wait().await;
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["token", "mint", "user", "stranger"]).await;
    let elsewhere = ["token", "mint", "user", "user_demo_owner", "--org", "other"];
    transcript.run(&elsewhere).await;
    transcript
        .run(&["token", "mint", "service", "x", "--org", "other"])
        .await;
    transcript
        .run(&["token", "mint", "user", "user_demo_owner", "--ttl", "2000d"])
        .await;
    transcript
        .run(&["token", "mint", "user", "user_demo_owner", "--ttl", "9"])
        .await;
    let unknown = "0192f0c1-2345-7abc-8def-0123456789ab";
    transcript.run(&["token", "revoke", unknown]).await;
    transcript.run(&["token", "sandbox", unknown]).await;
    transcript.run(&["token", "sandbox", &session]).await;
    transcript.check("token_refusals");
}
