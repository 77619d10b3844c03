//! Publishes notices to the clients that are subscribed now, on any instance.

use bytes::Bytes;
use domain::lease::Topic;

use super::{Notice, message::message};
use crate::{context::App, news};

/// Publishes to the subscribers of the session; for after the commit. Best effort: a client that is not reached finds it
/// in the record, and receives the pending invocations when it subscribes again. Waits for coordination, within its own
/// bound.
pub async fn publish(app: &App, notice: &Notice) {
    let text = message(notice.kind, &notice.record).to_string();
    let invocation = &notice.record.invocation;
    let topic = Topic::Session(invocation.session_id);
    let published = app.coordination.publish(topic, Bytes::from(text)).await;
    if let Err(error) = published {
        metrics::counter!("proliferate_notices_lost_total").increment(1);
        tracing::warn!(%error, invocation_id = %invocation.id, kind = %notice.kind,
            "a notice was not published to the subscribers of its session");
    }
    news::publish_action(app, &notice.record).await;
}

/// The same for several; the caller does not wait for it.
pub(crate) fn publish_all(app: &App, notices: Vec<Notice>) {
    if notices.is_empty() {
        return;
    }
    let app = app.clone();
    tokio::spawn(async move {
        for notice in &notices {
            publish(&app, notice).await;
        }
    });
}
