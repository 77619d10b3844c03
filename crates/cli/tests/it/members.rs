//! `member`: an admin invites, lists and removes members from a terminal, and a served gateway mails what it promises.

use app::mail::MailEncryption;
use domain::role::Role;
use serde_json::{Value, json};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
    process::until,
    smtp::SmtpServer,
};

use crate::{with_secrets, workspace};

#[tokio::test]
async fn smtp_a_member_is_invited_by_link_and_mail_and_removed() {
    let mail_server = SmtpServer::start(MailEncryption::None).await;
    let database = TestDatabase::create(Backend::Sqlite).await;
    let fixture = Fixture::default();
    fixture
        .organization(&database.db, "acme", Role::Owner)
        .await;
    let server = with_secrets(workspace())
        .env("PROLIFERATE_DATABASE_URL", &database.url)
        .env("PROLIFERATE_SANDBOX_PROVIDER", "off")
        .env("PROLIFERATE_SMTP_HOST", "localhost")
        .env(
            "PROLIFERATE_SMTP_PORT",
            mail_server.settings().port.to_string(),
        )
        .env("PROLIFERATE_SMTP_ENCRYPTION", "none")
        .env("PROLIFERATE_MAIL_FROM", "agents@acme.example");
    let (_serve, url) = server.serve(&["--with-worker"]).await;
    let token = server
        .output(&["token", "mint", "user", "user_acme_owner"])
        .await;
    let terminal = workspace()
        .env("PROLIFERATE_TOKEN", token)
        .env("PROLIFERATE_URL", &url);

    let invite = [
        "member",
        "invite",
        "ada@acme.example",
        "--role",
        "admin",
        "--expires",
        "1d",
    ];
    let link = terminal.output(&invite).await;
    let (page, code) = link.trim().split_once("#code=").expect("a link");
    assert!(page.ends_with("/invite"), "{page}");
    until("the mail is sent", || !mail_server.mails().is_empty()).await;
    let mailed = mail_server.last_text();
    assert!(
        mailed.contains("/invite#code=inv_") && !mailed.contains(code),
        "{mailed}"
    );
    let open = terminal.output(&["member", "invitations"]).await;
    assert!(
        open.contains("ada@acme.example") && open.contains("admin"),
        "{open}"
    );

    let other = terminal.output(&["-o", "json", "member", "invite"]).await;
    let other: Value = serde_json::from_str(&other).unwrap();
    let id = other["invitation"]["id"].as_str().unwrap();
    terminal.output(&["member", "uninvite", id]).await;
    let revoked = other["link"]
        .as_str()
        .unwrap()
        .split_once("#code=")
        .unwrap()
        .1;
    let accept = async |code: &str, name: &str| {
        let body = json!({"code": code, "name": name, "email": "ada@acme.example"});
        let http = reqwest::Client::new();
        let request = http
            .post(format!("{url}/v1/invitations/accept"))
            .json(&body);
        let response = request.send().await.unwrap();
        (
            response.status().as_u16(),
            response.json::<Value>().await.unwrap(),
        )
    };
    assert_eq!(accept(revoked, "Eve").await.0, 410);
    let (status, me) = accept(code, "Ada").await;
    assert_eq!((status, &me["role"]), (200, &json!("admin")));
    let ada = me["userId"].as_str().unwrap();
    terminal.output(&["member", "role", ada, "member"]).await;
    let members = terminal.output(&["member", "list"]).await;
    assert!(
        members.contains("Ada") && members.contains(ada),
        "{members}"
    );

    let refused = terminal.run(&["member", "remove", ada]).await;
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("--yes"), "{}", refused.stderr);
    let remove = ["-o", "json", "member", "remove", ada, "--erase", "--yes"];
    let removed: Value = serde_json::from_str(&terminal.output(&remove).await).unwrap();
    assert_eq!(
        (&removed["successor"], &removed["isErased"]),
        (&json!("user_acme_owner"), &json!(true))
    );
    let members = terminal.output(&["member", "list"]).await;
    assert!(!members.contains("Ada"), "{members}");
}
