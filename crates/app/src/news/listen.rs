//! Subscribes to the news of an organization.

use coord::{Delivery, Subscription};
use domain::{id::SessionId, lease::Topic, sharing::SessionViewer};
use serde_json::{Map, Value};

use super::OPEN;
use crate::{
    access::{Inside as _, Insider},
    context::App,
    error::Result,
};

/// A subscription to the news of an organization; dropping it unsubscribes.
#[derive(Debug)]
pub struct NewsSubscription {
    app: App,
    insider: Insider,
    live: Subscription,
}

/// What a subscriber receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewsUpdate {
    /// JSON, as `wire::news` has it.
    News(String),
    /// News may have been lost: the page reads what it shows again.
    Missed,
}

/// Subscribes. The subscription receives what changes from now on; a page reads what it shows after this.
pub async fn subscribe(app: &App, insider: &Insider) -> Result<NewsSubscription> {
    let topic = Topic::Organization(insider.organization_id());
    Ok(NewsSubscription {
        app: app.clone(),
        insider: insider.clone(),
        live: app.coordination.subscribe(topic).await?,
    })
}

impl NewsSubscription {
    /// The next; `None` when coordination ended. Dropping the future loses at most a message of a session that is not
    /// open to the whole organization, and only while it is looked up.
    pub async fn next(&mut self) -> Option<NewsUpdate> {
        loop {
            match self.live.recv().await? {
                Delivery::Message(bytes) => {
                    let Ok(Value::Object(mut message)) = serde_json::from_slice(&bytes) else {
                        continue;
                    };
                    let is_open = message.remove(OPEN) == Some(Value::Bool(true));
                    if is_open || self.sees(&message).await {
                        return Some(NewsUpdate::News(Value::Object(message).to_string()));
                    }
                }
                Delivery::Lagged(_) | Delivery::Gap => return Some(NewsUpdate::Missed),
            }
        }
    }

    /// Whether the subscriber sees the session that the message is of. One that cannot be looked up is not passed on:
    /// pages read their lists again now and then.
    async fn sees(&self, message: &Map<String, Value>) -> bool {
        let viewer = self.insider.viewer();
        if viewer == SessionViewer::All {
            return true;
        }
        let id = message.get("sessionId").or_else(|| message.get("id"));
        let id = id.and_then(|id| id.as_str()?.parse::<SessionId>().ok());
        let Some(id) = id else {
            return true;
        };
        let Ok(mut conn) = self.app.db.read().await else {
            return false;
        };
        let asked = [(self.insider.organization_id(), id, viewer)];
        let seen = store::fact_sessions(&mut conn, &asked).await;
        matches!(seen.as_deref(), Ok([true]))
    }
}
