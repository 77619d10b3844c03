//! `proliferate artifact list`.

use wire::{artifact::ListArtifactsQuery, contract::ArtifactRef, page::Page};

use super::{ScopeArgs, client};
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// List the artifacts of a case or a session, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let query = ListArtifactsQuery {
        case_id: args.scope.case_id(),
        session_id: args.scope.session_id(),
        cursor: args.page.cursor,
        limit: args.page.limit,
    };
    let page: Page<ArtifactRef> = client.get("/v1/artifacts", &query).await?;
    let row = |artifact: &ArtifactRef| {
        let made_by = artifact
            .lineage
            .as_ref()
            .map(|lineage| &lineage.transformation);
        vec![
            artifact.artifact_id.to_string(),
            artifact.artifact_kind.clone(),
            artifact.content_type.clone(),
            artifact.byte_size.to_string(),
            made_by.cloned().unwrap_or_else(|| "-".to_owned()),
            artifact
                .created_at_utc
                .format("%Y-%m-%d %H:%M:%S")
                .to_string(),
        ]
    };
    let headings = ["ID", "KIND", "MEDIA TYPE", "BYTES", "MADE BY", "CREATED"];
    context.printer.page(&page, &headings, row, "no artifacts");
    Ok(Exit::Ok)
}
