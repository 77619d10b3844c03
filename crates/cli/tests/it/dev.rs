//! `dev`: what it makes, that it finds it again, and what it says when something is in the way.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::{api::Api, transcript::Transcript, workspace};

#[tokio::test]
async fn the_first_start_makes_everything_and_every_token_works() {
    let workspace = workspace();
    let (mut dev, dev_file) = workspace.dev().await;
    let keys: Vec<&String> = dev_file.as_object().unwrap().keys().collect();
    // As serde_json has them: sorted.
    assert_eq!(
        keys,
        [
            "admin",
            "board",
            "member",
            "organizationId",
            "owner",
            "sandboxUrl",
            "service",
            "url"
        ]
    );
    for (path, expected) in [
        ("", 0o700),
        ("dev.json", 0o600),
        ("proliferate.db", 0o600),
        ("proliferate.db-wal", 0o600),
        ("keys", 0o700),
        ("keys/user-token-secret", 0o600),
        ("keys/encryption-keys", 0o600),
    ] {
        let found = std::fs::metadata(workspace.data_dir().join(path)).unwrap();
        assert_eq!(found.permissions().mode() & 0o777, expected, "{path}");
    }
    for role in ["owner", "admin", "member"] {
        let (status, me) = Api::of(&dev_file, role).get("/v1/me").await;
        assert_eq!((status, &me["role"]), (200, &json!(role)), "{me}");
        assert_eq!(me["organizationId"], dev_file["organizationId"]);
    }
    let (status, me) = Api::of(&dev_file, "service").get("/v1/me").await;
    assert_eq!((status, &me["kind"]), (200, &json!("service")), "{me}");

    let printed = dev.stdout();
    for part in ["url", "owner"] {
        assert!(
            printed.contains(dev_file[part].as_str().unwrap()),
            "{printed}"
        );
    }
    assert!(printed.contains("curl -H"), "{printed}");
    dev.interrupt();
    assert_eq!(dev.wait().await.code(), Some(0));
    assert!(!dev.stderr().contains("WARN"), "{}", dev.stderr());
}

#[tokio::test]
async fn the_second_start_finds_what_the_first_one_left() {
    let workspace = workspace();
    let (mut dev, first) = workspace.dev().await;
    let (status, created) = Api::of(&first, "owner").create("k1").await.unwrap();
    assert_eq!(status, 201, "{created}");
    dev.terminate();
    assert_eq!(dev.wait().await.code(), Some(0));

    let (_dev, second) = workspace.dev().await;
    assert_eq!(first["organizationId"], second["organizationId"]);
    // The tokens of the first start still work: the keys are the same.
    let old = Api::new(
        second["url"].as_str().unwrap(),
        first["member"].as_str().unwrap(),
    );
    let id = created["sessionId"].as_str().unwrap();
    let (status, session) = old.get(&format!("/v1/sessions/{id}")).await;
    assert_eq!((status, &session["title"]), (200, &json!("k1")));
    let (status, again) = Api::of(&second, "owner").create("k1").await.unwrap();
    assert_eq!((status, &again["alreadyExisted"]), (200, &json!(true)));
}

#[tokio::test]
async fn what_is_in_the_way_is_named() {
    let workspace = workspace();
    let (_dev, dev_file) = workspace.dev().await;
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["dev", "--listen", "127.0.0.1:0"]).await;
    let address = dev_file["url"].as_str().unwrap().replace("http://", "");
    let elsewhere = workspace.root().join("elsewhere").display().to_string();
    transcript
        .run(&["--data-dir", &elsewhere, "dev", "--listen", &address])
        .await;
    transcript.run(&["dev", "--listen", "here"]).await;
    transcript.check("dev_in_the_way");
}

#[tokio::test]
async fn an_address_that_others_can_reach_is_warned_of() {
    let workspace = workspace();
    let mut dev = workspace.spawn(&["dev", "--listen", "0.0.0.0:0"]);
    let dev_file = dev.dev_file().await;
    dev.ready(dev_file["url"].as_str().unwrap()).await;
    assert!(
        dev.stderr().contains("warning: listening on 0.0.0.0:0"),
        "{}",
        dev.stderr()
    );
}
