//! `context`, `login` and `logout`: which gateway a command talks to and with which token, and a whole login of a terminal
//! with the page's requests.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use serde_json::{Value, json};

use crate::{api::Api, transcript::Transcript, workspace};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn contexts_switch_between_gateways() {
    let workspace = workspace();
    let (_dev, dev) = workspace.dev().await;
    let url = dev["url"].as_str().unwrap();
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["context", "list"]).await;
    transcript.run(&["context", "show"]).await;
    let add = ["context", "add", "prod", url, "--use"];
    let added = workspace
        .run_on(dev["member"].as_str().unwrap(), &add)
        .await;
    transcript.add(&add, &added);
    let other = ["context", "add", "far", "https://agents.example.com"];
    let added = workspace.run_on("pk_far", &other).await;
    transcript.add(&other, &added);
    let file = workspace.root().join(".config/proliferate/contexts.json");
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(file.parent().unwrap()), 0o700);
    for arguments in [
        &["context", "list"][..],
        &["context", "add", "dev", "https://agents.example.com"],
        &["context", "rename", "prod", "far"],
        &["context", "rename", "prod", "here"],
        &["context", "show"],
        &["context", "use", "nowhere"],
        // With the member's token: budgets are for admins.
        &["budget", "set", "9"],
        &["budget", "set", "9", "--context", "dev"],
        &["session", "list", "--context", "nowhere"],
        &["session", "list", "--context", "here", "--url", url],
        // A saved token goes to no other address.
        &["session", "list", "--url", url],
        &["context", "use", "dev"],
        &["budget", "set", "7"],
        &["context", "remove", "far"],
        &["context", "remove", "far"],
    ] {
        transcript.run(arguments).await;
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    transcript.run(&["context", "list"]).await;
    transcript.check("context_life");
}

#[tokio::test]
async fn a_terminal_signs_in_with_a_code_that_a_browser_approves() {
    let workspace = workspace();
    let (_dev, dev) = workspace.dev().await;
    let url = dev["url"].as_str().unwrap();
    let login = [
        "login",
        url,
        "--no-browser",
        "--machine",
        "ada-laptop",
        "--name",
        "here",
    ];
    let mut terminal = workspace.spawn(&login);
    terminal.says("Code ").await;
    terminal.says("Approve it only").await;
    let code = code_of(&terminal.stderr());
    let page = format!("{url}/device?code={code}");
    assert!(terminal.stderr().contains(&page), "{}", terminal.stderr());

    let browser = Browser::signed_in(url, dev["member"].as_str().unwrap()).await;
    let (status, shown) = browser.get(&format!("/v1/login/device?code={code}")).await;
    assert_eq!(
        (status, &shown["machine"]),
        (200, &json!("ada-laptop")),
        "{shown}"
    );
    let decision = json!({"code": code, "decision": "approve"});
    assert_eq!(
        browser.post("/v1/login/device/decision", &decision).await,
        200
    );
    let finished = terminal.finished().await;
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert!(
        finished.stderr.contains("the context `here` is current"),
        "{}",
        finished.stderr
    );
    assert_eq!(finished.stdout, "");

    let file = workspace.root().join(".config/proliferate/contexts.json");
    assert_eq!(mode(&file), 0o600);
    let saved: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let key = saved["contexts"]["here"]["token"].as_str().unwrap();
    assert!(!finished.stderr.contains(key));
    let api = Api::new(url, key);
    assert_eq!(api.get("/v1/me").await.1["role"], "member");
    let (_, keys) = api.get("/v1/api-keys").await;
    assert_eq!(keys["items"][0]["name"], "ada-laptop");
    // The context counts: as the member, not as the owner of dev.json.
    assert_eq!(workspace.run(&["budget", "set", "9"]).await.code, Some(4));

    let out = workspace.run(&["logout"]).await;
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    assert_eq!(api.get("/v1/me").await.0, 401);
    assert_eq!(workspace.run(&["logout"]).await.code, Some(3));
    assert_eq!(
        workspace.run(&["context", "show", "here"]).await.code,
        Some(3)
    );
}

#[tokio::test]
async fn a_denied_terminal_keeps_nothing() {
    let workspace = workspace();
    let (_dev, dev) = workspace.dev().await;
    let url = dev["url"].as_str().unwrap();
    let mut terminal = workspace.spawn(&["login", url, "--no-browser"]);
    terminal.says("Approve it only").await;
    let browser = Browser::signed_in(url, dev["owner"].as_str().unwrap()).await;
    let code = code_of(&terminal.stderr());
    let decision = json!({"code": code, "decision": "deny"});
    assert_eq!(
        browser.post("/v1/login/device/decision", &decision).await,
        200
    );
    let finished = terminal.finished().await;
    assert_eq!(finished.code, Some(4), "{}", finished.stderr);
    assert!(
        !workspace
            .root()
            .join(".config/proliferate/contexts.json")
            .exists()
    );
}

/// The code on its line of what the terminal shows.
fn code_of(shown: &str) -> String {
    let line = shown.lines().find_map(|line| line.strip_prefix("Code "));
    line.unwrap().trim().to_owned()
}

/// What a page of the dashboard does with the API.
struct Browser {
    http: reqwest::Client,
    url: String,
    cookie: String,
}

impl Browser {
    async fn signed_in(url: &str, token: &str) -> Self {
        let http = reqwest::Client::new();
        let request = http.post(format!("{url}/v1/login"));
        let answer = request
            .json(&json!({ "token": token }))
            .send()
            .await
            .unwrap();
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Self {
            http,
            url: url.to_owned(),
            cookie,
        }
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        let request = self.http.get(format!("{}{path}", self.url));
        let answer = request.header("cookie", &self.cookie).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    async fn post(&self, path: &str, body: &Value) -> u16 {
        let request = self.http.post(format!("{}{path}", self.url));
        let request = request.header("cookie", &self.cookie);
        let request = request.header("x-proliferate-csrf", "1").json(body);
        request.send().await.unwrap().status().as_u16()
    }
}
