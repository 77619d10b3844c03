//! A log, or one case's or session's trail of it, as one file of JSON lines. Read and written a page at a
//! time, so that its length does not matter.
//!
//! | Line | Where |
//! |---|---|
//! | header: `format`, `organization_id`, `scope`, `checkpoint`, `verifier_key` | first |
//! | a record exactly as it was hashed | |
//! | `proof`: that the record before it is in the signed log | in a trail |
//! | `checkpoint`: an earlier one; in a trail with its `consistency` proof | after what it signed |
//! | `policy_file`, `artifact` and its `content` | in a trail, after the records |
//! | `end`: how much there was; for a trail signed, so that nothing can be cut off | last |

mod evidence;
mod lines;
mod log;
mod position;
mod trail;

use domain::{audit::Trail, id::OrganizationId};
use serde_json::{Value, json};
use store::AuditCheckpoint;

use self::{
    lines::BundleLines,
    position::{LogPosition, TrailPosition},
};
use super::key::SigningKey;
use crate::{
    context::App,
    error::{Error, Result},
};

/// The first member of the header.
pub const FORMAT: &str = "proliferate-audit-bundle/2";

/// What a bundle is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BundleScope {
    Log,
    Trail(Trail),
}

/// Whether the bytes of artifacts are put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArtifactInclusion {
    Digests,
    Include,
}

/// A log or trail on its way out, up to the log's last checkpoint.
#[derive(Debug)]
pub struct Bundle {
    app: App,
    organization_id: OrganizationId,
    checkpoint: AuditCheckpoint,
    key: SigningKey,
    scope: BundleScope,
    artifacts: ArtifactInclusion,
    stage: Stage,
    /// Records given out.
    records: u64,
}

/// What comes next.
#[derive(Debug)]
enum Stage {
    Header,
    Log(LogPosition),
    Trail(Box<TrailPosition>),
    Done,
}

impl Bundle {
    /// `Error::NotFound` for a log that was never signed.
    pub async fn open(
        app: &App,
        organization_id: &OrganizationId,
        scope: BundleScope,
        artifacts: ArtifactInclusion,
    ) -> Result<Self> {
        let mut conn = app.db.read().await?;
        let checkpoint = store::audit_checkpoint_last(&mut conn, organization_id).await?;
        Ok(Self {
            app: app.clone(),
            organization_id: organization_id.clone(),
            checkpoint: checkpoint.ok_or(Error::NotFound("audit log"))?,
            key: SigningKey::of(&app.keyring, organization_id)?,
            scope,
            artifacts,
            stage: Stage::Header,
            records: 0,
        })
    }

    /// How many records were given out.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Whole lines that follow what was given out before; `None` at the end.
    pub async fn next_page(&mut self) -> Result<Option<Vec<u8>>> {
        let mut lines = BundleLines::default();
        // Ends: every turn goes on to the next part, and the last part is `Done`.
        while lines.0.is_empty() {
            if matches!(self.stage, Stage::Done) {
                return Ok(None);
            }
            self.turn(&mut lines).await?;
        }
        Ok(Some(lines.0.into_bytes()))
    }

    async fn turn(&mut self, lines: &mut BundleLines) -> Result<()> {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Header => {
                lines.json(&self.header());
                self.stage = match &self.scope {
                    BundleScope::Log => Stage::Log(LogPosition::default()),
                    BundleScope::Trail(trail) => {
                        let position = TrailPosition::new(trail, &self.organization_id);
                        Stage::Trail(Box::new(position))
                    }
                };
            }
            Stage::Log(position) => {
                if let Some(next) = self.log_page(position, lines).await? {
                    self.stage = Stage::Log(next);
                }
            }
            Stage::Trail(mut position) => {
                if self.trail_page(&mut position, lines).await? {
                    self.stage = Stage::Trail(position);
                }
            }
            Stage::Done => {}
        }
        Ok(())
    }

    fn header(&self) -> Value {
        let scope = match &self.scope {
            BundleScope::Log => json!({ "kind": "log" }),
            BundleScope::Trail(Trail::Case(id)) => json!({ "kind": "case", "id": id.as_str() }),
            BundleScope::Trail(Trail::Session(id)) => {
                json!({ "kind": "session", "id": id.to_string() })
            }
        };
        json!({
            "format": FORMAT,
            "organization_id": self.organization_id.as_str(),
            "scope": scope,
            "checkpoint": self.checkpoint.note,
            "verifier_key": self.key.verifier_key(),
        })
    }
}
