//! The schemas that become the OpenAPI document: every reference resolves, requests are closed, and
//! the bounds written beside members (attributes take only literals) are those of `domain::limits`.

use domain::limits;
use serde_json::{Value, json};
use utoipa::OpenApi;
use wire::{
    action::{
        ApproveRequest, ApproveResponse, AvailableActions, DenyRequest, GuideResponse,
        InboxResponse, InvocationList, InvocationResponse, InvokeRequest, InvokeResponse,
    },
    api_key::{ApiKeyView, CreateApiKeyRequest, CreateApiKeyResponse},
    configuration::{ConfigurationView, CreateConfigurationRequest, UpdateConfigurationRequest},
    connector::{
        ConnectorList, ConnectorPresetList, ConnectorView, CreateConnectorRequest,
        ReviewConnectorRequest, UpdateConnectorRequest, ValidateConnectorRequest,
        ValidateConnectorResponse,
    },
    grant::{
        BacktestResponse, CreateGrantRequest, GrantList, GrantRequestResponse, GrantRequestView,
        GrantView, RefuseGrantRequest, RequestGrantRequest,
    },
    health::{Health, Ready},
    integration::{
        ConnectIntegrationRequest, ConnectIntegrationResponse, CreateIntegrationRequest,
        IntegrationView, UpdateIntegrationRequest,
    },
    me::Me,
    model::ModelList,
    page::Page,
    problem::Problem,
    repo::{CreateRepoRequest, RepoView, UpdateRepoRequest},
    secret::{
        CheckSecretsRequest, CreateSecretRequest, ImportSecretsRequest, ImportSecretsResponse,
        SecretCheck, SecretView, UpdateSecretRequest,
    },
    session::{
        CreateSessionRequest, CreateSessionResponse, SessionDetail, SessionStatusResponse,
        SessionView, UpdateSessionRequest,
    },
    webhook::{
        CreateWebhookRequest, CreateWebhookResponse, RotateWebhookSecretResponse,
        TestWebhookResponse, UpdateWebhookRequest, WebhookDeliveryView, WebhookView,
    },
};

#[derive(OpenApi)]
#[openapi(components(schemas(
    Problem, Health, Ready, Me, ModelList,
    CreateSessionRequest, CreateSessionResponse, UpdateSessionRequest, SessionStatusResponse,
    SessionDetail, Page<SessionView>,
    CreateConfigurationRequest, UpdateConfigurationRequest, ConfigurationView, Page<ConfigurationView>,
    CreateRepoRequest, UpdateRepoRequest, RepoView, Page<RepoView>,
    CreateSecretRequest, UpdateSecretRequest, ImportSecretsRequest, ImportSecretsResponse,
    CheckSecretsRequest, SecretCheck, SecretView, Page<SecretView>,
    CreateIntegrationRequest, UpdateIntegrationRequest, IntegrationView, Page<IntegrationView>,
    ConnectIntegrationRequest, ConnectIntegrationResponse,
    CreateApiKeyRequest, CreateApiKeyResponse, Page<ApiKeyView>,
    AvailableActions, GuideResponse, InvokeRequest, InvokeResponse, InvocationList, InvocationResponse,
    ApproveRequest, ApproveResponse, DenyRequest, InboxResponse,
    CreateGrantRequest, GrantList, GrantView, Page<GrantView>, BacktestResponse,
    RequestGrantRequest, RefuseGrantRequest, GrantRequestResponse, Page<GrantRequestView>,
    ConnectorList, CreateConnectorRequest, UpdateConnectorRequest, ValidateConnectorRequest,
    ValidateConnectorResponse, ReviewConnectorRequest, ConnectorView, Page<ConnectorView>,
    ConnectorPresetList,
    CreateWebhookRequest, UpdateWebhookRequest, CreateWebhookResponse, Page<WebhookView>,
    WebhookDeliveryView, Page<WebhookDeliveryView>, RotateWebhookSecretResponse, TestWebhookResponse,
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
    assert!(references > 80, "{references}");
}

#[test]
fn requests_are_closed_and_described() {
    let schemas = schemas();
    let nested = [
        "AcceptedTool",
        "CliConfiguration",
        "ConnectorConfig",
        "ConnectorList",
        "EnvFile",
        "EnvFileKey",
        "GrantTerms",
        "ManagedConfiguration",
        "Predicate",
        "RiskPolicy",
        "SecretScope",
        "ServiceCommand",
        "SshOptions",
    ];
    let mut requests = 0;
    for (name, schema) in schemas.as_object().unwrap() {
        assert!(
            schema["description"].is_string(),
            "{name} has no description"
        );
        if name.ends_with("Request") || nested.contains(&name.as_str()) {
            assert_eq!(schema["additionalProperties"], false, "{name}");
            requests += 1;
        }
    }
    assert_eq!(requests, 29 + nested.len());
}

#[test]
fn bounds_are_those_of_the_domain() {
    let seconds = usize::try_from(limits::TOKEN_TTL_MAX.as_secs()).unwrap();
    check_bounds(&[
        ("Problem.detail maxLength", limits::ERROR_MESSAGE_LENGTH_MAX),
        ("ServiceCommand.name maxLength", limits::NAME_LENGTH_MAX),
        (
            "ServiceCommand.command maxLength",
            limits::SERVICE_COMMAND_LENGTH_MAX,
        ),
        ("ServiceCommand.cwd maxLength", limits::PATH_LENGTH_MAX),
        ("EnvFile.path maxLength", limits::PATH_LENGTH_MAX),
        ("EnvFile.keys maxItems", limits::ENV_FILE_KEYS_MAX),
        ("EnvFileKey.key maxLength", limits::SECRET_KEY_LENGTH_MAX),
        (
            "CreateConfigurationRequest.name maxLength",
            limits::NAME_LENGTH_MAX,
        ),
        (
            "CreateConfigurationRequest.notes maxLength",
            limits::NOTES_LENGTH_MAX,
        ),
        (
            "CreateConfigurationRequest.repoIds maxItems",
            limits::CONFIGURATION_REPOS_MAX,
        ),
        (
            "CreateConfigurationRequest.serviceCommands maxItems",
            limits::SERVICE_COMMANDS_MAX,
        ),
        (
            "CreateConfigurationRequest.envFiles maxItems",
            limits::ENV_FILES_MAX,
        ),
        (
            "CreateConfigurationRequest.connectors maxItems",
            limits::CONNECTORS_MAX,
        ),
        (
            "UpdateConfigurationRequest.notes maxLength",
            limits::NOTES_LENGTH_MAX,
        ),
        (
            "UpdateConfigurationRequest.connectors maxItems",
            limits::CONNECTORS_MAX,
        ),
        (
            "ManagedConfiguration.repoIds maxItems",
            limits::CONFIGURATION_REPOS_MAX,
        ),
        ("CreateRepoRequest.url maxLength", limits::URL_LENGTH_MAX),
        (
            "CreateSecretRequest.key maxLength",
            limits::SECRET_KEY_LENGTH_MAX,
        ),
        (
            "CheckSecretsRequest.keys maxItems",
            limits::ENV_IMPORT_KEYS_MAX,
        ),
        (
            "CreateIntegrationRequest.displayName maxLength",
            limits::NAME_LENGTH_MAX,
        ),
        (
            "CreateApiKeyRequest.name maxLength",
            limits::NAME_LENGTH_MAX,
        ),
        ("CreateApiKeyRequest.expiresInSeconds maximum", seconds),
        (
            "CreateSessionRequest.initialPrompt maxLength",
            limits::PROMPT_LENGTH_MAX,
        ),
        (
            "CreateSessionRequest.systemPrompt maxLength",
            limits::PROMPT_LENGTH_MAX,
        ),
        (
            "CreateSessionRequest.title maxLength",
            limits::TITLE_LENGTH_MAX,
        ),
        (
            "CreateSessionRequest.integrationIds maxItems",
            limits::SESSION_INTEGRATIONS_MAX,
        ),
        (
            "UpdateSessionRequest.title maxLength",
            limits::TITLE_LENGTH_MAX,
        ),
        ("AgentConfigRequest.tools maxItems", limits::AGENT_TOOLS_MAX),
        ("SshOptions.publicKeys maxItems", limits::SSH_KEYS_MAX),
    ]);
}

#[test]
fn bounds_of_actions_are_those_of_the_domain() {
    let calls = limits::GRANT_CALLS_MAX as usize;
    check_bounds(&[
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
            "ReviewConnectorRequest.tools maxItems",
            limits::CONNECTOR_TOOLS_MAX,
        ),
        (
            "CreateConnectorRequest.name maxLength",
            limits::NAME_LENGTH_MAX,
        ),
        (
            "CreateConnectorRequest.url maxLength",
            limits::URL_LENGTH_MAX,
        ),
        ("CreateWebhookRequest.url maxLength", limits::URL_LENGTH_MAX),
    ]);
}

fn check_bounds(table: &[(&str, usize)]) {
    let schemas = schemas();
    for (place, expected) in table {
        let (member, bound) = place.split_once(' ').expect("a member and its bound");
        let (schema, member) = member.split_once('.').expect("a schema and its member");
        let written = &schemas[schema]["properties"][member][bound];
        assert_eq!(written, *expected, "{place}");
    }
}

#[test]
fn enums_are_written_as_they_are_sent() {
    let schemas = schemas();
    let written = |name: &str| schemas[name]["enum"].clone();
    assert_eq!(
        written("ClientType"),
        json!(["web", "slack", "cli", "automation"])
    );
    assert_eq!(
        written("IntegrationProvider"),
        json!(["static", "oauth2", "github-app"])
    );
    assert_eq!(written("ReadyStatus"), json!(["ready", "not_ready"]));
    for (name, schema) in schemas.as_object().unwrap() {
        for text in schema["enum"].as_array().into_iter().flatten() {
            let text = text.as_str().unwrap();
            let lower = text.chars().all(|c| !c.is_ascii_uppercase());
            assert!(lower || name == "ProblemCode", "{name}: {text}");
        }
    }
}

#[test]
fn pages_refer_to_their_entries() {
    let schemas = schemas();
    for name in [
        "SessionView",
        "ConfigurationView",
        "RepoView",
        "SecretView",
        "ApiKeyView",
    ] {
        let entry = &schemas[format!("Page_{name}")]["properties"]["items"]["items"];
        assert_eq!(
            *entry,
            json!({"$ref": format!("#/components/schemas/{name}")})
        );
    }
}

#[test]
fn no_answer_has_a_member_for_a_secret_but_a_new_api_key_or_webhook() {
    let schemas = schemas();
    let holders: Vec<_> = schemas
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, schema)| schema.to_string().contains("schemas/SecretText"))
        .map(|(name, _)| name.as_str())
        .filter(|name| !name.ends_with("Request"))
        .collect();
    assert_eq!(
        holders,
        [
            "CreateApiKeyResponse",
            "CreateWebhookResponse",
            "RotateWebhookSecretResponse",
            "SshOptions"
        ]
    );
}
