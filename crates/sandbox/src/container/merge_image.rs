//! Merges the layers of snapshots in an image into one, so that chains stay short. What is below them (the image that
//! everything begins with, and the template) stays as it is, and shared.

use std::{
    fs::File,
    io::{self, Seek as _},
    path::Path,
};

use aws_lc_rs::digest::{Context, SHA256};
use bollard::query_parameters::ImportImageOptions;
use domain::limits::{SANDBOX_CONTAINER_IMAGE_BYTES_MAX, SANDBOX_PUBLISH_TIMEOUT};
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio_util::io::{ReaderStream, StreamReader};

use super::{
    labels,
    merge::{Layer, merge},
    names::snapshot_image,
    response::failed,
    snapshot_images::SnapshotImages,
    verify,
};
use crate::{Error, Result, SnapshotId, stop::StopSignal, stoppable::stoppable};

const STEP: &str = "merging layers";

impl SnapshotImages {
    /// Makes an image of the same tree with its topmost layers in one. It has the name of this draft.
    pub(super) async fn merge_layers(
        &self,
        id: &SnapshotId,
        layers: u32,
        draft: &str,
    ) -> Result<SnapshotId> {
        let directory = &self.engine.settings().directory;
        let failed_here = |error: io::Error| Error::failed(STEP, error);
        let spool = tempfile::tempfile_in(directory).map_err(failed_here)?;
        let image = snapshot_image(id)?;
        let stream = self.engine.docker().export_image(&image);
        let stream = stream.map_err(io::Error::other).boxed();
        let copied = copy_bounded(
            StreamReader::new(stream),
            spool,
            SANDBOX_CONTAINER_IMAGE_BYTES_MAX,
        );
        let whole = copied.await.map_err(failed_here)?;
        let (id, name, directory) = (id.clone(), draft.to_owned(), directory.clone());
        let made = stoppable(STEP, SANDBOX_PUBLISH_TIMEOUT, move |stop| {
            let made = rewrite(&id, &whole, layers as usize, &name, &directory, stop);
            made.map_err(|error| Error::failed(STEP, error))
        });
        let body = ReaderStream::with_capacity(tokio::fs::File::from_std(made.await?), 256 * 1024);
        let options = ImportImageOptions {
            quiet: true,
            ..ImportImageOptions::default()
        };
        let body = bollard::body_try_stream(body);
        let loading = self.engine.docker().import_image(options, body, None);
        loading
            .try_for_each(|_| async { Ok(()) })
            .await
            .map_err(failed(STEP))?;
        let made = self.engine.docker().inspect_image(draft).await;
        let made = made.map_err(failed(STEP))?.id.unwrap_or_default();
        made.trim_start_matches("sha256:").parse()
    }
}

/// Writes an exported image to the disk, unless it has more than `max` bytes.
async fn copy_bounded(image: impl AsyncRead + Unpin, to: File, max: u64) -> io::Result<File> {
    let mut to = tokio::fs::File::from_std(to);
    let copied = tokio::io::copy(&mut image.take(max.saturating_add(1)), &mut to).await?;
    if copied > max {
        return Err(other("the image is too large to be merged"));
    }
    to.flush().await?;
    Ok(to.into_std().await)
}

/// Writes an exported image again with its last layers in one.
fn rewrite(
    id: &SnapshotId,
    whole: &File,
    count: usize,
    name: &str,
    directory: &Path,
    stop: &StopSignal,
) -> io::Result<File> {
    // What is damaged would be made good.
    let mut from = whole;
    from.rewind()?;
    let parts = verify::read(whole, stop)?;
    verify::check(id, &parts).map_err(io::Error::other)?;
    let found = list_files(whole, stop)?;
    let file_named = |name: &str| {
        let found = found.iter().find(|(own, _)| own == name);
        found
            .map(|(_, layer)| *layer)
            .ok_or_else(|| other("a part is missing"))
    };
    let manifest: Value = serde_json::from_slice(&file_named("manifest.json")?.bytes()?)?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let config = text(&manifest[0]["Config"]).ok_or_else(|| other("it is not described"))?;
    let mut config: Value = serde_json::from_slice(&file_named(&config)?.bytes()?)?;
    let names = manifest[0]["Layers"].as_array().into_iter().flatten();
    let mut names: Vec<String> = names.filter_map(text).collect();
    let kept = names.len().checked_sub(count);
    let kept = kept.ok_or_else(|| other("it has fewer layers"))?;
    let upper = names.split_off(kept);
    let upper = upper.iter().map(|name| file_named(name));
    let mut one = tempfile::tempfile_in(directory)?;
    let length = merge(&upper.collect::<io::Result<Vec<_>>>()?, &mut one)?;
    let one = Layer::whole(&one, length, stop);
    let digest = one.digest()?;
    describe_merged(&mut config, kept, &digest)?;
    let config = serde_json::to_vec(&config)?;
    let mut hash = Context::new(&SHA256);
    hash.update(&config);
    let config_name = format!("{}.json", hex::encode(hash.finish()));
    let mut to = tar::Builder::new(tempfile::tempfile_in(directory)?);
    for name in &names {
        let layer = file_named(name)?;
        append(&mut to, name, layer.length(), layer.reader())?;
    }
    let own = format!("{digest}.tar");
    append(&mut to, &own, one.length(), one.reader())?;
    names.push(own);
    append(&mut to, &config_name, config.len() as u64, &config[..])?;
    let manifest = json!([{"Config": config_name, "RepoTags": [name], "Layers": names}]);
    let manifest = serde_json::to_vec(&manifest)?;
    append(
        &mut to,
        "manifest.json",
        manifest.len() as u64,
        &manifest[..],
    )?;
    let mut file = to.into_inner()?;
    file.rewind()?;
    Ok(file)
}

/// Lists the files in an exported image, by name.
fn list_files<'a>(whole: &'a File, stop: &'a StopSignal) -> io::Result<Vec<(String, Layer<'a>)>> {
    let mut from = whole;
    from.rewind()?;
    let mut archive = tar::Archive::new(from);
    let mut found = Vec::new();
    for entry in archive.entries_with_seek()? {
        let entry = entry?;
        if entry.header().entry_type().is_file() {
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            found.push((
                name,
                Layer::new(whole, entry.raw_file_position(), entry.size(), stop),
            ));
        }
    }
    Ok(found)
}

/// Writes into the image's description that it has these many layers and then this one, and removes its history.
fn describe_merged(config: &mut Value, kept: usize, digest: &str) -> io::Result<()> {
    let layers = config["rootfs"]["diff_ids"].as_array_mut();
    let layers = layers.ok_or_else(|| other("its layers are not described"))?;
    layers.truncate(kept);
    layers.push(format!("sha256:{digest}").into());
    let fields = config.as_object_mut();
    fields.map(|fields| fields.remove("history"));
    for (name, value) in labels::lineage("", "1") {
        config["config"]["Labels"][name] = value.into();
    }
    Ok(())
}

fn append(
    to: &mut tar::Builder<File>,
    name: &str,
    length: u64,
    from: impl io::Read,
) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(length);
    header.set_mode(0o644);
    to.append_data(&mut header, name, from)
}

fn other(what: &'static str) -> io::Error {
    io::Error::other(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_more_of_an_image_is_written_than_its_bound() {
        let image = [7_u8; 1000];
        let spool = || tempfile::tempfile().unwrap();
        let whole = copy_bounded(&image[..], spool(), 1000).await.unwrap();
        assert_eq!(whole.metadata().unwrap().len(), 1000);
        let kept = spool();
        let same = kept.try_clone().unwrap();
        let refused = copy_bounded(tokio::io::repeat(0), kept, 1000).await;
        assert!(refused.unwrap_err().to_string().contains("too large"));
        assert!(same.metadata().unwrap().len() <= 1001);
    }
}
