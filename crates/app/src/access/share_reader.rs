//! The proof that a code of a share link was shown that works now.

use domain::{
    audit::Actor,
    id::{OrganizationId, SessionId},
    sharing::ShareLink,
};

use super::{AuditedActor, system};
use crate::error::Result;

/// A reader of one transcript. It is no caller: nothing but what a link shows can be had for it.
#[derive(Debug, Clone)]
pub struct ShareReader(ShareLink);

impl ShareReader {
    /// For [`crate::sharing::open_shared`] alone.
    pub(crate) fn of(link: ShareLink) -> Self {
        Self(link)
    }

    pub fn link(&self) -> &ShareLink {
        &self.0
    }

    pub fn session_id(&self) -> SessionId {
        self.0.session_id
    }
}

impl AuditedActor for ShareReader {
    fn organization_id(&self) -> &OrganizationId {
        &self.0.organization_id
    }

    /// The link, which is all that is known of its reader.
    fn actor(&self) -> Result<Actor> {
        system(&format!("share_link:{}", self.0.id))
    }
}
