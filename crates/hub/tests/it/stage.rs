//! The whole product around one real agent: gateway, house, sandboxes, and the scripted model behind the gateway's own
//! proxy.

use std::{path::PathBuf, sync::Arc, time::Duration};

use agent::install;
use app::{
    App,
    system::{SystemClock, SystemEntropy},
};
use domain::{clock::Clock as _, id::SessionId};
use hub::{
    house::{Door, House, Sent},
    runtime::Machine,
};
use model::scripted::{Script, Scripted};
use sandbox::{
    Destination, Handle as Sandbox, Provider as _,
    local::{Local, Tier},
};
use serde_json::Value;
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

/// Fields are dropped in their order: sandboxes before the directory they are in.
pub(crate) struct Stage {
    pub(crate) app: TestApp,
    pub(crate) house: House,
    machine: Machine,
    local: Local,
    _sandboxes: Sandboxes,
    _served: Served,
    _directory: TempDir,
}

impl Stage {
    pub(crate) async fn open(backend: Backend) -> Self {
        let model = Scripted::new(Script::default(), fresh_seed());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { model.serve(listener).await });
        let door = Arc::new(Door::default());
        let builder = TestApp::builder(backend).model(&upstream);
        let mut app = builder.sandboxes(Arc::clone(&door) as _).start().await;
        // Ids of prompts are made of the time, and have to fit those that the agent makes.
        let ahead = SystemClock::new().now().micros() - app.clock.now().micros();
        let ahead = Duration::from_micros(ahead.try_into().unwrap());
        app.clock.advance(ahead);
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
        app.live_in(house.clone());
        Self {
            app,
            house,
            machine,
            _sandboxes: Sandboxes(local.clone()),
            local,
            _served: served,
            _directory: directory,
        }
    }

    /// The sessions of another process, after this one's were let go.
    pub(crate) async fn restart(&mut self) {
        self.house.close().await;
        let app: App = self.app.app.clone();
        self.house = House::new(app, self.machine.clone().into());
        self.app.live_in(self.house.clone());
    }

    pub(crate) async fn watch(&self, id: SessionId) -> mpsc::Receiver<Sent> {
        self.house
            .watch(&self.app.acme, id, None, None)
            .await
            .unwrap()
            .frames
    }

    /// The session's sandbox, if it is on record.
    pub(crate) async fn sandbox(&self, id: SessionId) -> Option<Sandbox> {
        let mut conn = self.app.database.db.read().await.unwrap();
        let row = conn.session_runtime_fetch(&self.app.acme, id).await;
        let sandbox = row.unwrap()?.sandbox?;
        Some(serde_json::from_str(&sandbox).unwrap())
    }

    pub(crate) async fn liveness(&self, sandbox: &Sandbox) -> sandbox::Liveness {
        self.local.liveness(sandbox).await
    }
}

/// The agent's command, which a build of the workspace puts beside this test's directory.
fn helper() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let beside = own.ancestors().nth(2).unwrap().join("proliferate-sandbox");
    assert!(
        beside.is_file(),
        "{} is missing: cargo build -p sandbox-cli",
        beside.display()
    );
    beside
}

/// Waits for a frame that is it, and gives all until then.
pub(crate) async fn until(
    frames: &mut mpsc::Receiver<Sent>,
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
