//! Configurations over HTTP.

use app::{
    access::Insider,
    configurations::{self, ConfigurationDraft},
    connectors::Connector,
};
use axum::{extract::State, http::StatusCode};
use domain::id::ConfigurationId;
use wire::{
    configuration::{
        ConfigurationView, CreateConfigurationRequest, SnapshotView, SnapshotsResponse,
        UpdateConfigurationRequest,
    },
    connector::ConnectorConfig,
    page::{ListQuery, Page},
};

use super::{Answer, connectors::connector};
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{EndProblems, ReadProblems, WriteProblems},
    state::Gateway,
};

/// The organization's configurations, newest first.
#[utoipa::path(get, path = "/v1/configurations", operation_id = "configuration_list",
    tag = "configurations", params(ListQuery),
    responses((status = 200, description = "A page of configurations", body = Page<ConfigurationView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<ConfigurationView>>> {
    let page = configurations::list(&gateway.app, &insider, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Create a configuration.
#[utoipa::path(post, path = "/v1/configurations", operation_id = "configuration_create",
    tag = "configurations", request_body = CreateConfigurationRequest,
    responses((status = 201, description = "The configuration", body = ConfigurationView), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Json(request): Json<CreateConfigurationRequest>,
) -> Answer<(StatusCode, Json<ConfigurationView>)> {
    let repo_ids = request.repo_ids()?;
    let draft = ConfigurationDraft {
        name: request.name,
        notes: request.notes,
        snapshot_id: request.snapshot_id,
        service_commands: convert(request.service_commands),
        env_files: convert(request.env_files),
        budget_micro_usd: request.budget_micro_usd,
        connectors: Some(convert_connectors(request.connectors)),
        repo_ids: Some(repo_ids),
    };
    let configuration = configurations::create(&gateway.app, &insider, draft).await?;
    Ok((StatusCode::CREATED, Json(configuration.into())))
}

/// A configuration.
#[utoipa::path(get, path = "/v1/configurations/{id}", operation_id = "configuration_show",
    tag = "configurations", params(("id" = uuid::Uuid, Path, description = "The configuration")),
    responses((status = 200, description = "The configuration", body = ConfigurationView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<ConfigurationId>,
) -> Answer<Json<ConfigurationView>> {
    Ok(Json(
        configurations::fetch(&gateway.app, &insider, id)
            .await?
            .into(),
    ))
}

/// Change a configuration; a given list replaces the whole list.
#[utoipa::path(patch, path = "/v1/configurations/{id}", operation_id = "configuration_update",
    tag = "configurations", params(("id" = uuid::Uuid, Path, description = "The configuration")),
    request_body = UpdateConfigurationRequest,
    responses((status = 200, description = "The configuration as it is now", body = ConfigurationView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<ConfigurationId>,
    Json(request): Json<UpdateConfigurationRequest>,
) -> Answer<Json<ConfigurationView>> {
    let repo_ids = request.repo_ids()?;
    let change = |draft: ConfigurationDraft| ConfigurationDraft {
        name: request.name.unwrap_or(draft.name),
        notes: request.notes.apply_to(draft.notes),
        snapshot_id: request.snapshot_id.apply_to(draft.snapshot_id),
        service_commands: request
            .service_commands
            .map_or(draft.service_commands, convert),
        env_files: request.env_files.map_or(draft.env_files, convert),
        budget_micro_usd: request.budget_micro_usd.apply_to(draft.budget_micro_usd),
        connectors: request.connectors.map(convert_connectors),
        repo_ids,
    };
    Ok(Json(
        configurations::update(&gateway.app, &insider, id, change)
            .await?
            .into(),
    ))
}

/// The snapshots of a configuration: the one it starts from, and those of its sessions, newest first.
///
/// `PATCH /v1/configurations/{id}` with a `snapshotId` selects another one.
#[utoipa::path(get, path = "/v1/configurations/{id}/snapshots", operation_id = "configuration_snapshots",
    tag = "configurations", params(("id" = uuid::Uuid, Path, description = "The configuration")),
    responses((status = 200, description = "The snapshots", body = SnapshotsResponse), ReadProblems))]
pub(crate) async fn snapshots(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<ConfigurationId>,
) -> Answer<Json<SnapshotsResponse>> {
    let (configuration, snapshots) = configurations::snapshots(&gateway.app, &insider, id).await?;
    let default = configuration.snapshot_id.as_deref();
    let view = |snapshot| snapshot_view(snapshot, default);
    let items = snapshots.into_iter().map(view).collect();
    Ok(Json(SnapshotsResponse { items }))
}

/// `default` is the one that sessions of the configuration start from.
pub(super) fn snapshot_view(snapshot: store::Snapshot, default: Option<&str>) -> SnapshotView {
    SnapshotView {
        is_default: default == Some(snapshot.id.as_str()),
        id: snapshot.id,
        provider: snapshot.provider,
        session_id: snapshot.session_id.uuid(),
        parent_id: snapshot.parent_id,
        byte_size: snapshot.byte_size,
        depth: snapshot.depth,
        created_at: snapshot.created_at.datetime(),
    }
}

/// Delete a configuration that no session refers to.
#[utoipa::path(delete, path = "/v1/configurations/{id}", operation_id = "configuration_delete",
    tag = "configurations", params(("id" = uuid::Uuid, Path, description = "The configuration")),
    responses((status = 204, description = "It is gone"), EndProblems))]
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<ConfigurationId>,
) -> Answer<StatusCode> {
    configurations::delete(&gateway.app, &insider, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn convert_connectors(connectors: Vec<ConnectorConfig>) -> Vec<Connector> {
    connectors.into_iter().map(connector).collect()
}

fn convert<From, To>(items: Vec<From>) -> Vec<To>
where
    From: Into<To>,
{
    items.into_iter().map(Into::into).collect()
}
