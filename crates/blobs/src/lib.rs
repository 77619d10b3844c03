//! Stored bytes: under the scope they belong to and the digest they have, in a directory or in S3.
//!
//! INVARIANT: bytes under a digest were hashed when they were stored, are created once and never
//! replaced, and are hashed again before any of them is returned. Bytes of one scope are never found
//! through another, even if they are equal.
//!
//! Access control is not part of this crate, and the metadata of the bytes is in the database.

mod checkpoint;
mod digest;
mod directory;
mod error;
mod get;
mod key;
mod location;
mod probe;
mod purge;
mod put;

use std::{fmt, path::PathBuf, sync::Arc};

use domain::clock::Entropy;
use object_store::{ObjectStore, memory::InMemory, path::Path};

pub use error::{Error, Result};
pub use get::Content;
pub use key::Scope;
pub use location::{Location, S3Credentials, S3Location};
pub use put::Stored;

/// Storage: cheap to clone, shared by all readers and writers.
#[derive(Clone)]
pub struct Blobs(Arc<Inner>);

struct Inner {
    store: Arc<dyn ObjectStore>,
    /// The directory, where storage is one: its paths are checked before each use.
    root: Option<PathBuf>,
    /// The prefix of every key.
    prefix: Path,
    /// The directory in which objects that are too long for memory are checked before they are
    /// returned.
    scratch: PathBuf,
    entropy: Arc<dyn Entropy>,
    last_probe: probe::LastProbe,
    /// Why storage is unavailable, for a process that runs without it.
    closed: Option<String>,
}

impl Blobs {
    /// Opens storage; a missing directory is created. No request is sent to S3 yet.
    pub fn open(location: &Location, entropy: Arc<dyn Entropy>) -> Result<Self> {
        let (store, root, prefix, scratch) = match location {
            Location::Directory(path) => {
                let (store, root) = directory::open(path)?;
                let scratch = root.clone();
                (store, Some(root), Path::default(), scratch)
            }
            Location::S3(s3) => {
                let (store, prefix) = s3.open()?;
                (store, None, prefix, std::env::temp_dir())
            }
        };
        Ok(Self(Arc::new(Inner {
            store,
            root,
            prefix,
            scratch,
            entropy,
            last_probe: probe::LastProbe::default(),
            closed: None,
        })))
    }

    /// Storage that refuses everything for this reason: for a command that works without unless it is
    /// asked for stored bytes.
    pub fn closed(reason: impl Into<String>, entropy: Arc<dyn Entropy>) -> Self {
        Self::open_memory(entropy, Some(reason.into()))
    }

    /// Storage that is dropped with the last of its clones: for simulations.
    pub fn in_memory(entropy: Arc<dyn Entropy>) -> Self {
        Self::open_memory(entropy, None)
    }

    fn open_memory(entropy: Arc<dyn Entropy>, closed: Option<String>) -> Self {
        Self(Arc::new(Inner {
            store: Arc::new(InMemory::new()),
            root: None,
            prefix: Path::default(),
            scratch: std::env::temp_dir(),
            entropy,
            last_probe: probe::LastProbe::default(),
            closed,
        }))
    }

    /// Refuses a key whose path in the directory was tampered with. Runs before every use of storage.
    async fn check_path(&self, key: &Path) -> Result<()> {
        if let Some(reason) = &self.0.closed {
            return Err(Error::unavailable(reason.as_str()));
        }
        let Some(root) = self.0.root.clone() else {
            return Ok(());
        };
        let key = key.clone();
        let looked = tokio::task::spawn_blocking(move || directory::check_path(&root, &key)).await;
        looked.map_err(Error::unavailable)?
    }
}

impl fmt::Debug for Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blobs({})", self.0.store)
    }
}
