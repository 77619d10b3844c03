//! Known values are planted in every store that keeps a secret: the operator's settings, secrets of every scope,
//! integrations, connectors, repositories, webhooks, keys, what people fill in. A session works with all of them, every
//! service gives away what it was sent, and then none of the values is in anything that came out, in any form.

mod walk;
mod world;

use std::{path::Path, sync::atomic::Ordering, time::Duration};

use serde_json::{Value, json};
use testkit::standin::{Answer, Fault, git, linear, oidc};

use self::{walk::look_everywhere, world::World};
use crate::{
    api::Api,
    live,
    seen::{Seen, forms, given_away},
};

const PROVIDER_KEY: &str = "sk-ant-planted-0d1f5b7a9c2e4680";
const ORGANIZATION_SECRET: &str = "planted-organization-1b3d5f7092a4";
const REPO_SECRET: &str = "planted-repo-2c4e60718293a5b7";
const SESSION_SECRET: &str = "planted-session-3d5f71829304b6c8";
const FILLED_IN: &str = "planted-filled-in-4e6082930415c7d9";
const FILLED_IN_ONCE: &str = "planted-once-5f7193041526d8ea";
const TOOLS_SECRET: &str = "planted-tools-6082a4152637e9fb";
const USER_TOKEN_SECRET: &str = "planted-user-tokens-7193b526374800ac0d";
const SANDBOX_TOKEN_SECRET: &str = "planted-sandbox-tokens-82a4c637485911bd";
const PATIENCE: Duration = Duration::from_mins(2);

/// What must not come out.
struct Planted {
    name: &'static str,
    value: String,
    /// It is for the programs in the sandbox.
    is_inside: bool,
}

/// The session with everything in it.
struct Scene {
    api: Api,
    session: String,
    repo: String,
    /// The connector, as an integration.
    tools: String,
    planted: Vec<Planted>,
}

async fn made(api: &Api, path: &str, key: &str, body: &Value) -> Value {
    let (status, made) = api.post(path, key, body).await;
    assert_eq!(status, 201, "{path}: {made}");
    made
}

impl Scene {
    async fn set(world: &World, api: Api) -> Self {
        let secret = async |key: &str, value: &str, scope: Value| {
            let body = json!({"key": key, "value": value, "scope": scope});
            made(&api, "/v1/secrets", key, &body).await;
        };
        secret("ORGANIZATION_KEY", ORGANIZATION_SECRET, Value::Null).await;
        secret("TOOLS_KEY", TOOLS_SECRET, Value::Null).await;
        let repo = json!({"name": "acme/web", "url": world.git.repository("acme/web")});
        let repo = made(&api, "/v1/repos", "repo", &repo).await["id"].clone();
        let scope = json!({"kind": "repo", "id": repo});
        let credential = format!("http://x-access-token:{}@{}", git::TOKEN, world.git.address);
        secret("GIT_CREDENTIAL", &credential, scope.clone()).await;
        secret("REPO_KEY", REPO_SECRET, scope).await;
        let configuration = json!({"name": "Web", "repoIds": [repo]});
        let configuration = made(&api, "/v1/configurations", "web", &configuration).await;
        let linear = json!({"integrationId": "linear", "token": linear::TOKEN});
        let linear = made(&api, "/v1/integrations", "linear", &linear).await;
        let tools = json!({"name": "Tools", "url": world.tools.url(), "trusted": true,
            "auth": {"type": "bearer", "secretKey": "TOOLS_KEY"}});
        let tools = made(&api, "/v1/connectors", "tools", &tools).await;
        let hook = json!({"url": world.hook.base_url});
        let hook = made(&api, "/v1/webhooks", "hook", &hook).await;
        let key = made(&api, "/v1/api-keys", "key", &json!({"name": "Planted"})).await;
        let grant = json!({"scope": "org", "integration": "linear", "action": "create_issue", "maxCalls": 9});
        made(&api, "/v1/grants", "grant", &grant).await;
        let session = json!({"title": "Planted", "configurationId": configuration["id"],
            "integrationIds": [linear["id"]], "envVars": {"SESSION_KEY": SESSION_SECRET}});
        let session = made(&api, "/proliferate/sessions", "session", &session).await;
        let told = |made: &Value, name: &str| made[name].as_str().unwrap().to_owned();
        let outside = |name, value: &str| Planted {
            name,
            value: value.to_owned(),
            is_inside: false,
        };
        let inside = |name, value: &str| Planted {
            name,
            value: value.to_owned(),
            is_inside: true,
        };
        let key = told(&key, "key");
        // It is looked with too, so that it has been used.
        let (status, _) = Api::new(api.url(), &key).get("/v1/me").await;
        assert_eq!(status, 200);
        let planted = vec![
            outside("the provider's key", PROVIDER_KEY),
            outside("the integration's token", linear::TOKEN),
            outside("the git credential", git::TOKEN),
            outside("the webhook's secret", &told(&hook, "secret")),
            outside("the API key", &key),
            outside(
                "the client's secret at the login service",
                oidc::CLIENT_SECRET,
            ),
            outside("the key of user tokens", USER_TOKEN_SECRET),
            outside("the key of sandbox tokens", SANDBOX_TOKEN_SECRET),
            // Of the organization, so also for its programs.
            inside("the connector's secret", TOOLS_SECRET),
            inside("a secret of the organization", ORGANIZATION_SECRET),
            inside("a secret of the repository", REPO_SECRET),
            inside("a secret of the session", SESSION_SECRET),
            inside("what was filled in", FILLED_IN),
            inside("what was filled in for once", FILLED_IN_ONCE),
        ];
        Self {
            session: told(&session, "sessionId"),
            repo: repo.as_str().unwrap().to_owned(),
            tools: told(&tools, "integration"),
            api,
            planted,
        }
    }

    /// Says it, and waits until the agent is done with it.
    async fn say(&self, key: &str, text: &str) -> String {
        let path = format!("/proliferate/{}/message", self.session);
        let (status, taken) = self.api.post(&path, key, &json!({"content": text})).await;
        assert_eq!(status, 202, "{taken}");
        let id = taken["messageId"].as_str().unwrap().to_owned();
        self.until_idle_after(&id).await
    }

    async fn until_idle_after(&self, id: &str) -> String {
        let path = format!("/proliferate/{}/events?after=0", self.session);
        let mut answer = self.api.raw(&path).await;
        let mut log = String::new();
        let done = async {
            while let Some(bytes) = answer.chunk().await.unwrap() {
                log += &String::from_utf8_lossy(&bytes);
                let after = log.find(id).map(|at| &log[at..]);
                if after.is_some_and(|after| after.contains("\"isIdle\":true")) {
                    return;
                }
            }
        };
        let done = tokio::time::timeout(PATIENCE, done).await;
        assert!(done.is_ok(), "{log}");
        log
    }

    async fn fill_in(&self) {
        let asks = json!({"keys": [{"key": "FILLED_IN", "type": "secret"}, {"key": "ONCE"}]});
        self.say(
            "ask",
            &format!("CALL request_env_variables {asks}\nSAY I wait."),
        )
        .await;
        let path = format!("/v1/sessions/{}/env", self.session);
        let body = json!({"secrets": [{"key": "FILLED_IN", "value": FILLED_IN}],
            "envVars": {"ONCE": FILLED_IN_ONCE}});
        let (status, given) = self.api.post(&path, "env", &body).await;
        assert_eq!(status, 200, "{given}");
        self.until_idle_after("`FILLED_IN`").await;
    }

    /// With everything, while every service gives away what it is told.
    async fn work(&self, world: &World) {
        let error = json!({"message": given_away(linear::TOKEN), "extensions": {"code": "INPUT_ERROR",
            "userPresentableMessage": given_away(linear::TOKEN)}});
        let refusal = Fault::Answer(Answer::json(200, json!({"errors": [error]})));
        world.linear.fail_next([refusal]);
        let act = |integration: &str, action: &str, params: Value| {
            let command = format!(
                "proliferate actions run --integration {integration} --action {action} --params '{params}' --wait 60"
            );
            format!(
                "CALL bash {}",
                json!({"command": command, "description": "x"})
            )
        };
        let issue = json!({"teamId": linear::TEAM, "title": "Planted"});
        let work = [
            act("linear", "list_issues", json!({})),
            act("linear", "create_issue", issue),
            act(&self.tools, "look", json!({"text": "x"})),
            format!(
                "CALL bash {}",
                json!({"command": "git fetch && cat README.md", "description": "x"})
            ),
            "CALL save_snapshot {\"message\":\"kept\"}".to_owned(),
            "SAY Done.".to_owned(),
        ];
        let log = self.say("work", &work.join("\n")).await;
        for part in ["[scripted] Done.", "# acme/web", "[redacted]"] {
            assert!(log.contains(part), "no {part} in {log}");
        }
        assert!(
            world.tools.count("tools/call") > 0,
            "the tool was called: {log}"
        );
        world.provider.is_careless.store(true, Ordering::SeqCst);
        let log = self.say("fail", "SAY Never.").await;
        assert!(!log.contains("[scripted] Never."), "{log}");
        world.provider.is_careless.store(false, Ordering::SeqCst);
    }
}

/// There and back, with the client's secret; what the service vouches with is too old.
async fn log_in(world: &World, api: &Api, seen: &mut Seen) {
    let away = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let browser = away.build().unwrap();
    let away = browser
        .get(format!("{}/login/oidc", api.url()))
        .send()
        .await
        .unwrap();
    let header = |name: &str| away.headers()[name].to_str().unwrap().to_owned();
    let back = world.login.say_yes(&header("location")).await;
    let back = reqwest::Url::parse(api.url()).unwrap().join(&back).unwrap();
    let kept = header("set-cookie");
    let kept = kept.split(';').next().unwrap();
    let answer = browser
        .get(back)
        .header("cookie", kept)
        .send()
        .await
        .unwrap();
    assert!(!world.login.server.requests().is_empty());
    seen.add("coming back", format!("{:?}", answer.headers()));
    seen.add("the page of coming back", answer.text().await.unwrap());
}

/// Every file below a directory, but what is not to be looked at.
fn files(directory: &Path, left_out: &[&str], seen: &mut Seen) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if left_out.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if kind.is_dir() {
            files(&path, left_out, seen);
        } else if kind.is_file() {
            seen.add(
                path.display().to_string(),
                std::fs::read(&path).unwrap_or_default(),
            );
        }
    }
}

mod real_agent {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn nothing_that_was_planted_comes_out() {
        let world = World::start().await;
        let workspace = world.workspace();
        let _cleaned = live::Cleaned(&workspace);
        let (mut dev, file) = workspace.dev().await;
        let scene = Scene::set(&world, Api::of(&file, "owner")).await;
        let mut seen = Seen::default();
        scene.fill_in().await;
        scene.work(&world).await;
        log_in(&world, &scene.api, &mut seen).await;
        look_everywhere(&scene, &mut seen).await;
        for arguments in [
            &["session", "logs", &scene.session][..],
            &["doctor"],
            &["config", "check"],
        ] {
            seen.command(&arguments.join(" "), &workspace.run(arguments).await);
        }
        for request in world.hook.requests() {
            seen.add("a webhook", format!("{request:?}"));
        }
        // While it is up. Templates are made of what is installed on this machine, before there is a secret.
        let mut inside = Seen::default();
        let sandboxes = workspace.data_dir().join("sandboxes");
        files(&sandboxes, &["templates"], &mut inside);
        let readme = [("what was cloned", "# acme/web".to_owned())];
        assert!(
            !inside.found(&readme).is_empty(),
            "no sandbox was looked at"
        );
        workspace.output(&["session", "stop", &scene.session]).await;
        dev.interrupt();
        dev.wait().await;
        let log = dev.stderr();
        assert!(log.contains("TRACE"), "the log is at its finest");
        seen.add("the log", log);
        seen.add("stdout of the gateway", dev.stdout());
        let traces = world.traces.lock().unwrap().clone();
        assert!(!traces.is_empty(), "traces were told");
        for trace in traces {
            seen.add("a trace", trace.to_vec());
        }
        files(&workspace.data_dir(), &["sandboxes", "dev.json"], &mut seen);
        let named = |planted: &Planted| {
            let (name, forms) = (planted.name, forms(&planted.value).into_iter());
            forms.map(move |(form, text)| (format!("{name} ({form})"), text))
        };
        let all: Vec<_> = scene.planted.iter().flat_map(named).collect();
        let outside = scene.planted.iter().filter(|planted| !planted.is_inside);
        let outside: Vec<_> = outside.flat_map(named).collect();
        let found = [seen.found(&all), inside.found(&outside)].concat();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
