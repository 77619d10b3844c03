//! Hashing and counting bytes of a stream.

use aws_lc_rs::digest::{Context, SHA256};
use domain::audit::Sha256Hex;

use crate::error::{Error, Result};

/// Every byte in and out passes through here, so it is the fastest available implementation: assembly,
/// also in a build without optimisation.
pub(crate) struct Digest {
    hash: Context,
    size: u64,
}

impl Digest {
    pub(crate) fn new() -> Self {
        Self {
            hash: Context::new(&SHA256),
            size: 0,
        }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.size += bytes.len() as u64;
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn finish(self) -> Result<Sha256Hex> {
        Sha256Hex::new("sha256", hex::encode(self.hash.finish())).map_err(Error::unavailable)
    }
}
