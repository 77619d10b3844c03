//! The actions of a session.

use app::actions::{
    self, IntegrationOffer, OfferedAction, Param, ParamType, UnreachableIntegration,
};
use axum::extract::{Path, State};
use domain::{caller::Caller, id::SessionId};
use wire::{
    action::{
        ActionParam, ActionParamType, ActionView, AvailableActions, AvailableIntegration,
        GuideResponse, UnavailableIntegration,
    },
    problem::Code,
};

use crate::{
    error::Failure,
    extract::{Auth, Json, PathId},
    openapi::{GuideProblems, ReadProblems},
    routes::Answer,
    state::Gateway,
};

/// The actions of the session: connected services with their actions, and those that do not
/// respond.
#[utoipa::path(get, path = "/proliferate/{id}/actions/available", operation_id = "action_available",
    tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "What is there", body = AvailableActions), ReadProblems))]
pub(crate) async fn available(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(session): PathId<SessionId>,
) -> Answer<Json<AvailableActions>> {
    let found = actions::available(&gateway.app, &caller, session).await?;
    Ok(Json(AvailableActions {
        integrations: found.offers.into_iter().map(offer).collect(),
        unavailable: found.unreachable.into_iter().map(silent).collect(),
    }))
}

/// How to use a service, in Markdown.
#[utoipa::path(get, path = "/proliferate/{id}/actions/guide/{integration}",
    operation_id = "action_guide", tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("integration" = String, Path, description = "A name of the list of available actions")),
    responses((status = 200, description = "The guide", body = GuideResponse), GuideProblems))]
pub(crate) async fn guide(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    Path((session, integration)): Path<(String, String)>,
) -> Answer<Json<GuideResponse>> {
    let unknown = || Failure::new(Code::NotFound, "there is no such integration");
    let session: SessionId = session
        .parse()
        .map_err(|_| Failure::new(Code::NotFound, "there is no such session"))?;
    let name = integration.parse().map_err(|_| unknown())?;
    let guide = actions::guide(&gateway.app, &caller, session, &name).await?;
    Ok(Json(GuideResponse { integration, guide }))
}

fn offer(offer: IntegrationOffer) -> AvailableIntegration {
    AvailableIntegration {
        integration_id: offer.integration_id.map(domain::id::IntegrationId::uuid),
        integration: offer.integration.to_string(),
        display_name: offer.display_name,
        actions: offer.actions.into_iter().map(action).collect(),
    }
}

fn action(action: OfferedAction) -> ActionView {
    ActionView {
        name: action.name,
        description: action.description,
        risk_level: action.risk.into(),
        params: action.params.into_iter().map(param).collect(),
    }
}

fn param(param: Param) -> ActionParam {
    ActionParam {
        name: param.name,
        param_type: match param.kind {
            ParamType::String => ActionParamType::String,
            ParamType::Number => ActionParamType::Number,
            ParamType::Boolean => ActionParamType::Boolean,
            ParamType::Object => ActionParamType::Object,
        },
        required: param.required,
        description: param.description.unwrap_or_default(),
    }
}

fn silent(silent: UnreachableIntegration) -> UnavailableIntegration {
    UnavailableIntegration {
        integration: silent.integration.to_string(),
        display_name: silent.display_name,
        reason: silent.reason,
    }
}
