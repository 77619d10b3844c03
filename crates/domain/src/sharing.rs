//! Who may see, steer, order, decide and share a session: one table. Every check of the gateway and every page that
//! explains it reads [`may`]; `docs/concepts/sharing.md` has the same table, and a test compares the two.
//!
//! INVARIANT: a caller that has any right on a session sees it. To all others the session does not exist.

use crate::id::UserId;

mod share_link;
mod table;

pub use share_link::{ShareLink, ShareLinkText, share_link_hash};
pub use table::{RightsRow, rights_table, rights_table_markdown};

crate::text_enum! {
    /// Which members of its organization see a session.
    Visibility {
        /// All of them.
        Organization = "organization",
        /// Its creator, and admins.
        Private = "private",
        /// Its creator, admins, and the members who are named.
        People = "people",
    }
}

crate::text_enum! {
    /// What a member is named for in the list of a session.
    NamedRight {
        See = "see",
        Steer = "steer",
    }
}

crate::text_enum! {
    /// What a caller may do with a session.
    SessionRight {
        /// Read it: its record, transcript, files, calls and previews.
        See = "see",
        /// Change what it does: prompt its agent, use its terminal, write to its sandbox.
        Steer = "steer",
        /// End it, name it, move it to a fresh sandbox.
        Order = "order",
        /// Approve or deny its calls, and open all of a call.
        Decide = "decide",
        /// Change who sees and steers it, and make share links for its transcript.
        Share = "share",
    }
}

crate::text_enum! {
    /// What a caller is to a session. A caller can be several of these, and has the rights of each.
    SessionRelation {
        Creator = "creator",
        NamedToSteer = "named_to_steer",
        NamedToSee = "named_to_see",
        /// The member who made the automation that the session runs for.
        AutomationOwner = "automation_owner",
        Member = "member",
        Admin = "admin",
        Owner = "owner",
        /// A program of the platform with a service token.
        Service = "service",
        /// The agent in the session's own sandbox.
        Agent = "agent",
    }
}

/// What the table needs to know of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionStanding {
    pub visibility: Visibility,
    /// Its creator is no member of the organization (any more), or a service made it.
    pub is_orphaned: bool,
}

/// Whether a caller with this relation to the session has the right.
pub const fn may(session: SessionStanding, relation: SessionRelation, right: SessionRight) -> bool {
    if !sees(session.visibility, relation) {
        return false;
    }
    match right {
        SessionRight::See => true,
        SessionRight::Steer => steers(session.is_orphaned, relation),
        SessionRight::Order => steers(session.is_orphaned, relation) || administers(relation),
        SessionRight::Decide => administers(relation),
        SessionRight::Share => {
            matches!(relation, SessionRelation::Creator) || administers(relation)
        }
    }
}

const fn sees(visibility: Visibility, relation: SessionRelation) -> bool {
    match relation {
        SessionRelation::Creator
        | SessionRelation::Admin
        | SessionRelation::Owner
        | SessionRelation::Service
        | SessionRelation::Agent => true,
        SessionRelation::NamedToSteer | SessionRelation::NamedToSee => {
            !matches!(visibility, Visibility::Private)
        }
        SessionRelation::AutomationOwner | SessionRelation::Member => {
            matches!(visibility, Visibility::Organization)
        }
    }
}

const fn steers(is_orphaned: bool, relation: SessionRelation) -> bool {
    match relation {
        SessionRelation::Creator | SessionRelation::NamedToSteer | SessionRelation::Service => true,
        SessionRelation::AutomationOwner | SessionRelation::Admin | SessionRelation::Owner => {
            is_orphaned
        }
        SessionRelation::NamedToSee | SessionRelation::Member | SessionRelation::Agent => false,
    }
}

const fn administers(relation: SessionRelation) -> bool {
    matches!(relation, SessionRelation::Admin | SessionRelation::Owner)
}

/// A member who is named in the list of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMember {
    pub user_id: UserId,
    pub right: NamedRight,
}

/// Which sessions a list may show: the store leaves out those that the viewer does not see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionViewer<'a> {
    /// An admin, an owner or a service: every session of the organization.
    All,
    /// A member: sessions of the organization, their own, and those that name them.
    Member(&'a UserId),
}

impl<'a> SessionViewer<'a> {
    /// The member whose sight limits the list; `None` if nothing does.
    pub const fn member(self) -> Option<&'a UserId> {
        match self {
            Self::All => None,
            Self::Member(user_id) => Some(user_id),
        }
    }
}

#[cfg(test)]
mod tests;
