//! News: pages that users keep open receive that something in their organization changed, on any instance, and request
//! what they show. Not a record: nothing is kept, and a page that was not subscribed requests everything.
//!
//! INVARIANT: news hold ids and states alone. Those of a session reach the members who see it: a message says whether the
//! whole organization does, and of any other each subscriber looks that up for its member.

mod listen;

use bytes::Bytes;
use domain::{
    id::{OrganizationId, SessionId},
    lease::Topic,
    news::News,
    sharing::Visibility,
};
use serde_json::{Value, json};
use store::InvocationRecord;

pub use listen::{NewsSubscription, NewsUpdate, subscribe};

use crate::context::App;

/// Between instances: whether every member may receive the message. Clients do not get it.
const OPEN: &str = "open";

/// Publishes to the subscribers; for after the commit. The caller does not wait for it, and it may be lost: pages read
/// their lists again now and then.
pub fn publish_soon(app: &App, organization_id: &OrganizationId, news: News) {
    let (app, organization_id) = (app.clone(), organization_id.clone());
    tokio::spawn(async move { publish(&app, &organization_id, news).await });
}

/// The same of an invocation, for a caller that can wait.
pub(crate) async fn publish_action(app: &App, record: &InvocationRecord) {
    let invocation = &record.invocation;
    let news = News::Action {
        id: invocation.id,
        session_id: invocation.session_id,
        status: invocation.state.status(),
    };
    publish(app, &invocation.organization_id, news).await;
}

/// Publishes that the visibility of a session changed: to every subscriber if all of them knew of it before.
pub(crate) fn publish_sharing_soon(
    app: &App,
    organization_id: &OrganizationId,
    id: SessionId,
    was_open: bool,
) {
    let (app, organization_id) = (app.clone(), organization_id.clone());
    tokio::spawn(async move {
        let news = News::Session(id);
        let is_open = was_open || is_open(&app, &organization_id, news).await;
        send(&app, &organization_id, news, is_open).await;
    });
}

async fn publish(app: &App, organization_id: &OrganizationId, news: News) {
    let is_open = is_open(app, organization_id, news).await;
    send(app, organization_id, news, is_open).await;
}

/// Whether every member may receive it. If that cannot be read, each subscriber looks itself.
async fn is_open(app: &App, organization_id: &OrganizationId, news: News) -> bool {
    let Some(id) = news.session_id() else {
        return true;
    };
    let visibility = async {
        let mut conn = app.db.read().await?;
        store::session_visibility_fetch(&mut conn, organization_id, id).await
    };
    matches!(visibility.await, Ok(Some(Visibility::Organization)))
}

async fn send(app: &App, organization_id: &OrganizationId, news: News, is_open: bool) {
    let topic = Topic::Organization(organization_id);
    let mut message = message(news);
    if is_open {
        message[OPEN] = Value::Bool(true);
    }
    let text = message.to_string();
    if let Err(error) = app.coordination.publish(topic, Bytes::from(text)).await {
        metrics::counter!("proliferate_news_lost_total").increment(1);
        tracing::debug!(%error, news = news.name(), "news were not published to open pages");
    }
}

/// As `wire::news` has it; a test of the gateway compares both.
fn message(news: News) -> Value {
    let name = news.name();
    match news {
        News::Action {
            id,
            session_id,
            status,
        } => json!({"type": name, "id": id.to_string(), "sessionId": session_id.to_string(),
            "status": status.as_str()}),
        News::Grant(id) => json!({"type": name, "id": id.to_string()}),
        News::GrantRequest {
            id,
            session_id,
            status,
        } => json!({"type": name, "id": id.to_string(), "sessionId": session_id.to_string(),
            "status": status.as_str()}),
        News::Session(id) => json!({"type": name, "id": id.to_string()}),
        News::Limits => json!({"type": name}),
    }
}
