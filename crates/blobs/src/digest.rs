//! Hashing and counting bytes on their way past.

use domain::audit::Sha256Hex;
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};

#[derive(Default)]
pub(crate) struct Digest {
    hash: Sha256,
    size: u64,
}

impl Digest {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.size += bytes.len() as u64;
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn finish(self) -> Result<Sha256Hex> {
        Sha256Hex::new("sha256", hex::encode(self.hash.finalize())).map_err(Error::unavailable)
    }
}
