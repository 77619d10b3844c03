//! Repositories in real sandboxes, from a real server of git that wants a password.

use integrations::BaseUrls;
use serde_json::{Value, json};
use testkit::{
    database::Backend,
    standin::git::{GitServer, TOKEN, git},
};

use crate::{
    life::is_found,
    stage::{Stage, Yard, answers, bash},
};

pub(crate) struct Scene {
    pub(crate) stage: Stage,
    pub(crate) server: GitServer,
}

impl Scene {
    pub(crate) async fn set(backend: Backend) -> Self {
        Self::set_in(Yard::Rootless, backend).await
    }

    async fn set_in(yard: Yard, backend: Backend) -> Self {
        let server = GitServer::start().await;
        let urls = BaseUrls::default().with("github", server.interface());
        let address = server.address.to_string();
        let stage = Stage::set_in(yard, backend, |app| app.sources(urls).reach(&address)).await;
        Self { stage, server }
    }

    /// A configuration with a repository of the server.
    pub(crate) async fn configuration(&self, name: &str) -> String {
        let url = self.server.repository(name);
        let owner = self.stage.app.owner();
        let repo = json!({"name": name, "url": url, "source": "github", "push": "branches"});
        let repo = owner.post("/v1/repos", repo).await.expect(201);
        let body = json!({"name": name, "repoIds": [repo["id"]]});
        let made = owner.post("/v1/configurations", body).await.expect(201);
        made["id"].as_str().unwrap().to_owned()
    }

    /// The connection that lets the session in.
    pub(crate) async fn connection(&self) -> String {
        let body = json!({"integrationId": "github", "token": TOKEN});
        let made = self.stage.app.owner().post("/v1/integrations", body).await;
        made.expect(201)["id"].as_str().unwrap().to_owned()
    }
}

fn of_kind<'a>(frames: &'a [Value], kind: &str) -> Vec<&'a Value> {
    let found = frames.iter().filter(|frame| frame["type"] == kind);
    found.map(|frame| &frame["payload"]).collect()
}

async fn a_repository_is_cloned_kept_and_pushed_without_its_credential(
    yard: Yard,
    backend: Backend,
) {
    let mut scene = Scene::set_in(yard, backend).await;
    let configuration = scene.configuration("acme/web").await;
    let connection = scene.connection().await;
    let body = json!({"configurationId": configuration, "integrationIds": [connection]});
    let session = scene.stage.session(body).await;
    let who = "git -c user.name=A -c user.email=a@example.com";
    let work = bash(&format!(
        "cat README.md; git config remote.origin.url; git switch -qc fix && echo x > new.txt && git add new.txt && \
         {who} commit -qm 'Add a file' && git push -q origin fix && echo pushed; git push origin HEAD:main 2>&1; \
         echo draft > draft.txt; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline > /tmp/seen 2>/dev/null; \
         cp /tmp/seen seen.bin; stat -c %u:%g README.md .git/config; sync"
    ));
    let hub = scene.stage.hub.clone();
    let frames = scene
        .stage
        .say(&hub, session, &format!("{work}\nSAY Done."))
        .await;
    let told = answers(&frames).join("\n");
    let url = scene.server.url("acme/web");
    assert!(told.contains("# acme/web") && told.contains(&url), "{told}");
    // All of it is theirs who work there.
    assert!(told.contains("1000:1000\n1000:1000"), "{told}");
    assert!(
        told.contains("pushed") && told.contains("default branch"),
        "{told}"
    );
    assert_eq!(
        scene
            .server
            .says("acme/web", &["log", "-1", "--format=%s", "fix"]),
        "Add a file\n"
    );
    let steps = of_kind(&frames, "boot_step");
    let repo = steps
        .iter()
        .find(|step| step["stage"] == "repo" && step["durationMs"].is_u64());
    assert!(repo.is_some(), "{steps:?}");
    let seen = scene.stage.state.clone();
    assert!(
        is_found("SANDBOX_MCP_AUTH_TOKEN", &seen),
        "what was looked at is there"
    );
    assert!(!is_found(TOKEN, &seen), "the credential is in the sandbox");

    // Another user pushes meanwhile.
    let elsewhere = tempfile::TempDir::new().unwrap();
    std::fs::write(elsewhere.path().join("later.txt"), "later").unwrap();
    git(elsewhere.path(), &["init", "-q", "--initial-branch=main"]);
    git(elsewhere.path(), &["add", "."]);
    git(elsewhere.path(), &["commit", "-qm", "Later"]);
    let place = elsewhere.path().to_str().unwrap();
    scene
        .server
        .says("acme/web", &["fetch", "-q", place, "+main:later"]);
    scene.stage.restart().await;
    let hub = scene.stage.hub.clone();
    let look =
        bash("git branch --show-current; cat draft.txt; git log -1 --format=%s origin/later");
    let frames = scene
        .stage
        .say(&hub, session, &format!("{look}\nSAY Seen."))
        .await;
    let told = answers(&frames).join("\n");
    for expected in ["fix", "draft", "Later"] {
        assert!(told.contains(expected), "{expected}: {told}");
    }
    assert!(
        !is_found(TOKEN, &scene.stage.state),
        "the credential is in a snapshot"
    );
    hub.fleet.close().await;
}

async fn a_private_repository_without_a_credential_ends_the_boot_with_the_reason(
    yard: Yard,
    backend: Backend,
) {
    let scene = Scene::set_in(yard, backend).await;
    let configuration = scene.configuration("acme/web").await;
    let session = scene
        .stage
        .session(json!({"configurationId": configuration}))
        .await;
    let hub = &scene.stage.hub;
    let handle = hub
        .registry
        .open(&scene.stage.app.steering(session).await.unwrap())
        .await
        .unwrap();
    let failed = handle.ensure_ready().await.unwrap_err().to_string();
    let reason = "acme/web could not be cloned: the server of the repository wants a credential";
    assert!(failed.contains(reason), "{failed}");
    let shown = scene.stage.shown(session).await;
    assert_eq!(shown["status"], "failed", "{shown}");
    assert!(
        shown["reason"].as_str().unwrap().contains(reason),
        "{shown}"
    );
    assert!(scene.stage.found().await.is_empty(), "its sandbox is left");
}

macro_rules! in_each_yard {
    ($($module:ident $yard:ident),+) => {$(
        mod $module {
            use testkit::database::Backend::{Postgres, Sqlite};

            use crate::stage::Yard::$yard;

            #[tokio::test(flavor = "multi_thread")]
            async fn a_repository_is_cloned_kept_and_pushed_without_its_credential() {
                super::a_repository_is_cloned_kept_and_pushed_without_its_credential($yard, Sqlite)
                    .await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn a_private_repository_without_a_credential_ends_the_boot_with_the_reason() {
                super::a_private_repository_without_a_credential_ends_the_boot_with_the_reason(
                    $yard, Postgres,
                )
                .await;
            }
        }
    )+};
}

in_each_yard!(real_agent_repos Rootless, real_agent_repos_as_root Root, real_agent_repos_in_podman Podman);
