//! The schemas of actions, grants, connectors and webhooks: references resolve, requests are closed, and
//! the bounds written beside members are those of `domain::limits`.

use domain::limits;
use serde_json::Value;
use utoipa::OpenApi;
use wire::{
    action::{
        ApproveRequest, ApproveResponse, AvailableActions, DenyRequest, GuideResponse,
        InboxResponse, InvocationList, InvocationResponse, InvokeRequest, InvokeResponse,
    },
    connector::{
        ConnectorList, CreateConnectorRequest, UpdateConnectorRequest, ValidateConnectorRequest,
        ValidateConnectorResponse,
    },
    grant::{
        BacktestResponse, CreateGrantRequest, GrantList, GrantRequestResponse, GrantRequestView,
        GrantView, RefuseGrantRequest, RequestGrantRequest,
    },
    page::Page,
    webhook::{
        CreateWebhookRequest, CreateWebhookResponse, UpdateWebhookRequest, WebhookDeliveryView,
        WebhookView,
    },
};

#[derive(OpenApi)]
#[openapi(components(schemas(
    AvailableActions, GuideResponse, InvokeRequest, InvokeResponse, InvocationList, InvocationResponse,
    ApproveRequest, ApproveResponse, DenyRequest, InboxResponse,
    CreateGrantRequest, GrantList, GrantView, Page<GrantView>, BacktestResponse,
    RequestGrantRequest, RefuseGrantRequest, GrantRequestResponse, Page<GrantRequestView>,
    ConnectorList, CreateConnectorRequest, UpdateConnectorRequest, ValidateConnectorRequest,
    ValidateConnectorResponse,
    CreateWebhookRequest, UpdateWebhookRequest, CreateWebhookResponse, Page<WebhookView>,
    WebhookDeliveryView, Page<WebhookDeliveryView>,
)))]
struct Shapes;

fn schemas() -> Value {
    serde_json::to_value(Shapes::openapi()).expect("a document is JSON")["components"]["schemas"]
        .take()
}

#[test]
fn every_reference_resolves() {
    let schemas = schemas();
    let text = schemas.to_string();
    let mut references = 0;
    for part in text.split("\"#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(
            schemas.get(name).is_some(),
            "{name} is referred to and missing"
        );
        references += 1;
    }
    assert!(references > 30, "{references}");
}

#[test]
fn requests_are_closed_and_described() {
    let nested = [
        "ConnectorConfig",
        "ConnectorList",
        "GrantTerms",
        "Predicate",
        "RiskPolicy",
    ];
    let mut requests = 0;
    for (name, schema) in schemas().as_object().unwrap() {
        assert!(
            schema["description"].is_string(),
            "{name} has no description"
        );
        if name.ends_with("Request") || nested.contains(&name.as_str()) {
            assert_eq!(schema["additionalProperties"], false, "{name}");
            requests += 1;
        }
    }
    assert_eq!(requests, 11 + nested.len());
}

#[test]
fn bounds_are_those_of_the_domain() {
    let calls = limits::GRANT_CALLS_MAX as usize;
    let table = [
        (
            "InvokeRequest.integration maxLength",
            limits::INTEGRATION_NAME_LENGTH_MAX,
        ),
        (
            "InvokeRequest.action maxLength",
            limits::ACTION_NAME_LENGTH_MAX,
        ),
        (
            "CreateGrantRequest.integration maxLength",
            limits::INTEGRATION_NAME_LENGTH_MAX,
        ),
        (
            "CreateGrantRequest.action maxLength",
            limits::ACTION_NAME_LENGTH_MAX,
        ),
        (
            "CreateGrantRequest.predicates maxItems",
            limits::GRANT_PREDICATES_MAX,
        ),
        ("CreateGrantRequest.maxCalls maximum", calls),
        ("RequestGrantRequest.maxCalls maximum", calls),
        ("GrantTerms.maxCalls maximum", calls),
        (
            "Predicate.pointer maxLength",
            limits::PREDICATE_POINTER_LENGTH_MAX,
        ),
        ("Predicate.oneOf maxItems", limits::PREDICATE_VALUES_MAX),
        (
            "Predicate.prefix maxLength",
            limits::PREDICATE_VALUE_BYTES_MAX,
        ),
        ("DenyRequest.reason maxLength", limits::REASON_LENGTH_MAX),
        (
            "RefuseGrantRequest.reason maxLength",
            limits::REASON_LENGTH_MAX,
        ),
        ("ConnectorList.connectors maxItems", limits::CONNECTORS_MAX),
        (
            "CreateConnectorRequest.name maxLength",
            limits::NAME_LENGTH_MAX,
        ),
        (
            "CreateConnectorRequest.url maxLength",
            limits::URL_LENGTH_MAX,
        ),
        ("CreateWebhookRequest.url maxLength", limits::URL_LENGTH_MAX),
    ];
    let schemas = schemas();
    for (place, expected) in table {
        let (member, bound) = place.split_once(' ').unwrap();
        let (schema, member) = member.split_once('.').unwrap();
        let written = &schemas[schema]["properties"][member][bound];
        assert_eq!(written, expected, "{place}");
    }
}

#[test]
fn only_the_answer_to_a_new_webhook_holds_a_secret() {
    let schemas = schemas();
    let holders: Vec<_> = schemas
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, schema)| schema.to_string().contains("schemas/SecretText"))
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(holders, ["CreateWebhookResponse"]);
}
