//! What the operator has set up at the services, to connect organizations with them.

use ::integrations::oauth::OAuth;

use super::github_app::GithubApp;

/// The OAuth clients and the GitHub App of the operator.
#[derive(Debug, Clone)]
pub struct Services {
    pub oauth: OAuth,
    /// The operator's own app, for installations that people connect.
    pub github_app: Option<GithubApp>,
    /// Where repositories of GitHub are: scheme, host and port. Its tokens go nowhere else.
    pub github_origin: String,
}
