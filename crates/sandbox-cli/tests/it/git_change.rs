//! Changes to real repositories through the daemon: branches, commits, pushes, and what they are refused for.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    git::{git, id, repository},
    sandbox::Sandbox,
};

struct Repo<'a> {
    sandbox: &'a Sandbox,
    id: String,
}

impl Repo<'_> {
    async fn change(&self, what: &str, body: Value) -> Value {
        let path = format!("/api/git/{what}?repo={}", self.id);
        let asked = self.sandbox.ask(Method::POST, &path).json(&body);
        let answer = asked.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    }

    async fn state(&self) -> Value {
        let (_, state) = self
            .sandbox
            .get(&format!("/api/git/state?repo={}", self.id))
            .await;
        state
    }
}

#[tokio::test]
async fn a_branch_is_made_committed_to_and_pushed() {
    let sandbox = Sandbox::start();
    let directory = repository(&sandbox, "web");
    let bare = sandbox.outside("bare.git");
    let to = bare.to_str().unwrap();
    git(&sandbox.workspace(), &["init", "-q", "--bare", to]);
    let repo = Repo {
        id: id(&sandbox, "web").await,
        sandbox: &sandbox,
    };
    let pushed = repo.change("push", json!({})).await;
    assert_eq!(pushed["code"], "NO_REMOTE", "{pushed}");
    git(&directory, &["remote", "add", "origin", to]);

    let made = repo.change("branch", json!({"name": "fix/it"})).await;
    assert_eq!(
        (&made["success"], &made["action"]),
        (&json!(true), &json!("create_branch")),
        "{made}"
    );
    let again = repo.change("branch", json!({"name": "fix/it"})).await;
    assert_eq!(again["code"], "BRANCH_EXISTS", "{again}");
    for bad in ["-q", "a..b", "", "x y"] {
        let refused = repo.change("branch", json!({"name": bad})).await;
        assert_eq!(refused["success"], false, "{bad}: {refused}");
    }
    let nothing = repo.change("commit", json!({"message": "x"})).await;
    assert_eq!(nothing["code"], "NOTHING_TO_COMMIT", "{nothing}");

    std::fs::write(directory.join("kept"), "changed\n").unwrap();
    std::fs::write(directory.join("fresh"), "new\n").unwrap();
    std::fs::write(directory.join("-odd"), "new\n").unwrap();
    let state = repo.state().await;
    assert_eq!(state["branch"], "fix/it");
    assert_eq!(state["unstagedChanges"], json!(["kept"]), "{state}");
    assert_eq!(state["untrackedFiles"], json!(["-odd", "fresh"]));
    assert_eq!(
        (&state["ahead"], &state["isShallow"]),
        (&Value::Null, &json!(false))
    );
    assert_eq!(state["commits"][0]["message"], "first");

    // Without the untracked ones, then one by name, then the rest.
    let body = json!({"message": "Change\n\n# not a comment\n\"quoted\""});
    let made = repo.change("commit", body).await;
    assert_eq!(made["code"], "SUCCESS", "{made}");
    assert_eq!(
        repo.state().await["untrackedFiles"],
        json!(["-odd", "fresh"])
    );
    let made = repo
        .change("commit", json!({"message": "One", "files": ["-odd"]}))
        .await;
    assert_eq!(made["code"], "SUCCESS", "{made}");
    assert_eq!(repo.state().await["untrackedFiles"], json!(["fresh"]));
    let made = repo
        .change(
            "commit",
            json!({"message": "Rest", "includeUntracked": true}),
        )
        .await;
    assert_eq!(made["code"], "SUCCESS", "{made}");
    let state = repo.state().await;
    let messages: Vec<_> = state["commits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["message"])
        .collect();
    assert_eq!(messages, ["Rest", "One", "Change", "first"]);

    let pushed = repo.change("push", json!({})).await;
    assert_eq!(pushed["code"], "SUCCESS", "{pushed}");
    assert_eq!(repo.state().await["ahead"], 0);
    git(&bare, &["rev-parse", "--verify", "refs/heads/fix/it"]);
}

#[tokio::test]
async fn what_cannot_be_done_says_why() {
    let sandbox = Sandbox::start();
    let directory = repository(&sandbox, "web");
    let repo = Repo {
        id: id(&sandbox, "web").await,
        sandbox: &sandbox,
    };
    std::fs::write(directory.join(".git/index.lock"), "").unwrap();
    std::fs::write(directory.join("kept"), "changed\n").unwrap();
    assert_eq!(repo.state().await["isBusy"], true);
    let busy = repo.change("commit", json!({"message": "x"})).await;
    assert_eq!(busy["code"], "REPO_BUSY", "{busy}");
    std::fs::remove_file(directory.join(".git/index.lock")).unwrap();

    // Two sides that disagree.
    git(&directory, &["commit", "-qam", "ours"]);
    git(&directory, &["switch", "-qc", "theirs", "HEAD~1"]);
    std::fs::write(directory.join("kept"), "otherwise\n").unwrap();
    git(&directory, &["commit", "-qam", "theirs"]);
    let merge = std::process::Command::new("git")
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.com",
            "merge",
            "-q",
            "main",
        ])
        .current_dir(&directory)
        .output()
        .unwrap();
    assert!(!merge.status.success());
    let state = repo.state().await;
    assert_eq!(
        (&state["conflictedFiles"], &state["mergeInProgress"]),
        (&json!(["kept"]), &json!(true))
    );
    let conflict = repo.change("commit", json!({"message": "x"})).await;
    assert_eq!(conflict["code"], "MERGE_CONFLICT", "{conflict}");

    let nowhere = Repo {
        id: "bm93aGVyZQ".to_owned(),
        sandbox: &sandbox,
    };
    let refused = nowhere.change("push", json!({})).await;
    assert_eq!(refused["code"], "NOT_A_REPO", "{refused}");
    let (status, _) = sandbox.get("/api/git/state?repo=bm93aGVyZQ").await;
    assert_eq!(status, 404);
    let unknown = sandbox
        .ask(Method::POST, "/api/git/rebase")
        .json(&json!({}));
    assert_eq!(unknown.send().await.unwrap().status(), 404);
}
