//! Reading bytes: all of them are hashed again before any of them is returned.
//!
//! The checked bytes are the returned bytes: a long object is copied to an unnamed file first. Reading it
//! twice instead would return bytes that were swapped in between, and hashing while sending would detect
//! bad bytes only after they were sent.

use std::{io, os::unix::fs::OpenOptionsExt, path::Path as FilePath};

use bytes::{Bytes, BytesMut};
use domain::{
    audit::Sha256Hex,
    limits::{BLOB_CHUNK_BYTES, BLOB_IN_MEMORY_BYTES_MAX},
};
use futures::{Stream, StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{GetResultPayload, ObjectStoreExt, path::Path};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt},
};

use crate::{
    Blobs, Scope,
    digest::Digest,
    error::{Error, Result},
};

/// Bytes with the requested digest.
#[derive(Debug)]
pub struct Content {
    pub byte_size: u64,
    source: ContentSource,
}

#[derive(Debug)]
enum ContentSource {
    Memory(Bytes),
    File(File),
}

impl Content {
    pub fn into_stream(self) -> BoxStream<'static, io::Result<Bytes>> {
        match self.source {
            ContentSource::Memory(bytes) => futures::stream::iter([Ok(bytes)]).boxed(),
            ContentSource::File(file) => file_stream(file).boxed(),
        }
    }

    /// Reads all of it into memory; for content that is known to be short.
    pub async fn into_bytes(self) -> Result<Bytes> {
        match self.source {
            ContentSource::Memory(bytes) => Ok(bytes),
            ContentSource::File(file) => {
                let mut all = BytesMut::new();
                let mut chunks = Box::pin(file_stream(file));
                while let Some(chunk) = chunks.try_next().await.map_err(Error::unavailable)? {
                    all.extend_from_slice(&chunk);
                }
                Ok(all.freeze())
            }
        }
    }
}

impl Blobs {
    /// Returns the bytes with this digest and size, if the stored bytes match.
    pub async fn get(&self, scope: &Scope, sha256: &Sha256Hex, byte_size: u64) -> Result<Content> {
        let key = scope.key(&self.0.prefix, sha256)?;
        let source = if byte_size <= BLOB_IN_MEMORY_BYTES_MAX {
            let mut bytes = BytesMut::new();
            let mut body = self.read_checked(&key, sha256, byte_size).await?;
            while let Some(chunk) = body.try_next().await? {
                bytes.extend_from_slice(&chunk);
            }
            ContentSource::Memory(bytes.freeze())
        } else {
            let nameless = tempfile::tempfile_in(&self.0.scratch).map_err(Error::unavailable)?;
            let mut file = File::from_std(nameless);
            self.copy(&key, sha256, byte_size, &mut file).await?;
            file.rewind().await.map_err(Error::unavailable)?;
            ContentSource::File(file)
        };
        Ok(Content { byte_size, source })
    }

    /// Writes the bytes into a new file at `path`; there is no file if it fails.
    pub async fn fetch_to_file(
        &self,
        scope: &Scope,
        sha256: &Sha256Hex,
        byte_size: u64,
        path: &FilePath,
    ) -> Result<()> {
        let key = scope.key(&self.0.prefix, sha256)?;
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let file = tokio::fs::OpenOptions::from(options).open(path).await;
        let mut file = file.map_err(Error::unavailable)?;
        let copied = self.copy(&key, sha256, byte_size, &mut file).await;
        if copied.is_err() {
            let removed = tokio::fs::remove_file(path).await;
            removed.map_err(Error::unavailable)?;
        }
        copied
    }

    /// Reads the stored bytes once and compares.
    pub(crate) async fn verify(
        &self,
        key: &Path,
        sha256: &Sha256Hex,
        byte_size: u64,
    ) -> Result<()> {
        let mut body = self.read_checked(key, sha256, byte_size).await?;
        while body.try_next().await?.is_some() {}
        Ok(())
    }

    async fn copy(
        &self,
        key: &Path,
        sha256: &Sha256Hex,
        byte_size: u64,
        file: &mut File,
    ) -> Result<()> {
        let mut body = self.read_checked(key, sha256, byte_size).await?;
        while let Some(chunk) = body.try_next().await? {
            file.write_all(&chunk).await.map_err(Error::unavailable)?;
        }
        file.flush().await.map_err(Error::unavailable)
    }

    /// The stored bytes, ending in an error unless they have this digest and size.
    async fn read_checked(
        &self,
        key: &Path,
        sha256: &Sha256Hex,
        byte_size: u64,
    ) -> Result<BoxStream<'static, Result<Bytes>>> {
        let altered = {
            let key = key.to_string();
            move || {
                tracing::error!(key, "stored bytes do not have their digest any more");
                Error::Altered { key: key.clone() }
            }
        };
        let (found, body) = self.read(key).await?;
        if found != byte_size {
            return Err(altered());
        }
        let expected = sha256.clone();
        let state = (body, Some(Digest::new()));
        let body = futures::stream::try_unfold(state, move |(mut body, mut digest)| {
            let (expected, altered) = (expected.clone(), altered.clone());
            async move {
                if let Some(chunk) = body.try_next().await? {
                    if let Some(digest) = &mut digest {
                        digest.update(&chunk);
                    }
                    return Ok(Some((chunk, (body, digest))));
                }
                match digest.take().map(Digest::finish).transpose()? {
                    Some(found) if found != expected => Err(altered()),
                    _ => Ok(None),
                }
            }
        });
        Ok(body.boxed())
    }

    /// The object and its size.
    pub(crate) async fn read(
        &self,
        key: &Path,
    ) -> Result<(u64, BoxStream<'static, Result<Bytes>>)> {
        self.check_path(key).await?;
        let found = self.0.store.get(key).await?;
        let size = found.meta.size;
        let body = match found.payload {
            // Its own stream of a file reads 8 KB at a time.
            GetResultPayload::File(file, _) => file_stream(File::from_std(file))
                .map_err(Error::unavailable)
                .boxed(),
            GetResultPayload::Stream(body) => body.map_err(Error::from).boxed(),
        };
        Ok((size, body))
    }
}

/// The content of a file from its current position.
pub(crate) fn file_stream(file: File) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    futures::stream::try_unfold(file, |mut file| async move {
        let mut chunk = BytesMut::with_capacity(BLOB_CHUNK_BYTES);
        let read = file.read_buf(&mut chunk).await?;
        Ok((read > 0).then(|| (chunk.freeze(), file)))
    })
}
