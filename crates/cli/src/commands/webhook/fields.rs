//! What is listed and shown of a webhook and its deliveries.

use domain::{notice::NoticeKind, webhook::DeliveryStatus};
use wire::webhook::{WebhookDeliveryView, WebhookView};

use crate::fields::{List, Record, joined, optional, seconds, text, yes_or_no};

pub(super) const LIST: List<WebhookView> = List {
    columns: &[
        ("ID", |webhook| text(&webhook.id)),
        ("ENABLED", |webhook| text(yes_or_no(webhook.enabled))),
        ("FAILING SINCE", |webhook| {
            webhook.failing_since.map(seconds)
        }),
        ("URL", |webhook| text(&webhook.url)),
    ],
    none: "no webhooks",
};

pub(super) const RECORD: Record<WebhookView> = Record {
    facts: &[
        ("id", |webhook| text(&webhook.id)),
        ("url", |webhook| text(&webhook.url)),
        ("events", |webhook| {
            joined(webhook.events.iter().map(|event| NoticeKind::from(*event)))
        }),
        ("enabled", |webhook| text(yes_or_no(webhook.enabled))),
        ("created by", |webhook| webhook.created_by.clone()),
        ("created", |webhook| Some(seconds(webhook.created_at))),
        ("changed", |webhook| Some(seconds(webhook.updated_at))),
        ("last success", |webhook| {
            webhook.last_success_at.map(seconds)
        }),
        ("failing since", |webhook| {
            webhook.failing_since.map(seconds)
        }),
        ("failed tries", |webhook| {
            Some(webhook.failed_attempts.to_string()).filter(|_| webhook.failed_attempts > 0)
        }),
        ("last error", |webhook| webhook.last_error.clone()),
    ],
    repeated: &[],
};

pub(super) const DELIVERIES: List<WebhookDeliveryView> = List {
    columns: &[
        ("ID", |delivery| text(&delivery.id)),
        ("STATUS", |delivery| {
            text(&DeliveryStatus::from(delivery.status))
        }),
        ("EVENT", |delivery| text(&NoticeKind::from(delivery.event))),
        ("TRIES", |delivery| text(&delivery.attempts)),
        ("ANSWER", |delivery| {
            optional(delivery.response_status.as_ref())
        }),
        ("CREATED", |delivery| Some(seconds(delivery.created_at))),
        ("ERROR", |delivery| delivery.error.clone()),
    ],
    none: "no deliveries",
};
