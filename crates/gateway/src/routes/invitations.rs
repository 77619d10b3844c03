//! Invitations: admins create, list and revoke them; the holder of a link inspects and accepts one without a credential.

use std::time::Duration;

use app::{
    access::Admin,
    invitations::{self, Acceptance, NewInvitation},
};
use axum::{
    extract::State,
    http::{HeaderMap, Method, StatusCode},
    response::{IntoResponse as _, Response},
};
use domain::{email::EmailAddress, id::InvitationId, login::LoginText};
use wire::{
    invitation::{
        AcceptInvitationRequest, CreateInvitationRequest, CreateInvitationResponse,
        InspectInvitationRequest, InvitationOffer, InvitationView,
    },
    me::Me,
    page::{ListQuery, Page},
    problem::Code,
    secret_text::SecretText,
};

use super::{Answer, login::with_cookie, me};
use crate::{
    error::Failure,
    extract::{Auth, ClientDigest, Json, PathId, PresentedCredential, Query, csrf},
    openapi::{EndProblems, JoinProblems, OfferProblems, ReadProblems, WriteProblems},
    state::Gateway,
};

/// The invitations that were neither accepted nor revoked, newest first. For admins.
#[utoipa::path(get, path = "/v1/invitations", operation_id = "invitation_list", tag = "members",
    params(ListQuery),
    responses((status = 200, description = "A page of invitations", body = Page<InvitationView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<InvitationView>>> {
    let page = invitations::list(&gateway.app, &admin, query.page_request()?).await?;
    let now = gateway.app.now();
    let view = |(invitation, delivery)| InvitationView::at(now, &invitation, delivery);
    Ok(Json(Page {
        items: page.items.into_iter().map(view).collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    }))
}

/// Invite a person. For admins; only an owner invites an owner.
///
/// Only this response has the link. It can be used once. With an address and a mail server, a link of its own is mailed
/// there.
#[utoipa::path(post, path = "/v1/invitations", operation_id = "invitation_create", tag = "members",
    request_body = CreateInvitationRequest,
    responses((status = 201, description = "The invitation", body = CreateInvitationResponse), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<CreateInvitationRequest>,
) -> Answer<(StatusCode, Json<CreateInvitationResponse>)> {
    let email = request.email.as_deref().map(EmailAddress::parse);
    let new = NewInvitation {
        role: request.role.into(),
        email: email.transpose()?,
        life: request.expires_in_seconds.map(Duration::from_secs),
    };
    let link = |code: &LoginText| page_link(&gateway, "/invite", code);
    let created = invitations::create(&gateway.app, &admin, new, link).await?;
    let now = gateway.app.now();
    let response = CreateInvitationResponse {
        link: SecretText::new(page_link(&gateway, "/invite", &created.code)),
        invitation: InvitationView::at(now, &created.invitation, created.delivery),
    };
    Ok((StatusCode::CREATED, Json(response)))
}

/// Revoke an invitation: its link is refused from now on. For admins.
#[utoipa::path(delete, path = "/v1/invitations/{id}", operation_id = "invitation_revoke", tag = "members",
    params(("id" = uuid::Uuid, Path, description = "The invitation's id")),
    responses((status = 200, description = "The invitation as it is now", body = InvitationView), EndProblems))]
pub(crate) async fn revoke(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<InvitationId>,
) -> Answer<Json<InvitationView>> {
    let revoked = invitations::revoke(&gateway.app, &admin, id).await?;
    Ok(Json(InvitationView::at(gateway.app.now(), &revoked, None)))
}

/// What the invitation of a link offers. Needs no credential but the code of the link.
#[utoipa::path(post, path = "/v1/invitations/inspect", operation_id = "invitation_inspect", tag = "members",
    security(()), request_body = InspectInvitationRequest,
    responses((status = 200, description = "The offer", body = InvitationOffer), OfferProblems))]
pub(crate) async fn inspect(
    State(gateway): State<Gateway>,
    client: ClientDigest,
    Json(request): Json<InspectInvitationRequest>,
) -> Answer<Json<InvitationOffer>> {
    let offer = invitations::inspect(&gateway.app, request.code.expose(), client.0);
    let offer = offer.await.map_err(refused)?;
    let invitation = offer.found.invitation;
    Ok(Json(InvitationOffer {
        organization_name: offer.organization.name,
        role: invitation.role.into(),
        expires_at: invitation.expires_at.datetime(),
        is_mailed: offer.found.is_mailed_code,
        email: invitation.email.as_ref().map(EmailAddress::to_string),
    }))
}

/// Accept an invitation: become a member, and log this browser in. Needs no credential but the code of the link.
///
/// With a name, a new user is created. Without name and address, the user whose login the browser has joins. An existing
/// user is signed in only by a link that was mailed to the user's address.
#[utoipa::path(post, path = "/v1/invitations/accept", operation_id = "invitation_accept", tag = "members",
    security(()), request_body = AcceptInvitationRequest,
    responses((status = 200, description = "Who is logged in", body = Me), JoinProblems))]
pub(crate) async fn accept(
    State(gateway): State<Gateway>,
    client: ClientDigest,
    method: Method,
    headers: HeaderMap,
    Json(request): Json<AcceptInvitationRequest>,
) -> Answer<Response> {
    if !csrf::is_own_page(&headers, &gateway.own_url) {
        let detail = "a page of another origin cannot accept an invitation";
        return Err(Failure::new(Code::Forbidden, detail));
    }
    let browser = match PresentedCredential::login(&method, &headers, &gateway)? {
        Some(PresentedCredential::Login(login)) => Some(login),
        _ => None,
    };
    let acceptance = Acceptance {
        code: request.code.expose(),
        name: request.name.as_deref(),
        email: request.email.as_deref(),
    };
    let accepted = invitations::accept(&gateway.app, acceptance, browser, client.0);
    let logged_in = accepted.await.map_err(refused)?;
    let me = me::describe_caller(&gateway, &logged_in.caller).await?;
    Ok(with_cookie(&gateway, &logged_in, Json(me).into_response()))
}

/// A refusal, with what the person can do about it.
fn refused(error: app::Error) -> Failure {
    let failure = Failure::from(error);
    match failure.code {
        Code::Expired => {
            failure.with_hint("Ask an admin of the organization for a new invitation.")
        }
        Code::NotFound => failure.with_hint(
            "Check that the whole link was copied, or ask an admin of the organization for a new invitation.",
        ),
        _ => failure,
    }
}

/// The link to a page of the dashboard, with a code. Behind a `#`, which browsers do not send: no log of a proxy has it.
pub(super) fn page_link(gateway: &Gateway, page: &str, code: &LoginText) -> String {
    let base = gateway.public_url().trim_end_matches('/');
    format!("{base}{page}#code={}", code.expose())
}
