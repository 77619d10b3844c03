//! The line between a caller and its database, which a simulation can cut, delay and lose answers on. Every other
//! caller has one without faults, which costs nothing.

use std::{fmt, sync::Arc};

use async_trait::async_trait;

use crate::error::Result;

/// What happens on the line. Never asked within a transaction.
#[async_trait]
pub trait Faults: fmt::Debug + Send + Sync {
    /// Before a connection is given out.
    async fn ask(&self) -> Result<()>;

    /// After a commit. An error is an answer that was lost: the commit has happened.
    async fn committed(&self) -> Result<()>;
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Line(Option<Arc<dyn Faults>>);

impl Line {
    pub(crate) fn with(faults: Arc<dyn Faults>) -> Self {
        Self(Some(faults))
    }

    pub(crate) async fn ask(&self) -> Result<()> {
        match &self.0 {
            Some(faults) => faults.ask().await,
            None => Ok(()),
        }
    }

    pub(crate) async fn committed(&self) -> Result<()> {
        match &self.0 {
            Some(faults) => faults.committed().await,
            None => Ok(()),
        }
    }
}
