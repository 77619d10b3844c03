//! Fault injection between a caller and its database, for simulations: they refuse connections, delay them, and lose the
//! answers to commits. Without a simulation nothing is injected, which costs nothing.

use std::{fmt, sync::Arc};

use async_trait::async_trait;

use crate::error::Result;

/// Decides which faults happen. Never called within a transaction.
#[async_trait]
pub trait Faults: fmt::Debug + Send + Sync {
    /// Called before a connection is acquired. An error refuses the connection.
    async fn before_connection(&self) -> Result<()>;

    /// Called after a commit. An error is a lost answer: the commit has happened.
    async fn after_commit(&self) -> Result<()>;
}

#[derive(Debug, Clone, Default)]
pub(crate) struct FaultInjection(Option<Arc<dyn Faults>>);

impl FaultInjection {
    pub(crate) fn with(faults: Arc<dyn Faults>) -> Self {
        Self(Some(faults))
    }

    pub(crate) async fn before_connection(&self) -> Result<()> {
        match &self.0 {
            Some(faults) => faults.before_connection().await,
            None => Ok(()),
        }
    }

    pub(crate) async fn after_commit(&self) -> Result<()> {
        match &self.0 {
            Some(faults) => faults.after_commit().await,
            None => Ok(()),
        }
    }
}
