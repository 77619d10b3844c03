//! Whether share links work in the organization.

use app::{
    access::{Admin, Insider},
    sharing,
};
use axum::extract::State;
use wire::sharing::{OrganizationSharingView, UpdateOrganizationSharingRequest};

use crate::{
    extract::{Auth, Json},
    openapi::{ReadProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// Whether members may make share links, and those that exist work.
#[utoipa::path(get, path = "/v1/organization/sharing", operation_id = "organization_sharing_show", tag = "sharing",
    responses((status = 200, description = "Whether they work", body = OrganizationSharingView), ReadProblems))]
pub(crate) async fn organization_show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
) -> Answer<Json<OrganizationSharingView>> {
    let share_links = sharing::link_policy(&gateway.app, &insider).await?;
    Ok(Json(OrganizationSharingView { share_links }))
}

/// Allow share links, or switch them off. For admins.
///
/// Switched off, links that exist stop at once. Those that have not expired work again when links are allowed again.
#[utoipa::path(put, path = "/v1/organization/sharing", operation_id = "organization_sharing_update", tag = "sharing",
    request_body = UpdateOrganizationSharingRequest,
    responses((status = 200, description = "Whether they work", body = OrganizationSharingView), WriteProblems))]
pub(crate) async fn organization_update(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<UpdateOrganizationSharingRequest>,
) -> Answer<Json<OrganizationSharingView>> {
    let allowed = request.share_links;
    let share_links = sharing::set_link_policy(&gateway.app, &admin, allowed).await?;
    Ok(Json(OrganizationSharingView { share_links }))
}
