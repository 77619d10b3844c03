//! The sandbox of a session, as clients are shown it.

use app::{Error, Result, access::SessionAccess};
use domain::{clock::Timestamp, session::Session};
use sandbox::{Handle, local::Tier};

use super::control::SandboxControl;

/// A session and its sandbox.
#[derive(Debug, Clone, PartialEq)]
pub struct SandboxInfo {
    pub session: Session,
    /// `None` before the first boot.
    pub sandbox: Option<SandboxView>,
}

/// A sandbox, and what it does not protect from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxView {
    pub id: String,
    pub provider: String,
    pub tier: String,
    pub expires_at: Option<Timestamp>,
    pub unprotected: Vec<&'static str>,
}

impl SandboxControl {
    /// Returns what is on record, without booting the sandbox.
    pub async fn read_info(&self, access: &SessionAccess) -> Result<SandboxInfo> {
        let (organization_id, id) = (access.organization_id(), access.session_id());
        let mut conn = self.registry.app().db.read().await?;
        let session = store::session_fetch(&mut conn, organization_id, id).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        let row = store::session_runtime_fetch(&mut conn, organization_id, id).await?;
        let stored = row.and_then(|row| row.sandbox);
        let handle = stored.and_then(|stored| serde_json::from_str(&stored).ok());
        Ok(SandboxInfo {
            session,
            sandbox: handle.map(sandbox_view),
        })
    }
}

fn sandbox_view(handle: Handle) -> SandboxView {
    let tiers = [Tier::Root, Tier::Rootless];
    let tier = tiers.iter().find(|tier| tier.as_str() == handle.tier);
    let unprotected = match tier {
        Some(tier) => tier.unprotected().to_vec(),
        None => vec!["the kernel is shared: a defect in it can be a way out"],
    };
    SandboxView {
        id: handle.id.to_string(),
        provider: handle.provider,
        tier: handle.tier,
        expires_at: handle.expires_at,
        unprotected,
    }
}
