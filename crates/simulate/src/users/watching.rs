//! A client of a session: resumes by its position in the log whenever the stream ends.

use std::time::Duration;

use app::access::SessionAccess;
use domain::id::SessionId;
use hub::ClientFrame;
use serde_json::Value;
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};

use super::Users;
use crate::net::Net;

/// What a watcher hears.
enum Heard {
    ClientFrame(ClientFrame),
    Elsewhere(String),
}

/// Until it is over.
pub(crate) async fn watch(users: Users, session: SessionId, name: String) {
    let mut which = users.net.any();
    while !users.is_over() {
        if let Some(frames) = open(&users, which, session, &name) {
            match follow(&users, session, &name, frames).await {
                Some(url) => which = Net::at(&url).unwrap_or_else(|| users.net.any()),
                None => which = users.net.any(),
            }
        } else {
            which = users.net.any();
        }
        sleep(users.net.rng.millis(10, 1_500)).await;
    }
}

fn open(
    users: &Users,
    which: usize,
    session: SessionId,
    name: &str,
) -> Option<mpsc::UnboundedReceiver<Heard>> {
    let insider = users.insider();
    let after = users.ledger.cursor(name);
    let user = Some(name.to_owned());
    users.net.open(which, move |app, hub, sender| async move {
        let watched = async {
            let access = SessionAccess::of(&app, &insider, session).await?;
            hub.watchers.watch(&access, user, after).await
        };
        match watched.await {
            Ok(mut watching) => {
                // A client that leaves is noticed at once.
                loop {
                    tokio::select! {
                        biased;
                        () = sender.closed() => return,
                        sent = watching.frames.recv() => match sent.map(Heard::ClientFrame) {
                            Some(heard) => _ = sender.send(heard),
                            None => return,
                        },
                    }
                }
            }
            Err(app::Error::Elsewhere { url }) => {
                // The receiver may be gone.
                _ = sender.send(Heard::Elsewhere(url));
            }
            Err(_) => {}
        }
    })
}

/// Until the stream ends, or is silent for too long, or the watcher looks at something else. Gives where to go.
async fn follow(
    users: &Users,
    session: SessionId,
    name: &str,
    mut frames: mpsc::UnboundedReceiver<Heard>,
) -> Option<String> {
    let stays = Duration::from_secs(users.net.rng.between(5, 120));
    let watching = async {
        loop {
            let patience = Duration::from_secs(users.net.rng.between(10, 40));
            match timeout(patience, frames.recv()).await {
                Ok(Some(Heard::ClientFrame(sent))) => see(users, session, name, &sent),
                Ok(Some(Heard::Elsewhere(url))) => return Some(url),
                Ok(None) | Err(_) => return None,
            }
        }
    };
    timeout(stays, watching).await.unwrap_or(None)
}

fn see(users: &Users, session: SessionId, name: &str, sent: &ClientFrame) {
    if let Some(seq) = sent.seq {
        return users.ledger.frame(name, session, seq, &sent.text);
    }
    let frame: Value = serde_json::from_str(&sent.text).unwrap_or_default();
    match frame["type"].as_str() {
        Some("init") => {
            let seq = frame["payload"]["seq"].as_u64().unwrap_or_default();
            users.ledger.begins_at(name, session, seq);
        }
        Some("gap") => {
            let what = format!("{name} was told of a gap in a short log: {}", sent.text);
            users.net.trace.violation(what);
        }
        _ => {}
    }
}
