//! `proliferate artifact list`.

use wire::{artifact::ListArtifactsQuery, contract::ArtifactRef};

use super::scope::ScopeArgs;
use crate::{
    client::{EndpointArgs, PageArgs, connect},
    context::Context,
    failure::Outcome,
    fields::{List, list_from, seconds, text},
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

const LIST: List<ArtifactRef> = List {
    columns: &[
        ("ID", |artifact| text(&artifact.artifact_id)),
        ("KIND", |artifact| text(&artifact.artifact_kind)),
        ("MEDIA TYPE", |artifact| text(&artifact.content_type)),
        ("BYTES", |artifact| text(&artifact.byte_size)),
        ("MADE BY", |artifact| {
            text(&artifact.lineage.as_ref()?.transformation)
        }),
        ("CREATED", |artifact| Some(seconds(artifact.created_at_utc))),
    ],
    none: "no artifacts",
};

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let Args {
        scope,
        page,
        endpoint,
    } = args;
    let client = connect(context, endpoint)?;
    let ids = scope.resolve(&client).await?;
    let query = |page: PageArgs| ListArtifactsQuery {
        case_id: ids.case.clone(),
        session_id: ids.session.clone(),
        cursor: page.cursor,
        limit: page.limit,
    };
    list_from(context, &client, "/v1/artifacts", page, query, &LIST).await
}
