//! The OpenAPI document, built from the routes themselves.

use utoipa::{
    Modify, OpenApi,
    openapi::{
        Ref, RefOr, Response as ResponseDoc, ResponseBuilder,
        content::ContentBuilder,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};
use wire::{
    audit::{AuditActionType, AuditOutcome},
    job::JobView,
    model_usage::ModelErrorView,
    problem::{Code, MEDIA_TYPE, Problem},
    record::CaseRecordView,
    session::SessionSummary,
};

use crate::router::documented;

/// The parts of the document that no single route owns.
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
        (name = "connectors", description = "Tool servers of your own choice"),
        (name = "api-keys", description = "Keys for programs"),
        (name = "automations", description = "Tasks that agents work on without a user, and their results"),
        (name = "webhooks", description = "Notifications of an organization about its actions"),
        (name = "cases", description = "What work belongs to, and its members"),
        (name = "artifacts", description = "Stored bytes of a case or a session"),
        (name = "audit", description = "What was done, and the proof of it"),
        (name = "policy", description = "The policy, and what it would decide"),
        (name = "locks", description = "The organization's safety lock, and emergency access"),
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
                 browser that was let in (`POST /v1/login`) is known by a cookie instead.",
            ))
            .build();
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}

/// The document that clients are generated from.
pub fn document() -> utoipa::openapi::OpenApi {
    let (_, mut openapi) = documented().split_for_parts();
    env!("CARGO_PKG_VERSION").clone_into(&mut openapi.info.version);
    openapi
}

/// Declares a type for `responses(...)` that stands for the problems of the given codes.
macro_rules! problems {
    ($($(#[$meta:meta])* $name:ident = [$($codes:expr),+ $(,)?];)+) => {$(
        $(#[$meta])*
        pub(crate) struct $name;

        impl utoipa::IntoResponses for $name {
            fn responses() -> std::collections::BTreeMap<String, RefOr<ResponseDoc>> {
                let codes: &[&[Code]] = &[$($codes),+];
                problem_responses(&codes.concat())
            }
        }
    )+};
}

/// For every request but the health checks.
const ANY: &[Code] = &[
    Code::Internal,
    Code::Overloaded,
    Code::DatabaseUnavailable,
    Code::RequestTimeout,
];
/// For an authenticated request.
const CALLER: &[Code] = &[
    Code::InvalidRequest,
    Code::Unauthenticated,
    Code::TokenExpired,
    Code::Forbidden,
    Code::NotFound,
    // Too many requests of its organization, or of the caller, are under way.
    Code::RateLimited,
];
const BODY: &[Code] = &[
    Code::InvalidJson,
    Code::PayloadTooLarge,
    Code::UnsupportedMediaType,
    Code::BodyTooSlow,
];

/// For a session that one instance serves.
const OWNED: &[Code] = &[
    Code::WrongInstance,
    Code::UpstreamUnavailable,
    Code::CoordinationUnavailable,
];

const STORAGE: &[Code] = &[Code::StorageUnavailable];

problems! {
    /// For a public page.
    LookupProblems = [&[Code::NotFound, Code::Overloaded]];
    /// For a route that reads, or ends an entity without dependents.
    ReadProblems = [CALLER, ANY];
    /// For a route that ends an entity with possible dependents.
    EndProblems = [CALLER, &[Code::Conflict], ANY];
    /// For a state change of an entity that expires.
    TicketProblems = [CALLER, &[Code::Conflict, Code::Expired], ANY];
    /// For metrics that are on another listener.
    MeasurementProblems = [&[Code::NotFound]];
    /// For a route with a body.
    WriteProblems = [CALLER, BODY, &[Code::Conflict, Code::LimitReached], ANY];
    /// For adding a member, which has no body.
    MemberProblems = [CALLER, &[Code::LimitReached], ANY];
    /// For downloading stored bytes.
    ContentProblems = [CALLER, STORAGE, &[Code::ArtifactAltered], ANY];
    /// For uploading bytes.
    UploadProblems = [
        CALLER, STORAGE,
        &[Code::PayloadTooLarge, Code::BodyTooSlow, Code::LimitReached, Code::ArtifactAltered], ANY,
    ];
    /// For uploading a chunk.
    ChunkProblems = [
        CALLER, STORAGE,
        &[Code::Conflict, Code::PayloadTooLarge, Code::BodyTooSlow, Code::LimitReached, Code::ArtifactAltered],
        ANY,
    ];
    /// For a call of a tool, whose other responses are the contract's own.
    CallProblems = [
        &[Code::Unauthenticated, Code::TokenExpired, Code::IdempotencyConflict],
        &[Code::PayloadTooLarge, Code::BodyTooSlow, Code::RateLimited, Code::Internal],
    ];
    /// For requesting an action, whose other responses hold the invocation.
    InvokeProblems = [
        &[Code::InvalidRequest, Code::Unauthenticated, Code::TokenExpired, Code::NotFound],
        BODY, &[Code::IdempotencyConflict, Code::RateLimited, Code::UpstreamUnavailable], ANY,
    ];
    /// For a query with a body, and for logging in.
    AskProblems = [CALLER, BODY, ANY];
    /// For logging out, which needs no existing login.
    LogoutProblems = [&[Code::Forbidden], ANY];
    /// For reading what an outside service offers.
    GuideProblems = [CALLER, &[Code::UpstreamUnavailable], ANY];
    /// For a prompt to a live session.
    PromptProblems = [
        CALLER, BODY,
        &[Code::Conflict, Code::IdempotencyConflict, Code::InvalidState, Code::RateLimited], OWNED,
        ANY,
    ];
    /// For values for a live session.
    SubmitEnvProblems = [
        CALLER, BODY,
        &[Code::InvalidState, Code::LimitReached, Code::RateLimited], OWNED, ANY,
    ];
    /// For controlling a live session.
    SteerProblems = [CALLER, &[Code::Conflict], OWNED, ANY];
    /// For migrating one to a fresh sandbox.
    MigrateProblems = [CALLER, &[Code::Conflict, Code::InvalidState], OWNED, ANY];
    /// For a live session.
    LiveProblems = [CALLER, OWNED, ANY];
    /// For reading the fleet.
    FleetProblems = [CALLER, &[Code::CoordinationUnavailable], ANY];
    /// For one instance, to which others forward.
    InstanceProblems = [
        CALLER, &[Code::NotFound, Code::Conflict, Code::WrongInstance, Code::UpstreamUnavailable,
        Code::CoordinationUnavailable], ANY,
    ];
    /// For a callback of a sandbox's tool.
    CallbackProblems = [
        CALLER, BODY, STORAGE,
        &[Code::Conflict, Code::IdempotencyConflict, Code::RateLimited], OWNED, ANY,
    ];
    /// For a message of another protocol, which reports most errors itself.
    McpProblems = [
        CALLER, &[Code::PayloadTooLarge, Code::UnsupportedMediaType, Code::BodyTooSlow], ANY,
    ];
    /// For an approver's decision.
    DecideProblems = [CALLER, BODY, &[Code::Conflict, Code::Expired], ANY];
    /// For a decision without a body.
    SettleProblems = [CALLER, &[Code::Conflict, Code::Expired], ANY];
    /// For an agent's grant request.
    WishProblems = [CALLER, BODY, &[Code::RateLimited], ANY];
    /// For starting a run, without a body.
    StartRunProblems = [
        CALLER,
        &[Code::AdmissionDenied, Code::Conflict, Code::IdempotencyConflict, Code::LimitReached], ANY,
    ];
    /// For creating a session.
    CreateSessionProblems = [
        CALLER, BODY, &[Code::AdmissionDenied, Code::Conflict, Code::IdempotencyConflict], ANY,
    ];
}

/// One response per status, naming the codes that come with it.
fn problem_responses(codes: &[Code]) -> std::collections::BTreeMap<String, RefOr<ResponseDoc>> {
    let mut by_status = std::collections::BTreeMap::<String, Vec<&str>>::new();
    for code in codes {
        let named = by_status.entry(code.status().to_string()).or_default();
        // Lists overlap.
        if !named.contains(&code.as_str()) {
            named.push(code.as_str());
        }
    }
    let schema = || RefOr::Ref(Ref::from_schema_name("Problem"));
    by_status
        .into_iter()
        .map(|(status, codes)| {
            let content = ContentBuilder::new().schema(Some(schema())).build();
            let response = ResponseBuilder::new()
                .description(codes.join(", "))
                .content(MEDIA_TYPE, content);
            (status, RefOr::T(response.build()))
        })
        .collect()
}
