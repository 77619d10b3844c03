//! The real agent, brought up in real sandboxes.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use agent::{Context, Mode, env::Secrets, install};
use app::system::{SystemClock, SystemEntropy};
use axum::{
    Json, Router,
    extract::{Path, State},
    routing::post,
};
use domain::{caller::Incarnation, id::SessionId};
use hub::runtime::{BootPlan, Checkout, Machine, RunningAgent, Step};
use model::scripted::{Script, Scripted};
use sandbox::{
    Destination, Limits, Origin, Provider as _,
    local::{Local, Tier},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::agent::{PATIENCE, fresh_seed, prompt, prompt_ids};
use crate::sandboxes::Sandboxes;

const SESSION: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

/// What tools asked for: their names and bodies.
type Asked = Arc<Mutex<Vec<(String, Value)>>>;

/// A stand-in for the gateway: the model behind it is scripted, and what tools ask for is noted.
pub(crate) struct Outside {
    pub(crate) address: SocketAddr,
    pub(crate) model: Scripted,
    pub(crate) asked: Asked,
}

impl Outside {
    pub(crate) async fn open() -> Self {
        let model = Scripted::new(Script::default(), fresh_seed());
        let asked = Asked::default();
        let router = Router::new()
            .route("/proliferate/{session}/tools/{tool}", post(answer))
            .with_state(asked.clone())
            .nest("/llm/anthropic", model.router());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            address,
            model,
            asked,
        }
    }
}

async fn answer(
    State(asked): State<Asked>,
    Path((_, tool)): Path<(String, String)>,
    Json(body): Json<Value>,
) -> Json<Value> {
    asked.lock().unwrap().push((tool, body));
    Json(
        json!({"success": true, "result": "Saved as snapshot s-77.", "data": {"snapshotId": "s-77"}}),
    )
}

/// A machine with sandboxes that go with it, also when a test fails.
struct Place {
    machine: Machine,
    local: Local,
    _sandboxes: Sandboxes,
    _directory: TempDir,
}

impl Place {
    fn open(tier: Tier, gateway: SocketAddr) -> Self {
        let directory = TempDir::new().unwrap();
        let state = directory.path().join("state");
        let local = Local::open(&state, tier, Arc::new(SystemEntropy)).unwrap();
        let modules = std::path::Path::new(install::DEFAULT_DIRECTORY);
        let machine = Machine {
            provider: Arc::new(local.clone()),
            installation: install::Installation::find(modules).unwrap(),
            helper: None,
            gateway: Destination {
                name: "gateway".to_owned(),
                address: gateway,
            },
            clock: Arc::new(SystemClock::new()),
            transport: None,
        };
        Self {
            machine,
            _sandboxes: Sandboxes::of(&local, &state),
            local,
            _directory: directory,
        }
    }

    fn plan(&self, mode: Mode, origin: Origin, incarnation: i64) -> BootPlan {
        plan(&self.machine, mode, origin, incarnation)
    }

    async fn boot(&self, plan: BootPlan) -> RunningAgent {
        boot(&self.machine, plan).await
    }
}

pub(crate) fn plan(machine: &Machine, mode: Mode, origin: Origin, incarnation: i64) -> BootPlan {
    let gateway = machine.gateway_url();
    let model = format!("{gateway}/llm/anthropic/v1");
    let session: SessionId = SESSION.parse().unwrap();
    let mut agent = Context::new(session, mode, &gateway, &model);
    agent.layout = agent::Layout::with_repo("shop");
    BootPlan {
        agent,
        incarnation: Incarnation(incarnation),
        secrets: Secrets {
            token: "sbx_token".into(),
            model_key: "model-key".into(),
            server_password: Some("of-a-test".into()),
        },
        environment: [("GREETING".to_owned(), "it's here".into())].into(),
        origin,
        has_foreign_conversation: false,
        env_files: Vec::new(),
        services: Vec::new(),
        repos: vec![Checkout {
            name: "shop".to_owned(),
            folder: "shop".to_owned(),
            remote: None,
            branch: None,
        }],
        limits: Limits::default(),
        expires_at: None,
    }
}

pub(crate) async fn boot(machine: &Machine, plan: BootPlan) -> RunningAgent {
    let seen = Mutex::new(Vec::new());
    let told = |step: Step, _: Duration| seen.lock().unwrap().push(step);
    let running = machine.boot(plan, told).await.unwrap();
    assert_eq!(*seen.lock().unwrap(), Step::ALL);
    assert_eq!(running.timeline.steps().len(), Step::ALL.len());
    running
}

/// Says something to the agent and waits until it is done with it.
pub(crate) async fn say(running: &RunningAgent, session: &str, text: &str) {
    let (client, ids) = (&running.client, prompt_ids());
    client.prompt(session, &ids, &prompt(text)).await.unwrap();
    let done = async {
        loop {
            let (messages, _) = client
                .messages_after(session, Some(&ids.message))
                .await
                .unwrap();
            let last = messages.last().map(|last| last.info.finish.as_deref());
            if last == Some(Some("stop")) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, done)
        .await
        .expect("it answers");
}

async fn an_agent_comes_up_calls_its_tool_and_reaches_the_gateway_alone(tier: Tier) {
    let outside = Outside::open().await;
    let place = Place::open(tier, outside.address);
    let running = place
        .boot(place.plan(Mode::Coding, Origin::Template, 1))
        .await;
    let session = running.client.ensure_session(None, "A test").await.unwrap();
    say(
        &running,
        &session.id,
        "CALL save_snapshot {\"message\":\"hi\"}\nSAY Done.",
    )
    .await;
    let asked = outside.asked.lock().unwrap().clone();
    let [(tool, body)] = &asked[..] else {
        panic!("not one call: {asked:?}");
    };
    assert_eq!(tool, "save_snapshot");
    assert_eq!(body["args"]["message"], "hi");
    let requests = outside.model.requests();
    let offered: Vec<&str> = requests[0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    for name in ["save_snapshot", "verify", "request_env_variables", "bash"] {
        assert!(offered.contains(&name), "{name} is not in {offered:?}");
    }
    for name in [
        "save_env_files",
        "save_service_commands",
        "automation_complete",
        "question",
    ] {
        assert!(!offered.contains(&name), "{name} is in {offered:?}");
    }
    // The answer came back to the model, under the id it had given the call.
    let told = requests.last().unwrap()["messages"].to_string();
    assert!(told.contains("Saved as snapshot s-77."), "{told}");
    assert!(
        told.contains(body["tool_call_id"].as_str().unwrap()),
        "{told}"
    );
    if tier == Tier::Root {
        let traffic = place.local.traffic(&running.handle).await.unwrap();
        assert!(traffic.allowed > 0, "{traffic:?}");
        assert_eq!(traffic.refused, 0, "it asked for another address");
    }
    place.local.destroy(&running.handle).await.unwrap();
}

async fn a_snapshot_goes_on_where_the_agent_was(tier: Tier) {
    let outside = Outside::open().await;
    let place = Place::open(tier, outside.address);
    let running = place
        .boot(place.plan(Mode::Setup, Origin::Template, 1))
        .await;
    let session = running.client.ensure_session(None, "A test").await.unwrap();
    say(
        &running,
        &session.id,
        "CALL bash {\"command\":\"echo made > made.txt; env\",\"description\":\"x\"}\nSAY Done.",
    )
    .await;
    let told = outside.model.requests().last().unwrap()["messages"].to_string();
    assert!(told.contains("GREETING=it's here"), "{told}");
    let request = sandbox::SnapshotRequest::default();
    let snapshot = place
        .local
        .snapshot(&running.handle, request)
        .await
        .unwrap();
    place.local.destroy(&running.handle).await.unwrap();
    let plan = place.plan(Mode::Coding, Origin::Snapshot(snapshot), 2);
    let restored = place.boot(plan).await;
    let known = Some(session.id.as_str());
    let again = restored
        .client
        .ensure_session(known, "A test")
        .await
        .unwrap();
    assert_eq!(again.id, session.id, "the conversation is the same");
    say(
        &restored,
        &again.id,
        "CALL bash {\"command\":\"cat made.txt; ls .opencode/tool\",\"description\":\"x\"}\nSAY Done.",
    )
    .await;
    let told = outside.model.requests().last().unwrap()["messages"].to_string();
    assert!(told.contains("made"), "{told}");
    assert!(told.contains("verify.ts"), "{told}");
    let last = told.rfind("made.txt; ls").unwrap();
    assert!(
        !told[last..].contains("save_env_files"),
        "a tool of another mode is left"
    );
    place.local.destroy(&restored.handle).await.unwrap();
}

macro_rules! in_both_tiers {
    ($($name:ident),+ $(,)?) => {
        mod real_agent_as_root {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(sandbox::local::Tier::Root).await;
            })+
        }
        mod real_agent_rootless {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(sandbox::local::Tier::Rootless).await;
            })+
        }
    };
}

in_both_tiers!(
    an_agent_comes_up_calls_its_tool_and_reaches_the_gateway_alone,
    a_snapshot_goes_on_where_the_agent_was,
);
