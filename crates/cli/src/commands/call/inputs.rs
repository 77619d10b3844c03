//! What goes into a call: artifacts by their ids, and files, which become artifacts of the case first.

use std::path::Path;

use domain::{id::ArtifactId, policy::CaseId};
use wire::{
    artifact::{UploadArtifactQuery, UploadArtifactResponse},
    contract::{ArtifactRef, InputArtifact},
};

use crate::{client::Client, commands::artifact::media_type_of, exit::Exit, failure::Failure};

/// One artifact for each input, in their order.
pub(super) async fn resolve(
    client: &Client,
    inputs: &[String],
    case: Option<&CaseId>,
) -> Result<Vec<InputArtifact>, Failure> {
    let mut resolved = Vec::new();
    for input in inputs {
        let artifact = match input.parse::<ArtifactId>() {
            Ok(id) => client.get(&format!("/v1/artifacts/{id}"), &()).await?,
            Err(_) => upload(client, Path::new(input), case).await?,
        };
        resolved.push(InputArtifact::from(artifact));
    }
    Ok(resolved)
}

/// The same file again is the same artifact.
async fn upload(
    client: &Client,
    file: &Path,
    case: Option<&CaseId>,
) -> Result<ArtifactRef, Failure> {
    let Some(case) = case else {
        let message = format!("{} has no case to be uploaded to", file.display());
        return Err(Failure::new(Exit::Usage, message)
            .hint("name the case with `--case`, or give the id of an artifact"));
    };
    let media_type = media_type_of(file);
    let query = UploadArtifactQuery {
        case_id: Some(case.to_string()),
        session_id: None,
        kind: kind_of(media_type).to_owned(),
    };
    let uploaded: UploadArtifactResponse = client
        .upload("/v1/artifacts", &query, media_type, file)
        .await?;
    Ok(uploaded.artifact)
}

/// The artifact kind of a file with this media type.
fn kind_of(media_type: &str) -> &'static str {
    match media_type.split_once('/') {
        Some(("image", _)) => "image",
        Some(("audio", _)) => "audio",
        Some(("text", _)) => "text",
        _ => "document",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_comes_from_the_media_type() {
        for (media_type, kind) in [
            ("image/png", "image"),
            ("audio/wav", "audio"),
            ("text/plain", "text"),
            ("application/pdf", "document"),
        ] {
            assert_eq!(kind_of(media_type), kind);
        }
    }
}
