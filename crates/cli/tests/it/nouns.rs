//! `repo`, `configuration`, `secret`, `integration`, `webhook` and `snapshot`: what a person does with them from the
//! terminal and reads; and names and parts of ids in place of ids.

use serde_json::{Value, json};
use testkit::standin::hook;

use crate::{api::Api, transcript::Transcript, workspace};

#[tokio::test]
async fn what_sessions_start_from_is_made_changed_and_deleted() {
    let workspace = workspace().env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    let (_dev, _) = workspace.dev().await;
    let mut transcript = Transcript::new(&workspace);
    for arguments in [
        &["repo", "list"][..],
        &[
            "repo",
            "create",
            "acme/web",
            "https://github.com/acme/web.git",
            "--push",
            "branches",
        ],
        &["repo", "create", "acme/api", "--source", "local"],
        &["repo", "list"],
        &[
            "repo",
            "update",
            "ACME/web",
            "--service",
            "web=npm run dev",
            "--branch",
            "trunk",
        ],
        &["repo", "update", "acme/web"],
        &[
            "configuration",
            "create",
            "Web shop",
            "--repo",
            "acme/web",
            "--repo",
            "nowhere",
        ],
        &[
            "configuration",
            "create",
            "Web shop",
            "--repo",
            "acme/web",
            "--repo",
            "acme/api",
            "--env-file",
            ".env=DATABASE_URL,SENTRY_DSN?",
            "--notes",
            "The shop.",
        ],
        &["configuration", "list"],
        &["configuration", "show", "web shop"],
        &[
            "configuration",
            "update",
            "web shop",
            "--name",
            "Shop",
            "--clear",
            "notes",
            "--clear",
            "env-files",
        ],
        &["configuration", "update", "shop"],
        &["snapshot", "list", "--configuration", "shop"],
        &["snapshot", "use", "abcd", "--configuration", "shop"],
        &["snapshot", "list"],
        &[
            "session",
            "create",
            "--configuration",
            "shop",
            "--title",
            "First",
        ],
        &["session", "rename", "first", "Mend the shop"],
        &["session", "stop", "mend the shop"],
        &["configuration", "delete", "shop"],
        &["repo", "remove", "acme/api"],
        &["repo", "show", "acme/api"],
    ] {
        transcript.run(arguments).await;
    }
    transcript.check("repo_and_configuration_life");
}

#[tokio::test]
async fn a_secret_value_goes_in_and_never_comes_out() {
    let workspace = workspace();
    let (_dev, dev) = workspace.dev().await;
    let file = workspace.root().join("value");
    std::fs::write(&file, "hush-from-file\n").unwrap();
    let file = file.display().to_string();
    let mut transcript = Transcript::new(&workspace);
    let create = ["secret", "create", "DATABASE_URL"];
    let made = workspace.run_on("hush-from-input\n", &create).await;
    transcript.add(&create, &made);
    transcript
        .run(&[&create[..], &["--value-file", &file]].concat())
        .await;
    // No input is no value.
    transcript.run(&["secret", "create", "STRIPE_KEY"]).await;
    let update = [
        "secret",
        "update",
        "database_url",
        "--value-file",
        &file,
        "--description",
        "The shop's",
    ];
    transcript.run(&update).await;
    transcript
        .run(&["secret", "update", "DATABASE_URL", "--keep-value"])
        .await;
    let import = ["secret", "import"];
    let text = "DATABASE_URL=hush-one\nSTRIPE_KEY=hush-two\n";
    let imported = workspace.run_on(text, &import).await;
    transcript.add(&import, &imported);
    transcript.run(&["secret", "list"]).await;
    transcript
        .run(&["secret", "check", "STRIPE_KEY", "NOT_THERE"])
        .await;
    transcript.run(&["secret", "delete", "STRIPE_KEY"]).await;
    transcript.run(&["secret", "check", "STRIPE_KEY"]).await;
    transcript.check("secret_life");
    let (_, listed) = Api::of(&dev, "owner").get("/v1/secrets").await;
    assert_eq!(listed["items"][0]["key"], "DATABASE_URL");
    for run in 0..20 {
        for stream in ["stdout", "stderr"] {
            let printed = workspace.root().join(format!("{run}.{stream}"));
            let printed = std::fs::read_to_string(printed).unwrap_or_default();
            assert!(!printed.contains("hush"), "{printed}");
        }
    }
}

#[tokio::test]
async fn a_connection_is_made_by_token_and_suspended() {
    let workspace = workspace();
    let (_dev, _) = workspace.dev().await;
    let mut transcript = Transcript::new(&workspace);
    let create = ["integration", "create", "linear", "--name", "Product team"];
    let made = workspace.run_on("lin_api_hush\n", &create).await;
    transcript.add(&create, &made);
    assert!(!format!("{}{}", made.stdout, made.stderr).contains("hush"));
    for arguments in [
        &["integration", "list"][..],
        &["integration", "show", "product team"],
        &[
            "integration",
            "update",
            "linear",
            "--suspend",
            "--name",
            "Product",
        ],
        &["integration", "update", "linear"],
        &["integration", "connect", "--no-browser"],
        &["integration", "delete", "product"],
        &["integration", "show", "product"],
    ] {
        transcript.run(arguments).await;
    }
    transcript.check("integration_life");
}

#[tokio::test]
async fn the_secret_of_a_webhook_is_alone_on_its_line() {
    let hook = hook::start().await;
    let workspace = workspace().env("PROLIFERATE_EGRESS_ALLOW", hook.address.to_string());
    let (_dev, _) = workspace.dev().await;
    let url = hook.base_url.clone();
    let made = workspace
        .run(&["webhook", "create", &url, "--event", "action_completed"])
        .await;
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let secret = made.stdout.trim();
    assert!(
        secret.starts_with("whsec_") && !secret.contains(char::is_whitespace),
        "{secret}"
    );
    assert!(!made.stderr.contains(secret), "{}", made.stderr);
    let rotated = workspace.output(&["webhook", "rotate", &url]).await;
    assert!(
        rotated.starts_with("whsec_") && rotated != secret,
        "{rotated}"
    );
    let mut transcript = Transcript::new(&workspace);
    for arguments in [
        &["webhook", "list"][..],
        &["webhook", "test", &url],
        &["webhook", "update", &url, "--disable"],
        &["webhook", "deliveries", &url],
        &["webhook", "delete", &url],
        &["webhook", "show", &url],
    ] {
        transcript.run(arguments).await;
    }
    let shown = workspace.output(&["webhook", "list", "-o", "json"]).await;
    assert_eq!(
        serde_json::from_str::<Value>(&shown).unwrap()["items"],
        json!([])
    );
}

#[tokio::test]
async fn a_part_of_an_id_means_one_row_or_none() {
    let workspace = workspace().env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    let (_dev, dev) = workspace.dev().await;
    let create = async |title: &str| {
        workspace
            .output(&["session", "create", "--title", title])
            .await
    };
    let (first, second) = (create("Mend it").await, create("Mend it").await);
    let show = async |text: &str| {
        workspace
            .run(&["session", "show", text, "-o", "json"])
            .await
    };
    for text in [&first[..], &first[28..], &first[24..].to_uppercase()] {
        let shown = show(text).await;
        assert_eq!(shown.code, Some(0), "{text}: {}", shown.stderr);
        let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
        assert_eq!(shown["id"], json!(first));
    }
    // Both begin with the time, and both have the title.
    for text in [&first[..4], "mend IT"] {
        let shown = show(text).await;
        assert_eq!(shown.code, Some(2), "{text}: {}", shown.stdout);
        for id in [&first, &second] {
            assert!(shown.stderr.contains(id.as_str()), "{}", shown.stderr);
        }
    }
    assert_eq!(show("ffff").await.code, Some(3));
    // A member by address, where one is taken.
    let case = workspace
        .output(&["case", "create", "CASE-1", "--title", "Smith"])
        .await;
    let (_, members) = Api::of(&dev, "owner").get("/v1/members").await;
    let admin = members["items"].as_array().unwrap().iter();
    let admin = admin
        .clone()
        .find(|member| member["role"] == "admin")
        .unwrap();
    let member = format!("user:{}", admin["email"].as_str().unwrap());
    let added = workspace
        .run(&["case", "add-member", "smith", &member])
        .await;
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    assert!(
        added.stderr.contains(admin["userId"].as_str().unwrap()),
        "{}",
        added.stderr
    );
    assert_eq!(case, "CASE-1");
}
