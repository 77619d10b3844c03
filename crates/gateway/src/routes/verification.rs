//! Evidence of agents. Its bytes are an agent's, so a browser must not treat them as a page of the
//! gateway.

use app::{
    access::{Insider, SessionAccess},
    verification::{self, EvidenceFile, is_shown_in_place},
};
use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
};
use domain::{id::SessionId, limits::VERIFY_CACHE};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use wire::verification::{
    VerificationFile, VerificationMedia, VerificationMediaAsked, VerificationMediaQuery,
};

use super::{Answer, stream_body};
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::ContentProblems,
    state::Gateway,
};

/// The evidence that the session's agent submitted with `verify`: a list, one file of it, or with `stream` that
/// file's bytes.
///
/// The bytes are checked against their digest before the first is sent. Files that a browser could run are sent as
/// downloads, never to be shown.
#[utoipa::path(get, path = "/proliferate/{id}/verification-media", operation_id = "verification_media",
    tag = "callbacks",
    params(("id" = uuid::Uuid, Path, description = "The session"), VerificationMediaQuery),
    responses(
        (status = 200, description = "The files; with `stream` the bytes of the file that `key` names",
            content((VerificationMedia = "application/json"), (Vec<u8> = "application/octet-stream"))),
        ContentProblems))]
pub(crate) async fn media(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
    Query(query): Query<VerificationMediaQuery>,
) -> Answer<Response> {
    let app = &gateway.app;
    let asked = query.asked()?;
    let access = SessionAccess::of(app, &insider, id).await?;
    let (files, url, next) = match asked {
        VerificationMediaAsked::List { prefix, page } => {
            let page = verification::list(app, &access, prefix.as_deref(), page).await?;
            (page.items, None, page.next)
        }
        VerificationMediaAsked::One(key) => {
            let (file, _) = verification::content(app, &access, &key).await?;
            let base = app.instance.advertised_url.trim_end_matches('/');
            let name = utf8_percent_encode(&file.key, NON_ALPHANUMERIC);
            let url = format!("{base}/proliferate/{id}/verification-media?key={name}&stream=true");
            (vec![file], Some(url), None)
        }
        VerificationMediaAsked::Bytes(key) => {
            let downloads = &gateway.capacities.downloads;
            let permit = downloads.try_acquire(&insider.claimant(), 1)?;
            let (file, content) = verification::content(app, &access, &key).await?;
            let byte_size = content.byte_size;
            let body = stream_body(
                content.into_stream(),
                permit,
                gateway.options.send_stall_max,
            );
            return Ok(bytes(&file, byte_size, body));
        }
    };
    let answer = VerificationMedia {
        files: files.into_iter().map(view).collect(),
        url,
        next_cursor: next.map(|id| id.to_string()),
    };
    Ok(Json(answer).into_response())
}

fn bytes(file: &EvidenceFile, byte_size: u64, body: Body) -> Response {
    let disposition = if is_shown_in_place(&file.content_type) {
        "inline"
    } else {
        "attachment"
    };
    let name = utf8_percent_encode(name(&file.path), NON_ALPHANUMERIC);
    let max_age = VERIFY_CACHE.as_secs();
    let headers = [
        (header::CONTENT_TYPE, file.content_type.clone()),
        (header::CONTENT_LENGTH, byte_size.to_string()),
        (
            header::CONTENT_DISPOSITION,
            format!("{disposition}; filename*=UTF-8''{name}"),
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; sandbox".to_owned(),
        ),
        (header::CACHE_CONTROL, format!("private, max-age={max_age}")),
    ];
    (headers, body).into_response()
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn view(file: EvidenceFile) -> VerificationFile {
    VerificationFile {
        key: file.key,
        name: name(&file.path).to_owned(),
        path: file.path,
        content_type: file.content_type,
        size: file.size,
        last_modified: file.handed_in_at.datetime(),
    }
}
