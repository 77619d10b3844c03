//! The declaration of GitHub, for the rest of the product.

use domain::source::{OAuthDeclaration, Pkce, SourceDeclaration};

pub(super) const SOURCE: SourceDeclaration = SourceDeclaration {
    name: "github",
    display_name: "GitHub",
    summary: "Repositories and pull requests",
    api_url: "https://api.github.com",
    oauth: OAuthDeclaration {
        authorize_url: "https://github.com/login/oauth/authorize",
        token_url: "https://github.com/login/oauth/access_token",
        scopes: &["repo"],
        scope_separator: " ",
        authorize_params: &[],
        dead_grant_errors: &["bad_refresh_token", "bad_verification_code"],
        pkce: Pkce::Always,
    },
    has_app: true,
    since: "0.1.0",
};
