//! Puts environment values into a running sandbox, by the `proliferate` command in it and under its lock.

use std::collections::BTreeMap;

use app::{Error, access::Steering};
use domain::limits::SANDBOX_SETTLE_TIMEOUT;
use sandbox::{ExecRequest, Handle as Sandbox};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use wire::live::MessageSource;

use super::access::{SandboxAccess, SandboxCallError};
use crate::{registry::SessionKey, session::NewPrompt};

impl SandboxAccess {
    /// Puts values into the sandbox of a session, which is booted for it, and tells its agent their names. Returns the id of
    /// that prompt.
    pub async fn give_env_values(
        &self,
        steering: &Steering,
        values: &BTreeMap<String, SecretString>,
        sender_id: Option<String>,
    ) -> Result<String, SandboxCallError> {
        let key = SessionKey::from(steering);
        let handle = self.registry.open_by_key(&key).await?;
        handle.ensure_ready().await?;
        self.apply_env_values(&key, values).await?;
        let prompt = NewPrompt {
            text: agent::env::values_are_there(values.keys().map(String::as_str)),
            sender_id,
            source: Some(MessageSource::Api),
            ..NewPrompt::default()
        };
        Ok(handle.prompt(prompt).await?)
    }

    /// Merges values into the env file of the session's sandbox, which must be running. They are sent on the command's
    /// standard input: all programs of the sandbox can read its arguments.
    async fn apply_env_values(
        &self,
        key: &SessionKey,
        values: &BTreeMap<String, SecretString>,
    ) -> Result<(), Error> {
        let row = {
            let mut conn = self.registry.app().db.read().await?;
            store::session_runtime_fetch(&mut conn, &key.organization_id, key.id).await?
        };
        let sandbox = row.and_then(|row| row.sandbox);
        let sandbox = sandbox.and_then(|text| serde_json::from_str::<Sandbox>(&text).ok());
        let sandbox = sandbox.ok_or(Error::SessionInTransition)?;
        let machine = self.machine_with_helper().await?;
        let object: Map<String, Value> = values
            .iter()
            .map(|(name, value)| (name.clone(), value.expose_secret().into()))
            .collect();
        let command = format!("{}/.local/bin/proliferate", sandbox::HOME);
        let mut request = ExecRequest::new([command.as_str(), "env", "apply", "--values", "-"]);
        request.stdin = Some(Value::Object(object).to_string().into());
        request.timeout = SANDBOX_SETTLE_TIMEOUT;
        let ended = machine.provider.exec(&sandbox, request).await;
        let ended = ended.map_err(|error| Error::Outside(error.to_string()))?;
        if ended.is_success() {
            return Ok(());
        }
        // Its output is not logged: it may contain values.
        tracing::warn!(exit = ?ended.exit, session_id = %key.id, "a sandbox did not accept environment values");
        let message = "the sandbox did not take the values; all of them together may be too large";
        Err(Error::Outside(message.to_owned()))
    }
}
