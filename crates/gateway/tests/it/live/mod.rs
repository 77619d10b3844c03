//! Live sessions over real connections, with a scripted agent.

mod auth;
mod backpressure;
pub(crate) mod client;
mod init;
mod notices;
mod presence;
mod prompt;
mod resume;
mod standing;
mod talk;
mod unknown;

use domain::id::SessionId;
use hub::{Hub, session::Handle};
use serde_json::json;
use testkit::{
    app::{Person, Served, TestApp},
    database::Backend,
    standin::agent::Agent,
};
use wire::live::{ServerMessage, TextPart, TitleUpdate, Token};

use self::client::Socket;
use crate::support::{create, id};

/// A gateway with one session that the owner made.
pub(crate) struct Live {
    pub(crate) app: TestApp,
    pub(crate) agent: Agent,
    pub(crate) hub: Hub,
    pub(crate) served: Served,
    pub(crate) session: SessionId,
}

impl Live {
    pub(crate) async fn start(backend: Backend) -> Self {
        Self::with(TestApp::start(backend).await).await
    }

    pub(crate) async fn with(app: TestApp) -> Self {
        let agent = Agent::start().await;
        let hub = Hub::with_runtimes(app.app.clone(), agent.runtimes());
        let served = app.serve_hub(hub.clone()).await;
        let session = id(&create(&app, json!({})).await).parse().unwrap();
        Self {
            app,
            agent,
            hub,
            served,
            session,
        }
    }

    /// Another hub on the same database, as after a restart.
    pub(crate) async fn reopen(&mut self) {
        self.hub.fleet.close().await;
        self.hub = Hub::with_runtimes(self.app.app.clone(), self.agent.runtimes());
        self.served = self.app.serve_hub(self.hub.clone()).await;
    }

    pub(crate) fn path(&self) -> String {
        format!("/proliferate/{}", self.session)
    }

    pub(crate) fn token(&self, person: Person) -> String {
        self.app.user_token(person)
    }

    /// A connection of the owner's.
    pub(crate) async fn connect(&self, query: &str) -> Socket {
        self.connect_as(Person::Owner, query).await
    }

    pub(crate) async fn connect_as(&self, person: Person, query: &str) -> Socket {
        let bearer = format!("Bearer {}", self.token(person));
        let path = format!("{}{query}", self.path());
        let headers = [("authorization", bearer.as_str())];
        let opened = Socket::open(self.served.address, &path, &headers);
        opened.await.unwrap()
    }

    pub(crate) async fn handle(&self) -> Handle {
        let steering = self.app.steering(self.session).await.unwrap();
        self.hub.registry.open(&steering).await.unwrap()
    }

    /// Everything in the log, as frames.
    pub(crate) async fn log(&self) -> Vec<String> {
        let mut conn = self.app.database.db.read().await.unwrap();
        let (mut all, mut after) = (Vec::new(), 0);
        loop {
            let page =
                store::session_event_list(&mut conn, &self.app.acme, self.session, after, 500);
            let page = page.await.unwrap();
            let Some(last) = page.last() else {
                return all;
            };
            after = last.seq;
            let frame = |event| hub::log::LogEntry::from(event).frame().to_string();
            all.extend(page.iter().map(frame));
        }
    }
}

pub(crate) fn title(text: impl Into<String>) -> ServerMessage {
    let title = text.into();
    ServerMessage::TitleUpdate(TitleUpdate { title })
}

pub(crate) fn token(text: impl Into<String>) -> ServerMessage {
    ServerMessage::Token(Token {
        message_id: "m1".into(),
        part_id: "p1".into(),
        token: text.into(),
    })
}

pub(crate) fn whole(text: impl Into<String>) -> ServerMessage {
    ServerMessage::TextPartComplete(TextPart {
        message_id: "m1".into(),
        part_id: "p1".into(),
        text: text.into(),
    })
}

/// A message of the agent's begins.
pub(crate) fn begins() -> ServerMessage {
    let message = json!({"type": "message", "payload": {"id": "m1", "role": "assistant", "content": "",
        "isComplete": false, "createdAt": 1}});
    serde_json::from_value(message).unwrap()
}
