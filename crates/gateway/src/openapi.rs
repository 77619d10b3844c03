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
    // What no body of a route refers to.
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
        (name = "sessions", description = "Agents at work in their sandboxes"),
        (name = "tool-calls", description = "Calls of tools, decided by policy and on record"),
        (name = "models", description = "The models of sessions: asking them, what was used, and budgets"),
        (name = "configurations", description = "What sessions start from"),
        (name = "repos", description = "Code repositories"),
        (name = "git", description = "Repositories of sessions: the way of sandboxes to them, and what changed"),
        (name = "secrets", description = "Values that become environment variables; never read back"),
        (name = "live", description = "Sessions as they happen: say something to the agent, stop it, watch it"),
        (name = "callbacks", description = "Tools that agents call from their sandboxes and the gateway does"),
        (name = "actions", description = "What agents do in outside services, and who allowed it"),
        (name = "grants", description = "Standing permissions for writes"),
        (name = "integrations", description = "Connections to outside services"),
        (name = "connectors", description = "Tool servers of your own choice"),
        (name = "api-keys", description = "Keys for programs"),
        (name = "automations", description = "Tasks that agents work on alone, and how they ended"),
        (name = "webhooks", description = "Where an organization is told of what happens to actions"),
        (name = "cases", description = "What work belongs to, and who works on it"),
        (name = "artifacts", description = "Stored bytes of a case or a session"),
        (name = "audit", description = "What was done, and the proof of it"),
        (name = "policy", description = "What the policy says, and what it would say"),
        (name = "locks", description = "The organization's safety lock, and breaking glass"),
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

/// The document clients generate their code from.
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

/// Of every request that is not a mere look at the process.
const ANY: &[Code] = &[
    Code::Internal,
    Code::Overloaded,
    Code::DatabaseUnavailable,
    Code::RequestTimeout,
];
/// Of a request that somebody makes.
const CALLER: &[Code] = &[
    Code::InvalidRequest,
    Code::Unauthenticated,
    Code::TokenExpired,
    Code::Forbidden,
    Code::NotFound,
    // Of its organization, or of its own, too much is under way.
    Code::RateLimited,
];
const BODY: &[Code] = &[
    Code::InvalidJson,
    Code::PayloadTooLarge,
    Code::UnsupportedMediaType,
    Code::BodyTooSlow,
];

/// Of a session that one instance serves.
const OWNED: &[Code] = &[
    Code::WrongInstance,
    Code::UpstreamUnavailable,
    Code::CoordinationUnavailable,
];

const STORAGE: &[Code] = &[Code::StorageUnavailable];

problems! {
    /// Of a page that everybody may look up.
    LookupProblems = [&[Code::NotFound, Code::Overloaded]];
    /// Of a route that reads, or ends what nothing depends on.
    ReadProblems = [CALLER, ANY];
    /// Of a route that ends what others may still need.
    EndProblems = [CALLER, &[Code::Conflict], ANY];
    /// Of moving something that has an end.
    TicketProblems = [CALLER, &[Code::Conflict, Code::Expired], ANY];
    /// Of a look at the process that is elsewhere.
    MeasurementProblems = [&[Code::NotFound]];
    /// Of a route that takes a body.
    WriteProblems = [CALLER, BODY, &[Code::Conflict, Code::LimitReached], ANY];
    /// Of adding a member, which takes no body.
    MemberProblems = [CALLER, &[Code::LimitReached], ANY];
    /// Of sending stored bytes.
    ContentProblems = [CALLER, STORAGE, &[Code::ArtifactAltered], ANY];
    /// Of taking bytes in.
    UploadProblems = [
        CALLER, STORAGE,
        &[Code::PayloadTooLarge, Code::BodyTooSlow, Code::LimitReached, Code::ArtifactAltered], ANY,
    ];
    /// Of taking a piece of something in.
    ChunkProblems = [
        CALLER, STORAGE,
        &[Code::Conflict, Code::PayloadTooLarge, Code::BodyTooSlow, Code::LimitReached, Code::ArtifactAltered],
        ANY,
    ];
    /// Of a call of a tool, whose other answers are the contract's own.
    CallProblems = [
        &[Code::Unauthenticated, Code::TokenExpired, Code::IdempotencyConflict],
        &[Code::PayloadTooLarge, Code::BodyTooSlow, Code::RateLimited, Code::Internal],
    ];
    /// Of asking for an action, whose other answers hold the invocation.
    InvokeProblems = [
        &[Code::InvalidRequest, Code::Unauthenticated, Code::TokenExpired, Code::NotFound],
        BODY, &[Code::IdempotencyConflict, Code::RateLimited, Code::UpstreamUnavailable], ANY,
    ];
    /// Of a question that takes a body, and of letting a browser in.
    AskProblems = [CALLER, BODY, ANY];
    /// Of forgetting a browser, which asks for nothing that could be missing.
    LogoutProblems = [&[Code::Forbidden], ANY];
    /// Of asking what a service outside offers.
    GuideProblems = [CALLER, &[Code::UpstreamUnavailable], ANY];
    /// Of what is said to a live session.
    PromptProblems = [
        CALLER, BODY,
        &[Code::Conflict, Code::IdempotencyConflict, Code::InvalidState, Code::RateLimited], OWNED,
        ANY,
    ];
    /// Of values for a live session.
    SubmitEnvProblems = [
        CALLER, BODY,
        &[Code::InvalidState, Code::LimitReached, Code::RateLimited], OWNED, ANY,
    ];
    /// Of what is done to a live session.
    SteerProblems = [CALLER, &[Code::Conflict], OWNED, ANY];
    /// Of moving one to a fresh sandbox.
    MigrateProblems = [CALLER, &[Code::Conflict, Code::InvalidState], OWNED, ANY];
    /// Of a live session.
    LiveProblems = [CALLER, OWNED, ANY];
    /// Of looking at all instances.
    FleetProblems = [CALLER, &[Code::CoordinationUnavailable], ANY];
    /// Of one instance, which another one leads to.
    InstanceProblems = [
        CALLER, &[Code::NotFound, Code::Conflict, Code::WrongInstance, Code::UpstreamUnavailable,
        Code::CoordinationUnavailable], ANY,
    ];
    /// Of a callback of a sandbox's tool.
    CallbackProblems = [
        CALLER, BODY, STORAGE,
        &[Code::Conflict, Code::IdempotencyConflict, Code::RateLimited], OWNED, ANY,
    ];
    /// Of a message of another protocol, which answers most itself.
    McpProblems = [
        CALLER, &[Code::PayloadTooLarge, Code::UnsupportedMediaType, Code::BodyTooSlow], ANY,
    ];
    /// Of a person's decision.
    DecideProblems = [CALLER, BODY, &[Code::Conflict, Code::Expired], ANY];
    /// Of a decision that takes no body.
    SettleProblems = [CALLER, &[Code::Conflict, Code::Expired], ANY];
    /// Of an agent's wish.
    WishProblems = [CALLER, BODY, &[Code::RateLimited], ANY];
    /// Of starting a run, which takes no body.
    StartRunProblems = [
        CALLER,
        &[Code::AdmissionDenied, Code::Conflict, Code::IdempotencyConflict, Code::LimitReached], ANY,
    ];
    /// Of creating a session.
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
