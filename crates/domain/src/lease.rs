//! Names of leases and rate counters. The texts are the contract between instances of different
//! versions: they do not change.

use std::net::IpAddr;

use crate::id::{InstanceId, LoginId, OrganizationId, SessionId, ShareLinkId};

/// A lease that one instance holds while it keeps renewing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LeaseKey {
    /// Owns the session: its hub, its sandbox, its events.
    Owner(SessionId),
    /// Boots the session's sandbox.
    Runtime(SessionId),
    /// Migrates the session to a new sandbox.
    Migration(SessionId),
    /// Runs the periodic work of this name for the whole fleet.
    Sweeper(&'static str),
}

impl std::fmt::Display for LeaseKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Owner(id) => write!(f, "owner:{id}"),
            Self::Runtime(id) => write!(f, "runtime:{id}"),
            Self::Migration(id) => write!(f, "migration:{id}"),
            Self::Sweeper(name) => write!(f, "sweeper:{name}"),
        }
    }
}

/// A counter per window of time across all instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateKey {
    /// Actions invoked by a session.
    Actions(SessionId),
    /// Pages of shared transcripts that a client reads.
    SharedReads(IpAddr),
    /// Pages that are read of one share link.
    ShareLink(ShareLinkId),
    /// Invitations tried by a client, which is named by a digest.
    InvitationClient(u128),
    /// Sign-in links requested by a client.
    LoginMailClient(u128),
    /// Sign-in links requested for an address, which is named by a digest.
    LoginMailAddress(u128),
    /// User codes of terminals tried by a browser login.
    DeviceCodes(LoginId),
}

impl std::fmt::Display for RateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Actions(id) => write!(f, "ratelimit:actions:{id}"),
            Self::SharedReads(client) => write!(f, "ratelimit:shared-reads:{client}"),
            Self::ShareLink(id) => write!(f, "ratelimit:share-link:{id}"),
            Self::InvitationClient(digest) => write!(f, "ratelimit:invitations:{digest:032x}"),
            Self::LoginMailClient(digest) => write!(f, "ratelimit:login-mail-client:{digest:032x}"),
            Self::LoginMailAddress(digest) => {
                write!(f, "ratelimit:login-mail-address:{digest:032x}")
            }
            Self::DeviceCodes(id) => write!(f, "ratelimit:device-codes:{id}"),
        }
    }
}

/// A stream of messages that instances publish and subscribe to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic<'a> {
    /// Events of a session.
    Session(SessionId),
    /// Requests of one instance to another.
    Instance(InstanceId),
    /// Changes in an organization.
    Organization(&'a OrganizationId),
    /// Cancelled runs, whichever instance executes them.
    CancelledRuns,
    /// Users and organizations whose permissions changed, whichever instance has their streams.
    AccessChanges,
}

impl std::fmt::Display for Topic<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Session(id) => write!(f, "session-events:{id}"),
            Self::Instance(id) => write!(f, "instance-calls:{id}"),
            Self::Organization(id) => write!(f, "organization-events:{id}"),
            Self::CancelledRuns => f.write_str("cancelled-runs"),
            Self::AccessChanges => f.write_str("access-changes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_the_contract() {
        let id: SessionId = "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap();
        let names = [
            LeaseKey::Owner(id).to_string(),
            LeaseKey::Runtime(id).to_string(),
            LeaseKey::Migration(id).to_string(),
            RateKey::Actions(id).to_string(),
            RateKey::DeviceCodes(LoginId::from_uuid(id.uuid())).to_string(),
        ];
        let expected = [
            "owner",
            "runtime",
            "migration",
            "ratelimit:actions",
            "ratelimit:device-codes",
        ];
        assert_eq!(names, expected.map(|name| format!("{name}:{id}")));
    }
}
