//! The end of logins that an identity provider has ended: the record of it, and the end of their streams.

use std::collections::BTreeSet;

use domain::identity_provider::EndedLogin;
use store::Tx;

use crate::{access::ProviderActor, audit, context::App, error::Result, identity::access_changed};

/// Records in `tx` that the provider ended these logins.
pub(super) async fn record(
    tx: &mut Tx,
    app: &App,
    provider: &str,
    ended: &[EndedLogin],
) -> Result<()> {
    for login in ended {
        let actor = ProviderActor {
            organization_id: login.organization_id.clone(),
            provider: provider.to_owned(),
        };
        let id = Some(login.login_id.uuid());
        audit::record_operation(tx, app, &actor, "login_end", id).await?;
    }
    Ok(())
}

/// The streams of these logins end at once.
pub(super) fn end_streams(app: &App, ended: &[EndedLogin]) {
    let whose = ended
        .iter()
        .map(|login| (&login.organization_id, &login.user_id));
    for (organization_id, user_id) in whose.collect::<BTreeSet<_>>() {
        access_changed(app, organization_id, Some(user_id));
    }
}
