//! `[integrations]` of the file.

use schemars::JsonSchema;
use serde::Deserialize;

/// Of one service in the file.
pub(super) struct ServiceFile {
    pub(super) url: Option<String>,
    pub(super) client_id: Option<String>,
    pub(super) client_secret_file: Option<String>,
    pub(super) authorize_url: Option<String>,
    pub(super) token_url: Option<String>,
    pub(super) scopes: Option<Vec<String>>,
}

/// `[integrations]` of the file. Secrets are named by file, never written here.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct IntegrationsFile {
    /// Base URL of Linear's API. Default `https://api.linear.app/graphql`.
    pub(super) linear_url: Option<String>,
    /// Client at Linear with which organizations connect it. Default: none; they need a token.
    pub(super) linear_client_id: Option<String>,
    /// File that holds the secret of that client; relative to this file.
    pub(super) linear_client_secret_file: Option<String>,
    /// Where people let this gateway into Linear. Default `https://linear.app/oauth/authorize`.
    pub(super) linear_authorize_url: Option<String>,
    /// Where tokens of Linear are issued and renewed. Default `https://api.linear.app/oauth/token`.
    pub(super) linear_token_url: Option<String>,
    /// What Linear is asked for. Default `read`, `write`.
    pub(super) linear_scopes: Option<Vec<String>>,
    /// Base URL of Sentry's API. Default `https://sentry.io/api/0`.
    pub(super) sentry_url: Option<String>,
    /// Client at Sentry with which organizations connect it. Default: none; they need a token.
    pub(super) sentry_client_id: Option<String>,
    /// File that holds the secret of that client; relative to this file.
    pub(super) sentry_client_secret_file: Option<String>,
    /// Where people let this gateway into Sentry. Default `https://sentry.io/oauth/authorize/`.
    pub(super) sentry_authorize_url: Option<String>,
    /// Where tokens of Sentry are issued and renewed. Default `https://sentry.io/oauth/token/`.
    pub(super) sentry_token_url: Option<String>,
    /// What Sentry is asked for. Default `org:read`, `project:read`, `event:read`, `event:write`.
    pub(super) sentry_scopes: Option<Vec<String>>,
    /// Base URL of Slack's API. Default `https://slack.com/api`.
    pub(super) slack_url: Option<String>,
    /// Client at Slack with which organizations connect it. Default: none; they need a token.
    pub(super) slack_client_id: Option<String>,
    /// File that holds the secret of that client; relative to this file.
    pub(super) slack_client_secret_file: Option<String>,
    /// Where people let this gateway into Slack. Default `https://slack.com/oauth/v2/authorize`.
    pub(super) slack_authorize_url: Option<String>,
    /// Where tokens of Slack are issued and renewed. Default `https://slack.com/api/oauth.v2.access`.
    pub(super) slack_token_url: Option<String>,
    /// What Slack is asked for. Default `channels:read`, `groups:read`, `chat:write`.
    pub(super) slack_scopes: Option<Vec<String>>,
    /// Base URL of GitHub's API. Default `https://api.github.com`.
    pub(super) github_url: Option<String>,
    /// Client at GitHub with which organizations connect it. Default: none; they need a token.
    pub(super) github_client_id: Option<String>,
    /// File that holds the secret of that client; relative to this file.
    pub(super) github_client_secret_file: Option<String>,
    /// Where people let this gateway into GitHub. Default `https://github.com/login/oauth/authorize`.
    pub(super) github_authorize_url: Option<String>,
    /// Where tokens of GitHub are issued and renewed. Default `https://github.com/login/oauth/access_token`.
    pub(super) github_token_url: Option<String>,
    /// What GitHub is asked for. Default `repo`.
    pub(super) github_scopes: Option<Vec<String>>,
    /// `on` if the client at Slack is set up for PKCE, which Slack refuses for others. Default `off`.
    pub(super) slack_pkce: Option<String>,
    /// GitHub App whose installations organizations may connect. Default: none.
    pub(super) github_app_id: Option<String>,
    /// File that holds the private key of that app, in PEM; relative to this file.
    pub(super) github_app_private_key_file: Option<String>,
}
