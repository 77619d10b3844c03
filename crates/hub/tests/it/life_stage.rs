//! Sessions with real agents in real sandboxes, and everything of the gateway that they need.

use std::{path::PathBuf, sync::Arc};

use agent::install;
use app::system::{SystemClock, SystemEntropy};
use domain::{clock::Clock as _, id::SessionId};
use hub::{
    house::{Door, House, SandboxTools, Sent},
    runtime::Machine,
    session::NewPrompt,
};
use model::scripted::{Script, Scripted};
use sandbox::{
    Destination,
    local::{Local, Tier},
};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{
    app::{Served, TestApp},
    database::Backend,
};
use tokio::{sync::mpsc, time::timeout};

use crate::{
    agent::{PATIENCE, fresh_seed},
    sandboxes::Sandboxes,
};

pub(crate) struct Stage {
    pub(crate) app: TestApp,
    pub(crate) model: Scripted,
    pub(crate) machine: Machine,
    pub(crate) local: Local,
    pub(crate) state: PathBuf,
    _served: Served,
    _sandboxes: Sandboxes,
    _directory: TempDir,
}

impl Stage {
    /// With a house behind the gateway's door.
    pub(crate) async fn set(backend: Backend) -> (Self, House) {
        let model = Scripted::new(Script::default(), fresh_seed());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = format!("http://{}", listener.local_addr().unwrap());
        let router = model.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let door = Arc::new(Door::default());
        let mut builder = TestApp::builder(backend).model(&upstream);
        builder = builder.sandboxes(door.clone());
        for operation in SandboxTools::OPERATIONS {
            builder = builder.builtin(operation, Arc::new(SandboxTools::new(&door)));
        }
        let app = builder.start().await;
        // The agent has the machine's clock, and orders what it is told by its own ids.
        let behind = SystemClock::new().now().since(app.clock.now());
        app.clock.advance(behind);
        let served = app.serve().await;
        let directory = TempDir::new().unwrap();
        let state = directory.path().join("state");
        let local = Local::open(&state, Tier::Rootless, Arc::new(SystemEntropy)).unwrap();
        let modules = std::path::Path::new(install::DEFAULT_DIRECTORY);
        let machine = Machine {
            provider: Arc::new(local.clone()),
            installation: install::Installation::find(modules).unwrap(),
            helper: Some(helper()),
            gateway: Destination {
                name: "gateway".to_owned(),
                address: served.address,
            },
            clock: Arc::new(SystemClock::new()),
        };
        let house = House::new(app.app.clone(), machine.clone().into());
        door.lead_to(house.clone());
        let stage = Self {
            app,
            model,
            machine,
            _sandboxes: Sandboxes(local.clone()),
            local,
            state,
            _served: served,
            _directory: directory,
        };
        (stage, house)
    }

    pub(crate) async fn session(&self, body: Value) -> SessionId {
        let made = self.app.owner().post("/proliferate/sessions", body).await;
        made.expect(201)["sessionId"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap()
    }

    /// Says something to the agent and gives everything until it is done with it.
    pub(crate) async fn say(&self, house: &House, session: SessionId, text: &str) -> Vec<Value> {
        let mut watching = house
            .watch(&self.app.acme, session, None, None)
            .await
            .unwrap();
        let handle = house.session(&self.app.acme, session).await.unwrap();
        let prompt = NewPrompt {
            text: text.to_owned(),
            ..NewPrompt::default()
        };
        handle.prompt(prompt).await.unwrap();
        // Each call is a message of its own.
        let calls = text.lines().filter(|line| line.starts_with("CALL")).count();
        let mut seen = Vec::new();
        while answers(&seen).len() < calls || !has_spoken(&seen) {
            seen.extend(until(&mut watching.frames, "message_complete").await);
        }
        seen
    }

    /// How a session stands.
    pub(crate) async fn shown(&self, session: SessionId) -> Value {
        let path = format!("/v1/sessions/{session}");
        self.app.owner().get(&path).await.expect(200)
    }
}

/// Built into the same directory as this test: with the whole workspace it is always there.
fn helper() -> PathBuf {
    let ours = std::env::current_exe().unwrap();
    let path = ours.ancestors().nth(2).unwrap().join("proliferate-sandbox");
    assert!(path.exists(), "run `cargo build -p sandbox-cli` first");
    path
}

/// A call of the shell, as the scripted model is told it.
pub(crate) fn bash(command: &str) -> String {
    format!(
        "CALL bash {}",
        json!({"command": command, "description": "x"})
    )
}

/// What tools answered, in order.
pub(crate) fn answers(frames: &[Value]) -> Vec<String> {
    let ended = frames.iter().filter(|frame| frame["type"] == "tool_end");
    ended
        .map(|frame| {
            frame["payload"]["result"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// Whether the agent said something after its last call.
fn has_spoken(frames: &[Value]) -> bool {
    let after = frames.iter().rev();
    let mut after = after.take_while(|frame| frame["type"] != "tool_end");
    after.any(|frame| frame["type"] == "text_part_complete" || frame["type"] == "token")
}

/// Waits for a frame of this type and gives all until then.
pub(crate) async fn until(frames: &mut mpsc::Receiver<Sent>, kind: &str) -> Vec<Value> {
    let mut seen = Vec::new();
    let found = async {
        loop {
            let sent = frames.recv().await.expect("the stream goes on");
            let frame: Value = serde_json::from_str(&sent.text).unwrap();
            let is_it = frame["type"] == kind;
            seen.push(frame);
            if is_it {
                return;
            }
        }
    };
    let waited = timeout(PATIENCE, found).await;
    assert!(waited.is_ok(), "no {kind} in {seen:#?}");
    seen
}
