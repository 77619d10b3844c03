//! Values on their way into a running sandbox. Its own command puts them there, in its own way and under its lock.

use std::collections::BTreeMap;

use app::{Error, access::Steering};
use domain::limits::SANDBOX_SETTLE_TIMEOUT;
use sandbox::{ExecRequest, Handle as Sandbox};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use wire::live::MessageSource;

use super::{House, session_key::SessionKey};
use crate::session::{HubError, NewPrompt};

/// Why values did not arrive.
#[derive(Debug, thiserror::Error)]
pub enum GiveError {
    #[error(transparent)]
    App(#[from] Error),
    #[error(transparent)]
    Hub(#[from] HubError),
}

impl House {
    /// Puts values into the sandbox of a session, which is woken for it, and tells its agent their names. Gives the id
    /// of what the agent was told.
    pub async fn give_env(
        &self,
        steering: &Steering,
        values: &BTreeMap<String, SecretString>,
        sender_id: Option<String>,
    ) -> Result<String, GiveError> {
        let key = SessionKey::from(steering);
        let handle = self.hub(&key).await?;
        handle.ensure_ready().await?;
        self.put_env(&key, values).await?;
        let prompt = NewPrompt {
            text: agent::env::values_are_there(values.keys().map(String::as_str)),
            sender_id,
            source: Some(MessageSource::Api),
            ..NewPrompt::default()
        };
        Ok(handle.prompt(prompt).await?)
    }

    /// Merges them into the env file of the session's sandbox, which must be up. Values travel on the command's standard
    /// input: its arguments are for everybody inside to see.
    async fn put_env(
        &self,
        key: &SessionKey,
        values: &BTreeMap<String, SecretString>,
    ) -> Result<(), Error> {
        let row = {
            let mut conn = self.0.app.db.read().await?;
            conn.session_runtime_fetch(&key.organization_id, key.id)
                .await?
        };
        let sandbox = row.and_then(|row| row.sandbox);
        let sandbox = sandbox.and_then(|text| serde_json::from_str::<Sandbox>(&text).ok());
        let sandbox = sandbox.ok_or(Error::Busy("the session's sandbox is not up"))?;
        let machine = self.0.workshop.machine().await;
        let machine = machine.map_err(|closed| Error::Outside(closed.reason))?;
        if machine.helper.is_none() {
            let message = "sandboxes on this gateway lack the `proliferate` command";
            return Err(Error::Outside(message.to_owned()));
        }
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
        // What it said is not logged: it is about values.
        tracing::warn!(exit = ?ended.exit, session_id = %key.id, "a sandbox did not take values");
        let message = "the sandbox did not take the values; all of them together may be too large";
        Err(Error::Outside(message.to_owned()))
    }
}
