//! What is listed and shown of a connection to a service, which is never its credential.

use domain::integration::{IntegrationProvider, IntegrationStatus};
use wire::integration::IntegrationView;

use crate::fields::{List, Record, joined, seconds, text};

pub(super) const LIST: List<IntegrationView> = List {
    columns: &[
        ("ID", |integration| text(&integration.id)),
        ("SERVICE", |integration| text(&integration.integration_id)),
        ("STATUS", status),
        ("BY", provider),
        ("NAME", |integration| text(&integration.display_name)),
    ],
    none: "no integrations",
};

pub(super) const RECORD: Record<IntegrationView> = Record {
    facts: &[
        ("id", |integration| text(&integration.id)),
        ("service", |integration| text(&integration.integration_id)),
        ("name", |integration| text(&integration.display_name)),
        ("status", status),
        ("by", provider),
        ("scopes", |integration| joined(&integration.scopes)),
        ("created by", |integration| integration.created_by.clone()),
        ("created", |integration| {
            Some(seconds(integration.created_at))
        }),
        ("changed", |integration| {
            Some(seconds(integration.updated_at))
        }),
    ],
    repeated: &[],
};

fn status(integration: &IntegrationView) -> Option<String> {
    text(&IntegrationStatus::from(integration.status))
}

/// How the organization is known there: a token, an authorization or an app.
fn provider(integration: &IntegrationView) -> Option<String> {
    text(&IntegrationProvider::from(integration.provider))
}
