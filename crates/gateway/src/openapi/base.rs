//! The parts of the OpenAPI document that no single route owns.

use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use wire::{
    audit::{AuditActionType, AuditOutcome},
    job::JobView,
    model_usage::ModelErrorView,
    problem::Problem,
    record::CaseRecordView,
    session::SessionSummary,
};

/// Title, tags, credentials and the schemas that no route refers to.
#[derive(Debug, OpenApi)]
#[openapi(
    info(
        title = "Proliferate",
        description = "The gateway between coding agents and the world. Every error is a problem \
                       document (RFC 9457) with a stable `code`; `GET /errors/{code}` explains it. A \
                       call of a tool that is denied or fails is answered in the contract's words, and the \
                       routes under `/llm` in the words of the provider's API.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    // Schemas that no route's body refers to.
    components(schemas(
        Problem,
        CaseRecordView,
        JobView,
        SessionSummary,
        AuditActionType,
        AuditOutcome,
        ModelErrorView
    )),
    security(("bearer" = [])),
    modifiers(&Bearer),
    tags(
        (name = "sessions", description = "Agents working in their sandboxes"),
        (name = "sharing", description = "Which members see a session, and links to its transcript"),
        (name = "tool-calls", description = "Calls of tools, decided by policy and recorded"),
        (name = "models", description = "The models of sessions: requests, usage and budgets"),
        (name = "configurations", description = "What sessions start from"),
        (name = "repos", description = "Code repositories"),
        (name = "git", description = "Repositories of sessions: access from sandboxes, and changes"),
        (name = "secrets", description = "Values that become environment variables; never read back"),
        (name = "live", description = "Live sessions: send prompts to the agent, stop it, watch it"),
        (name = "callbacks", description = "Tools that agents call from their sandboxes and that run in the gateway"),
        (name = "actions", description = "What agents do in outside services, and who allowed it"),
        (name = "grants", description = "Advance approvals of writes"),
        (name = "integrations", description = "Connections to outside services"),
        (name = "connectors", description = "MCP servers of your own choice"),
        (name = "api-keys", description = "Keys for programs"),
        (name = "automations", description = "Tasks that agents work on without a user, and their results"),
        (name = "webhooks", description = "Notifications of an organization about its actions"),
        (name = "cases", description = "What work belongs to, and its members"),
        (name = "artifacts", description = "Stored bytes of a case or a session"),
        (name = "audit", description = "What was done, and the proof of it"),
        (name = "policy", description = "The policy, and what it would decide"),
        (name = "locks", description = "The organization's safety lock, and emergency access"),
        (name = "organizations", description = "Organizations: their names and states"),
        (name = "members", description = "Who belongs to the organization"),
        (name = "identity", description = "Who you are, and logging in"),
        (name = "operations", description = "Health, metrics and documentation"),
    )
)]
pub(crate) struct Base;

#[derive(Debug)]
struct Bearer;

impl Modify for Bearer {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "A user or service token, an API key (`pk_...`) or a sandbox token (`sbx_...`). A \
                 browser that is logged in (`POST /v1/login`) is known by a cookie instead.",
            ))
            .build();
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}
