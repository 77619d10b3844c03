//! The key to verify the log with.

use app::{access::Insider, audit::SigningKey};
use axum::extract::State;
use wire::audit::AuditKeyView;

use crate::{
    extract::{Auth, Json},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The public key that the organization's checkpoints are signed with, so that a browser or a program can verify
/// them without trusting this gateway. Compare it with the key you received earlier.
#[utoipa::path(get, path = "/v1/audit/key", operation_id = "audit_key_show", tag = "audit",
    responses((status = 200, description = "The key", body = AuditKeyView), ReadProblems))]
pub(crate) async fn key(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
) -> Answer<Json<AuditKeyView>> {
    let key = SigningKey::of(&gateway.app.keyring, insider.organization_id())?;
    Ok(Json(AuditKeyView {
        name: key.name().to_owned(),
        algorithm: "Ed25519".to_owned(),
        public_key: key.public_key(),
        verifier_key: key.verifier_key(),
    }))
}
