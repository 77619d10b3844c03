//! Subscribes to the news of an organization.

use coord::{Delivery, Subscription};
use domain::lease::Topic;

use crate::{access::Insider, context::App, error::Result};

/// A subscription to the news of an organization; dropping it unsubscribes.
#[derive(Debug)]
pub struct NewsSubscription(Subscription);

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
    Ok(NewsSubscription(app.coordination.subscribe(topic).await?))
}

impl NewsSubscription {
    /// The next; `None` when coordination ended. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<NewsUpdate> {
        loop {
            match self.0.recv().await? {
                Delivery::Message(bytes) => {
                    if let Ok(text) = String::from_utf8(bytes.to_vec()) {
                        return Some(NewsUpdate::News(text));
                    }
                }
                Delivery::Lagged(_) | Delivery::Gap => return Some(NewsUpdate::Missed),
            }
        }
    }
}
