//! The declaration of Slack, for the rest of the product.

use domain::source::{OAuthDeclaration, Pkce, SourceDeclaration};

pub(super) const SOURCE: SourceDeclaration = SourceDeclaration {
    name: "slack",
    display_name: "Slack",
    summary: "Messages to channels",
    api_url: "https://slack.com/api",
    oauth: OAuthDeclaration {
        authorize_url: "https://slack.com/oauth/v2/authorize",
        token_url: "https://slack.com/api/oauth.v2.access",
        scopes: &["channels:read", "groups:read", "chat:write"],
        scope_separator: ",",
        authorize_params: &[],
        dead_grant_errors: &[
            "invalid_refresh_token",
            "token_revoked",
            "token_expired",
            "account_inactive",
            "invalid_code",
            "code_already_used",
        ],
        pkce: Pkce::Configured,
    },
    has_app: false,
    since: "0.1.0",
};
