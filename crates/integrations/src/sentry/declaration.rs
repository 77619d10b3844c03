//! The declaration of Sentry, for the rest of the product.

use domain::source::{OAuthDeclaration, Pkce, SourceDeclaration};

pub(super) const SOURCE: SourceDeclaration = SourceDeclaration {
    name: "sentry",
    display_name: "Sentry",
    summary: "Errors and releases",
    api_url: "https://sentry.io/api/0",
    oauth: OAuthDeclaration {
        authorize_url: "https://sentry.io/oauth/authorize/",
        token_url: "https://sentry.io/oauth/token/",
        scopes: &["org:read", "project:read", "event:read", "event:write"],
        scope_separator: " ",
        authorize_params: &[],
        dead_grant_errors: &[],
        pkce: Pkce::Always,
    },
    has_app: false,
    since: "0.1.0",
};
