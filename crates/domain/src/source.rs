//! What a built-in source declares of itself. Its settings, flags, variables, OAuth2 requests and the form to connect it
//! all follow from this; nothing else of the product names a source.

/// A built-in source, as data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceDeclaration {
    /// Its name on the wire, and what its settings begin with, such as `linear`.
    pub name: &'static str,
    pub display_name: &'static str,
    /// What it is for, in a few words.
    pub summary: &'static str,
    /// Base URL of its API.
    pub api_url: &'static str,
    pub oauth: OAuthDeclaration,
    /// Whether organizations may connect an installation of an app that the operator or they themselves own.
    pub has_app: bool,
    /// The version of the product that brought its settings.
    pub since: &'static str,
}

/// How the service grants access by OAuth2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OAuthDeclaration {
    pub authorize_url: &'static str,
    pub token_url: &'static str,
    /// What the built-in actions need.
    pub scopes: &'static [&'static str],
    /// Between two scopes.
    pub scope_separator: &'static str,
    /// Parameters that the authorize URL gets besides those of the standard.
    pub authorize_params: &'static [(&'static str, &'static str)],
    /// Error codes for a code or a refresh token that is not valid any more, besides the standard's `invalid_grant`.
    pub dead_grant_errors: &'static [&'static str],
    pub pkce: Pkce,
}

/// Whether the service takes proof keys (RFC 7636).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pkce {
    /// From every client.
    Always,
    /// From clients that were set up for it: the operator says so in a setting.
    Configured,
}
