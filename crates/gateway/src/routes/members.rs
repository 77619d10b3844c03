//! Members of the organization.

use app::{
    access::{Admin, Insider, Person},
    identity::oidc,
    members::{self, Removal},
};
use axum::extract::State;
use domain::{
    Invalid,
    id::UserId,
    organization::{Member, User},
};
use wire::member::{
    MemberView, MembersResponse, RemoveMemberQuery, RemovedMemberView, UpdateMemberRequest,
};

use super::Answer;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{EndProblems, ReadProblems, WriteProblems},
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

/// Remove a member, or leave the organization. Admins remove members, owners also owners.
///
/// Sessions and automations of the member go to the successor. Logins, API keys and codes of the member end at once,
/// invitations that they made are revoked, and open streams end within seconds. The last admin, and the last owner, stay.
#[utoipa::path(delete, path = "/v1/members/{id}", operation_id = "member_remove", tag = "members",
    params(("id" = String, Path, description = "The member's user id"), RemoveMemberQuery),
    responses((status = 200, description = "What went to whom", body = RemovedMemberView), EndProblems))]
pub(crate) async fn remove(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    PathId(user_id): PathId<UserId>,
    Query(query): Query<RemoveMemberQuery>,
) -> Answer<Json<RemovedMemberView>> {
    let successor = query.successor.map(|id| {
        let message = "must be the user id of a member";
        UserId::new(id).map_err(|_| Invalid::new("successor", message))
    });
    let removal = Removal {
        successor: successor.transpose()?,
        erase: query.erase,
    };
    let removed = members::remove(&gateway.app, &person, &user_id, removal).await?;
    Ok(Json(RemovedMemberView {
        successor: removed.successor.to_string(),
        sessions: removed.succession.sessions,
        automations: removed.succession.automations,
        is_erased: removed.is_erased,
    }))
}
