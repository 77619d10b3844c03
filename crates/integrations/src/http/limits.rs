//! The bounds of one call: how long it may take, and how much of a reply is read.

use std::time::Duration;

use domain::limits::{SOURCE_CALL_TIMEOUT, SOURCE_REPLY_BYTES_MAX};

/// Bounds of one call of a built-in source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallLimits {
    pub timeout: Duration,
    pub reply_bytes_max: usize,
}

impl Default for CallLimits {
    fn default() -> Self {
        Self {
            timeout: SOURCE_CALL_TIMEOUT,
            reply_bytes_max: SOURCE_REPLY_BYTES_MAX,
        }
    }
}
