//! What a call produced, as files: one per artifact, named by its kind.

use std::{
    collections::HashMap,
    fs::DirBuilder,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use wire::contract::ArtifactRef;

use crate::{
    client::Client, commands::artifact::save, context::Context, exit::Exit, failure::Failure,
};

/// The directory, made if it is not there.
pub(super) fn directory(path: PathBuf) -> Result<PathBuf, Failure> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&path);
    made.map_err(|error| {
        let message = format!("cannot make {}", path.display());
        Failure::caused(Exit::Failed, message, &error)
    })?;
    Ok(path)
}

/// Nothing is written over: a file that is there already ends it.
pub(super) async fn download(
    context: &Context,
    client: &Client,
    artifacts: &[ArtifactRef],
    directory: &Path,
) -> Result<(), Failure> {
    for (artifact, name) in artifacts.iter().zip(names(artifacts)) {
        let file = directory.join(name);
        save(client, artifact, &file).await?;
        let (size, digest) = (artifact.byte_size, &artifact.hash_sha256);
        let note = format!("{} has {size} bytes, SHA-256 {digest}", file.display());
        context.printer.note(&note);
    }
    Ok(())
}

/// The kind with the ending of the media type; further ones of the same name are numbered. A kind has no
/// character that a path would mind, but the answer is not ours, so nothing else gets in.
fn names(artifacts: &[ArtifactRef]) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let name = |artifact: &ArtifactRef| {
        let kind = artifact.artifact_kind.chars();
        let kind: String = kind
            .filter(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '-')
            .collect();
        let ending = ending(&artifact.content_type);
        let count = seen.entry(format!("{kind}.{ending}")).or_default();
        *count += 1;
        match *count {
            1 => format!("{kind}.{ending}"),
            number => format!("{kind}-{number}.{ending}"),
        }
    };
    artifacts.iter().map(name).collect()
}

fn ending(media_type: &str) -> &'static str {
    match media_type {
        "text/plain" => "txt",
        "text/markdown" => "md",
        "text/csv" => "csv",
        "text/html" => "html",
        "application/json" => "json",
        "application/pdf" => "pdf",
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/tiff" => "tiff",
        "audio/wav" | "audio/x-wav" => "wav",
        "audio/flac" => "flac",
        _ => "bin",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_have_names_of_their_own_and_stay_in_the_directory() {
        let artifact = |kind: &str, media_type: &str| -> ArtifactRef {
            serde_json::from_value(json!({
                "artifact_id": "0192f0c1-2345-7abc-8def-0123456789ab",
                "artifact_kind": kind,
                "hash_sha256": "",
                "scope": "case",
                "storage_locator": "",
                "content_type": media_type,
                "byte_size": 0,
                "created_at_utc": "2026-01-01T00:00:00Z",
                "hash_source": "bytes",
            }))
            .unwrap()
        };
        let artifacts = [
            artifact("text", "text/plain"),
            artifact("text", "text/plain"),
            artifact("text", "application/json"),
            artifact("../../x", "image/png"),
            artifact("audio", "audio/made-up"),
        ];
        let expected = ["text.txt", "text-2.txt", "text.json", "x.png", "audio.bin"];
        assert_eq!(names(&artifacts), expected);
    }
}
