//! The declaration of Linear, for the rest of the product.

use domain::source::{OAuthDeclaration, Pkce, SourceDeclaration};

pub(super) const SOURCE: SourceDeclaration = SourceDeclaration {
    name: "linear",
    display_name: "Linear",
    summary: "Issues and projects",
    api_url: "https://api.linear.app/graphql",
    oauth: OAuthDeclaration {
        authorize_url: "https://linear.app/oauth/authorize",
        token_url: "https://api.linear.app/oauth/token",
        scopes: &["read", "write"],
        scope_separator: ",",
        // Without it a user who has connected one workspace is never offered another.
        authorize_params: &[("prompt", "consent")],
        dead_grant_errors: &[],
        pkce: Pkce::Always,
    },
    has_app: false,
    since: "0.1.0",
};
