//! The environment: the addresses of the gateway and the daemon, the session, its token, and the path of the workspace.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
    time::Duration,
};

use reqwest::Url;
use uuid::Uuid;
use wire::secret_text::SecretText;

use crate::{
    client::owner,
    envfiles::EnvPaths,
    failure::Failure,
    limits::{ANSWER_WITHIN, BACKOFF_FIRST, POLL_EVERY, REQUEST_TIMEOUT, TOKEN_BYTES_MAX},
};

pub(crate) const GATEWAY_URL: &str = "PROLIFERATE_GATEWAY_URL";
pub(crate) const SESSION_ID: &str = "PROLIFERATE_SESSION_ID";
pub(crate) const TOKEN: &str = "SANDBOX_MCP_AUTH_TOKEN";
/// A file that holds the token; it goes before the variable, because a file can be replaced.
pub(crate) const TOKEN_FILE: &str = "SANDBOX_MCP_AUTH_TOKEN_FILE";
pub(crate) const DAEMON_URL: &str = "PROLIFERATE_SANDBOX_MCP_URL";
pub(crate) const WORKSPACE: &str = "WORKSPACE_DIR";
pub(crate) const VALUES_FILE: &str = "PROLIFERATE_ENV_FILE";
/// Milliseconds between two looks and of the first pause, for tests.
const POLL_MS: &str = "PROLIFERATE_CLI_POLL_MS";
/// Milliseconds that a request may take, and that asking again may take, for tests.
const TIMEOUT_MS: &str = "PROLIFERATE_CLI_TIMEOUT_MS";

/// What the environment says.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) gateway: Url,
    pub(crate) session: Uuid,
    pub(crate) token: SecretText,
    pub(crate) times: RequestTimes,
}

/// Timeouts and pauses of requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestTimes {
    pub(crate) poll_every: Duration,
    pub(crate) backoff_first: Duration,
    pub(crate) request_timeout: Duration,
    /// How long requests to a gateway that does not respond are repeated, at least.
    pub(crate) answer_within: Duration,
}

impl Settings {
    /// From a way to look up variables; one that is empty counts as absent.
    pub(crate) fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let given = |name: &str| variable(name).filter(|value| !value.is_empty());
        let needed = |name: &str| given(name).ok_or_else(|| missing(name));
        let gateway = owner::base_url(&needed(GATEWAY_URL)?)
            .map_err(|why| Failure::usage(format!("{GATEWAY_URL} {why}")))?;
        let session = needed(SESSION_ID)?
            .parse()
            .map_err(|_| Failure::usage(format!("{SESSION_ID} is not an id")))?;
        let milliseconds = |name: &str| {
            let number = given(name).and_then(|text| text.parse().ok());
            number.map(Duration::from_millis)
        };
        let poll = milliseconds(POLL_MS);
        let timeout = milliseconds(TIMEOUT_MS);
        Ok(Self {
            gateway,
            session,
            token: TokenSource::find(&variable)?.read()?,
            times: RequestTimes {
                poll_every: poll.unwrap_or(POLL_EVERY),
                backoff_first: poll.unwrap_or(BACKOFF_FIRST),
                request_timeout: timeout.unwrap_or(REQUEST_TIMEOUT),
                answer_within: timeout.unwrap_or(ANSWER_WITHIN),
            },
        })
    }
}

/// The source of the token. A file is read each time, because a new boot brings a new token.
#[derive(Debug, Clone)]
pub(crate) enum TokenSource {
    File(PathBuf),
    Given(SecretText),
}

impl TokenSource {
    pub(crate) fn find(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let given = |name: &str| variable(name).filter(|value| !value.is_empty());
        if let Some(path) = given(TOKEN_FILE) {
            return Ok(Self::File(path.into()));
        }
        let token = given(TOKEN).ok_or_else(|| missing(TOKEN))?;
        checked_token(&token).map(Self::Given)
    }

    pub(crate) fn read(&self) -> Result<SecretText, Failure> {
        match self {
            Self::File(path) => checked_token(&token_of_file(path)?),
            Self::Given(token) => Ok(token.clone()),
        }
    }
}

/// The daemon's address, for commands that use it.
pub(crate) fn daemon_url(variable: impl Fn(&str) -> Option<String>) -> Result<Url, Failure> {
    let given = variable(DAEMON_URL).filter(|value| !value.is_empty());
    let text = given.unwrap_or_else(|| "http://127.0.0.1:4000".to_owned());
    owner::base_url(&text).map_err(|why| Failure::usage(format!("{DAEMON_URL} {why}")))
}

/// How long requests to a daemon that does not listen are repeated, for tests.
pub(crate) fn daemon_timeout(variable: impl Fn(&str) -> Option<String>) -> Option<Duration> {
    variable(TIMEOUT_MS)?
        .parse()
        .ok()
        .map(Duration::from_millis)
}

/// The paths of the workspace and of the values.
pub(crate) fn paths(variable: impl Fn(&str) -> Option<String>) -> EnvPaths {
    let given = |name: &str, default: &str| {
        let value = variable(name).filter(|value| !value.is_empty());
        PathBuf::from(value.unwrap_or_else(|| default.to_owned()))
    };
    EnvPaths {
        workspace: given(WORKSPACE, "/home/user/workspace"),
        values: given(VALUES_FILE, "/tmp/.proliferate_env.json"),
    }
}

fn missing(name: &str) -> Failure {
    Failure::usage(format!("the variable {name} is not set"))
        .hint("it is set in the sandbox of a session; this command works nowhere else")
}

fn token_of_file(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let limit = u64::try_from(TOKEN_BYTES_MAX + 2).unwrap_or(u64::MAX);
    let read =
        std::fs::File::open(path).and_then(|file| file.take(limit).read_to_string(&mut text));
    // The kind alone: what is in the file is not for a message.
    read.map_err(|error| {
        Failure::usage(format!(
            "cannot read the file of {TOKEN_FILE}: {}",
            error.kind()
        ))
    })?;
    Ok(text)
}

/// What can stand in a header, and be found again in any text that repeats it.
fn checked_token(text: &str) -> Result<SecretText, Failure> {
    let token = text.trim();
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\"\\".contains(&byte);
    if token.is_empty() || token.len() > TOKEN_BYTES_MAX || !token.bytes().all(is_plain) {
        return Err(Failure::usage(
            "the sandbox token is empty, too long or has odd characters",
        ));
    }
    Ok(SecretText::new(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        let found = |name: &str| {
            let pair = pairs.iter().find(|(known, _)| *known == name);
            pair.map(|(_, value)| (*value).to_owned())
        };
        Settings::read(found).map_err(|failure| failure.message)
    }

    #[test]
    fn all_three_are_needed() {
        let all = [
            (GATEWAY_URL, "http://gw:1/"),
            (SESSION_ID, ID),
            (TOKEN, "sbx_1"),
        ];
        assert_eq!(read(&all).unwrap().token.expose(), "sbx_1");
        for left_out in 0..all.len() {
            let mut some = all.to_vec();
            let (name, _) = some.remove(left_out);
            assert_eq!(
                read(&some).unwrap_err(),
                format!("the variable {name} is not set")
            );
        }
    }

    #[test]
    fn a_token_is_refused_without_being_repeated() {
        for token in ["a b", "a\"b", "\u{e9}", " "] {
            let all = [
                (GATEWAY_URL, "http://gw:1"),
                (SESSION_ID, ID),
                (TOKEN, token),
            ];
            assert!(
                read(&all).unwrap_err().starts_with("the sandbox token is"),
                "{token}"
            );
        }
    }
}
