//! Reads an image back: its id is the digest of its description, which has the digests of its layers.

use std::{
    collections::BTreeMap,
    io::{self, Read},
};

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use domain::limits::{SANDBOX_CONTAINER_DESCRIPTION_BYTES_MAX, SANDBOX_PUBLISH_TIMEOUT};
use futures::{Stream, StreamExt as _};
use serde::Deserialize;
use tokio_util::io::{StreamReader, SyncIoBridge};

use super::{
    names::snapshot_image,
    response::{failed, status_code},
    snapshot_images::SnapshotImages,
};
use crate::{Error, Result, SnapshotId, stop::StopSignal, stoppable::stoppable};

const STEP: &str = "reading the snapshot back";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ImageManifest {
    config: String,
    layers: Vec<String>,
}

#[derive(Deserialize)]
struct ImageDescription {
    #[serde(default)]
    config: ImageConfig,
    rootfs: RootFs,
}

#[derive(Deserialize, Default)]
struct ImageConfig {
    #[serde(rename = "Env")]
    env: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct RootFs {
    diff_ids: Vec<String>,
}

/// A file of an exported image.
#[derive(Debug)]
pub(super) struct ImageFile {
    digest: String,
    /// If it is short.
    bytes: Vec<u8>,
}

impl SnapshotImages {
    /// Reads a snapshot again, all of it; [`Error::Damaged`] if it is not what was stored.
    pub(super) async fn verify(&self, id: &SnapshotId) -> Result<()> {
        let image = snapshot_image(id)?;
        let seen = self.engine.docker().inspect_image(&image).await;
        match seen {
            Err(error) if status_code(&error) == Some(404) => {
                return Err(Error::NoSnapshot { id: id.to_string() });
            }
            other => other.map_err(failed(STEP))?,
        };
        let stream = self.engine.docker().export_image(&image);
        read_back(
            id.clone(),
            stream.map(|piece| piece.map_err(io::Error::other)),
        )
        .await
    }
}

/// Reads an exported image to its end and compares.
async fn read_back(
    id: SnapshotId,
    image: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
) -> Result<()> {
    stoppable(STEP, SANDBOX_PUBLISH_TIMEOUT, move |stop| {
        // Otherwise an engine that sends no more of it would hold the thread.
        let image = image.take_until(Box::pin(stop.stopped())).boxed();
        let reader = SyncIoBridge::new(StreamReader::new(image));
        let parts = read(reader, stop).map_err(|error| Error::failed(STEP, error))?;
        match check(&id, &parts) {
            Ok(()) => Ok(()),
            Err(why) => {
                tracing::error!(snapshot = %id, why, "a snapshot is damaged");
                Err(Error::Damaged { id: id.to_string() })
            }
        }
    })
    .await
}

pub(super) fn read(from: impl Read, stop: &StopSignal) -> io::Result<BTreeMap<String, ImageFile>> {
    let mut parts = BTreeMap::new();
    let mut archive = tar::Archive::new(from);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let (mut hash, mut bytes) = (Context::new(&SHA256), Vec::new());
        let mut buffer = vec![0; 256 * 1024];
        loop {
            let got = entry.read(&mut buffer)?;
            stop.check()?;
            if got == 0 {
                break;
            }
            hash.update(&buffer[..got]);
            if bytes.len() < SANDBOX_CONTAINER_DESCRIPTION_BYTES_MAX {
                bytes.extend(&buffer[..got]);
            }
        }
        let digest = hex::encode(hash.finish());
        parts.insert(name, ImageFile { digest, bytes });
    }
    // A stopped stream ends early, perhaps between two entries.
    stop.check()?;
    Ok(parts)
}

/// Compares an image with its id; the error says what is wrong.
pub(super) fn check(
    id: &SnapshotId,
    parts: &BTreeMap<String, ImageFile>,
) -> std::result::Result<(), &'static str> {
    let manifest = parts.get("manifest.json").ok_or("it has no manifest")?;
    let manifest: Vec<ImageManifest> =
        serde_json::from_slice(&manifest.bytes).map_err(|_| "its manifest cannot be read")?;
    let [manifest] = &manifest[..] else {
        return Err("it is not one image");
    };
    let described = parts.get(&manifest.config).ok_or("it is not described")?;
    // Where the id is that of a list of descriptions, the description's name has its digest.
    let named = manifest.config.contains(&described.digest);
    if described.digest != id.as_str() && !named {
        return Err("its description is another one");
    }
    let description: ImageDescription =
        serde_json::from_slice(&described.bytes).map_err(|_| "its description cannot be read")?;
    let layers = &description.rootfs.diff_ids;
    if layers.is_empty() || layers.len() != manifest.layers.len() {
        return Err("layers are missing");
    }
    for (layer, name) in layers.iter().zip(&manifest.layers) {
        let part = parts.get(name).ok_or("a layer is missing")?;
        // Some engines store layers compressed, under the digest of that.
        let whole =
            layer.strip_prefix("sha256:") == Some(&part.digest) || name.contains(&part.digest);
        if !whole {
            return Err("a layer is another one");
        }
    }
    let variables = description.config.env.unwrap_or_default();
    let known = |pair: &String| {
        let name = pair.split('=').next().unwrap_or_default();
        matches!(
            name,
            "PATH" | "container" | "TERM" | "HOME" | "LANG" | "HOSTNAME"
        )
    };
    if !variables.iter().all(known) {
        return Err("it has an environment");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(bytes: &[u8]) -> String {
        let mut hash = Context::new(&SHA256);
        hash.update(bytes);
        hex::encode(hash.finish())
    }

    /// An exported image with one layer, and its id.
    fn image(env: &str, layer: &[u8], described: &[u8]) -> (SnapshotId, Vec<(String, Vec<u8>)>) {
        let layer_name = format!("{}.tar", digest(described));
        let text = format!(
            r#"{{"config":{{"Env":[{env}]}},"rootfs":{{"diff_ids":["sha256:{}"]}}}}"#,
            digest(described)
        );
        let id = digest(text.as_bytes());
        let manifest = format!(r#"[{{"Config":"{id}.json","Layers":["{layer_name}"]}}]"#);
        let parts = vec![
            (layer_name, layer.to_vec()),
            (format!("{id}.json"), text.into_bytes()),
            ("manifest.json".to_owned(), manifest.into_bytes()),
        ];
        (id.parse().unwrap(), parts)
    }

    fn packed(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
        let mut to = tar::Builder::new(Vec::new());
        for (name, bytes) in parts {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            to.append_data(&mut header, name, &bytes[..]).unwrap();
        }
        to.into_inner().unwrap()
    }

    fn verdict(
        id: &SnapshotId,
        parts: &[(String, Vec<u8>)],
    ) -> std::result::Result<(), &'static str> {
        check(
            id,
            &read(&packed(parts)[..], &StopSignal::default()).unwrap(),
        )
    }

    #[test]
    fn only_what_was_stored_is_good() {
        let (id, good) = image("\"PATH=/bin\"", b"layer", b"layer");
        assert_eq!(verdict(&id, &good), Ok(()));
        let (id, changed) = image("", b"lager", b"layer");
        assert_eq!(verdict(&id, &changed), Err("a layer is another one"));
        let (id, leaking) = image("\"TOKEN=x\"", b"layer", b"layer");
        assert_eq!(verdict(&id, &leaking), Err("it has an environment"));
        let (id, mut other) = image("", b"layer", b"layer");
        other[1].1.push(b' ');
        assert_eq!(verdict(&id, &other), Err("its description is another one"));
        let (id, mut short) = image("", b"layer", b"layer");
        short.remove(0);
        assert_eq!(verdict(&id, &short), Err("a layer is missing"));
        assert_eq!(verdict(&id, &short[..1]), Err("it has no manifest"));
    }

    #[test]
    fn what_was_cut_off_is_not_read() {
        let (_, parts) = image("", &[7; 5000], &[7; 5000]);
        let whole = packed(&parts);
        assert!(read(&whole[..3000], &StopSignal::default()).is_err());
    }

    /// Sends when it is dropped.
    struct DropSignal(std::sync::mpsc::Sender<()>);

    impl Drop for DropSignal {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }

    #[tokio::test]
    async fn reading_back_ends_with_its_caller_though_the_engine_sends_no_more() {
        let (id, parts) = image("", b"layer", b"layer");
        let begin = Bytes::from(packed(&parts)).slice(..600);
        let (dropped, ended) = std::sync::mpsc::channel();
        let (began, begins) = std::sync::mpsc::channel();
        let held = DropSignal(dropped);
        let begin = futures::stream::once(async move { Ok(begin) });
        let silent = futures::stream::poll_fn(move |_| {
            // The reader waits for more now: no check of its own ends it.
            let _ = (&held, began.send(()));
            std::task::Poll::Pending
        });
        let reading = tokio::spawn(read_back(id, begin.chain(silent)));
        let wait = std::time::Duration::from_secs(30);
        let begun = tokio::task::spawn_blocking(move || begins.recv_timeout(wait));
        begun.await.unwrap().unwrap();
        reading.abort();
        let ended = tokio::task::spawn_blocking(move || ended.recv_timeout(wait));
        ended.await.unwrap().unwrap();
    }
}
