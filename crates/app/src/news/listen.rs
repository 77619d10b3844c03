//! Listening to an organization.

use coord::{Delivery, Subscription};
use domain::lease::Topic;

use crate::{access::Insider, context::App, error::Result};

/// A subscription to the news of an organization; dropping it unsubscribes.
#[derive(Debug)]
pub struct Listener(Subscription);

/// What a subscriber receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// JSON, as `wire::news` has it.
    News(String),
    /// News may have been lost: whatever is shown is to be read again.
    Missed,
}

/// Begins to listen. What changes from now on is heard; what is shown is read after this.
pub async fn listen(app: &App, insider: &Insider) -> Result<Listener> {
    let topic = Topic::Organization(insider.organization_id());
    Ok(Listener(app.coordination.subscribe(topic).await?))
}

impl Listener {
    /// The next; `None` when coordination ended. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            match self.0.recv().await? {
                Delivery::Message(bytes) => {
                    if let Ok(text) = String::from_utf8(bytes.to_vec()) {
                        return Some(Heard::News(text));
                    }
                }
                Delivery::Lagged(_) | Delivery::Gap => return Some(Heard::Missed),
            }
        }
    }
}
