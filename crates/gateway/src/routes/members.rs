//! Members of the organization.

use app::{
    access::{Admin, Insider},
    identity::oidc,
    members,
};
use axum::extract::State;
use domain::{
    id::UserId,
    organization::{Member, User},
};
use wire::member::{MemberView, MembersResponse, UpdateMemberRequest};

use super::Answer;
use crate::{
    extract::{Auth, Json, PathId},
    openapi::{ReadProblems, WriteProblems},
    state::Gateway,
};

/// The members of the organization, and their roles.
#[utoipa::path(get, path = "/v1/members", operation_id = "member_list", tag = "members",
    responses((status = 200, description = "The members, by name", body = MembersResponse), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
) -> Answer<Json<MembersResponse>> {
    let (items, has_more) = members::list(&gateway.app, &insider).await?;
    let mut managed = oidc::managed_roles(&gateway.app, &insider).await?;
    let view = |(member, user): (Member, User)| {
        let label = managed.remove(&member.user_id);
        MemberView::from((member, user)).managed_by(label)
    };
    let items = items.into_iter().map(view).collect();
    Ok(Json(MembersResponse { items, has_more }))
}

/// Change the role of a member. For admins; only owners add and change owners.
///
/// The last admin, and the last owner, keep their role. A role that an identity provider manages is changed there.
#[utoipa::path(patch, path = "/v1/members/{id}", operation_id = "member_update", tag = "members",
    params(("id" = String, Path, description = "The member's user id")),
    request_body = UpdateMemberRequest,
    responses((status = 200, description = "The member", body = MemberView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(user_id): PathId<UserId>,
    Json(request): Json<UpdateMemberRequest>,
) -> Answer<Json<MemberView>> {
    let role = request.role.into();
    let member = members::set_role(&gateway.app, &admin, &user_id, role).await?;
    Ok(Json(member.into()))
}
