//! A distinct type for every id, so that a session id cannot be passed where a repo id is meant.
//!
//! Rows have UUIDs of version 7 (they sort by creation, which keeps indexes compact and gives list
//! pages a stable order). Organizations and users have text ids, as in the systems we interoperate
//! with; their grammar is narrow enough to be safe in URLs, logs and file names.

use std::{fmt, str::FromStr};

use uuid::Uuid;

use crate::{
    clock::{Entropy, Timestamp, random_bytes},
    invalid::Invalid,
};

/// A text that is not a valid id of its kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {kind} id")]
pub struct InvalidId {
    pub kind: &'static str,
}

macro_rules! uuid_ids {
    ($($(#[$meta:meta])* $name:ident = $kind:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// A new id that sorts after every id created in an earlier millisecond.
            pub fn generate(now: Timestamp, entropy: &dyn Entropy) -> Self {
                Self(uuid_v7(now, entropy))
            }

            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            /// Accepts the hyphenated form only: one id, one spelling.
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let hyphenated = text.len() == uuid::fmt::Hyphenated::LENGTH;
                match Uuid::try_parse(text) {
                    Ok(uuid) if hyphenated => Ok(Self(uuid)),
                    _ => Err(InvalidId { kind: $kind }),
                }
            }
        }
    )+};
}

uuid_ids! {
    /// An API key's row, not the key itself.
    ApiKeyId = "API key";
    /// A stored input or output of a call, in one case or session.
    ArtifactId = "artifact";
    /// A task that agents work on repeatedly.
    AutomationId = "automation";
    /// One run of an automation.
    AutomationRunId = "automation run";
    /// A configuration: what a session starts from.
    ConfigurationId = "configuration";
    /// An MCP server known to an organization or a configuration.
    ConnectorId = "connector";
    /// A message to a webhook or Slack, with the same id for every receiver.
    DeliveryId = "delivery";
    /// A login of a terminal, until its key is fetched.
    DeviceLoginId = "device login";
    /// A standing permission for actions.
    GrantId = "grant";
    /// An agent's request for a grant.
    GrantRequestId = "grant request";
    /// A gateway or worker process, while it runs.
    InstanceId = "instance";
    /// A connection of an organization to an outside service.
    IntegrationId = "integration";
    /// An offer to become a member of an organization.
    InvitationId = "invitation";
    /// One request to run an action.
    InvocationId = "invocation";
    /// Durable work that runs even if its requester ends.
    JobId = "job";
    /// A browser login of a user.
    LoginId = "login";
    /// A mail to one person.
    MailId = "mail";
    /// A lane's temporary exemption from a lock, approved by two admins.
    OverrideTicketId = "override ticket";
    /// A stored document in the records of a case.
    RecordId = "record";
    /// A code repository known to an organization.
    RepoId = "repo";
    /// One HTTP request, in logs and in error responses.
    RequestId = "request";
    /// A piece of mediated work.
    RunId = "run";
    /// One period in which an organization locked its calls.
    SafetyLockId = "safety lock";
    /// A stored secret.
    SecretId = "secret";
    /// A session.
    SessionId = "session";
    /// A link to the transcript of a session.
    ShareLinkId = "share link";
    /// An endpoint that an organization has notifications sent to.
    WebhookId = "webhook";
}

fn uuid_v7(now: Timestamp, entropy: &dyn Entropy) -> Uuid {
    let millis = u64::try_from(now.micros() / 1000).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random_bytes::<10>(entropy)).into_uuid()
}

/// The most characters of a text id.
pub const TEXT_ID_LENGTH_MAX: usize = 120;

macro_rules! text_ids {
    ($($(#[$meta:meta])* $name:ident = $kind:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// ASCII letters, digits, `_`, `-`, `.`; 1 to 120 of them.
            pub fn new(text: impl Into<String>) -> Result<Self, InvalidId> {
                let text = text.into();
                let safe = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
                if text.is_empty() || text.len() > TEXT_ID_LENGTH_MAX || !text.bytes().all(safe) {
                    return Err(InvalidId { kind: $kind });
                }
                Ok(Self(text))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Self::new(text)
            }
        }
    )+};
}

text_ids! {
    /// A tenant.
    OrganizationId = "organization";
    /// A user.
    UserId = "user";
}

/// Parses an id from the named field of a request.
pub fn parse_field<T: FromStr<Err = InvalidId>>(field: &str, text: &str) -> Result<T, Invalid> {
    text.parse()
        .map_err(|error: InvalidId| Invalid::new(field, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Constant(u8);

    impl Entropy for Constant {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.0);
        }
    }

    #[test]
    fn ids_sort_by_the_time_they_were_made() {
        let early = SessionId::generate(Timestamp::from_micros(1_000_000).unwrap(), &Constant(255));
        let late = SessionId::generate(Timestamp::from_micros(2_000_000).unwrap(), &Constant(0));
        assert!(early < late);
        assert!(early.to_string() < late.to_string());
        assert_eq!(early.uuid().get_version_num(), 7);
    }

    #[test]
    fn one_id_has_one_spelling() {
        let text = "0192f0c1-2345-7abc-8def-0123456789ab";
        assert_eq!(text.parse::<SessionId>().unwrap().to_string(), text);
        for other in [
            "0192f0c123457abc8def0123456789ab",
            "{0192f0c1-2345-7abc-8def-0123456789ab}",
            "x",
        ] {
            assert!(other.parse::<SessionId>().is_err(), "{other}");
        }
    }

    #[test]
    fn text_ids_are_safe_in_urls_and_logs() {
        assert!(OrganizationId::new("org_Ab-1.x").is_ok());
        for bad in ["", "a b", "a/b", "ä", "a\n", &"x".repeat(121)] {
            assert!(OrganizationId::new(bad).is_err(), "{bad:?}");
        }
    }
}
