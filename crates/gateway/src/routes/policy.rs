//! The policy in force, and its differences from earlier ones. Read-only: a policy is changed by its files.

use app::{
    access::Insider,
    policy::{self, ChangeKind, Policy, PolicyChange, PolicyQuestion},
};
use axum::extract::State;
use wire::policy::{
    FailedCheckView, PolicyChangeView, PolicyDiffQuery, PolicyDiffResponse, PolicyFieldView,
    PolicyVersionView, PolicyVersionsResponse, PolicyView, WayView, WhoCanQuery, WhoCanResponse,
    WhyRequest, WhyResponse,
};

use super::Answer;
use crate::{
    extract::{Auth, Json, Query},
    openapi::{AskProblems, ReadProblems},
    state::Gateway,
};

/// The policy in force: lanes, roles and tools, with the pins of its files.
#[utoipa::path(get, path = "/v1/policy", operation_id = "policy_show", tag = "policy",
    responses((status = 200, description = "The policy", body = PolicyView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(_): Auth<Insider>,
) -> Answer<Json<PolicyView>> {
    let policy = gateway.app.policy.current();
    Ok(Json(view(&policy)))
}

/// Which roles may call a tool, and in which lanes.
#[utoipa::path(get, path = "/v1/policy/who-can", operation_id = "policy_who_can", tag = "policy",
    params(WhoCanQuery),
    responses((status = 200, description = "The lanes and roles that may call it", body = WhoCanResponse), ReadProblems))]
pub(crate) async fn who_can(
    State(gateway): State<Gateway>,
    Auth(_): Auth<Insider>,
    Query(query): Query<WhoCanQuery>,
) -> Answer<Json<WhoCanResponse>> {
    let operation = query.tool()?;
    let policy = gateway.app.policy.current();
    let tool = policy.tool(&operation);
    let enabled = tool.ok_or(app::Error::NotFound("tool"))?.enabled;
    let ways = policy::who_can(&policy, &operation).into_iter();
    let way = |way: policy::LaneAccess<'_>| WayView {
        lane: way.lane.id.to_string(),
        role: way.role.id.to_string(),
        requires: way.lane.requires.iter().map(ToString::to_string).collect(),
    };
    Ok(Json(WhoCanResponse {
        enabled,
        ways: ways.map(way).collect(),
        tool: operation.to_string(),
    }))
}

/// Whether a call would be permitted, and every check that would fail.
///
/// Nothing is called. Everything that would be looked up is assumed to be valid: the run, the scope values.
#[utoipa::path(post, path = "/v1/policy/why", operation_id = "policy_why", tag = "policy",
    request_body = WhyRequest,
    responses((status = 200, description = "What the policy says", body = WhyResponse), AskProblems))]
pub(crate) async fn why(
    State(gateway): State<Gateway>,
    Auth(_): Auth<Insider>,
    Json(request): Json<WhyRequest>,
) -> Answer<Json<WhyResponse>> {
    let question = PolicyQuestion {
        role: request.role()?,
        lane: request.lane()?,
        operation: request.tool()?,
        write: request.write()?,
        scope: request.scope()?,
    };
    let answer = policy::why(&gateway.app.policy.current(), &question);
    let failed = answer.failed.iter().map(|check| FailedCheckView {
        rule: check.rule.to_string(),
        meaning: check.meaning.to_owned(),
    });
    Ok(Json(WhyResponse {
        allowed: answer.allowed,
        rule: answer.rule.map(|rule| rule.to_string()),
        failed: failed.collect(),
    }))
}

/// The policies in use over time: the one in force, then earlier ones, newest first; a hundred at
/// most.
#[utoipa::path(get, path = "/v1/policy/versions", operation_id = "policy_versions", tag = "policy",
    responses((status = 200, description = "The policies", body = PolicyVersionsResponse), ReadProblems))]
pub(crate) async fn versions(
    State(gateway): State<Gateway>,
    Auth(_): Auth<Insider>,
) -> Answer<Json<PolicyVersionsResponse>> {
    let items = policy::versions(&gateway.app).await?;
    let item = |version: policy::PolicyVersion| PolicyVersionView {
        id: version.id,
        first_used_at: version.first_used_at.datetime(),
        current: version.current,
        lanes_sha256: version.lanes_sha256,
        roles_sha256: version.roles_sha256,
        tools_sha256: version.tools_sha256,
    };
    let items = items.into_iter().map(item).collect();
    Ok(Json(PolicyVersionsResponse { items }))
}

/// The differences between two policies.
#[utoipa::path(get, path = "/v1/policy/diff", operation_id = "policy_diff", tag = "policy",
    params(PolicyDiffQuery),
    responses((status = 200, description = "What differs", body = PolicyDiffResponse), ReadProblems))]
pub(crate) async fn diff(
    State(gateway): State<Gateway>,
    Auth(_): Auth<Insider>,
    Query(query): Query<PolicyDiffQuery>,
) -> Answer<Json<PolicyDiffResponse>> {
    let old = policy::version(&gateway.app, &query.from).await?;
    let new = match &query.to {
        Some(id) => policy::version(&gateway.app, id).await?,
        None => gateway.app.policy.current(),
    };
    let changes = policy::diff(&old, &new).changes.into_iter();
    let changes = changes.map(change).collect();
    Ok(Json(PolicyDiffResponse { changes }))
}

fn view(policy: &Policy) -> PolicyView {
    let snapshot = policy.snapshot();
    PolicyView {
        id: policy.id().as_str().to_owned(),
        pins: policy.versions().into(),
        lanes: snapshot.lanes().map(Into::into).collect(),
        roles: snapshot.roles().map(Into::into).collect(),
        tools: policy.tools().map(Into::into).collect(),
    }
}

fn change(change: PolicyChange) -> PolicyChangeView {
    let (word, fields) = match change.what {
        ChangeKind::Added => ("added", Vec::new()),
        ChangeKind::Removed => ("removed", Vec::new()),
        ChangeKind::Changed(fields) => ("changed", fields),
    };
    let fields = fields.into_iter().map(|field| PolicyFieldView {
        field: field.field.to_owned(),
        removed: field.removed,
        added: field.added,
    });
    PolicyChangeView {
        kind: change.kind.to_string(),
        name: change.name,
        change: word.to_owned(),
        fields: fields.collect(),
    }
}
