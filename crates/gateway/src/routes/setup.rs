//! The first organization of an installation, made through a setup link.

use app::{
    organizations::{NewOrganization, NewOwner},
    setup::{self, SetupInspection},
};
use axum::{
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use wire::{
    me::Me,
    problem::Code,
    setup::{InspectSetupRequest, SetupLinkView, SetupRequest},
};

use super::{Answer, login::with_cookie, me};
use crate::{
    error::Failure,
    extract::{Json, csrf},
    openapi::{SetupInspectProblems, SetupProblems},
    state::Gateway,
};

/// Whether a setup link can be used, and if not, why.
#[utoipa::path(post, path = "/v1/setup/inspect", operation_id = "setup_inspect", tag = "identity", security(()),
    request_body = InspectSetupRequest,
    responses((status = 200, description = "Whether it can be used", body = SetupLinkView), SetupInspectProblems))]
pub(crate) async fn inspect(
    State(gateway): State<Gateway>,
    Json(request): Json<InspectSetupRequest>,
) -> Answer<Json<SetupLinkView>> {
    let inspection = setup::inspect(&gateway.app, request.code.expose()).await?;
    Ok(Json(match inspection {
        SetupInspection::Valid { until } => SetupLinkView {
            valid: true,
            expires_at: Some(until.datetime()),
            reason: None,
        },
        SetupInspection::Invalid(reason) => SetupLinkView {
            valid: false,
            expires_at: None,
            reason: Some(reason.to_owned()),
        },
    }))
}

/// Make the first organization of this installation with its owner, and log the owner in.
///
/// Uses the link up. The admins of the organization operate the installation, unless the setting `fleet.operators` names
/// others. The cookie is that of `POST /v1/login`.
#[utoipa::path(post, path = "/v1/setup", operation_id = "setup", tag = "identity", security(()),
    request_body = SetupRequest,
    responses((status = 200, description = "Who is logged in", body = Me), SetupProblems))]
pub(crate) async fn set_up(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
    Json(request): Json<SetupRequest>,
) -> Answer<Response> {
    if !csrf::is_own_page(&headers, &gateway.own_url) {
        let detail = "a page of another origin cannot set this installation up";
        return Err(Failure::new(Code::Forbidden, detail));
    }
    let replaced = gateway.login_cookie().find(&headers);
    let new = NewOrganization {
        name: request.organization_name,
        owner: NewOwner {
            name: request.owner_name,
            email: request.owner_email,
        },
    };
    let logged_in = setup::set_up(&gateway.app, request.code.expose(), &new, replaced).await?;
    let me = me::describe_caller(&gateway, &logged_in.caller).await?;
    Ok(with_cookie(&gateway, &logged_in, Json(me).into_response()))
}
