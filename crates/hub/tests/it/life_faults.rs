//! What goes wrong in the life of a sandbox, with a provider that fails when it is told to and an agent that only says
//! that it is there.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use agent::install;
use app::system::{SystemClock, SystemEntropy};
use axum::{
    Json, Router,
    http::StatusCode,
    response::sse::{Event, Sse},
    routing::{get, post},
};
use domain::{
    id::SessionId,
    limits::{AGENT_PORT, HUB_BOOT_RETRY_DELAYS},
};
use hub::{Hub, SaveError, runtime::Machine};
use sandbox::{
    Captured, Destination, Error, ExecResult, Exit, File, Handle, HomePath, Provider as _,
    fake::{Fake, Operation},
};
use serde_json::{Value, json};
use testkit::{app::TestApp, database::Backend};

use crate::stage::{eventually, until, until_it};

testkit::on_both_databases!(
    a_snapshot_that_fails_leaves_the_values_and_the_record_as_they_were,
    a_scrub_that_fails_half_way_is_undone,
    a_sandbox_that_died_comes_back_from_its_last_snapshot,
    a_sandbox_without_an_agent_is_saved_before_it_goes,
    what_cannot_be_saved_is_not_ended,
    old_snapshots_go_when_nothing_refers_to_them,
    a_snapshot_of_another_organization_is_none,
    a_session_that_is_tried_again_is_starting_on_record_until_it_is_given_up,
    a_boot_that_finds_another_program_at_the_agents_address_is_tried_again,
);

/// Just enough of an agent for a boot. It does not answer while it is told to refuse.
async fn agent(refuse: Arc<AtomicUsize>) -> std::net::SocketAddr {
    let info = || async { Json(json!({"id": "ses_1", "title": "A session"})) };
    let silent = || async {
        let never = futures::stream::pending::<Result<Event, std::convert::Infallible>>();
        Sse::new(never)
    };
    let health = move || async move {
        let left = refuse.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
            left.checked_sub(1)
        });
        let healthy = Json(json!({"healthy": true, "version": "1.18.33"}));
        left.map_or(Ok(healthy), |_| Err(StatusCode::INTERNAL_SERVER_ERROR))
    };
    let router = Router::new()
        .route("/global/health", get(health))
        .route("/config/providers", get(|| async { Json(json!({})) }))
        .route("/session", post(info).get(|| async { Json(json!([])) }))
        .route("/session/status", get(|| async { Json(json!({})) }))
        .route("/session/{id}", get(info))
        .route("/session/{id}/message", get(|| async { Json(json!([])) }))
        .route("/event", get(silent));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// Commands that were run, and those that are to fail.
#[derive(Debug, Clone, Default)]
pub(crate) struct Commands {
    run: Arc<Mutex<Vec<String>>>,
    failing: Arc<Mutex<Option<&'static str>>>,
}

impl Commands {
    fn with(&self, part: &str) -> usize {
        let run = self.run.lock().unwrap();
        run.iter().filter(|line| line.contains(part)).count()
    }
}

pub(crate) struct Place {
    pub(crate) app: TestApp,
    pub(crate) fake: Fake,
    commands: Commands,
    /// How often the agent will not answer.
    refuse: Arc<AtomicUsize>,
    pub(crate) machine: Machine,
    pub(crate) hub: Hub,
}

impl Place {
    pub(crate) async fn open(backend: Backend) -> Self {
        let app = TestApp::start(backend).await;
        let fake = Fake::new(Arc::new(SystemEntropy));
        let refuse = Arc::<AtomicUsize>::default();
        fake.set_endpoint(AGENT_PORT, agent(refuse.clone()).await);
        fake.turn(|knobs| knobs.keep_running = vec!["agent", "daemon"]);
        let commands = Commands::default();
        let noted = commands.clone();
        fake.on_exec(move |_, request| {
            let line = request.argv.join(" ");
            noted.run.lock().unwrap().push(line.clone());
            let fails = noted
                .failing
                .lock()
                .unwrap()
                .is_some_and(|part| line.contains(part));
            Some(ExecResult {
                exit: Exit::Code(i32::from(fails || line.starts_with("cat "))),
                stdout: Captured::default(),
                stderr: Captured::default(),
            })
        });
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
        let hub = Hub::new(app.app.clone(), machine.clone().into());
        Self {
            app,
            fake,
            commands,
            refuse,
            machine,
            hub,
        }
    }

    /// A session that prepares a configuration with an env file, up.
    pub(crate) async fn setup(&self) -> (SessionId, String) {
        let owner = self.app.owner();
        let files = json!([{"path": ".env", "keys": [{"key": "A", "required": true}]}]);
        let body = json!({"name": "Shop", "envFiles": files});
        let made = owner.post("/v1/configurations", body).await.expect(201);
        let configuration = made["id"].as_str().unwrap().to_owned();
        let body = json!({"sessionType": "setup", "configurationId": configuration});
        let session = owner.post("/proliferate/sessions", body).await.expect(201);
        let session = session["sessionId"].as_str().unwrap().parse().unwrap();
        self.up(&self.hub, session).await;
        (session, configuration)
    }

    pub(crate) async fn up(&self, hub: &Hub, session: SessionId) {
        let handle = hub
            .registry
            .open(&self.app.steering(session).await.unwrap())
            .await
            .unwrap();
        handle.ensure_ready().await.unwrap();
    }

    async fn shown(&self, path: &str) -> Value {
        self.app.owner().get(path).await.expect(200)
    }

    pub(crate) async fn session(&self, id: SessionId) -> Value {
        self.shown(&format!("/v1/sessions/{id}")).await
    }

    pub(crate) async fn handle(&self, id: SessionId) -> Handle {
        let mut conn = self.app.app.db.read().await.unwrap();
        let row = store::session_runtime_fetch(&mut conn, &self.app.acme, id).await;
        serde_json::from_str(&row.unwrap().unwrap().sandbox.unwrap()).unwrap()
    }

    /// Changes the sandbox, so that the next snapshot is another one.
    pub(crate) async fn write(&self, id: SessionId, text: &'static str) {
        let file = File::new(HomePath::new("workspace/file").unwrap(), text);
        let handle = self.handle(id).await;
        self.fake.write(&handle, vec![file]).await.unwrap();
    }

    pub(crate) async fn read(&self, id: SessionId) -> String {
        let path = HomePath::new("workspace/file").unwrap();
        let bytes = self.fake.read(&self.handle(id).await, &path).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }
}

async fn a_snapshot_that_fails_leaves_the_values_and_the_record_as_they_were(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, configuration) = place.setup().await;
    let mut watching = place
        .hub
        .watchers
        .watch(&place.app.access(session).await, None, None)
        .await
        .unwrap();
    let full = Error::failed("copying", "the disk is full");
    place
        .fake
        .turn(|knobs| knobs.fail_next(Operation::Snapshot, full));
    let failed = place
        .hub
        .sandboxes
        .save_snapshot(&place.app.steering(session).await.unwrap())
        .await;
    assert!(matches!(failed, Err(SaveError::Sandbox(_))), "{failed:?}");
    assert_eq!(place.commands.with("env scrub --hold"), 1);
    assert_eq!(
        place.commands.with("env restore"),
        1,
        "what was taken out comes back"
    );
    let told = until(&mut watching.frames, "snapshot_result")
        .await
        .pop()
        .unwrap();
    assert_eq!(told["payload"]["success"], false, "{told}");
    assert_eq!(place.session(session).await["snapshotId"], Value::Null);
    let kept = place
        .shown(&format!("/v1/configurations/{configuration}"))
        .await;
    assert_eq!(kept["snapshotId"], Value::Null, "{kept}");
    // The next one is fine.
    let saved = place
        .hub
        .sandboxes
        .save_snapshot(&place.app.steering(session).await.unwrap())
        .await
        .unwrap();
    let kept = place
        .shown(&format!("/v1/configurations/{configuration}"))
        .await;
    assert_eq!(
        (&kept["snapshotId"], &kept["status"]),
        (&json!(saved.snapshot_id), &json!("ready"))
    );
}

async fn a_scrub_that_fails_half_way_is_undone(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    *place.commands.failing.lock().unwrap() = Some("env scrub");
    let failed = place
        .hub
        .sandboxes
        .save_snapshot(&place.app.steering(session).await.unwrap())
        .await;
    assert!(matches!(failed, Err(SaveError::Sandbox(_))), "{failed:?}");
    assert_eq!(place.commands.with("env restore"), 1);
    let snapshots = place
        .fake
        .calls()
        .into_iter()
        .filter(|call| *call == Operation::Snapshot);
    assert_eq!(snapshots.count(), 0, "nothing is saved with secrets in it");
}

async fn a_sandbox_that_died_comes_back_from_its_last_snapshot(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    place.write(session, "saved").await;
    place
        .hub
        .sandboxes
        .save_snapshot(&place.app.steering(session).await.unwrap())
        .await
        .unwrap();
    place.write(session, "lost").await;
    place.fake.kill(&place.handle(session).await);
    // Another process finds it dead.
    let other = Hub::new(place.app.app.clone(), place.machine.clone().into());
    let mut watching = other
        .watchers
        .watch(&place.app.access(session).await, None, None)
        .await
        .unwrap();
    place.up(&other, session).await;
    assert_eq!(place.read(session).await, "saved");
    let told = loop {
        let frame = until(&mut watching.frames, "status").await.pop().unwrap();
        if let Some(told) = frame["payload"]["message"].as_str() {
            break told.to_owned();
        }
    };
    assert!(
        told.starts_with("The sandbox of this session has ended. It goes on from"),
        "{told}"
    );
    assert_eq!(place.session(session).await["status"], "running");
}

async fn a_sandbox_without_an_agent_is_saved_before_it_goes(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    place.write(session, "work").await;
    let before = place.handle(session).await;
    // As often as a client asks before it gives up.
    place.refuse.store(10, Ordering::SeqCst);
    let other = Hub::new(place.app.app.clone(), place.machine.clone().into());
    place.up(&other, session).await;
    assert_eq!(place.read(session).await, "work");
    assert_ne!(place.handle(session).await, before);
    assert_eq!(place.fake.labels().len(), 1, "one sandbox for a session");
}

async fn what_cannot_be_saved_is_not_ended(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    let full = Error::failed("copying", "the disk is full");
    place
        .fake
        .turn(|knobs| knobs.fail_next(Operation::Snapshot, full));
    place.hub.fleet.close().await;
    assert_eq!(
        place.fake.labels().len(),
        1,
        "the only copy of a user's work"
    );
    assert_eq!(place.session(session).await["status"], "running");
    // The next process goes on with it.
    let before = place.handle(session).await;
    let next = Hub::new(place.app.app.clone(), place.machine.clone().into());
    place.up(&next, session).await;
    assert_eq!(place.handle(session).await, before);
    next.fleet.close().await;
    assert_eq!(place.fake.labels(), [] as [String; 0]);
    let paused = place.session(session).await;
    assert_eq!(paused["status"], "paused", "{paused}");
}

async fn old_snapshots_go_when_nothing_refers_to_them(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    let mut saved = Vec::new();
    for text in ["one", "two", "three"] {
        place.write(session, text).await;
        let one = place
            .hub
            .sandboxes
            .save_snapshot(&place.app.steering(session).await.unwrap())
            .await;
        saved.push(one.unwrap().snapshot_id);
    }
    // It happens beside everything else.
    let last = saved.pop().unwrap();
    let only_last = async {
        loop {
            let mut conn = place.app.app.db.read().await.unwrap();
            let live = store::snapshot_list_ids(&mut conn, "fake").await.unwrap();
            drop(conn);
            if live == [last.clone()] {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    let waited = tokio::time::timeout(crate::agent::PATIENCE, only_last).await;
    assert!(waited.is_ok(), "{saved:?} are kept");
}

async fn a_snapshot_of_another_organization_is_none(backend: Backend) {
    let place = Place::open(backend).await;
    let (session, _) = place.setup().await;
    let saved = place
        .hub
        .sandboxes
        .save_snapshot(&place.app.steering(session).await.unwrap())
        .await
        .unwrap();
    let body = json!({"snapshotId": saved.snapshot_id});
    let made = place
        .app
        .foreigner()
        .post("/proliferate/sessions", body)
        .await;
    let made = made.expect(201);
    let foreign: SessionId = made["sessionId"].as_str().unwrap().parse().unwrap();
    let theirs = place
        .app
        .steering_in(&place.app.other, foreign)
        .await
        .unwrap();
    let handle = place.hub.registry.open(&theirs).await.unwrap();
    let refused = handle.ensure_ready().await.unwrap_err().to_string();
    assert!(refused.contains("is not there"), "{refused}");
    let body = json!({"snapshotId": saved.snapshot_id});
    let own = place.app.owner().post("/proliferate/sessions", body).await;
    let own: SessionId = own.expect(201)["sessionId"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    place.up(&place.hub, own).await;
}

async fn a_session_that_is_tried_again_is_starting_on_record_until_it_is_given_up(
    backend: Backend,
) {
    let place = Place::open(backend).await;
    let full = || Error::Exhausted { what: "a sandbox" };
    let again = |frame: &Value| {
        let told = frame["payload"]["message"].as_str().unwrap_or_default();
        told.contains("It is tried again in")
    };
    for (failures, ends) in [(1, "running"), (HUB_BOOT_RETRY_DELAYS.len() + 1, "failed")] {
        let made = place.app.owner().post("/proliferate/sessions", json!({}));
        let made = made.await.expect(201);
        let session: SessionId = made["sessionId"].as_str().unwrap().parse().unwrap();
        place.fake.turn(|knobs| {
            for _ in 0..failures {
                knobs.fail_next(Operation::Create, full());
            }
        });
        let steering = place.app.steering(session).await.unwrap();
        let watching = place.hub.watchers.watch(steering.access(), None, None);
        let mut watching = watching.await.unwrap();
        watching.steer(&steering).unwrap().wake().await.unwrap();
        for pause in HUB_BOOT_RETRY_DELAYS.iter().take(failures) {
            until_it(&mut watching.frames, "that it is tried again", again).await;
            assert_eq!(place.session(session).await["status"], "starting");
            place.app.clock.advance(*pause);
        }
        eventually(ends, async || {
            place.session(session).await["status"] == ends
        })
        .await;
        let shown = place.session(session).await;
        let reason = shown["reason"].as_str().unwrap_or_default();
        assert_eq!(reason.contains("no room"), ends == "failed", "{shown}");
    }
}

/// A server that knows another password.
async fn stranger() -> std::net::SocketAddr {
    let router = Router::new().fallback(|| async { StatusCode::UNAUTHORIZED });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn a_boot_that_finds_another_program_at_the_agents_address_is_tried_again(backend: Backend) {
    let place = Place::open(backend).await;
    place.fake.set_endpoint(AGENT_PORT, stranger().await);
    let made = place.app.owner().post("/proliferate/sessions", json!({}));
    let made = made.await.expect(201);
    let session: SessionId = made["sessionId"].as_str().unwrap().parse().unwrap();
    let steering = place.app.steering(session).await.unwrap();
    let watching = place.hub.watchers.watch(steering.access(), None, None);
    let mut watching = watching.await.unwrap();
    watching.steer(&steering).unwrap().wake().await.unwrap();
    let again = |frame: &Value| {
        let told = frame["payload"]["message"].as_str().unwrap_or_default();
        told.contains("another program listens at the agent's address")
            && told.contains("It is tried again in")
    };
    until_it(&mut watching.frames, "that it is tried again", again).await;
    assert_eq!(
        place.fake.labels(),
        [] as [String; 0],
        "the sandbox is removed, and its port with it"
    );
    place
        .fake
        .set_endpoint(AGENT_PORT, agent(place.refuse.clone()).await);
    place.app.clock.advance(HUB_BOOT_RETRY_DELAYS[0]);
    eventually("it runs", async || {
        place.session(session).await["status"] == "running"
    })
    .await;
}
