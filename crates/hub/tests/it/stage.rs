//! The whole product around real agents: gateway, hub, sandboxes, and the scripted model behind the gateway's own
//! proxy.

use std::{collections::BTreeSet, net::Ipv4Addr, path::PathBuf, sync::Arc, time::Duration};

use agent::install;
use app::{
    App,
    system::{SystemClock, SystemEntropy},
};
use domain::{clock::Clock as _, id::SessionId, limits::HUB_BOOT_RETRY_DELAYS};
use hub::{ClientFrame, Hub, HubSlot, SandboxTools, runtime::Machine, session::NewPrompt};
use model::scripted::{Script, Scripted};
use sandbox::{
    Destination, Handle as Sandbox, ListedSandbox, Provider,
    local::{Local, Tier},
};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{
    app::{Builder, Served, TestApp},
    database::Backend,
};
use tokio::{sync::mpsc, time::timeout};

use crate::{
    agent::{PATIENCE, fresh_seed},
    engine::Engine,
    proxy::Proxy,
    sandboxes::Sandboxes,
};

/// Which sandboxes a stage has.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Yard {
    Rootless,
    Root,
    Podman,
}

/// What has to be there as long as the sandboxes, and takes them along.
enum Ground {
    /// Dropped in their order: sandboxes before the directory they are in.
    Local {
        _sandboxes: Sandboxes,
        _directory: TempDir,
    },
    Podman {
        _engine: Box<Engine>,
    },
}

impl Ground {
    async fn open(yard: Yard) -> (Self, Arc<dyn Provider>, PathBuf) {
        let tier = match yard {
            Yard::Rootless => Tier::Rootless,
            Yard::Root => Tier::Root,
            Yard::Podman => {
                let engine = Engine::open(Arc::new(SystemEntropy)).await;
                let provider = Arc::new(engine.container.clone());
                let state = engine.directory().to_owned();
                let ground = Self::Podman {
                    _engine: Box::new(engine),
                };
                return (ground, provider, state);
            }
        };
        let directory = TempDir::new().unwrap();
        let state = directory.path().join("state");
        let local = Local::open(&state, tier, Arc::new(SystemEntropy)).unwrap();
        let ground = Self::Local {
            _sandboxes: Sandboxes::of(&local, &state),
            _directory: directory,
        };
        (ground, Arc::new(local), state)
    }
}

/// Fields are dropped in their order: gateways before the sandboxes.
pub(crate) struct Stage {
    pub(crate) app: TestApp,
    pub(crate) hub: Hub,
    pub(crate) model: Scripted,
    pub(crate) machine: Machine,
    /// Where all that there is of sandboxes lies.
    pub(crate) state: PathBuf,
    /// What sandboxes reach the gateway by.
    pub(crate) line: Proxy,
    upstream: String,
    _ground: Ground,
    /// Gateways that were replaced.
    earlier: Vec<TestApp>,
    pub(crate) served: Vec<Served>,
}

impl Stage {
    /// With a hub behind the gateway's slot.
    pub(crate) async fn set(backend: Backend) -> Self {
        Self::set_with(backend, |builder| builder).await
    }

    /// The same, where something is different.
    pub(crate) async fn set_with(
        backend: Backend,
        change: impl FnOnce(Builder) -> Builder,
    ) -> Self {
        Self::set_in(Yard::Rootless, backend, change).await
    }

    pub(crate) async fn set_in(
        yard: Yard,
        backend: Backend,
        change: impl FnOnce(Builder) -> Builder,
    ) -> Self {
        let model = Scripted::new(Script::default(), fresh_seed());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = format!("http://{}", listener.local_addr().unwrap());
        let router = model.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let (slot, builder) = gateway(backend, &upstream);
        let builder = change(builder);
        let mut app = builder.start().await;
        set_right(&app);
        let served = app.serve().await;
        let line = Proxy::to(served.address.port()).await;
        let (ground, provider, state) = Ground::open(yard).await;
        let modules = std::path::Path::new(install::DEFAULT_DIRECTORY);
        let machine = Machine {
            provider,
            installation: install::Installation::find(modules).unwrap(),
            helper: Some(helper()),
            gateway: Destination {
                name: "gateway".to_owned(),
                address: (Ipv4Addr::LOCALHOST, line.port).into(),
            },
            clock: Arc::new(SystemClock::new()),
            transport: None,
        };
        let hub = Hub::new(app.app.clone(), machine.clone().into());
        slot.fill(hub.clone());
        app.live_in(hub.clone());
        Self {
            app,
            hub,
            model,
            machine,
            _ground: ground,
            state,
            line,
            upstream,
            earlier: Vec::new(),
            served: vec![served],
        }
    }

    /// The sessions of another process, after this one's were released.
    pub(crate) async fn restart(&mut self) {
        self.hub.fleet.close().await;
        let app: App = self.app.app.clone();
        self.hub = Hub::new(app, self.machine.clone().into());
        self.app.live_in(self.hub.clone());
    }

    /// Another gateway on the same database takes this one's place, which is not told.
    pub(crate) async fn replace_gateway(&mut self) {
        // Backends are told apart by the database that is there.
        let (slot, builder) = gateway(Backend::Sqlite, &self.upstream);
        let mut app = builder.beside(&self.app).await;
        set_right(&app);
        self.hub = Hub::new(app.app.clone(), self.machine.clone().into());
        slot.fill(self.hub.clone());
        app.live_in(self.hub.clone());
        let served = app.serve().await;
        self.line.lead_to(served.address.port());
        self.served.push(served);
        self.earlier.push(std::mem::replace(&mut self.app, app));
    }

    pub(crate) async fn watch(&self, id: SessionId) -> mpsc::Receiver<ClientFrame> {
        let access = self.app.access(id).await;
        let watched = self.hub.watchers.watch(&access, None, None).await;
        watched.unwrap().frames
    }

    /// The session's sandbox, if it is on record.
    pub(crate) async fn sandbox(&self, id: SessionId) -> Option<Sandbox> {
        let mut conn = self.app.database.db.read().await.unwrap();
        let row = store::session_runtime_fetch(&mut conn, &self.app.acme, id).await;
        let sandbox = row.unwrap()?.sandbox?;
        Some(serde_json::from_str(&sandbox).unwrap())
    }

    pub(crate) async fn liveness(&self, sandbox: &Sandbox) -> sandbox::Liveness {
        self.machine.provider.liveness(sandbox).await
    }

    /// Sandboxes that there is something of.
    pub(crate) async fn found(&self) -> Vec<ListedSandbox> {
        self.machine.provider.list_sandboxes().await.unwrap()
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
    pub(crate) async fn say(&self, hub: &Hub, session: SessionId, text: &str) -> Vec<Value> {
        let mut watching = hub
            .watchers
            .watch(&self.app.access(session).await, None, None)
            .await
            .unwrap();
        let handle = hub
            .registry
            .open(&self.app.steering(session).await.unwrap())
            .await
            .unwrap();
        let prompt = NewPrompt {
            text: text.to_owned(),
            ..NewPrompt::default()
        };
        handle.prompt(prompt).await.unwrap();
        let calls = text.lines().filter(|line| line.starts_with("CALL")).count();
        let mut seen = Vec::new();
        let waits = |frame: &Value| {
            let told = frame["payload"]["message"].as_str().unwrap_or_default();
            // Another program has the port of the agent. The next try waits for a clock that stands still.
            if told.contains("It is tried again in") {
                self.app.clock.advance(HUB_BOOT_RETRY_DELAYS[0]);
            }
            frame["payload"]["isIdle"] == true
        };
        while answers(&seen).len() < calls || !has_spoken(&seen) {
            seen.extend(until_it(&mut watching.frames, "that the agent waits", waits).await);
        }
        nothing_follows_an_end(&seen);
        seen
    }

    /// How a session stands.
    pub(crate) async fn shown(&self, session: SessionId) -> Value {
        let path = format!("/v1/sessions/{session}");
        self.app.owner().get(&path).await.expect(200)
    }
}

/// Streams are looked after often: a test waits for their end.
const STANDING_EVERY: Duration = Duration::from_millis(250);

/// A gateway with sandboxes behind its slot.
fn gateway(backend: Backend, upstream: &str) -> (Arc<HubSlot>, Builder) {
    let slot = Arc::new(HubSlot::default());
    let mut builder = TestApp::builder(backend)
        .model(upstream)
        .options(|options| options.standing_every = STANDING_EVERY);
    builder = builder.sandboxes(slot.clone());
    for operation in SandboxTools::OPERATIONS {
        builder = builder.builtin(operation, Arc::new(SandboxTools::new(&slot)));
    }
    (slot, builder)
}

/// The agent has the machine's clock, and orders what it is told by its own ids.
fn set_right(app: &TestApp) {
    let behind = SystemClock::new().now().since(app.clock.now());
    app.clock.advance(behind);
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

/// A message that was told complete is complete.
pub(crate) fn nothing_follows_an_end(frames: &[Value]) {
    let mut over = BTreeSet::new();
    for frame in frames {
        let id = frame["payload"]["messageId"].as_str().unwrap_or_default();
        assert!(
            !over.contains(id),
            "{frame} came after the end in {frames:#?}"
        );
        if frame["type"] == "message_complete" {
            over.insert(id.to_owned());
        }
    }
}

/// Whether the agent said something after its last call.
fn has_spoken(frames: &[Value]) -> bool {
    let after = frames.iter().rev();
    let mut after = after.take_while(|frame| frame["type"] != "tool_end");
    after.any(|frame| frame["type"] == "text_part_complete" || frame["type"] == "token")
}

/// Waits for a frame of this type and gives all until then.
pub(crate) async fn until(frames: &mut mpsc::Receiver<ClientFrame>, kind: &str) -> Vec<Value> {
    until_it(frames, kind, |frame| frame["type"] == kind).await
}

/// Waits for a frame that is it, and gives all until then.
pub(crate) async fn until_it(
    frames: &mut mpsc::Receiver<ClientFrame>,
    what: &str,
    is_it: impl Fn(&Value) -> bool,
) -> Vec<Value> {
    let mut seen = Vec::new();
    let found = async {
        loop {
            let sent = frames.recv().await.expect("the stream goes on");
            let frame: Value = serde_json::from_str(&sent.text).unwrap();
            let found = is_it(&frame);
            seen.push(frame);
            if found {
                return;
            }
        }
    };
    let waited = timeout(PATIENCE, found).await;
    assert!(waited.is_ok(), "no {what} in {seen:#?}");
    seen
}

/// That a tool ended.
pub(crate) fn tool_end(tool: &'static str) -> impl Fn(&Value) -> bool {
    move |frame| frame["type"] == "tool_end" && frame["payload"]["tool"] == tool
}

/// That a whole text with these words was said.
pub(crate) fn said(words: &'static str) -> impl Fn(&Value) -> bool {
    move |frame| {
        let text = &frame["payload"]["text"];
        frame["type"] == "text_part_complete"
            && text.as_str().is_some_and(|text| text.contains(words))
    }
}

/// Waits for a condition.
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..600 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it does not come to this: {what}");
}
