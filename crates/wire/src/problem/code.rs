//! Every code a problem can have, with its status, title, usual hint and page. Codes are stable:
//! one may be added, never renamed. The page is compiled in, so a code without one does not build.

domain::text_enum! {
    /// The stable name of a kind of problem.
    #[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    #[schema(as = ProblemCode)]
    Code {
        InvalidRequest = "INVALID_REQUEST",
        InvalidJson = "INVALID_JSON",
        UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE",
        PayloadTooLarge = "PAYLOAD_TOO_LARGE",
        Unauthenticated = "UNAUTHENTICATED",
        TokenExpired = "TOKEN_EXPIRED",
        AdmissionDenied = "ADMISSION_DENIED",
        Forbidden = "FORBIDDEN",
        OrganizationSuspended = "ORGANIZATION_SUSPENDED",
        NotFound = "NOT_FOUND",
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
        Conflict = "CONFLICT",
        IdempotencyConflict = "IDEMPOTENCY_CONFLICT",
        InvalidState = "INVALID_STATE",
        WrongInstance = "WRONG_INSTANCE",
        Expired = "EXPIRED",
        LimitReached = "LIMIT_REACHED",
        RateLimited = "RATE_LIMITED",
        BodyTooSlow = "BODY_TOO_SLOW",
        Internal = "INTERNAL",
        ArtifactAltered = "ARTIFACT_ALTERED",
        Overloaded = "OVERLOADED",
        DatabaseUnavailable = "DATABASE_UNAVAILABLE",
        CoordinationUnavailable = "COORDINATION_UNAVAILABLE",
        StorageUnavailable = "STORAGE_UNAVAILABLE",
        UpstreamUnavailable = "UPSTREAM_UNAVAILABLE",
        RequestTimeout = "REQUEST_TIMEOUT",
    }
}

struct Spec {
    status: u16,
    title: &'static str,
    page: &'static str,
    hint: Option<&'static str>,
}

const fn spec(status: u16, title: &'static str, page: &'static str) -> Spec {
    Spec {
        status,
        title,
        page,
        hint: None,
    }
}

impl Spec {
    const fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }
}

macro_rules! page {
    ($code:literal) => {
        include_str!(concat!("../../../../docs/errors/", $code, ".md"))
    };
}

const UPSTREAM_UNAVAILABLE: Spec = spec(503, "Service unavailable", page!("UPSTREAM_UNAVAILABLE"))
    .hint("Try again shortly; the service that is connected has to answer first.");

/// Apart, because of its length.
const ORGANIZATION_SUSPENDED: Spec = spec(
    403,
    "Organization suspended",
    page!("ORGANIZATION_SUSPENDED"),
)
.hint("Everything is kept and can be read; `detail` says what ends this state.");

impl Code {
    pub const fn status(self) -> u16 {
        self.spec().status
    }

    pub const fn title(self) -> &'static str {
        self.spec().title
    }

    /// The usual remedy; a problem may have a more precise one.
    pub const fn hint(self) -> Option<&'static str> {
        self.spec().hint
    }

    /// Whether the same request may succeed later: exactly when the cause is temporary (too many
    /// requests, a bad connection, something unavailable) and not in the request or in the gateway.
    pub const fn retryable(self) -> bool {
        matches!(self.status(), 408 | 429 | 503)
    }

    /// The page that explains it, in Markdown.
    pub const fn page(self) -> &'static str {
        self.spec().page
    }

    /// Where the gateway serves that page.
    pub fn type_uri(self) -> String {
        format!("/errors/{self}")
    }

    const fn spec(self) -> Spec {
        match self {
            Self::InvalidRequest => spec(400, "Invalid request", page!("INVALID_REQUEST"))
                .hint("`errors` names each member that was refused; /docs shows the shape of every request."),
            Self::InvalidJson => spec(400, "Invalid JSON", page!("INVALID_JSON"))
                .hint("Check the body with a JSON parser; the position is in `detail`."),
            Self::UnsupportedMediaType => {
                spec(415, "Unsupported media type", page!("UNSUPPORTED_MEDIA_TYPE"))
                    .hint("Send the header `Content-Type: application/json`.")
            }
            Self::PayloadTooLarge => spec(413, "Payload too large", page!("PAYLOAD_TOO_LARGE"))
                .hint("Send less in one request, for example a large .env file in parts."),
            Self::Unauthenticated => spec(401, "Not authenticated", page!("UNAUTHENTICATED"))
                .hint("Send `Authorization: Bearer TOKEN`; `proliferate token mint` makes a token."),
            Self::TokenExpired => spec(401, "Token expired", page!("TOKEN_EXPIRED"))
                .hint("Sign in again, or make a new token with `proliferate token mint`."),
            Self::AdmissionDenied => spec(402, "Not admitted", page!("ADMISSION_DENIED"))
                .hint("An owner of the organization can look at its plan and its usage."),
            Self::Forbidden => spec(403, "Forbidden", page!("FORBIDDEN"))
                .hint("Ask an admin or an owner of the organization to do this."),
            Self::OrganizationSuspended => ORGANIZATION_SUSPENDED,
            Self::NotFound => spec(404, "Not found", page!("NOT_FOUND"))
                .hint("Check the id, and that your token belongs to the organization that owns it."),
            Self::MethodNotAllowed => spec(405, "Method not allowed", page!("METHOD_NOT_ALLOWED"))
                .hint("The `Allow` header lists the methods of this path."),
            Self::Conflict => spec(409, "Conflict", page!("CONFLICT"))
                .hint("Read the current state: the entity exists already, or it is still in use."),
            Self::IdempotencyConflict => {
                spec(409, "Idempotency key reused", page!("IDEMPOTENCY_CONFLICT"))
                    .hint("Use a new `Idempotency-Key` for a different request.")
            }
            Self::InvalidState => spec(409, "Invalid state", page!("INVALID_STATE"))
                .hint("Read the session to see its status; a stopped session cannot be continued."),
            Self::WrongInstance => spec(409, "Wrong instance", page!("WRONG_INSTANCE"))
                .hint("Send the same request to `ownerUrl`, or let the gateways forward it (`live.forward`)."),
            Self::Expired => spec(410, "Expired", page!("EXPIRED"))
                .hint("The time to decide is over; the request can be sent again."),
            Self::LimitReached => spec(409, "Limit reached", page!("LIMIT_REACHED"))
                .hint("Delete or revoke what is no longer needed."),
            Self::RateLimited => spec(429, "Too many requests", page!("RATE_LIMITED"))
                .hint("Wait as long as the `Retry-After` header says."),
            Self::BodyTooSlow => spec(408, "Body too slow", page!("BODY_TOO_SLOW"))
                .hint("Send the body without pauses, on a better connection or in smaller parts."),
            Self::Internal => spec(500, "Internal error", page!("INTERNAL"))
                .hint("Quote `request_id` to the operator of this gateway; the logs have the cause."),
            Self::ArtifactAltered => spec(500, "Artifact altered", page!("ARTIFACT_ALTERED"))
                .hint("Report it to the operator of this gateway; the logs name the stored object."),
            Self::Overloaded => spec(503, "Overloaded", page!("OVERLOADED"))
                .hint("Wait as long as the `Retry-After` header says."),
            Self::DatabaseUnavailable => {
                spec(503, "Database unavailable", page!("DATABASE_UNAVAILABLE"))
                    .hint("Try again shortly; operators: `proliferate doctor` checks the database.")
            }
            Self::CoordinationUnavailable => spec(
                503,
                "Coordination unavailable",
                page!("COORDINATION_UNAVAILABLE"),
            )
            .hint("Try again shortly; operators: `proliferate doctor` checks Redis."),
            Self::StorageUnavailable => {
                spec(503, "Storage unavailable", page!("STORAGE_UNAVAILABLE"))
                    .hint("Try again shortly; operators: `proliferate doctor` tries to write there.")
            }
            Self::UpstreamUnavailable => UPSTREAM_UNAVAILABLE,
            Self::RequestTimeout => spec(503, "Request timed out", page!("REQUEST_TIMEOUT"))
                .hint("Try again, with the same `Idempotency-Key` if you sent one: then nothing happens twice."),
        }
    }
}
