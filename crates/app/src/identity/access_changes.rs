//! Access changes: the permissions of a user, or of a whole organization, are not what they were. The instance that made
//! the change publishes whom it concerns; each instance has the concerned streams re-authenticate at once.
//!
//! INVARIANT: a message is never believed: it says whom to look up, and the database says what they may do. A message
//! that was missed is made up for: after every gap all streams re-authenticate, and each does so at intervals.

use bytes::Bytes;
use coord::{Delivery, Subscription};
use domain::{
    caller::Caller,
    id::{OrganizationId, UserId},
    lease::Topic,
    limits::{ACCESS_CHANGES_QUEUE_MAX, ACCESS_CHANGES_RETRY_DELAY, ACCESS_PUBLISH_ATTEMPTS_MAX},
};
use serde_json::{Value, json};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio_util::sync::CancellationToken;

use crate::context::App;

/// Whom a change of permissions concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessChange {
    /// One user of an organization.
    User(OrganizationId, UserId),
    /// Every caller of an organization.
    Organization(OrganizationId),
    /// Changes may have been missed: every caller.
    Missed,
}

impl AccessChange {
    fn new(organization_id: &OrganizationId, user_id: Option<&UserId>) -> Self {
        match user_id {
            Some(user_id) => Self::User(organization_id.clone(), user_id.clone()),
            None => Self::Organization(organization_id.clone()),
        }
    }

    pub fn concerns(&self, caller: &Caller) -> bool {
        match self {
            Self::User(organization_id, user_id) => {
                caller.organization_id() == organization_id && caller.user_id() == Some(user_id)
            }
            Self::Organization(organization_id) => caller.organization_id() == organization_id,
            Self::Missed => true,
        }
    }

    /// Whether so many streams may be concerned that they re-authenticate one after another.
    pub fn concerns_many(&self) -> bool {
        !matches!(self, Self::User(..))
    }

    fn message(&self) -> Option<Bytes> {
        let (organization_id, user_id) = match self {
            Self::User(organization_id, user_id) => (organization_id, Some(user_id.as_str())),
            Self::Organization(organization_id) => (organization_id, None),
            Self::Missed => return None,
        };
        let message = json!({"organizationId": organization_id.as_str(), "userId": user_id});
        Some(Bytes::from(message.to_string()))
    }

    /// `None` for a message that is not one of these.
    fn parse(message: &[u8]) -> Option<Self> {
        let message: Value = serde_json::from_slice(message).ok()?;
        let organization_id = message["organizationId"].as_str()?.parse().ok()?;
        match &message["userId"] {
            Value::Null => Some(Self::Organization(organization_id)),
            Value::String(user_id) => Some(Self::User(organization_id, user_id.parse().ok()?)),
            _ => None,
        }
    }
}

/// Distributes changes to the streams of this process.
#[derive(Debug, Clone)]
pub struct AccessChanges(broadcast::Sender<AccessChange>);

impl Default for AccessChanges {
    fn default() -> Self {
        Self(broadcast::Sender::new(ACCESS_CHANGES_QUEUE_MAX))
    }
}

impl AccessChanges {
    /// Receives changes from now on. To be made before the caller is authenticated, so that no change in between is missed.
    pub fn watch(&self) -> AccessWatch {
        AccessWatch(self.0.subscribe())
    }

    fn distribute(&self, change: AccessChange) {
        // An error says that this process has no streams.
        let _ = self.0.send(change);
    }
}

/// The changes since it was made.
#[derive(Debug)]
pub struct AccessWatch(broadcast::Receiver<AccessChange>);

impl AccessWatch {
    /// The next change that concerns the caller. Dropping the future loses nothing.
    pub async fn next_for(&mut self, caller: &Caller) -> AccessChange {
        loop {
            match self.0.recv().await {
                Ok(change) if change.concerns(caller) => return change,
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => return AccessChange::Missed,
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

/// Has the streams of the user, or of every caller of the organization, re-authenticate at once, on every instance. For
/// after the commit of what changes permissions; the caller does not wait for it.
pub fn access_changed(app: &App, organization_id: &OrganizationId, user_id: Option<&UserId>) {
    let change = AccessChange::new(organization_id, user_id);
    // Streams of this process do not depend on coordination.
    app.access_changes().distribute(change.clone());
    let app = app.clone();
    tokio::spawn(async move { publish(&app, &change).await });
}

/// Publishes to the other instances. An instance that was cut off itself finds out by its own gap; this one may be the
/// only one cut off, so it tries again until it is not.
async fn publish(app: &App, change: &AccessChange) {
    let Some(message) = change.message() else {
        return;
    };
    for _ in 0..ACCESS_PUBLISH_ATTEMPTS_MAX {
        let published = app
            .coordination
            .publish(Topic::AccessChanges, message.clone());
        match published.await {
            Ok(()) => return,
            Err(error) => tracing::warn!(%error, "an access change was not published yet"),
        }
        tokio::time::sleep(ACCESS_CHANGES_RETRY_DELAY).await;
    }
    metrics::counter!("proliferate_access_changes_lost_total").increment(1);
    tracing::error!(
        "an access change was not published; streams of other instances end by their own check"
    );
}

/// Receives the changes of other instances and distributes them here, until `stop`.
pub async fn receive_access_changes(app: App, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = keep_receiving(&app) => {}
    }
}

async fn keep_receiving(app: &App) {
    loop {
        match app.coordination.subscribe(Topic::AccessChanges).await {
            Ok(changes) => {
                // What was published before the subscription.
                app.access_changes().distribute(AccessChange::Missed);
                distribute_all(app, changes).await;
            }
            Err(error) => tracing::warn!(%error, "access changes are not received"),
        }
        tokio::time::sleep(ACCESS_CHANGES_RETRY_DELAY).await;
    }
}

async fn distribute_all(app: &App, mut changes: Subscription) {
    while let Some(delivery) = changes.recv().await {
        let change = match delivery {
            Delivery::Message(message) => AccessChange::parse(&message),
            Delivery::Lagged(_) | Delivery::Gap => Some(AccessChange::Missed),
        };
        if let Some(change) = change {
            app.access_changes().distribute(change);
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{caller::Credential, role::Role};

    use super::*;

    fn user(organization: &str, user: &str) -> Caller {
        Caller::User {
            organization_id: organization.parse().unwrap(),
            user_id: user.parse().unwrap(),
            role: Role::Member,
            credential: Credential::Token,
        }
    }

    #[test]
    fn a_change_concerns_its_user_or_its_organization_and_no_other() {
        let (acme, ada) = ("acme".parse().unwrap(), "ada".parse().unwrap());
        let service = Caller::Service {
            organization_id: "acme".parse().unwrap(),
            name: "ada".to_owned(),
        };
        let of_ada = AccessChange::new(&acme, Some(&ada));
        let of_acme = AccessChange::new(&acme, None);
        let table = [
            (user("acme", "ada"), [true, true, true]),
            (user("acme", "bob"), [false, true, true]),
            (user("other", "ada"), [false, false, true]),
            (service, [false, true, true]),
        ];
        for (caller, expected) in table {
            let found = [&of_ada, &of_acme, &AccessChange::Missed].map(|it| it.concerns(&caller));
            assert_eq!(found, expected, "{caller:?}");
        }
    }

    #[test]
    fn a_message_reads_back_as_written() {
        let (acme, ada) = ("acme".parse().unwrap(), "ada".parse().unwrap());
        for user_id in [None, Some(&ada)] {
            let change = AccessChange::new(&acme, user_id);
            let message = change.message().unwrap();
            assert_eq!(AccessChange::parse(&message), Some(change));
        }
        for wrong in ["", "{}", "[]", r#"{"organizationId":"a","userId":1}"#] {
            assert_eq!(AccessChange::parse(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
