//! Env files on disk: written whole or not at all, never outside of the workspace, and gone before a
//! snapshot.

use std::{os::unix::fs::PermissionsExt as _, path::Path, process::Command};

use serde_json::{Value, json};

use crate::{program::TOKEN, sandbox::Sandbox};

fn spec(path: &str, keys: &[&str]) -> String {
    let keys: Vec<Value> = keys
        .iter()
        .map(|key| json!({"key": key, "required": true}))
        .collect();
    json!([{"path": path, "keys": keys}]).to_string()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn values_are_kept_written_scrubbed_and_written_again() {
    let sandbox = Sandbox::bare();
    let workspace = sandbox.workspace();
    git(&workspace, &["init", "-q"]);
    let file = workspace.join("apps/web/.env");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "# ours\nexport API_KEY=old\nPORT=1\n").unwrap();
    let values = json!({"API_KEY": "it's a $ecret\nof \"two\" lines", "OTHER": "x"}).to_string();
    let spec = spec("apps/web/.env", &["API_KEY"]);

    let apply = ["env", "apply", "--spec", &spec, "--values", "-"];
    let applied = sandbox
        .program(&apply)
        .stdin(values.clone())
        .finish()
        .await
        .ended(0);
    assert_eq!(
        applied.json(),
        json!({"applied": [{"path": "apps/web/.env", "keyCount": 1}], "values": ["API_KEY", "OTHER"]})
    );
    let applied = applied.said("note: apps/web/.env: API_KEY: shells read it right");
    assert!(!applied.stderr.contains("ecret"));
    let written = text(&file);
    assert_eq!(
        written,
        "# ours\nexport API_KEY='it'\\''s a $ecret\nof \"two\" lines'\nPORT=1\n"
    );
    assert_eq!((mode(&file), mode(&sandbox.values())), (0o600, 0o600));
    assert_eq!(git(&workspace, &["status", "--porcelain"]), "");

    let got = sandbox
        .program(&["env", "get", "--name", "API_KEY", "--raw"])
        .finish()
        .await;
    assert_eq!(got.ended(0).stdout, "it's a $ecret\nof \"two\" lines");
    let got = sandbox.run(&["env", "get", "--name", "OTHER"]).await;
    assert_eq!(got, json!({"name": "OTHER", "value": "x"}));

    let scrubbed = sandbox.run(&["env", "scrub", "--spec", &spec]).await;
    assert_eq!(
        scrubbed,
        json!({"scrubbed": [{"path": "apps/web/.env", "keys": ["API_KEY"]}], "values": ["API_KEY", "OTHER"]})
    );
    assert_eq!(
        text(&file),
        "# ours\n# proliferate scrubbed export API_KEY\nPORT=1\n"
    );
    let found = Command::new("grep")
        .args(["-rl", "ecret"])
        .arg(sandbox.outside(""))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "");
    let names = sandbox.run(&["env", "get"]).await;
    assert_eq!(
        names,
        json!({"names": [{"name": "API_KEY", "hasValue": false}, {"name": "OTHER", "hasValue": false}]})
    );

    let again = sandbox
        .program(&apply)
        .stdin(values)
        .finish()
        .await
        .ended(0);
    assert_eq!(again.json()["applied"][0]["keyCount"], 1);
    assert_eq!(text(&file), written);
    // Excluded once, however often it is written.
    let exclude = text(&workspace.join(".git/info/exclude"));
    assert_eq!(exclude.matches("/apps/web/.env").count(), 1);
}

#[tokio::test]
async fn a_missing_value_leaves_everything_as_it_was() {
    let sandbox = Sandbox::bare();
    let spec = json!([
        {"path": ".env", "keys": [{"key": "A", "required": true}, {"key": "FROM_PROCESS", "required": true}]},
        {"path": "b/.env", "keys": [{"key": "B", "required": true}, {"key": "C", "required": false}]},
    ])
    .to_string();
    let arguments = ["env", "apply", "--spec", &spec, "--values", r#"{"A": "1"}"#];
    let program = sandbox.program(&arguments).env("FROM_PROCESS", "p q");
    let finished = program.finish().await.ended(8);
    assert_eq!(finished.json(), json!({"missing": ["B"]}));
    assert!(!sandbox.values().exists() && !sandbox.workspace().join(".env").exists());

    let arguments = [
        "env",
        "apply",
        "--spec",
        &spec,
        "--values",
        r#"{"A": "1", "B": "2"}"#,
    ];
    let program = sandbox
        .program(&arguments)
        .env("FROM_PROCESS", "p q")
        .env("A", "stale");
    program.finish().await.ended(0);
    assert_eq!(
        text(&sandbox.workspace().join(".env")),
        "A=1\nFROM_PROCESS='p q'\n"
    );
    assert_eq!(text(&sandbox.workspace().join("b/.env")), "B=2\n");

    sandbox
        .program(&["env", "get", "--name", "NONE"])
        .finish()
        .await
        .ended(8);
}

#[tokio::test]
async fn nothing_is_written_outside_of_the_workspace_or_through_a_link() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::bare();
    let outside = sandbox.outside("outside");
    std::fs::write(&outside, "theirs").unwrap();
    symlink(&outside, sandbox.workspace().join("link")).unwrap();
    symlink("..", sandbox.workspace().join("up")).unwrap();
    std::fs::hard_link(&outside, sandbox.workspace().join("hard")).unwrap();
    for path in ["../outside", "/etc/x", "link", "up/outside", "hard", ""] {
        let spec = spec(path, &["A"]);
        for command in ["apply", "scrub"] {
            let mut arguments = vec!["env", command, "--spec", &spec];
            if command == "apply" {
                arguments.extend(["--values", r#"{"A": "secret"}"#]);
            }
            let finished = sandbox.program(&arguments).finish().await.ended(2);
            assert!(!finished.stderr.contains("secret"), "{finished:?}");
        }
        assert!(!sandbox.values().exists(), "{path}");
    }
    assert_eq!(text(&outside), "theirs");
}

#[tokio::test]
async fn what_is_no_value_is_refused_without_being_repeated() {
    let sandbox = Sandbox::bare();
    for values in [
        r#"{"A": 5}"#,
        r#"{"A": "hunter2\u0000"}"#,
        r#"{"A B": "hunter2"}"#,
        r#"{"1A": "hunter2"}"#,
        r#"{"A": "hunter2", "A": "hunter2"}"#,
        r#"["hunter2"]"#,
        "hunter2",
    ] {
        let finished = sandbox
            .program(&["env", "apply", "--values", values])
            .finish()
            .await
            .ended(2);
        assert!(
            !finished.stderr.contains("hunter2") && finished.stdout.is_empty(),
            "{finished:?}"
        );
    }
    sandbox.program(&["env", "apply"]).finish().await.ended(2);
    assert!(!sandbox.values().exists());
}

#[tokio::test]
async fn the_sandbox_token_is_for_no_file_and_no_output() {
    let sandbox = Sandbox::bare();
    let spec = spec(".env", &["SANDBOX_MCP_AUTH_TOKEN"]);
    let finished = sandbox
        .program(&["env", "apply", "--spec", &spec])
        .finish()
        .await
        .ended(8);
    assert!(!finished.stdout.contains(TOKEN));
    let get = ["env", "get", "--raw", "--name", "SANDBOX_MCP_AUTH_TOKEN"];
    assert_eq!(sandbox.program(&get).finish().await.ended(8).stdout, "");
}

#[tokio::test]
async fn many_at_once_lose_nothing() {
    let sandbox = Sandbox::bare();
    let runs = (0..24).map(|number| {
        let name = format!("KEY_{number}");
        let values = json!({&name: format!("value {number}")}).to_string();
        let spec = spec(".env", &[&name]);
        let arguments = ["env", "apply", "--spec", &spec, "--values", &values];
        let program = sandbox.program(&arguments);
        async move { program.finish().await.ended(0) }
    });
    futures::future::join_all(runs).await;
    let kept: Value = serde_json::from_str(&text(&sandbox.values())).unwrap();
    assert_eq!(kept.as_object().unwrap().len(), 24);
    let file = text(&sandbox.workspace().join(".env"));
    let mut lines: Vec<&str> = file.lines().collect();
    lines.sort_unstable();
    let mut expected: Vec<String> = (0..24).map(|n| format!("KEY_{n}='value {n}'")).collect();
    expected.sort_unstable();
    assert_eq!(lines, expected);
    let left = std::fs::read_dir(sandbox.workspace()).unwrap().count();
    assert_eq!(left, 1, "temporary files are left");
}

#[tokio::test]
async fn what_is_held_comes_back_as_it_was() {
    let sandbox = Sandbox::bare();
    let workspace = sandbox.workspace();
    let (one, two) = (workspace.join(".env"), workspace.join("b.env"));
    let before = "# ours\nexport API_KEY='of two\nlines'\nPORT=1\nAPI_KEY=again\n";
    std::fs::write(&one, before).unwrap();
    std::fs::write(&two, "ONLY=hidden\n").unwrap();
    let values = json!({"API_KEY": "given"}).to_string();
    let keep = sandbox.program(&["env", "apply", "--values", "-"]);
    keep.stdin(values.clone()).finish().await.ended(0);
    let spec = json!([
        {"path": ".env", "keys": [{"key": "API_KEY", "required": true}]},
        {"path": "b.env", "keys": [{"key": "ONLY", "required": false}]},
    ])
    .to_string();
    let scrub = ["env", "scrub", "--hold", "--spec", &spec];
    sandbox.run(&scrub).await;
    assert!(!text(&one).contains("lines") && !two.exists());
    // A scrub that came to nothing half-way, and another one.
    let scrubbed = sandbox.run(&scrub).await;
    assert_eq!(scrubbed["scrubbed"][0]["keys"], json!(["API_KEY"]));
    assert!(!text(&one).contains("lines") && !two.exists());
    let get = ["env", "get", "--name", "API_KEY", "--raw"];
    let got = sandbox.program(&get).finish().await;
    assert_eq!(got.ended(0).stdout, "given", "kept values stay");
    let restored = sandbox.run(&["env", "restore"]).await;
    assert_eq!(restored, json!({"restored": [".env", "b.env"]}));
    assert_eq!(
        (text(&one).as_str(), text(&two).as_str()),
        (before, "ONLY=hidden\n")
    );
    let again = sandbox.run(&["env", "restore"]).await;
    assert_eq!(again, json!({"restored": []}), "nothing is held any more");

    // Another program wrote to the files meanwhile.
    sandbox.run(&scrub).await;
    let left = text(&one).replace("PORT=1", "PORT=2");
    std::fs::write(&one, left).unwrap();
    std::fs::write(&two, "NEW=1").unwrap();
    sandbox.run(&["env", "restore"]).await;
    assert_eq!(text(&one), "# ours\nAPI_KEY=again\nPORT=2\n");
    assert_eq!(text(&two), "NEW=1\nONLY=hidden\n");
}
