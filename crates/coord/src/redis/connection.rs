//! The one connection of this process that sends commands. Owns timeouts, the one retry of a call,
//! and the meaning of Redis errors for a caller.
//!
//! INVARIANT: a call ends within the timeout of the connection, its retry included; the password in
//! the URL is in no error and no debug output.

use std::{fmt, time::Duration};

use ::redis::{
    Client, Cmd, ErrorKind, FromRedisValue, IntoConnectionInfo, RedisError, RetryMethod,
    aio::{ConnectionManager, ConnectionManagerConfig},
    io::tcp::TcpSettings,
};
use domain::limits::{CONNECTION_CHECK_EVERY, COORDINATION_RETRY_DELAY};
use tokio::time::timeout;

use crate::error::Error;

pub(super) struct Connection {
    client: Client,
    manager: ConnectionManager,
    timeout: Duration,
}

/// When a failed call may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    /// The operation is idempotent.
    Safe,
    /// A repetition would count or publish twice: only when the first certainly did not reach the
    /// service.
    OnlyIfNotSent,
}

impl Connection {
    pub(super) fn new(url: &str, timeout: Duration) -> Result<Self, Error> {
        // The library's own errors are not passed on: they quote a text with a password.
        let invalid = |_| Error::InvalidUrl {
            reason: "expected redis://[user:password@]host[:port][/database] or rediss://",
        };
        let info = url.into_connection_info().map_err(invalid)?;
        let client = Client::open(info.set_tcp_settings(tcp_settings())).map_err(invalid)?;
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_max_delay(COORDINATION_RETRY_DELAY)
            .set_connection_timeout(Some(timeout))
            .set_response_timeout(Some(timeout));
        let manager =
            ConnectionManager::new_lazy_with_config(client.clone(), config).map_err(invalid)?;
        Ok(Self {
            client,
            manager,
            timeout,
        })
    }

    pub(super) fn client(&self) -> Client {
        self.client.clone()
    }

    /// Longest wait for the answer to one call.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    pub(super) async fn call<T: FromRedisValue>(
        &self,
        operation: &'static str,
        repeat: Repeat,
        command: &Cmd,
    ) -> Result<T, Error> {
        let attempts = async {
            match command.query_async(&mut self.manager.clone()).await {
                // A call can fail because of how an earlier one ended: the manager detects a dead
                // connection only by using it, and then reconnects for the next caller.
                Err(error) if worth_repeating(&error, repeat) => {
                    command.query_async(&mut self.manager.clone()).await
                }
                answer => answer,
            }
        };
        match timeout(self.timeout, attempts).await {
            Ok(answer) => answer.map_err(|error| classify(operation, error)),
            Err(_) => Err(Error::no_answer(operation, self.timeout)),
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = self.client.get_connection_info().addr().to_string();
        f.debug_struct("Connection")
            .field("address", &address)
            .finish_non_exhaustive()
    }
}

fn tcp_settings() -> TcpSettings {
    let settings = TcpSettings::default().set_nodelay(true);
    // Without it a peer that vanished without closing keeps the connection for a quarter of an
    // hour: a call without a response does not make the manager reconnect.
    #[cfg(target_os = "linux")]
    let settings = settings.set_user_timeout(CONNECTION_CHECK_EVERY);
    settings
}

fn worth_repeating(error: &RedisError, repeat: Repeat) -> bool {
    match repeat {
        Repeat::Safe => error.is_io_error() && !error.is_timeout(),
        Repeat::OnlyIfNotSent => error.is_connection_refusal(),
    }
}

fn classify(operation: &'static str, error: RedisError) -> Error {
    // Responses of a server that is full, read-only, loading or failing over: temporary ones,
    // unlike a refusal.
    let passing = [
        "OOM",
        "MISCONF",
        "NOREPLICAS",
        "READONLY",
        "LOADING",
        "BUSY",
    ];
    let settled = matches!(
        error.kind(),
        ErrorKind::Parse | ErrorKind::AuthenticationFailed
    ) || matches!(error.retry_method(), RetryMethod::NoRetry);
    if settled && !error.code().is_some_and(|code| passing.contains(&code)) {
        Error::refused(operation, error)
    } else {
        Error::unavailable(operation, error)
    }
}
