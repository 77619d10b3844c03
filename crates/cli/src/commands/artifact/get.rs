//! `proliferate artifact get`.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use domain::{audit::Sha256Hex, id::ArtifactId};
use wire::contract::ArtifactRef;

use crate::{
    client::{Client, EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Download an artifact.
///
/// The bytes go to standard output, or with `--output` into a file that must not exist yet.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The artifact's id
    id: ArtifactId,
    /// Where to (default: standard output)
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/artifacts/{}", args.id);
    let artifact: ArtifactRef = client.get(&path, &()).await?;
    let Some(file) = args.output else {
        let written = client
            .download(&content_path(&artifact), &(), &mut io::stdout().lock())
            .await?;
        return match written {
            // A reader that went away is no error.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unwritable(&error)),
            _ => Ok(Exit::Ok),
        };
    };
    save(&client, &artifact, &file).await?;
    let (size, digest) = (artifact.byte_size, artifact.hash_sha256);
    let note = format!("{} has {size} bytes, SHA-256 {digest}", file.display());
    context.printer.note(&note);
    Ok(Exit::Ok)
}

fn content_path(artifact: &ArtifactRef) -> String {
    format!("/v1/artifacts/{}/content", artifact.artifact_id)
}

/// Downloads into a file that must not exist yet. What is not what its digest says is not kept.
pub(in crate::commands) async fn save(
    client: &Client,
    artifact: &ArtifactRef,
    file: &Path,
) -> Result<(), Failure> {
    let opened = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file);
    let mut opened = opened.map_err(|error| {
        let message = format!("cannot make {}", file.display());
        Failure::caused(Exit::Failed, message, &error)
    })?;
    let written = client
        .download(&content_path(artifact), &(), &mut opened)
        .await;
    let checked = written.and_then(|written| {
        written
            .and_then(|()| opened.flush())
            .and_then(|()| std::fs::read(file))
            .map_err(|error| unwritable(&error))
    });
    let checked = checked.and_then(|bytes| {
        if Sha256Hex::of(&bytes).as_str() == artifact.hash_sha256 {
            return Ok(());
        }
        let message = "what arrived is not what the artifact's digest says";
        Err(Failure::new(Exit::Failed, message).hint("try again; nothing was kept"))
    });
    if checked.is_err() {
        let _ = std::fs::remove_file(file);
    }
    checked
}

fn unwritable(error: &io::Error) -> Failure {
    Failure::caused(Exit::Failed, "the bytes cannot be written", error)
}
