//! Webhooks over HTTP; all of it is for admins.

use app::{
    access::Admin,
    webhooks::{self, NewWebhook, WebhookChange},
};
use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    id::{DeliveryId, WebhookId},
    notice::NoticeKind,
};
use secrecy::ExposeSecret as _;
use wire::{
    page::{ListQuery, Page},
    problem::Code,
    secret_text::SecretText,
    webhook::{
        CreateWebhookRequest, CreateWebhookResponse, DeliveryListQuery,
        RotateWebhookSecretResponse, TestWebhookResponse, UpdateWebhookRequest,
        WebhookDeliveryView, WebhookEvent, WebhookView,
    },
};

use super::Answer;
use crate::{
    error::Failure,
    extract::{Auth, Json, PathId, Query},
    openapi::{EndProblems, ReadProblems, WriteProblems},
    state::Gateway,
};

/// The organization's webhooks, newest first. For admins.
#[utoipa::path(get, path = "/v1/webhooks", operation_id = "webhook_list", tag = "webhooks",
    params(ListQuery),
    responses((status = 200, description = "A page of webhooks", body = Page<WebhookView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<WebhookView>>> {
    let page = webhooks::list(&gateway.app, &admin, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Add a webhook. Only this response shows its secret. For admins.
#[utoipa::path(post, path = "/v1/webhooks", operation_id = "webhook_create", tag = "webhooks",
    request_body = CreateWebhookRequest,
    responses((status = 201, description = "The webhook and its secret", body = CreateWebhookResponse), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<CreateWebhookRequest>,
) -> Answer<(StatusCode, Json<CreateWebhookResponse>)> {
    let new = NewWebhook {
        url: request.url,
        events: request.events.map(kinds),
    };
    let (webhook, secret) = webhooks::create(&gateway.app, &admin, new).await?;
    let response = CreateWebhookResponse {
        webhook: webhook.into(),
        secret: SecretText::new(secret.expose_secret()),
    };
    Ok((StatusCode::CREATED, Json(response)))
}

/// A webhook, and whether its receiver accepts deliveries. For admins.
#[utoipa::path(get, path = "/v1/webhooks/{id}", operation_id = "webhook_show", tag = "webhooks",
    params(("id" = uuid::Uuid, Path, description = "The webhook")),
    responses((status = 200, description = "The webhook", body = WebhookView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<WebhookId>,
) -> Answer<Json<WebhookView>> {
    Ok(Json(
        webhooks::fetch(&gateway.app, &admin, id).await?.into(),
    ))
}

/// Change a webhook's URL, its events, or whether it is enabled. For admins.
#[utoipa::path(patch, path = "/v1/webhooks/{id}", operation_id = "webhook_update", tag = "webhooks",
    params(("id" = uuid::Uuid, Path, description = "The webhook")),
    request_body = UpdateWebhookRequest,
    responses((status = 200, description = "The webhook as it is now", body = WebhookView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<WebhookId>,
    Json(request): Json<UpdateWebhookRequest>,
) -> Answer<Json<WebhookView>> {
    let change = WebhookChange {
        url: request.url,
        events: request.events.map(kinds),
        enabled: request.enabled,
    };
    let webhook = webhooks::update(&gateway.app, &admin, id, change).await?;
    Ok(Json(webhook.into()))
}

/// Remove a webhook and its log. For admins.
#[utoipa::path(delete, path = "/v1/webhooks/{id}", operation_id = "webhook_delete", tag = "webhooks",
    params(("id" = uuid::Uuid, Path, description = "The webhook")),
    responses((status = 204, description = "It is gone"), ReadProblems))]
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<WebhookId>,
) -> Answer<StatusCode> {
    webhooks::delete(&gateway.app, &admin, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Replace a webhook's secret. Only this response shows the new one; deliveries are also signed with the
/// previous one for a day. For admins.
#[utoipa::path(post, path = "/v1/webhooks/{id}/rotate-secret", operation_id = "webhook_rotate",
    tag = "webhooks", params(("id" = uuid::Uuid, Path, description = "The webhook")),
    responses((status = 200, description = "The webhook and its new secret", body = RotateWebhookSecretResponse), ReadProblems))]
pub(crate) async fn rotate(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<WebhookId>,
) -> Answer<Json<RotateWebhookSecretResponse>> {
    let (webhook, secret) = webhooks::rotate(&gateway.app, &admin, id).await?;
    Ok(Json(RotateWebhookSecretResponse {
        webhook: webhook.into(),
        secret: SecretText::new(secret.expose_secret()),
    }))
}

/// Send a signed `ping` now and return the result. It is not retried and not logged. For admins.
#[utoipa::path(post, path = "/v1/webhooks/{id}/test", operation_id = "webhook_test", tag = "webhooks",
    params(("id" = uuid::Uuid, Path, description = "The webhook")),
    responses((status = 200, description = "The result, accepted or not", body = TestWebhookResponse), ReadProblems))]
pub(crate) async fn test(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<WebhookId>,
) -> Answer<Json<TestWebhookResponse>> {
    let pinged = webhooks::test(&gateway.app, &admin, id).await?;
    Ok(Json(TestWebhookResponse {
        id: pinged.id.uuid(),
        accepted: pinged.accepted,
        response_status: pinged.response_status,
        error: pinged.error,
        duration_ms: u64::try_from(pinged.duration.as_millis()).unwrap_or(u64::MAX),
    }))
}

/// The deliveries of a webhook, newest first, and their results. For admins.
#[utoipa::path(get, path = "/v1/webhooks/{id}/deliveries", operation_id = "webhook_delivery_list",
    tag = "webhooks",
    params(("id" = uuid::Uuid, Path, description = "The webhook"), DeliveryListQuery),
    responses((status = 200, description = "A page of deliveries", body = Page<WebhookDeliveryView>), ReadProblems))]
pub(crate) async fn deliveries(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<WebhookId>,
    Query(query): Query<DeliveryListQuery>,
) -> Answer<Json<Page<WebhookDeliveryView>>> {
    let status = query.status.map(Into::into);
    let page = query.page_request()?;
    let page = webhooks::deliveries(&gateway.app, &admin, id, status, page).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Send a finished delivery again, accepted or not, under the same id. For admins.
#[utoipa::path(post, path = "/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver",
    operation_id = "webhook_delivery_redeliver", tag = "webhooks",
    params(("id" = uuid::Uuid, Path, description = "The webhook"),
        ("deliveryId" = uuid::Uuid, Path, description = "The delivery")),
    responses((status = 200, description = "The delivery, to be sent", body = WebhookDeliveryView), EndProblems))]
pub(crate) async fn redeliver(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Path((id, delivery_id)): Path<(String, String)>,
) -> Answer<Json<WebhookDeliveryView>> {
    let nothing = || Failure::new(Code::NotFound, "there is nothing with this id");
    let id: WebhookId = id.parse().map_err(|_| nothing())?;
    let delivery_id: DeliveryId = delivery_id.parse().map_err(|_| nothing())?;
    let delivery = webhooks::redeliver(&gateway.app, &admin, id, delivery_id).await?;
    Ok(Json(delivery.into()))
}

fn kinds(events: Vec<WebhookEvent>) -> Vec<NoticeKind> {
    events.into_iter().map(Into::into).collect()
}
