//! Git with real repositories: every kind of change, bounds, and settings that name programs.

use std::{fmt::Write as _, path::Path, process::Command};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

pub(crate) fn git(directory: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.com",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

pub(crate) fn repository(sandbox: &Sandbox, name: &str) -> std::path::PathBuf {
    let directory = sandbox.workspace().join(name);
    std::fs::create_dir_all(&directory).unwrap();
    git(&directory, &["init", "-q"]);
    for (file, text) in [
        ("kept", "1\n2\n3\n"),
        ("old name", "a\nb\nc\nd\n"),
        ("gone", "x\n"),
    ] {
        std::fs::write(directory.join(file), text).unwrap();
    }
    std::fs::write(directory.join("image"), [0, 1, 2, 255]).unwrap();
    git(&directory, &["add", "."]);
    git(&directory, &["commit", "-qm", "first"]);
    directory
}

pub(crate) async fn id(sandbox: &Sandbox, path: &str) -> String {
    let (_, repos) = sandbox.get("/api/git/repos").await;
    let repos = repos["repos"].as_array().unwrap();
    let found = repos.iter().find(|repo| repo["path"] == path).unwrap();
    found["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn every_kind_of_change_is_shown() {
    let sandbox = Sandbox::start();
    let directory = repository(&sandbox, "apps/web");
    repository(&sandbox, "other");
    git(&directory, &["mv", "old name", "new name"]);
    std::fs::write(directory.join("kept"), "1\ntwo\n3\n").unwrap();
    std::fs::write(directory.join("image"), [0, 1, 2, 254]).unwrap();
    std::fs::remove_file(directory.join("gone")).unwrap();
    std::fs::write(directory.join("fresh é"), "new\n").unwrap();

    let (_, repos) = sandbox.get("/api/git/repos").await;
    let paths: Vec<_> = repos["repos"]
        .as_array()
        .unwrap()
        .iter()
        .map(|repo| repo["path"].clone())
        .collect();
    assert_eq!(paths, ["apps/web", "other"]);
    let repo = id(&sandbox, "apps/web").await;
    let (_, mut status) = sandbox.get(&format!("/api/git/status?repo={repo}")).await;
    assert_eq!(status["commit"].as_str().unwrap().len(), 40);
    status["commit"] = json!("[commit]");
    assert_eq!(
        status,
        json!({
            "branch": "main", "commit": "[commit]", "upstream": null, "ahead": 0, "behind": 0,
            "truncated": false,
            "files": [
                {"status": ".D", "path": "gone"},
                {"status": ".M", "path": "image"},
                {"status": ".M", "path": "kept"},
                {"status": "R.", "path": "new name", "originalPath": "old name"},
                {"status": "??", "path": "fresh é"},
            ],
        })
    );

    let diff = |path: &str| {
        let path = path.replace(' ', "%20").replace('é', "%C3%A9");
        let url = format!("/api/git/diff?repo={repo}&path={path}");
        let sandbox = &sandbox;
        async move { sandbox.get(&url).await.1 }
    };
    let kept = diff("kept").await;
    assert!(
        kept["diff"].as_str().unwrap().contains("-2\n+two\n"),
        "{kept}"
    );
    let image = diff("image").await;
    assert_eq!(
        (image["binary"].as_bool(), image["truncated"].as_bool()),
        (Some(true), Some(false))
    );
    let fresh = diff("fresh é").await;
    assert!(
        fresh["diff"].as_str().unwrap().contains("+new\n"),
        "{fresh}"
    );
    let (_, all) = sandbox.get(&format!("/api/git/diff?repo={repo}")).await;
    let all = all["diff"].as_str().unwrap();
    assert!(
        all.contains("rename from old name") && all.contains("deleted file"),
        "{all}"
    );
}

#[tokio::test]
async fn a_repository_without_a_commit_has_everything_added() {
    let sandbox = Sandbox::start();
    git(&sandbox.workspace(), &["init", "-q"]);
    std::fs::write(sandbox.workspace().join("a"), "1\n").unwrap();
    git(&sandbox.workspace(), &["add", "a"]);
    let repo = id(&sandbox, ".").await;
    let (_, status) = sandbox.get(&format!("/api/git/status?repo={repo}")).await;
    assert_eq!(
        (&status["branch"], &status["commit"]),
        (&json!("main"), &Value::Null)
    );
    let (_, diff) = sandbox.get(&format!("/api/git/diff?repo={repo}")).await;
    assert!(diff["diff"].as_str().unwrap().contains("+1\n"), "{diff}");
    // Without an id it is the workspace itself.
    assert_eq!(sandbox.get("/api/git/status").await.0, 200);
}

#[tokio::test]
async fn large_answers_are_cut_visibly() {
    let sandbox = Sandbox::start();
    let directory = repository(&sandbox, "big");
    let mut text = String::new();
    for line in 0..20_000 {
        let _ = writeln!(text, "line {line}");
    }
    std::fs::write(directory.join("kept"), text).unwrap();
    for number in 0..2100 {
        std::fs::write(directory.join(format!("untracked-{number}")), "").unwrap();
    }
    let repo = id(&sandbox, "big").await;
    let (_, diff) = sandbox
        .get(&format!("/api/git/diff?repo={repo}&path=kept"))
        .await;
    assert_eq!(
        (diff["diff"].as_str().unwrap().len(), &diff["truncated"]),
        (64 * 1024, &json!(true))
    );
    let (_, status) = sandbox.get(&format!("/api/git/status?repo={repo}")).await;
    assert_eq!(
        (
            status["files"].as_array().unwrap().len(),
            &status["truncated"]
        ),
        (2000, &json!(true))
    );
}

#[tokio::test]
async fn looking_starts_no_program_of_the_repository_and_leaves_no_trace() {
    let sandbox = Sandbox::start();
    let directory = repository(&sandbox, "repo");
    let witness = sandbox.outside("witness");
    let script = sandbox.outside("script");
    std::fs::write(&script, format!("#!/bin/sh\ntouch {}\n", witness.display())).unwrap();
    Command::new("chmod")
        .arg("755")
        .arg(&script)
        .status()
        .unwrap();
    let script = script.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "core.pager",
    ] {
        git(&directory, &["config", key, script]);
    }
    std::fs::write(directory.join(".gitattributes"), "* diff=x\n").unwrap();
    std::fs::write(directory.join("kept"), "changed\n").unwrap();
    let index = std::fs::read(directory.join(".git/index")).unwrap();
    let repo = id(&sandbox, "repo").await;
    for path in [
        "status?",
        "diff?",
        "diff?path=kept&",
        "diff?path=.gitattributes&",
    ] {
        let (status, answer) = sandbox.get(&format!("/api/git/{path}repo={repo}")).await;
        assert_eq!(status, 200, "{answer}");
    }
    assert!(!witness.exists());
    assert_eq!(std::fs::read(directory.join(".git/index")).unwrap(), index);
}

#[tokio::test]
async fn a_repository_and_a_path_outside_are_not_looked_at() {
    let sandbox = Sandbox::start();
    let directory = repository(&sandbox, "repo");
    std::fs::write(sandbox.outside("secret"), "hunter2\n").unwrap();
    std::os::unix::fs::symlink("../../secret", directory.join("link")).unwrap();
    let outside = sandbox.outside("elsewhere");
    std::fs::create_dir(&outside).unwrap();
    git(&outside, &["init", "-q"]);
    std::os::unix::fs::symlink(&outside, sandbox.workspace().join("linked")).unwrap();
    let repo = id(&sandbox, "repo").await;
    // "../elsewhere", "linked", "/etc", "none", and no encoding at all.
    for id in ["Li4vZWxzZXdoZXJl", "bGlua2Vk", "L2V0Yw", "bm9uZQ", "%25%25"] {
        let (status, _) = sandbox.get(&format!("/api/git/status?repo={id}")).await;
        assert!([403, 404].contains(&status), "{id}: {status}");
    }
    for path in ["../../secret", "link", "/etc/passwd", "--output=x"] {
        let (_, answer) = sandbox
            .get(&format!("/api/git/diff?repo={repo}&path={path}"))
            .await;
        assert!(!answer.to_string().contains("hunter2"), "{path}: {answer}");
        assert!(!answer.to_string().contains("root:x"), "{path}: {answer}");
    }
    assert!(!directory.join("x").exists());
}
