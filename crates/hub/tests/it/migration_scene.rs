//! Instances with fake sandboxes, whose agents have no mind, for sessions that move.

use std::{sync::Arc, time::Duration};

use agent::install;
use app::{
    Error,
    system::{SystemClock, SystemEntropy},
};
use coord::Coordination;
use domain::{id::SessionId, limits::AGENT_PORT};
use hub::{
    Hub, HubSlot, SandboxTools,
    runtime::{LazyMachine, Machine},
    session::{HubError, NewPrompt},
};
use sandbox::{Captured, Destination, ExecResult, Exit, Handle as Sandbox, fake::Fake};
use serde_json::{Value, json};
use testkit::{
    app::{FakeAdmission, TestApp},
    database::Backend,
    redis::RedisServer,
    standin::agent::Agent,
};
use wire::live::MigrationReason;

use crate::stage::eventually;

pub(crate) const LIFE: Duration = Duration::from_hours(1);

/// An instance with fake sandboxes, among others that share everything outside.
pub(crate) struct Scene {
    pub(crate) app: TestApp,
    pub(crate) hub: Hub,
    pub(crate) fake: Fake,
    pub(crate) coordination: Arc<dyn Coordination>,
    _redis: Option<RedisServer>,
}

impl Scene {
    /// In memory beside SQLite, through Redis beside PostgreSQL.
    pub(crate) async fn set(backend: Backend) -> Self {
        Self::answering_within(backend, None).await
    }

    /// Whose operator does not admit everything.
    pub(crate) async fn admitting_by(backend: Backend, admission: FakeAdmission) -> Self {
        Self::made(backend, None, Some(admission)).await
    }

    /// Whose agents wait this long for a tool before they are told that it is under way.
    pub(crate) async fn answering_within(backend: Backend, wait: Option<Duration>) -> Self {
        Self::made(backend, wait, None).await
    }

    async fn made(
        backend: Backend,
        wait: Option<Duration>,
        admission: Option<FakeAdmission>,
    ) -> Self {
        let (redis, coordination) = RedisServer::beside(backend).await;
        let fake = Fake::new(Arc::new(SystemEntropy));
        fake.turn(|knobs| knobs.keep_running = vec!["agent", "daemon"]);
        // Every program does well and says nothing; no user gave any values.
        fake.on_exec(|_, request| {
            let is_read = request.argv.first().is_some_and(|program| program == "cat");
            Some(ExecResult {
                exit: Exit::Code(i32::from(is_read)),
                stdout: Captured::default(),
                stderr: Captured::default(),
            })
        });
        let (app, hub) = instance(backend, &coordination, &fake, None, (wait, admission)).await;
        Self {
            app,
            hub,
            fake,
            coordination,
            _redis: redis,
        }
    }

    /// Another instance on the same database, with the same sandboxes.
    pub(crate) async fn beside(&self) -> (TestApp, Hub) {
        self.beside_by(&self.coordination).await
    }

    /// The same, which agrees with others in another way.
    pub(crate) async fn beside_by(&self, coordination: &Arc<dyn Coordination>) -> (TestApp, Hub) {
        let (backend, first) = (Backend::Sqlite, Some(&self.app));
        instance(backend, coordination, &self.fake, first, (None, None)).await
    }

    /// The agent of sandboxes that are made from now on.
    pub(crate) async fn agent(&self) -> Agent {
        let agent = Agent::start().await;
        self.fake.set_endpoint(AGENT_PORT, agent.address());
        agent
    }

    /// A session whose sandbox is up.
    pub(crate) async fn up(&self) -> SessionId {
        let made = self.app.owner().post("/proliferate/sessions", json!({}));
        let made = made.await.expect(201);
        let id = made["sessionId"].as_str().unwrap().parse().unwrap();
        let handle = self
            .hub
            .registry
            .open(&self.app.steering(id).await.unwrap())
            .await
            .unwrap();
        handle.ensure_ready().await.unwrap();
        id
    }

    pub(crate) async fn say(&self, id: SessionId, text: &str) -> Result<String, HubError> {
        let handle = self
            .hub
            .registry
            .open(&self.app.steering(id).await.unwrap())
            .await
            .unwrap();
        let prompt = NewPrompt {
            text: text.to_owned(),
            ..NewPrompt::default()
        };
        handle.prompt(prompt).await
    }

    pub(crate) async fn migrate(&self, id: SessionId) -> Result<hub::Departing, Error> {
        let asked = MigrationReason::Asked;
        self.hub
            .sandboxes
            .migrate(&self.app.steering(id).await.unwrap(), asked)
            .await
    }

    pub(crate) async fn sandbox(&self, id: SessionId) -> Option<Sandbox> {
        let mut conn = self.app.app.db.read().await.unwrap();
        let row = store::session_runtime_fetch(&mut conn, &self.app.acme, id).await;
        let sandbox = row.unwrap()?.sandbox?;
        Some(serde_json::from_str(&sandbox).unwrap())
    }

    pub(crate) async fn shown(&self, id: SessionId) -> Value {
        let path = format!("/v1/sessions/{id}");
        self.app.owner().get(&path).await.expect(200)
    }

    /// As many sandboxes as there should be.
    pub(crate) async fn has_sandboxes(&self, count: usize) {
        let fake = &self.fake;
        eventually("as many sandboxes", async || fake.labels().len() == count).await;
    }
}

async fn instance(
    backend: Backend,
    coordination: &Arc<dyn Coordination>,
    fake: &Fake,
    beside: Option<&TestApp>,
    (wait, admission): (Option<Duration>, Option<FakeAdmission>),
) -> (TestApp, Hub) {
    let slot = Arc::new(HubSlot::default());
    let mut builder = TestApp::builder(backend)
        .coordinating_by(coordination)
        .options(|options| options.callback_wait = wait.unwrap_or(options.callback_wait))
        .sandboxes(slot.clone());
    if let Some(admission) = admission {
        builder = builder.admission(admission);
    }
    for operation in SandboxTools::OPERATIONS {
        builder = builder.builtin(operation, Arc::new(SandboxTools::new(&slot)));
    }
    let mut app = match beside {
        Some(other) => builder.beside(other).await,
        None => builder.start().await,
    };
    let modules = std::path::Path::new(install::DEFAULT_DIRECTORY);
    let machine = Machine {
        provider: Arc::new(fake.clone()),
        installation: install::Installation::find(modules).unwrap(),
        // The fake looks at no file of this machine.
        helper: Some("proliferate".into()),
        gateway: Destination {
            name: "gateway".to_owned(),
            address: "127.0.0.1:1".parse().unwrap(),
        },
        clock: Arc::new(SystemClock::new()),
        transport: None,
    };
    let workshop = LazyMachine::from(machine).with_lifetime(Some(LIFE));
    let hub = Hub::new(app.app.clone(), workshop);
    slot.fill(hub.clone());
    app.live_in(hub.clone());
    (app, hub)
}
