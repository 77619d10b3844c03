//! The demo: a session in which the agent does a bit of everything, and something outside for it to act on.
//!
//! `dev` keeps the board and, if asked, begins the session, which then waits for users; `demo` plays all of it
//! from a terminal and answers itself. Without an API key the agent's model follows `scenes.yaml`.

mod board;

use std::collections::BTreeMap;

use domain::id::{ConnectorId, SessionId};
use uuid::Uuid;
use wire::{
    connector::{
        ConnectorAuth, ConnectorTransport, ConnectorView, CreateConnectorRequest,
        UpdateConnectorRequest,
    },
    session::{CreateSessionRequest, CreateSessionResponse},
};

pub(crate) use self::board::Board;
use crate::{
    client::Client,
    context::Context,
    exit::Exit,
    failure::Failure,
    live::{self, Answers},
};

/// Of the session that `dev` begins: once for a data directory.
const KEY: &str = "demo";

/// What the scripted model plays.
pub(crate) const SCENES: &str = include_str!("scenes.yaml");
/// What the agent is asked. The scenes begin with it; another model may do as it likes.
pub(crate) const PROMPT: &str = "Show me around: write a small program that greets a person, ask me whom to greet, \
    put an issue on the board of this organization, hand in what the program printed, and save your work.";
/// The board as a connector of the demo organization; the scenes name it.
const BOARD: ConnectorId =
    ConnectorId::from_uuid(Uuid::from_u128(0xd330_0000_0000_4000_8000_0000_0000_b0a7));

/// What the demo answers when it is asked whom to greet.
pub(crate) fn answers() -> Answers {
    let env = BTreeMap::from([("GREETING_NAME".to_owned(), "world".to_owned())]);
    Answers { env }
}

/// Connects the organization with the board, wherever it is this time.
pub(crate) async fn connect_board(client: &Client, url: &str) -> Result<(), Failure> {
    let path = format!("/v1/connectors/{BOARD}");
    let update = UpdateConnectorRequest {
        url: Some(url.to_owned()),
        ..UpdateConnectorRequest::default()
    };
    let updated: Result<ConnectorView, Failure> = client.patch(&path, &update).await;
    match updated {
        Err(failure) if failure.exit == Exit::NotFound => {}
        other => return other.map(drop),
    }
    let request = CreateConnectorRequest {
        id: Some(BOARD.uuid()),
        configuration_id: None,
        name: "Demo board".to_owned(),
        url: url.to_owned(),
        enabled: true,
        // It is ours: when it says that a tool only reads, that is so.
        trusted: true,
        transport: ConnectorTransport::default(),
        auth: ConnectorAuth::default(),
        risk_policy: None,
    };
    let _: ConnectorView = client.post("/v1/connectors", &request).await?;
    Ok(())
}

/// The demo's session; the same one again for the same key.
pub(crate) async fn create(client: &Client, key: &str) -> Result<CreateSessionResponse, Failure> {
    let request = CreateSessionRequest {
        title: Some("Demo: a greeting".to_owned()),
        ..CreateSessionRequest::default()
    };
    client.create("/proliferate/sessions", key, &request).await
}

/// Begins the session that waits for users, unless it began on an earlier start.
pub(crate) async fn begin(
    context: &Context,
    client: &Client,
    board: &str,
) -> Result<SessionId, Failure> {
    connect_board(client, board).await?;
    let created = create(client, KEY).await?;
    let id = SessionId::from_uuid(created.session_id);
    if !created.already_existed {
        live::send(context, client, id, PROMPT).await?;
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scenes_are_for_the_prompt_and_the_board() {
        model::scripted::Script::parse(SCENES).unwrap();
        assert!(PROMPT.starts_with("Show me around"));
        assert_eq!(SCENES.matches(&format!("connector:{BOARD} ")).count(), 2);
        for name in answers().env.keys() {
            assert!(SCENES.contains(&format!("prompt: \"{name}\"")));
        }
        for action in [board::LIST, board::CREATE] {
            assert!(SCENES.contains(&format!("--action {action}")));
        }
    }
}
