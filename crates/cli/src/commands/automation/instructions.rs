//! What the agent of an automation is told, from wherever it is written.

use std::{io::Read as _, path::PathBuf};

use domain::limits::REQUEST_BODY_BYTES_MAX;

use crate::{exit::Exit, failure::Failure};

/// One of the two, or neither.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(super) struct Instructions {
    /// What the agent is told first
    #[arg(long, value_name = "TEXT")]
    instructions: Option<String>,
    /// The same from a file; `-` is the input
    #[arg(long, value_name = "FILE")]
    instructions_file: Option<PathBuf>,
}

impl Instructions {
    pub(super) fn is_given(&self) -> bool {
        self.instructions.is_some() || self.instructions_file.is_some()
    }

    /// No more of them than a request can have: what is too long is refused by the gateway.
    pub(super) fn read(self) -> Result<Option<String>, Failure> {
        let Some(file) = self.instructions_file else {
            return Ok(self.instructions);
        };
        let mut text = String::new();
        let max = REQUEST_BODY_BYTES_MAX as u64;
        let read = if file.as_os_str() == "-" {
            std::io::stdin().lock().take(max).read_to_string(&mut text)
        } else {
            std::fs::File::open(&file).and_then(|file| file.take(max).read_to_string(&mut text))
        };
        read.map_err(|error| {
            let message = format!("cannot read {}", file.display());
            Failure::caused(Exit::NotFound, message, &error)
        })?;
        Ok(Some(text))
    }
}
