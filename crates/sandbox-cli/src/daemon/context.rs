//! What every request to the daemon can use.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::services::ServiceSupervisor;
use crate::{env::TokenSource, jail::Jail};

#[derive(Debug)]
pub(super) struct DaemonContext {
    pub(super) token: TokenSource,
    pub(super) jail: Arc<Jail>,
    pub(super) services: Arc<ServiceSupervisor>,
    /// One permit for each terminal.
    pub(super) terminals: Arc<Semaphore>,
    /// The ports on which the daemon itself listens; they are not shown as a preview.
    pub(super) own_ports: Vec<u16>,
}
