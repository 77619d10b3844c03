//! Opening what keeps state: the database, the coordination service and the object store, as the settings name them.

use std::{path::Path, sync::Arc};

use blobs::{Blobs, Location, S3Credentials, S3Location};
use config::{
    CoordinationUrl, DatabaseSettings, DatabaseUrl, Settings, StorageSettings, StorageUrl,
};
use coord::Coordination;
use store::Db;

use crate::{context::Context, data_dir::touch_private, exit::Exit, failure::Failure};

/// What to do about an SQLite file that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// Make it, for its owner alone.
    Create,
    /// Say so: a command that makes an empty database by accident hides a wrong path.
    Refuse,
}

pub(crate) async fn open_database(
    settings: &DatabaseSettings,
    absent: Absent,
) -> Result<Db, Failure> {
    let url = match &settings.url {
        DatabaseUrl::Sqlite(path) => {
            if absent == Absent::Create {
                touch_private(path)?;
            } else if !path.exists() {
                return Err(no_database(path));
            }
            format!("sqlite:{}", path.display())
        }
        DatabaseUrl::Postgres(url) => url.expose().to_owned(),
    };
    let options = store::Options {
        url,
        connections_max: settings.connections_max,
        acquire_timeout: settings.acquire_timeout,
        statement_timeout: settings.statement_timeout,
    };
    Ok(Db::open(&options).await?)
}

fn no_database(path: &Path) -> Failure {
    Failure::new(
        Exit::NotFound,
        format!("there is no database at {}", path.display()),
    )
    .hint("`proliferate migrate` makes it; `--data-dir` or `--database-url` name another one")
}

/// Refuses a schema that this binary cannot work with.
pub(crate) async fn require_schema(db: &Db) -> Result<(), Failure> {
    Ok(db.schema_status().await?.require_usable()?)
}

pub(crate) fn open_coordination(
    context: &Context,
    settings: &Settings,
) -> Result<Arc<dyn Coordination>, Failure> {
    let url = match &settings.coordination.url {
        CoordinationUrl::Memory => "memory://",
        CoordinationUrl::Redis(url) => url.expose(),
    };
    Ok(coord::open(url, Arc::clone(&context.clock))?)
}

pub(crate) fn open_storage(context: &Context, settings: &Settings) -> Result<Blobs, Failure> {
    let location = location(&settings.storage);
    Blobs::open(&location, Arc::clone(&context.entropy)).map_err(|error| {
        Failure::new(Exit::Failed, format!("storage cannot be used: {error}"))
            .hint("`storage.url` names it; `proliferate doctor` says more")
    })
}

/// Storage for a command that may go without: a directory is not made, and one that cannot be used is
/// complained about by what needs it.
pub(super) fn operator_storage(context: &Context, settings: &Settings) -> Blobs {
    let closed = |reason: String| Blobs::closed(reason, Arc::clone(&context.entropy));
    match &settings.storage.url {
        StorageUrl::Directory(path) if !path.exists() => {
            closed(format!("there is no directory {} yet", path.display()))
        }
        StorageUrl::Directory(_) | StorageUrl::S3 { .. } => {
            open_storage(context, settings).unwrap_or_else(|failure| closed(failure.message))
        }
    }
}

fn location(settings: &StorageSettings) -> Location {
    match &settings.url {
        StorageUrl::Directory(path) => Location::Directory(path.clone()),
        StorageUrl::S3 { bucket, prefix } => Location::S3(S3Location {
            bucket: bucket.clone(),
            prefix: prefix.clone(),
            region: settings.s3_region.clone(),
            endpoint: settings
                .s3_endpoint
                .as_ref()
                .map(|url| url.as_str().to_owned()),
            credentials: settings
                .s3_access_key_id
                .clone()
                .zip(settings.s3_secret_access_key.clone())
                .map(|(access_key_id, secret_access_key)| S3Credentials {
                    access_key_id,
                    secret_access_key,
                }),
            allow_http: settings.s3_endpoint_is_loopback(),
        }),
    }
}
