//! Removes the bytes of an organization.

use domain::id::OrganizationId;
use futures::{StreamExt as _, TryStreamExt as _};
use object_store::{ObjectStore as _, ObjectStoreExt as _};

use crate::{
    Blobs,
    error::{Error, Result},
    key::join,
};

impl Blobs {
    /// Removes up to `max` objects of an organization, and returns how many; 0 when none is left. Repeated after a kill, it
    /// goes on where it ended.
    pub async fn delete_organization(
        &self,
        organization_id: &OrganizationId,
        max: usize,
    ) -> Result<usize> {
        let organization = organization_id.as_str();
        let mut removed = 0;
        for kind in ["artifacts", "audit"] {
            let prefix = join(&self.0.prefix, &[kind, organization])?;
            self.check_path(&prefix.clone().join("x")).await?;
            let found = self.0.store.list(Some(&prefix)).take(max - removed);
            let found: Vec<_> = found.try_collect().await.map_err(Error::from)?;
            for object in found {
                match self.0.store.delete(&object.location).await {
                    Ok(()) | Err(object_store::Error::NotFound { .. }) => removed += 1,
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(removed)
    }
}
