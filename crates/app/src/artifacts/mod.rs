//! Artifacts: stored bytes of a case or a session.
//!
//! INVARIANT: an artifact is seen by the members of its case, or for one of a session by the callers that see
//! the session and by its own agent; for any other caller it does not exist. A bundle made for
//! export is given only to a caller for whom its delivery was recorded, and the result of an action only to the
//! session's agent and to admins.

mod content;
mod read;
mod upload;

pub use blobs::Content;
pub use content::content;
pub(crate) use content::record_opening;
pub use read::{fetch, list};
pub use upload::{ArtifactUpload, UploadedArtifact, upload};

use domain::artifact::ArtifactScope;
use store::Conn;

use crate::{
    access::{AuditedActor, Participant, SessionAccess},
    error::{Error, Result},
};

/// Refuses a scope that the caller does not see, as if there were none.
pub(crate) async fn check_visible(
    conn: &mut Conn,
    who: &Participant,
    scope: &ArtifactScope,
) -> Result<()> {
    let organization_id = who.organization_id();
    let seen = match (scope, who) {
        (ArtifactScope::Case(case_id), _) => match who.case_member() {
            Some(member) => {
                let case = store::case_fetch_for(conn, organization_id, case_id, &member);
                case.await?.is_some()
            }
            None => false,
        },
        (ArtifactScope::Session(id), Participant::Agent { session_id, .. }) => id == session_id,
        (ArtifactScope::Session(id), Participant::Insider(insider)) => {
            return SessionAccess::read(conn, insider, *id).await.map(drop);
        }
    };
    match (seen, scope) {
        (true, _) => Ok(()),
        (false, ArtifactScope::Case(_)) => Err(Error::NotFound("case")),
        (false, ArtifactScope::Session(_)) => Err(Error::NotFound("session")),
    }
}
