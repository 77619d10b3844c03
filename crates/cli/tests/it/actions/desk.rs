//! A gateway that is configured as an operator would, with a stand-in for Linear, and the agent's own command
//! beside it.

use std::{path::Path, time::Duration};

use domain::role::Role;
use serde_json::{Value, json};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
    process::{Finished, Running, Workspace},
    standin::{Standin, linear},
};

use crate::{api::Api, with_secrets, workspace};

/// Times something is asked for before the test fails, and the pause between: thirty seconds together.
const PROBES_MAX: u32 = 3000;
const PROBE_EVERY: Duration = Duration::from_millis(10);

/// What processes are started from: one database, one Linear.
pub(crate) struct Desk {
    pub(crate) workspace: Workspace,
    pub(crate) database: TestDatabase,
    pub(crate) linear: Standin,
    /// The owner's token.
    pub(crate) token: String,
}

/// A session and the token of its sandbox.
#[derive(Debug, Clone)]
pub(crate) struct Agent {
    pub(crate) session: String,
    pub(crate) token: String,
}

impl Desk {
    pub(crate) async fn open(backend: Backend) -> Self {
        Self::open_with(backend, |workspace, _| workspace).await
    }

    pub(crate) async fn open_with(
        backend: Backend,
        more: impl FnOnce(Workspace, &Standin) -> Workspace,
    ) -> Self {
        let database = TestDatabase::create(backend).await;
        let fixture = Fixture::default();
        fixture
            .organization(&database.db, "acme", Role::Owner)
            .await;
        let linear = linear::start().await;
        let workspace = with_secrets(workspace())
            .env("PROLIFERATE_DATABASE_URL", &database.url)
            .env("PROLIFERATE_LINEAR_URL", &linear.base_url)
            .env("PROLIFERATE_EGRESS_ALLOW", linear.address.to_string());
        let workspace = more(workspace, &linear);
        let mint = ["token", "mint", "user", "user_acme_owner"];
        let token = workspace.output(&mint).await;
        Self {
            workspace,
            database,
            linear,
            token,
        }
    }

    /// A gateway that also sweeps.
    pub(crate) async fn serve(&self) -> (Running, Api) {
        let (serve, url) = self.workspace.serve(&["--with-worker"]).await;
        (serve, Api::new(&url, &self.token))
    }

    /// Connects Linear for the organization.
    pub(crate) async fn connect(&self, api: &Api) -> String {
        let body = json!({"integrationId": "linear", "token": linear::TOKEN});
        let (status, made) = api.post("/v1/integrations", "linear", &body).await;
        assert_eq!(status, 201, "{made}");
        made["id"].as_str().unwrap().to_owned()
    }

    /// A session with that connection, and its agent.
    pub(crate) async fn agent(&self, api: &Api, connection: &str, title: &str) -> Agent {
        let body = json!({"integrationIds": [connection], "title": title});
        let (status, made) = api.post("/proliferate/sessions", title, &body).await;
        assert_eq!(status, 201, "{made}");
        let session = made["sessionId"].as_str().unwrap().to_owned();
        let token = self.workspace.output(&["token", "sandbox", &session]).await;
        Agent { session, token }
    }

    /// A grant for more issues, for all sessions.
    pub(crate) async fn grant(&self, api: &Api, max_calls: u32) -> String {
        let body = json!({"scope": "org", "integration": "linear", "action": "create_issue",
            "maxCalls": max_calls});
        let (status, made) = api.post("/v1/grants", "grant", &body).await;
        assert_eq!(status, 201, "{made}");
        made["id"].as_str().unwrap().to_owned()
    }

    /// The operator's command, as the owner.
    pub(crate) async fn operator(&self, api: &Api, arguments: &[&str]) -> Finished {
        let mut all = arguments.to_vec();
        all.extend(["--url", api.url(), "--token", &self.token]);
        self.workspace.run(&all).await
    }

    /// The same, which must go well, and what it printed for programs.
    pub(crate) async fn operated(&self, api: &Api, arguments: &[&str]) -> Value {
        let finished = self
            .operator(api, &[arguments, &["-o", "json"]].concat())
            .await;
        assert_eq!(finished.code, Some(0), "{arguments:?}: {finished:?}");
        document(&finished)
    }

    /// Waits until the stand-in has been asked this often.
    pub(crate) async fn asked(&self, times: usize) {
        until("requests at Linear", async || {
            (self.linear.requests().len() >= times).then_some(())
        })
        .await;
        assert_eq!(self.linear.requests().len(), times);
    }
}

impl Agent {
    /// The agent at this gateway, over HTTP.
    pub(crate) fn at(&self, url: &str) -> Api {
        Api::new(url, &self.token)
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/proliferate/{}/actions/{rest}", self.session)
    }

    /// A sandbox in which `proliferate` is the agent's command.
    pub(crate) fn sandbox(&self, url: &str) -> Sandbox {
        let workspace = Workspace::new(sandbox_binary())
            .env("PROLIFERATE_GATEWAY_URL", url)
            .env("PROLIFERATE_SESSION_ID", &self.session)
            .env("SANDBOX_MCP_AUTH_TOKEN", &self.token)
            .env("PROLIFERATE_CLI_POLL_MS", "20");
        Sandbox { workspace }
    }
}

/// Where the agent's command runs.
pub(crate) struct Sandbox {
    workspace: Workspace,
}

impl Sandbox {
    pub(crate) async fn run(&self, arguments: &[&str]) -> Finished {
        let mut all = vec!["actions"];
        all.extend(arguments);
        self.workspace.run(&all).await
    }

    /// Runs it, checks how it ends and reads the one document it prints.
    pub(crate) async fn ends(&self, code: i32, arguments: &[&str]) -> Value {
        let finished = self.run(arguments).await;
        assert_eq!(finished.code, Some(code), "{arguments:?}: {finished:?}");
        document(&finished)
    }

    /// `run` of an action of Linear.
    pub(crate) async fn act(&self, action: &str, params: &Value, more: &[&str]) -> Finished {
        let params = params.to_string();
        let mut all = vec!["run", "--integration", "linear", "--action", action];
        all.extend(["--params", &params]);
        all.extend(more);
        self.run(&all).await
    }
}

pub(crate) fn document(finished: &Finished) -> Value {
    let stdout = &finished.stdout;
    serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{error}: {finished:?}"))
}

pub(crate) fn issue(title: &str) -> Value {
    json!({"teamId": linear::TEAM, "title": title})
}

pub(crate) fn invocation(action: &str, params: &Value) -> Value {
    json!({"integration": "linear", "action": action, "params": params})
}

/// Asks until there is an answer.
pub(crate) async fn until<T>(what: &str, mut probe: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..PROBES_MAX {
        if let Some(found) = probe().await {
            return found;
        }
        tokio::time::sleep(PROBE_EVERY).await;
    }
    panic!("waited for {what} in vain");
}

/// It is another package's, built into the same directory: with the whole workspace it is always there.
fn sandbox_binary() -> &'static str {
    static PATH: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    PATH.get_or_init(|| {
        let ours = Path::new(env!("CARGO_BIN_EXE_proliferate"));
        let path = ours.with_file_name("proliferate-sandbox");
        assert!(path.exists(), "run `cargo build -p sandbox-cli` first");
        path.to_str().unwrap().to_owned()
    })
}
