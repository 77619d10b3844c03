//! Reaches into the sandbox of a session: its address, its token, its daemon.

use std::net::SocketAddr;

use app::Error;
use domain::{
    limits::{DAEMON_CONNECT_TIMEOUT, DAEMON_PORT},
    session::SessionState,
};
use sandbox::Handle as Sandbox;
use secrecy::SecretString;

use super::daemon::{Daemon, daemon_silent};
use crate::{
    opencode::ReadBudget,
    registry::{Registry, SessionKey},
    runtime::Machine,
    sandbox_http,
    session::HubError,
};

const NOT_UP: &str = "the session's sandbox is not up; say something to its agent first";
const NO_HELPER: &str = "sandboxes on this gateway lack the `proliferate` command";

/// Access to what runs inside the sandboxes of sessions. Clones share the registry.
#[derive(Debug, Clone)]
pub struct SandboxAccess {
    pub(super) registry: Registry,
}

/// Why something was not done inside a sandbox.
#[derive(Debug, thiserror::Error)]
pub enum SandboxCallError {
    #[error(transparent)]
    App(#[from] Error),
    #[error(transparent)]
    Hub(#[from] HubError),
}

/// One boot of a session's sandbox, as it is reached from here.
#[derive(Debug)]
pub(super) struct ReachableSandbox {
    pub(super) sandbox: Sandbox,
    pub(super) token: SecretString,
    /// Bounds what is read of it.
    read_budget: ReadBudget,
}

impl SandboxAccess {
    pub(crate) fn new(registry: Registry) -> Self {
        Self { registry }
    }

    /// Returns the session's sandbox if it is running. It is not booted for that.
    pub(super) async fn reach_running(&self, key: &SessionKey) -> Result<ReachableSandbox, Error> {
        let (organization_id, id) = (&key.organization_id, key.id);
        let app = self.registry.app();
        let mut conn = app.db.read().await?;
        let session = store::session_fetch(&mut conn, organization_id, id).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        let row = store::session_runtime_fetch(&mut conn, organization_id, id).await?;
        drop(conn);
        let not_up = || Error::Conflict(NOT_UP.to_owned());
        if !matches!(session.state, SessionState::Running { .. }) {
            return Err(not_up());
        }
        let sandbox = row.and_then(|row| row.sandbox);
        let sandbox = sandbox.and_then(|text| serde_json::from_str::<Sandbox>(&text).ok());
        let sandbox = sandbox.ok_or_else(not_up)?;
        Ok(ReachableSandbox {
            // The sandbox accepts the token of its own boot only.
            token: app.tokens.mint_sandbox(&session),
            sandbox,
            read_budget: self.registry.sandboxes().read_budget(id),
        })
    }

    /// Returns the session's sandbox; boots it if it is not running.
    pub(super) async fn reach_booted(
        &self,
        key: &SessionKey,
    ) -> Result<ReachableSandbox, SandboxCallError> {
        let handle = self.registry.open_by_key(key).await?;
        handle.ensure_ready().await?;
        Ok(self.reach_running(key).await?)
    }

    /// Returns the machine that sandboxes run on.
    pub(super) async fn machine(&self) -> Result<&Machine, Error> {
        self.registry.sandboxes().machine().await
    }

    /// Returns the same, if its sandboxes have our helper command.
    pub(super) async fn machine_with_helper(&self) -> Result<&Machine, Error> {
        let machine = self.machine().await?;
        if machine.helper.is_none() {
            return Err(Error::Outside(NO_HELPER.to_owned()));
        }
        Ok(machine)
    }

    /// Returns the address of a port of the sandbox.
    pub(super) async fn port_address(
        &self,
        reached: &ReachableSandbox,
        port: u16,
    ) -> Result<SocketAddr, Error> {
        let machine = self.machine().await?;
        if reached.sandbox.provider != machine.provider.name() {
            return Err(Error::Outside(
                "another provider made the sandbox".to_owned(),
            ));
        }
        let endpoint = machine.provider.endpoint(&reached.sandbox, port).await;
        let endpoint = endpoint.map_err(|error| Error::Outside(error.to_string()))?;
        Ok(endpoint.address)
    }

    /// Returns a client of the daemon in the sandbox.
    pub(super) async fn daemon(&self, reached: &ReachableSandbox) -> Result<Daemon, Error> {
        self.machine_with_helper().await?;
        let address = self.port_address(reached, DAEMON_PORT).await?;
        let client = sandbox_http::client(DAEMON_CONNECT_TIMEOUT).build();
        Ok(Daemon {
            client: client.map_err(|_| daemon_silent())?,
            address,
            token: reached.token.clone(),
            read_budget: reached.read_budget.clone(),
        })
    }
}
