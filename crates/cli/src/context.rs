//! What every command works with: the printer, the options all commands share, time and randomness,
//! and the telemetry that must outlive the runtime.

use std::{
    io::IsTerminal as _,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use app::system::{SystemClock, SystemEntropy};
use config::TelemetrySettings;
use domain::clock::{Clock, Entropy, random_bytes};

use crate::{printer::Printer, telemetry};

/// Of one run of the binary.
#[derive(Debug)]
pub struct Context {
    pub printer: Printer,
    /// `--config`.
    pub config_file: Option<PathBuf>,
    /// `--data-dir`.
    pub data_dir: Option<String>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    telemetry: Mutex<Option<telemetry::Guard>>,
}

impl Context {
    pub fn new(printer: Printer, config_file: Option<PathBuf>, data_dir: Option<String>) -> Self {
        Self {
            printer,
            config_file,
            data_dir,
            clock: Arc::new(SystemClock::new()),
            entropy: Arc::new(SystemEntropy),
            telemetry: Mutex::new(None),
        }
    }

    /// A fresh idempotency key: repeated requests of this command are one request for the gateway.
    pub(crate) fn idempotency_key(&self) -> String {
        self.random_name::<16>("cli")
    }

    /// A name that no other command makes up: a word and random bytes.
    pub(crate) fn random_name<const BYTES: usize>(&self, word: &str) -> String {
        format!(
            "{word}-{}",
            hex::encode(random_bytes::<BYTES>(&*self.entropy))
        )
    }

    /// Starts logs and traces, for commands that run for long.
    pub fn start_telemetry(&self, settings: &TelemetrySettings) -> anyhow::Result<()> {
        let guard = telemetry::init(settings, std::io::stderr().is_terminal())?;
        *self.guard() = Some(guard);
        Ok(())
    }

    /// Sends what is left. Blocks; called when the runtime is gone.
    pub fn finish(self) {
        if let Some(guard) = self.guard().take() {
            guard.shutdown();
        }
    }

    fn guard(&self) -> std::sync::MutexGuard<'_, Option<telemetry::Guard>> {
        self.telemetry
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
