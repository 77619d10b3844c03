//! News: pages that users keep open receive that something in their organization changed, on any instance, and request
//! what they show. Not a record: nothing is kept, and a page that was not subscribed requests everything.
//!
//! INVARIANT: news hold ids and states alone, nothing that only some of an organization may see.

mod listen;

use bytes::Bytes;
use domain::{id::OrganizationId, lease::Topic, news::News};
use serde_json::{Value, json};
use store::InvocationRecord;

pub use listen::{NewsSubscription, NewsUpdate, subscribe};

use crate::context::App;

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

async fn publish(app: &App, organization_id: &OrganizationId, news: News) {
    let topic = Topic::Organization(organization_id);
    let text = message(news).to_string();
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
