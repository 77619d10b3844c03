//! An admin who has sessions moved to fresh sandboxes, whatever they are at.

use app::{Error, sessions::steer};
use domain::id::SessionId;
use tokio::time::sleep;
use wire::live::MigrationReason;

use super::People;
use crate::net::Net;

/// How many redirects a client follows.
const TRIES: usize = 3;

/// Asks for one move.
pub(crate) async fn have_moved(people: People, session: SessionId) {
    let mut which = people.net.any();
    for _ in 0..TRIES {
        let insider = people.insider();
        let asked = people.net.ask(which, move |app, hub| {
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
                which = Net::at(&url).unwrap_or_else(|| people.net.any());
            }
            Some(Ok(how)) => {
                return people.net.trace.note(format!("{session} leaves: {how:?}"));
            }
            Some(Err(error)) => {
                return people
                    .net
                    .trace
                    .note(format!("{session} does not move: {error}"));
            }
            None => which = people.net.any(),
        }
        sleep(people.net.rng.millis(1, 500)).await;
    }
}
