//! The problem responses of operations: which codes a kind of route may answer with.

use utoipa::openapi::{
    Ref, RefOr, Response as ResponseDoc, ResponseBuilder, content::ContentBuilder,
};
use wire::problem::{Code, MEDIA_TYPE};

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
    Code::OrganizationSuspended,
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
        &[Code::OrganizationSuspended],
        &[Code::PayloadTooLarge, Code::BodyTooSlow, Code::RateLimited, Code::Internal],
    ];
    /// For requesting an action, whose other responses hold the invocation.
    InvokeProblems = [
        &[Code::InvalidRequest, Code::Unauthenticated, Code::TokenExpired, Code::NotFound],
        &[Code::OrganizationSuspended], BODY, &[Code::IdempotencyConflict, Code::RateLimited, Code::UpstreamUnavailable], ANY,
    ];
    /// For a query with a body, and for logging in.
    AskProblems = [CALLER, BODY, ANY];
    /// For looking at a setup link.
    SetupInspectProblems = [BODY, &[Code::InvalidRequest], ANY];
    /// For looking at an invitation.
    OfferProblems = [
        BODY, &[Code::InvalidRequest, Code::NotFound, Code::Expired, Code::RateLimited], ANY,
    ];
    /// For accepting one.
    JoinProblems = [
        BODY,
        &[Code::InvalidRequest, Code::Forbidden, Code::NotFound, Code::RateLimited],
        &[Code::Conflict, Code::Expired], ANY,
    ];
    /// For requesting a mail.
    LoginMailProblems = [
        BODY, &[Code::InvalidRequest, Code::Conflict, Code::RateLimited], ANY,
    ];
    /// For a read without a caller that asks the database.
    ProbeProblems = [ANY];
    /// For setting the installation up.
    SetupProblems = [CALLER, BODY, &[Code::Conflict, Code::Expired], ANY];
    /// For the requests of a terminal that signs in, which need no credential.
    DeviceLoginProblems = [
        &[Code::InvalidRequest, Code::RateLimited, Code::LimitReached], BODY, ANY,
    ];
    /// For logging out, which needs no existing login.
    LogoutProblems = [&[Code::Forbidden], ANY];
    /// For reading what an outside service offers.
    GuideProblems = [CALLER, &[Code::UpstreamUnavailable], ANY];
    /// For a prompt to a live session.
    PromptProblems = [
        CALLER, BODY,
        &[
            Code::AdmissionDenied, Code::Conflict, Code::IdempotencyConflict, Code::InvalidState,
            Code::LimitReached, Code::RateLimited,
        ],
        OWNED, ANY,
    ];
    /// For values for a live session.
    SubmitEnvProblems = [
        CALLER, BODY,
        &[Code::InvalidState, Code::LimitReached, Code::RateLimited], OWNED, ANY,
    ];
    /// For reading a shared transcript, without a credential.
    SharedProblems = [BODY, &[Code::InvalidRequest, Code::NotFound, Code::RateLimited], ANY];
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
    GrantRequestProblems = [CALLER, BODY, &[Code::RateLimited], ANY];
    /// For starting a run, without a body.
    StartRunProblems = [
        CALLER,
        &[Code::AdmissionDenied, Code::Conflict, Code::IdempotencyConflict, Code::LimitReached], ANY,
    ];
    /// For creating a session.
    CreateSessionProblems = [
        CALLER, BODY,
        &[Code::AdmissionDenied, Code::Conflict, Code::IdempotencyConflict, Code::LimitReached], ANY,
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
