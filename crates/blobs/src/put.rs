//! Storing bytes: hashed as they are read, created at their digest only if nothing exists there.

use std::{path::Path as FilePath, pin::pin, sync::Arc};

use bytes::Bytes;
use domain::{
    audit::Sha256Hex,
    clock::random_bytes,
    limits::{BLOB_PART_BYTES, BLOB_PARTS_IN_FLIGHT_MAX},
};
use futures::{Stream, StreamExt, stream};
use object_store::{
    CopyMode, CopyOptions, ObjectStore, ObjectStoreExt, PutMode, PutPayload, WriteMultipart,
    path::Path,
};

use crate::{
    Blobs, Scope,
    digest::Digest,
    error::{Error, Result, Source},
    get::file_stream,
    key::join,
};

/// What was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub sha256: Sha256Hex,
    pub byte_size: u64,
}

impl Blobs {
    /// Stores the bytes of `body`, at most `max` bytes of it. Storing the same bytes again, also at
    /// the same time, is fine. Nothing is published unless all of it arrived.
    pub async fn put<E: Into<Source>>(
        &self,
        scope: &Scope,
        body: impl Stream<Item = std::result::Result<Bytes, E>> + Send,
        max: u64,
    ) -> Result<Stored> {
        let mut body = pin!(body);
        let mut digest = Digest::new();
        // What fits into one part is stored in one request; only more goes through a temporary object.
        let (mut head, mut head_size, mut temporary) = (Vec::new(), 0, None);
        while let Some(chunk) = body.next().await {
            let chunk = chunk.map_err(|error| Error::Body(error.into()))?;
            digest.update(&chunk);
            if digest.size() > max {
                return Err(Error::TooLarge { max });
            }
            if temporary.is_none() && head_size + chunk.len() <= BLOB_PART_BYTES {
                head_size += chunk.len();
                head.push(chunk);
                continue;
            }
            let temporary = match &mut temporary {
                Some(temporary) => temporary,
                absent => absent.insert(run_to_end(TemporaryObject::begin(self.clone())).await?),
            };
            for chunk in head.drain(..) {
                temporary.write(chunk).await?;
            }
            temporary.write(chunk).await?;
        }
        let byte_size = digest.size();
        let sha256 = digest.finish()?;
        let key = scope.key(&self.0.prefix, &sha256)?;
        self.check_path(&key).await?;
        let created = match temporary {
            None => self.create(&key, PutPayload::from_iter(head)).await?,
            Some(temporary) => run_to_end(temporary.publish(key.clone())).await?,
        };
        if !created {
            self.verify(&key, &sha256, byte_size).await?;
        }
        Ok(Stored { sha256, byte_size })
    }

    /// Stores bytes in memory.
    pub async fn put_bytes(&self, scope: &Scope, bytes: Bytes, max: u64) -> Result<Stored> {
        let body = stream::iter([Ok::<_, Error>(bytes)]);
        self.put(scope, body, max).await
    }

    /// Stores the content of a file.
    pub async fn put_file(&self, scope: &Scope, path: &FilePath, max: u64) -> Result<Stored> {
        let file = tokio::fs::File::open(path).await;
        let file = file.map_err(Error::unavailable)?;
        self.put(scope, file_stream(file), max).await
    }

    /// Creates an object if none exists; returns whether it did.
    pub(crate) async fn create(&self, key: &Path, payload: PutPayload) -> Result<bool> {
        let created = self
            .0
            .store
            .put_opts(key, payload, PutMode::Create.into())
            .await;
        was_absent(created.map(drop))
    }
}

fn was_absent(created: object_store::Result<()>) -> Result<bool> {
    match created {
        Ok(()) => Ok(true),
        Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Runs a task that must not be interrupted when its caller is cancelled: S3 would keep parts of an
/// upload whose id is unknown.
async fn run_to_end<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    tokio::spawn(work).await.map_err(Error::unavailable)?
}

/// An object that is written before its digest is known. Dropped, it is removed; leftovers of a
/// killed process are below `tmp/`, which is never read.
struct TemporaryObject {
    store: Arc<dyn ObjectStore>,
    key: Path,
    /// `None` once all parts are there.
    upload: Option<WriteMultipart>,
}

impl TemporaryObject {
    async fn begin(blobs: Blobs) -> Result<Self> {
        let name = hex::encode(random_bytes::<16>(&*blobs.0.entropy));
        let key = join(&blobs.0.prefix, &["tmp", &name])?;
        blobs.check_path(&key).await?;
        let store = blobs.0.store.clone();
        let upload = store.put_multipart(&key).await?;
        let upload = WriteMultipart::new_with_chunk_size(upload, BLOB_PART_BYTES);
        Ok(Self {
            store,
            key,
            upload: Some(upload),
        })
    }

    async fn write(&mut self, chunk: Bytes) -> Result<()> {
        if let Some(upload) = &mut self.upload {
            upload.wait_for_capacity(BLOB_PARTS_IN_FLIGHT_MAX).await?;
            upload.put(chunk);
        }
        Ok(())
    }

    /// Moves it to its key if nothing exists there; returns whether it did.
    async fn publish(mut self, key: Path) -> Result<bool> {
        if let Some(upload) = self.upload.take() {
            upload.finish().await?;
        }
        let only_if_absent = CopyOptions::new().with_mode(CopyMode::Create);
        was_absent(self.store.copy_opts(&self.key, &key, only_if_absent).await)
    }
}

impl Drop for TemporaryObject {
    fn drop(&mut self) {
        let (store, key, upload) = (self.store.clone(), self.key.clone(), self.upload.take());
        // Also when the request that sent the bytes was cancelled: then no caller waits any more.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            let removed = match upload {
                Some(upload) => upload.abort().await,
                None => store.delete(&key).await,
            };
            if let Err(error) = removed {
                tracing::warn!(%key, %error, "a temporary object was left in storage");
            }
        });
    }
}
