//! An admin who has sessions moved to fresh sandboxes, whatever they are at.

use app::{Error, sessions::steer};
use domain::id::SessionId;
use tokio::time::sleep;
use wire::live::MigrationReason;

use super::Users;
use crate::net::Net;

/// How many redirects a client follows.
const TRIES: usize = 3;

/// Asks for one move.
pub(crate) async fn have_moved(users: Users, session: SessionId) {
    let mut which = users.net.any();
    for _ in 0..TRIES {
        let insider = users.insider();
        let asked = users.net.ask(which, move |app, hub| {
            let insider = insider.clone();
            async move {
                let asked = MigrationReason::Asked;
                let steering = steer(&app, &insider, session).await?;
                let moving = hub.sandboxes.migrate(&steering, asked).await;
                moving.map(|leaving| leaving.kind)
            }
        });
        match asked.await {
            Some(Err(Error::Elsewhere { url })) => {
                which = Net::at(&url).unwrap_or_else(|| users.net.any());
            }
            Some(Ok(how)) => {
                return users.net.trace.note(format!("{session} leaves: {how:?}"));
            }
            Some(Err(error)) => {
                return users
                    .net
                    .trace
                    .note(format!("{session} does not move: {error}"));
            }
            None => which = users.net.any(),
        }
        sleep(users.net.rng.millis(1, 500)).await;
    }
}
