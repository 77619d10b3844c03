//! Secrets by their key, for connectors: opened when one is needed, and not kept.

use ::integrations::mcp::{SecretSource, SecretsUnavailable};
use async_trait::async_trait;
use domain::{
    id::OrganizationId,
    secret::{SecretScope, associated_data},
};
use secrecy::SecretString;
use store::Db;

use crate::{crypto::Keyring, error::Result};

/// The secrets that an organization has set for all of its sessions.
#[derive(Debug)]
pub(crate) struct StoredSecrets {
    db: Db,
    keyring: Keyring,
}

impl StoredSecrets {
    pub(crate) const fn new(db: Db, keyring: Keyring) -> Self {
        Self { db, keyring }
    }
}

/// Opens a secret of the whole organization.
pub(crate) async fn open(
    db: &Db,
    keyring: &Keyring,
    organization_id: &OrganizationId,
    key: &str,
) -> Result<Option<SecretString>> {
    let scope = SecretScope::Organization;
    let sealed = {
        let mut conn = db.read().await?;
        store::secret_fetch_sealed(&mut conn, organization_id, scope, key).await?
    };
    let associated = associated_data(organization_id, scope, key);
    sealed
        .map(|sealed| keyring.open(&associated, &sealed))
        .transpose()
}

#[async_trait]
impl SecretSource for StoredSecrets {
    async fn resolve(
        &self,
        organization_id: &OrganizationId,
        key: &str,
    ) -> std::result::Result<Option<SecretString>, SecretsUnavailable> {
        let opened = open(&self.db, &self.keyring, organization_id, key).await;
        opened.map_err(|error| {
            tracing::warn!(%error, key, "a connector's secret cannot be read");
            SecretsUnavailable
        })
    }
}
