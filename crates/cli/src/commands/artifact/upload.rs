//! `proliferate artifact upload`.

use std::path::{Path, PathBuf};

use domain::policy::{ArtifactKind, MediaType};
use wire::artifact::{UploadArtifactQuery, UploadArtifactResponse};

use super::scope::ScopeArgs;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Upload a file and print the artifact's id.
///
/// Safe to repeat: the same bytes as the same kind are the same artifact.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file
    file: PathBuf,
    #[command(flatten)]
    scope: ScopeArgs,
    /// What it is: 2 to 80 of a-z, 0-9, `_`
    #[arg(long, default_value = "document")]
    kind: ArtifactKind,
    /// Its media type (default: by the ending of its name)
    #[arg(long, value_name = "TYPE/SUBTYPE")]
    media_type: Option<MediaType>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let scope = args.scope.resolve(&client).await?;
    let query = UploadArtifactQuery {
        case_id: scope.case,
        session_id: scope.session,
        kind: args.kind.to_string(),
    };
    let given = args.media_type.as_ref().map(MediaType::as_str);
    let media_type = given.unwrap_or_else(|| media_type_of(&args.file));
    let uploaded: UploadArtifactResponse = client
        .upload("/v1/artifacts", &query, media_type, &args.file)
        .await?;
    let printer = &context.printer;
    printer.result(&uploaded, |uploaded| {
        uploaded.artifact.artifact_id.to_string()
    });
    if uploaded.already_existed {
        printer.note("it was there already: the same bytes had been uploaded before");
    }
    Ok(Exit::Ok)
}

/// Types that the shipped tools take and that users commonly have; anything else is just bytes.
pub(in crate::commands) fn media_type_of(file: &Path) -> &'static str {
    let ending = file.extension().and_then(|ending| ending.to_str());
    match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "tif" | "tiff" => "image/tiff",
        "webp" => "image/webp",
        "txt" | "log" => "text/plain",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "html" | "htm" => "text/html",
        "json" => "application/json",
        "wav" => "audio/wav",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "flac" => "audio/flac",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_media_type_comes_from_the_ending() {
        for (name, media_type) in [
            ("a.PDF", "application/pdf"),
            ("a.b.wav", "audio/wav"),
            ("a", "application/octet-stream"),
            (".txt", "application/octet-stream"),
        ] {
            assert_eq!(media_type_of(Path::new(name)), media_type);
            assert!(MediaType::new(media_type).is_ok());
        }
    }
}
