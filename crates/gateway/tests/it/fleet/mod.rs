//! Several instances with one database: ownership of sessions, and routing of requests.

mod access_changes;
mod adoption;
mod draining;
mod eviction;
mod forwarding;
mod handoff;
mod operators;
mod ownership;
mod shown;
mod together;

use std::{sync::Arc, time::Duration};

use coord::Coordination;
use domain::{
    id::{InstanceId, SessionId},
    instance::Instance,
    lease::LeaseKey,
    limits::INSTANCE_TTL,
};
use gateway::Options;
use hub::{Hub, HubLimits};
use serde_json::{Value, json};
use testkit::{
    app::{Person, Served, TestApp},
    database::Backend,
    redis::RedisServer,
    standin::agent::Agent,
};

use crate::{
    live::client::Socket,
    support::{SESSIONS, id},
};

/// An instance that the others know.
pub(crate) struct One {
    pub(crate) app: TestApp,
    pub(crate) hub: Hub,
    pub(crate) served: Served,
}

/// What instances have in common.
pub(crate) struct Fleet {
    pub(crate) coordination: Arc<dyn Coordination>,
    pub(crate) redis: Option<RedisServer>,
    /// The agent of all sessions.
    pub(crate) agent: Agent,
}

impl Fleet {
    /// In memory beside SQLite, through Redis beside PostgreSQL.
    pub(crate) async fn start(backend: Backend) -> (Self, One) {
        let (redis, coordination) = RedisServer::beside(backend).await;
        let agent = Agent::start().await;
        let app = TestApp::builder(backend).coordinating_by(&coordination);
        let app = app.start().await;
        let fleet = Self {
            coordination,
            redis,
            agent,
        };
        let first = fleet.serve(app, HubLimits::default()).await;
        (fleet, first)
    }

    /// Another instance.
    pub(crate) async fn join(&self, first: &One) -> One {
        self.join_with(first, |_| {}).await
    }

    pub(crate) async fn join_with(&self, first: &One, change: impl FnOnce(&mut Options)) -> One {
        let builder = TestApp::builder(Backend::Sqlite).options(change);
        let app = builder.coordinating_by(&self.coordination);
        let app = app.beside(&first.app).await;
        self.serve(app, HubLimits::default()).await
    }

    pub(crate) async fn serve(&self, app: TestApp, bounds: HubLimits) -> One {
        let hub = Hub::with_runtimes(app.app.clone(), self.agent.runtimes()).with_limits(bounds);
        let served = app.serve_hub(hub.clone()).await;
        let answering = hub.clone();
        tokio::spawn(async move { answering.fleet.receive_peer_messages().await });
        let one = One { app, hub, served };
        let instance = one.instance();
        self.coordination
            .announce(&instance, INSTANCE_TTL * 100)
            .await
            .unwrap();
        one
    }

    pub(crate) async fn owner(&self, id: SessionId) -> Option<InstanceId> {
        let owner = self.coordination.owner(LeaseKey::Owner(id)).await;
        owner.unwrap()
    }
}

impl One {
    pub(crate) fn id(&self) -> InstanceId {
        self.app.app.instance.id
    }

    pub(crate) fn url(&self) -> String {
        self.served.url("")
    }

    pub(crate) fn instance(&self) -> Instance {
        Instance {
            advertised_url: self.url(),
            ..self.app.app.instance.clone()
        }
    }

    /// A new session of the owner's.
    pub(crate) async fn session(&self) -> SessionId {
        self.session_of(Person::Owner).await
    }

    /// A new session of the person's.
    pub(crate) async fn session_of(&self, person: Person) -> SessionId {
        let client = self.app.person(person);
        let session = client.post(SESSIONS, json!({})).await.expect(201);
        id(&session).parse().unwrap()
    }

    /// Opens it here.
    pub(crate) async fn open(&self, id: SessionId) -> Result<hub::session::Handle, app::Error> {
        self.open_as(Person::Owner, id).await
    }

    /// Opens it here in the name of the person's organization.
    pub(crate) async fn open_as(
        &self,
        person: Person,
        id: SessionId,
    ) -> Result<hub::session::Handle, app::Error> {
        let organization_id = self.app.organization_of(person);
        let steering = self.app.steering_in(organization_id, id).await?;
        self.hub.registry.open(&steering).await
    }

    /// Says something to a session by way of this instance.
    pub(crate) async fn say(&self, id: SessionId, text: &str) -> (u16, Value) {
        self.say_with(id, text, &[]).await
    }

    pub(crate) async fn say_with(
        &self,
        id: SessionId,
        text: &str,
        headers: &[(&str, &str)],
    ) -> (u16, Value) {
        let url = self.served.url(&format!("/proliferate/{id}/message"));
        let mut request = reqwest::Client::new()
            .post(url)
            .bearer_auth(self.app.user_token(Person::Owner))
            .json(&json!({"content": text}));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    pub(crate) async fn connect(&self, id: SessionId, query: &str) -> Socket {
        self.connect_with(id, query, &[]).await
    }

    pub(crate) async fn connect_with(
        &self,
        id: SessionId,
        query: &str,
        more: &[(&str, &str)],
    ) -> Socket {
        let bearer = format!("Bearer {}", self.app.user_token(Person::Owner));
        let mut headers = vec![("authorization", bearer.as_str())];
        headers.extend(more);
        let path = format!("/proliferate/{id}{query}");
        let opened = Socket::open(self.served.address, &path, &headers).await;
        opened.unwrap()
    }
}

/// Waits for a condition, within a bound.
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..1200 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it does not come to this: {what}");
}
