//! Repositories of sessions by git's own protocol, with the real git on either side.

use std::{
    path::Path,
    process::{Command, Output},
};

use app::{
    git::{NewPullRequest, PullRequestOutcome, open_pull_request},
    identity,
    policy::PolicySource,
};
use domain::id::SessionId;
use integrations::BaseUrls;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{
    app::{Person, Served, TestApp},
    database::Backend,
    standin::git::{GitServer, TOKEN},
};

use crate::{
    mediation::pins::policy_in,
    support::{UNKNOWN_ID, configuration, create, id},
};

testkit::on_both_databases!(
    a_sandbox_clones_and_pushes_what_it_may,
    a_private_repository_without_a_credential_says_so,
    a_policy_can_forbid_pushing,
    a_credential_goes_to_its_own_host_alone,
    what_agents_may_push_is_an_administrator_s_word,
    an_admin_approves_a_pull_request_from_the_branch_on_the_screen_alone,
);

struct Scene {
    app: TestApp,
    served: Served,
    server: GitServer,
    home: TempDir,
}

impl Scene {
    async fn set(backend: Backend) -> Self {
        Self::set_under(backend, PolicySource::BuiltIn).await
    }

    async fn set_under(backend: Backend, policy: PolicySource) -> Self {
        let server = GitServer::start().await;
        let urls = BaseUrls::default().with("github", server.interface());
        let reach = server.address.to_string();
        let app = TestApp::builder(backend).sources(urls).reach(&reach);
        let app = app.policy(policy).start().await;
        let served = app.serve().await;
        Self {
            app,
            served,
            server,
            home: TempDir::new().unwrap(),
        }
    }

    async fn repo(&self, body: Value) -> String {
        id(&self.app.owner().post("/v1/repos", body).await.expect(201))
    }

    /// A session with these repositories; with the connection to GitHub if it is to have it.
    async fn session(&self, repos: &[&str], is_connected: bool) -> String {
        let made = configuration(&self.app, json!({"name": "web", "repoIds": repos})).await;
        let mut integrations = Vec::new();
        if is_connected {
            let body = json!({"integrationId": "github", "token": TOKEN});
            let made = self.app.owner().post("/v1/integrations", body).await;
            integrations.push(id(&made.expect(201)));
        }
        let body = json!({"configurationId": made, "integrationIds": integrations});
        id(&create(&self.app, body).await)
    }

    /// Where the session's sandbox finds the repository.
    fn place(&self, session: &str, repo: &str) -> String {
        self.served
            .url(&format!("/proliferate/{session}/git/{repo}"))
    }

    /// Git as it is set up in a sandbox, with this token.
    async fn git(&self, directory: &Path, token: &str, words: &[&str]) -> Output {
        let helper = "!f() { printf 'username=sandbox\\npassword=%s\\n' \"$TOKEN\"; }; f";
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=Ada", "-c", "user.email=a@example.com"])
            .args(["-c", &format!("credential.helper={helper}")])
            .args(words)
            .current_dir(directory)
            .env("TOKEN", token)
            .env("HOME", self.home.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0");
        let run = tokio::task::spawn_blocking(move || command.output());
        run.await.unwrap().unwrap()
    }

    async fn sandbox_token(&self, session: &str) -> String {
        self.app.sandbox_token(session.parse().unwrap()).await
    }
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn a_sandbox_clones_and_pushes_what_it_may(backend: Backend) {
    let scene = Scene::set(backend).await;
    let url = scene.server.repository("acme/web");
    let body = json!({"name": "acme/web", "url": url, "source": "github", "push": "branches"});
    let repo = scene.repo(body).await;
    let session = scene.session(&[&repo], true).await;
    let other = scene.session(&[], true).await;
    let token = scene.sandbox_token(&session).await;
    let place = format!("{}.git", scene.place(&session, &repo));
    let home = scene.home.path();
    good(
        &scene
            .git(home, &token, &["clone", "-q", &place, "work"])
            .await,
    );
    let work = home.join("work");
    let readme = std::fs::read_to_string(work.join("README.md")).unwrap();
    assert_eq!(readme, "# acme/web\n");

    // Another session's token, no token, a repository of another session: refused.
    let stranger = scene.sandbox_token(&other).await;
    for (token, place, expected) in [
        (
            stranger.as_str(),
            place.as_str(),
            "there is no such session",
        ),
        ("garbage", &place, "Authentication failed"),
        (
            &stranger,
            &scene.place(&other, &repo),
            "there is no such repository in this session",
        ),
        (
            &token,
            &scene.place(&session, UNKNOWN_ID),
            "there is no such repository in this session",
        ),
        (
            &token,
            &scene.place(&session, "site"),
            "there is nothing with this id",
        ),
    ] {
        let refused = scene.git(home, token, &["ls-remote", place]).await;
        let text = said(&refused);
        assert!(
            !refused.status.success() && text.contains(expected),
            "{place}: {text}"
        );
    }
    let owner = scene.app.user_token(Person::Owner);
    let refused = scene.git(home, &owner, &["ls-remote", &place]).await;
    assert!(
        said(&refused).contains("only the agent in the session's sandbox"),
        "{}",
        said(&refused)
    );

    pushes_a_branch(&scene, &token).await;
    is_on_record(&scene, &session).await;
    // What the server wants to see is nowhere near the sandbox.
    let asked = scene.server.asked();
    assert!(
        asked.iter().all(|asked| asked.authorization.is_some()),
        "{asked:?}"
    );
    let kept = std::fs::read_to_string(work.join(".git/config")).unwrap();
    assert!(!kept.contains(TOKEN) && !kept.contains(&token), "{kept}");
}

/// Each push was decided and ended in the trail like any other call: two were denied, one was taken, one was not.
async fn is_on_record(scene: &Scene, session: &str) {
    let settled = app::audit::sign_pending(&scene.app.app, &scene.app.acme).await;
    settled.unwrap();
    let owner = scene.app.owner();
    let path = format!("/v1/audit/events?sessionId={session}&limit=100");
    let events = owner.get(&path).await.expect(200);
    let events = events["items"].as_array().unwrap();
    let of_pushes = |kind: &str| {
        let mut outcomes: Vec<&str> = events
            .iter()
            .filter(|event| event["record"]["event"]["action_type"] == kind)
            .filter(|event| event["record"]["event"]["lane_id"] == "REPOSITORY_PUSH")
            .filter_map(|event| event["record"]["event"]["outcome"].as_str())
            .collect();
        outcomes.sort_unstable();
        outcomes
    };
    assert_eq!(
        of_pushes("authz_decision"),
        ["allow", "allow", "deny", "deny"]
    );
    assert_eq!(
        of_pushes("tool_call"),
        ["deny", "deny", "failure", "success"]
    );
    let calls = owner
        .get(&format!("/v1/sessions/{session}/tool-calls"))
        .await;
    let calls = calls.expect(200);
    let [hooked, taken] = &calls["items"].as_array().unwrap()[..] else {
        panic!("{calls}");
    };
    assert_eq!(
        (&taken["toolName"], &taken["status"]),
        (&json!("git.push"), &json!("completed"))
    );
    assert_eq!(taken["params"]["repository"], "acme/web");
    assert_eq!(taken["params"]["refs"][0]["name"], "refs/heads/fix");
    assert_eq!(hooked["status"], "failed");
    let why = "the server of the repository did not take all of the push";
    assert_eq!(hooked["error"], why);
}

/// A branch may be pushed, the default one and a tag may not, nor what a hook of the server does not want.
async fn pushes_a_branch(scene: &Scene, token: &str) {
    let work = scene.home.path().join("work");
    std::fs::write(work.join("more.txt"), "x".repeat(3_000_000)).unwrap();
    good(&scene.git(&work, token, &["add", "."]).await);
    good(&scene.git(&work, token, &["commit", "-qm", "More"]).await);
    let refused = scene.git(&work, token, &["push", "origin", "main"]).await;
    let text = said(&refused);
    assert!(
        text.contains("remote rejected") && text.contains("default branch"),
        "{text}"
    );
    let refused = scene
        .git(&work, token, &["push", "origin", "HEAD:refs/tags/v1"])
        .await;
    assert!(
        said(&refused).contains("push only branches"),
        "{}",
        said(&refused)
    );
    good(
        &scene
            .git(&work, token, &["push", "-q", "origin", "HEAD:fix"])
            .await,
    );
    assert!(
        scene
            .server
            .says("acme/web", &["log", "-1", "--format=%s", "fix"])
            .contains("More")
    );
    assert!(
        scene
            .server
            .says("acme/web", &["log", "-1", "--format=%s", "main"])
            .contains("Begin")
    );
    good(&scene.git(&work, token, &["fetch", "-q", "origin"]).await);
    scene.server.refuse_pushes("acme/web", "not on a Monday");
    let refused = scene
        .git(&work, token, &["push", "origin", "HEAD:late"])
        .await;
    let text = said(&refused);
    let shown = text.contains("remote: not on a Monday") && text.contains("hook declined");
    assert!(!refused.status.success() && shown, "{text}");
}

/// Operators who take it out of its lane have taken pushing away.
async fn a_policy_can_forbid_pushing(backend: Backend) {
    let policy = tempfile::tempdir().unwrap();
    let without = |lanes: &str| lanes.replace("tools: [git.push]", "tools: [verify]");
    policy_in(policy.path(), without);
    let source = PolicySource::Directory(policy.path().to_owned());
    let scene = Scene::set_under(backend, source).await;
    let url = scene.server.repository("acme/web");
    let body = json!({"name": "acme/web", "url": url, "source": "github", "push": "any"});
    let repo = scene.repo(body).await;
    let session = scene.session(&[&repo], true).await;
    let token = scene.sandbox_token(&session).await;
    let (home, place) = (scene.home.path(), scene.place(&session, &repo));
    good(
        &scene
            .git(home, &token, &["clone", "-q", &place, "work"])
            .await,
    );
    let work = home.join("work");
    let refused = scene
        .git(&work, &token, &["push", "origin", "HEAD:fix"])
        .await;
    let text = said(&refused);
    assert!(
        text.contains("remote rejected") && text.contains("lane prohibits requested tool"),
        "{text}"
    );
}

async fn a_private_repository_without_a_credential_says_so(backend: Backend) {
    let scene = Scene::set(backend).await;
    let private = scene.server.repository("acme/web");
    let open = scene.server.repository("open/tools");
    let body = |name: &str, url: &str| json!({"name": name, "url": url, "source": "github"});
    let private = scene.repo(body("acme/web", &private)).await;
    let open = scene.repo(body("open/tools", &open)).await;
    let moved = scene
        .repo(json!({"name": "gone", "url": "http://10.0.0.1/x.git"}))
        .await;
    let session = scene.session(&[&private, &open, &moved], false).await;
    let token = scene.sandbox_token(&session).await;
    let home = scene.home.path();
    let looked = scene
        .git(
            home,
            &token,
            &["ls-remote", &scene.place(&session, &private)],
        )
        .await;
    assert!(
        said(&looked).contains("wants a credential, and this session has none"),
        "{}",
        said(&looked)
    );
    let looked = scene
        .git(home, &token, &["ls-remote", &scene.place(&session, &moved)])
        .await;
    assert!(
        said(&looked).contains("not on the public network"),
        "{}",
        said(&looked)
    );
    let place = scene.place(&session, &open);
    good(
        &scene
            .git(home, &token, &["clone", "-q", &place, "tools"])
            .await,
    );
    let work = home.join("tools");
    let pushed = scene
        .git(&work, &token, &["push", "origin", "HEAD:fix"])
        .await;
    assert!(
        said(&pushed).contains("agents may not push to this repository"),
        "{}",
        said(&pushed)
    );

    // A repository can bring its own, which no sandbox sees.
    let server = &scene.server.address;
    let secret = json!({"key": "GIT_CREDENTIAL", "value": format!("http://x-access-token:{TOKEN}@{server}"),
        "scope": {"kind": "repo", "id": private}});
    scene
        .app
        .owner()
        .post("/v1/secrets", secret)
        .await
        .expect(201);
    good(
        &scene
            .git(
                home,
                &token,
                &["ls-remote", &scene.place(&session, &private)],
            )
            .await,
    );
    let stored = scene.app.session(session.parse().unwrap()).await;
    let environment = app::sessions::environment(&scene.app.app, &stored)
        .await
        .unwrap();
    assert!(environment.variables.is_empty(), "{environment:?}");
}

async fn a_credential_goes_to_its_own_host_alone(backend: Backend) {
    let scene = Scene::set(backend).await;
    // Says that it is GitHub's, and is not where GitHub is.
    let elsewhere = GitServer::start().await;
    let url = elsewhere.repository("open/web");
    let app = TestApp::builder(backend)
        .sources(BaseUrls::default().with("github", scene.server.interface()))
        .reach(&elsewhere.address.to_string());
    let app = app.start().await;
    let served = app.serve().await;
    let scene = Scene {
        app,
        served,
        ..scene
    };
    let body = json!({"name": "acme/web", "url": url, "source": "github"});
    let repo = scene.repo(body).await;
    let session = scene.session(&[&repo], true).await;
    let token = scene.sandbox_token(&session).await;
    let place = scene.place(&session, &repo);
    good(
        &scene
            .git(scene.home.path(), &token, &["ls-remote", &place])
            .await,
    );
    let asked = elsewhere.asked();
    assert!(
        !asked.is_empty() && asked.iter().all(|asked| asked.authorization.is_none()),
        "{asked:?}"
    );
}

async fn what_agents_may_push_is_an_administrator_s_word(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (owner, member) = (app.owner(), app.member());
    let body = |push: &str| json!({"name": format!("acme/{push}"), "url": "https://git.example/a.git", "push": push});
    member
        .post("/v1/repos", body("any"))
        .await
        .expect_problem(403, "FORBIDDEN");
    let made = member.post("/v1/repos", body("never")).await.expect(201);
    let path = format!("/v1/repos/{}", id(&made));
    let change = json!({"push": "branches"});
    member
        .patch(&path, change.clone())
        .await
        .expect_problem(403, "FORBIDDEN");
    let changed = owner.patch(&path, change).await.expect(200);
    assert_eq!(changed["push"], "branches");
    // What it was said of stays what it was.
    for change in [
        json!({"url": "https://git.example/b.git"}),
        json!({"defaultBranch": "trunk"}),
        json!({"push": "any"}),
    ] {
        member
            .patch(&path, change)
            .await
            .expect_problem(403, "FORBIDDEN");
    }
    member
        .patch(&path, json!({"name": "acme/new"}))
        .await
        .expect(200);
    owner
        .patch(&path, json!({"push": "sometimes"}))
        .await
        .expect(400);
}

/// The sandbox reports the name of the branch: an agent that changes it after the admin looked gets no approval by it.
async fn an_admin_approves_a_pull_request_from_the_branch_on_the_screen_alone(backend: Backend) {
    let scene = Scene::set(backend).await;
    let url = scene.server.repository("acme/web");
    let body = json!({"name": "acme/web", "url": url, "source": "github", "push": "branches"});
    let repo = scene.repo(body).await;
    let session: SessionId = scene.session(&[&repo], true).await.parse().unwrap();
    let (app, owner) = (&scene.app, scene.app.owner());
    let configuration = owner.get("/v1/configurations").await.expect(200);
    let folder = configuration["items"][0]["repos"][0]["workspacePath"]
        .as_str()
        .unwrap_or("web")
        .to_owned();
    let ask = async |branch: &str, seen: Option<&str>| {
        let token = app.user_token(Person::Owner);
        let caller = identity::authenticate(&app.app, &token, None)
            .await
            .and_then(|identified| identified.admit(identity::Intent::Change))
            .unwrap();
        let new = NewPullRequest {
            folder: folder.clone(),
            branch: branch.to_owned(),
            seen_branch: seen.map(str::to_owned),
            title: format!("From {branch}"),
            body: None,
            base: None,
        };
        open_pull_request(&app.app, &caller, session, new)
            .await
            .unwrap()
    };
    let opened = ask("fix", Some("fix")).await;
    assert!(
        matches!(opened, PullRequestOutcome::Opened { .. }),
        "{opened:?}"
    );
    assert_eq!(scene.server.pulls().len(), 1);
    for (branch, seen) in [
        ("backdoor", Some("fix")),
        ("fix", None),
        ("mallory:fix", Some("mallory:fix")),
    ] {
        let asked = ask(branch, seen).await;
        assert!(
            matches!(asked, PullRequestOutcome::Pending { .. }),
            "{branch}: {asked:?}"
        );
        assert_eq!(scene.server.pulls().len(), 1, "{branch}");
    }
}
