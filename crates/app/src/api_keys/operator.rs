//! API keys as an operator sees them: an operator with the database may list and revoke every key, and
//! needs no member to stand for it. For the command line; no route leads here.

use domain::{
    api_key::ApiKey,
    id::{ApiKeyId, OrganizationId},
    page::{Page, PageRequest},
};

use crate::{
    access::Operator,
    audit,
    context::App,
    error::{Error, Result},
    organizations,
};

/// Every key of the organization, newest first.
pub async fn list_all(
    app: &App,
    organization_id: &OrganizationId,
    page: PageRequest<ApiKeyId>,
) -> Result<Page<ApiKey, ApiKeyId>> {
    organizations::fetch(app, organization_id).await?;
    let mut conn = app.db.read().await?;
    Ok(store::api_key_list(&mut conn, organization_id, None, page).await?)
}

/// Revokes the key of any member. Revoking a revoked key changes nothing and succeeds.
pub async fn revoke_any(
    app: &App,
    organization_id: &OrganizationId,
    id: ApiKeyId,
) -> Result<ApiKey> {
    let mut tx = app.db.write().await?;
    let found = store::api_key_fetch(&mut tx, organization_id, id)
        .await?
        .ok_or(Error::NotFound("API key"))?;
    let revoked = store::api_key_revoke(&mut tx, organization_id, id, app.now()).await?;
    if revoked.is_some() {
        let operator = Operator(organization_id.clone());
        audit::record_operation(&mut tx, app, &operator, "api_key_revoke", Some(id.uuid())).await?;
    }
    tx.commit().await?;
    Ok(revoked.unwrap_or(found))
}
