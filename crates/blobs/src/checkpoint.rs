//! Copies of signed checkpoints of an audit log: a second location, which an attacker who rewrites
//! the database would have to rewrite as well.

use bytes::{Bytes, BytesMut};
use domain::id::OrganizationId;
use futures::TryStreamExt;
use object_store::{PutPayload, path::Path};

use crate::{
    Blobs,
    error::{Error, Result},
    key::join,
};

impl Blobs {
    /// Stores the checkpoint of a log of this size unless one is there. Another one of the same size is an
    /// error: the log has been rewritten.
    pub async fn put_checkpoint(
        &self,
        organization_id: &OrganizationId,
        size: u64,
        note: Bytes,
    ) -> Result<()> {
        let key = self.checkpoint_key(organization_id, size)?;
        self.check_path(&key).await?;
        let payload = PutPayload::from_bytes(note.clone());
        if self.create(&key, payload).await? {
            return Ok(());
        }
        let stored = self.get_checkpoint(organization_id, size).await?;
        if stored.as_ref() == Some(&note) {
            return Ok(());
        }
        tracing::error!(%key, "another checkpoint of this size was copied before");
        Err(Error::Altered {
            key: key.to_string(),
        })
    }

    /// The copied checkpoint of a log of this size.
    pub async fn get_checkpoint(
        &self,
        organization_id: &OrganizationId,
        size: u64,
    ) -> Result<Option<Bytes>> {
        /// A note has some 300 bytes.
        const NOTE_BYTES_MAX: u64 = 16 * 1024;
        let key = self.checkpoint_key(organization_id, size)?;
        let (found, mut body) = match self.read(&key).await {
            Err(Error::NotFound) => return Ok(None),
            other => other?,
        };
        if found > NOTE_BYTES_MAX {
            return Err(Error::Altered {
                key: key.to_string(),
            });
        }
        let mut note = BytesMut::new();
        while let Some(chunk) = body.try_next().await? {
            note.extend_from_slice(&chunk);
        }
        Ok(Some(note.freeze()))
    }

    fn checkpoint_key(&self, organization_id: &OrganizationId, size: u64) -> Result<Path> {
        let (organization, size) = (organization_id.as_str(), size.to_string());
        join(
            &self.0.prefix,
            &["audit", organization, "checkpoints", &size],
        )
    }
}
