//! The database, the coordination service, storage, the clock.

use std::time::Duration;

use chrono::Datelike as _;
use config::{CoordinationUrl, DatabaseSettings, DatabaseUrl, Settings, StorageUrl};
use store::{SchemaFit, SchemaStatus};

use super::check::Check;
use crate::{
    context::Context,
    exit::Exit,
    failure::Failure,
    wiring::{self, Absent},
};

/// Longest a service may take to show that it is there; a person waits.
const ANSWER_MAX: Duration = Duration::from_secs(8);
/// Before this product existed: such a clock was never set.
const YEAR_MIN: i32 = 2025;

pub(super) async fn check(context: &Context, settings: &Settings) -> Vec<Check> {
    let (database, coordination, storage) = tokio::join!(
        in_time("database", database(&settings.database)),
        in_time("coordination", coordination(context, settings)),
        in_time("storage", storage(context, settings))
    );
    vec![database, coordination, storage]
}

async fn in_time(name: &'static str, check: impl Future<Output = Check>) -> Check {
    tokio::time::timeout(ANSWER_MAX, check)
        .await
        .unwrap_or_else(|_| {
            let seconds = ANSWER_MAX.as_secs();
            Check::fail(
                name,
                format!("no answer within {seconds} seconds"),
                "check the URL, the network and whether the service runs",
            )
        })
}

async fn database(settings: &DatabaseSettings) -> Check {
    const NAME: &str = "database";
    let kind = match &settings.url {
        DatabaseUrl::Sqlite(path) if !path.exists() => {
            return Check::warn(
                NAME,
                format!("SQLite: there is no {} yet", path.display()),
                "`proliferate dev` makes it; before `proliferate serve`, run `proliferate migrate`",
            );
        }
        DatabaseUrl::Sqlite(path) => format!("SQLite at {}", path.display()),
        DatabaseUrl::Postgres(url) => format!("PostgreSQL at {url}"),
    };
    match schema_status(settings).await {
        Ok(schema) => schema_check(NAME, &kind, schema),
        Err(failure) => Check::fail(
            NAME,
            format!("{kind}: {}", described(&failure)),
            "check `database.url` (`proliferate config check`), that the server runs, and that \
             this user may use it",
        ),
    }
}

fn schema_check(name: &'static str, kind: &str, schema: SchemaStatus) -> Check {
    let SchemaStatus {
        found,
        known,
        oldest_binary,
    } = schema;
    match schema.fit() {
        SchemaFit::Current => Check::ok(name, format!("{kind}, schema version {found}")),
        SchemaFit::Outdated => Check::fail(
            name,
            format!("{kind}: schema version {found}, this binary needs {known}"),
            "run `proliferate migrate`",
        ),
        SchemaFit::Newer => Check::warn(
            name,
            format!("{kind}: schema version {found}, this binary has {known} and works with it"),
            "a newer version has migrated this database; update this binary",
        ),
        SchemaFit::Incompatible => Check::fail(
            name,
            format!(
                "{kind}: schema version {found} needs a binary of schema version {oldest_binary} \
                 or later, this binary has {known}"
            ),
            "a newer version has migrated this database; update this binary",
        ),
    }
}

async fn schema_status(settings: &DatabaseSettings) -> Result<SchemaStatus, Failure> {
    let db = wiring::open_database(settings, Absent::Refuse).await?;
    db.ping().await?;
    let schema = db.schema_status().await?;
    db.close().await;
    Ok(schema)
}

async fn coordination(context: &Context, settings: &Settings) -> Check {
    const NAME: &str = "coordination";
    let CoordinationUrl::Redis(url) = &settings.coordination.url else {
        return Check::ok(NAME, "in this process, for a single instance");
    };
    let answer = async {
        let coordination = wiring::open_coordination(context, settings)?;
        coordination.ping().await?;
        let instances = coordination.instances().await?;
        Ok::<usize, Failure>(instances.len())
    };
    match answer.await {
        Ok(instances) => Check::ok(NAME, format!("Redis at {url}, {instances} instances alive")),
        Err(failure) => Check::fail(
            NAME,
            format!("Redis at {url}: {}", described(&failure)),
            "check `coordination.url` (`proliferate config check`) and that the server runs",
        ),
    }
}

/// Whether something can be written where artifacts go; it is removed again.
async fn storage(context: &Context, settings: &Settings) -> Check {
    const NAME: &str = "storage";
    let place = match &settings.storage.url {
        StorageUrl::Directory(path) if !path.exists() => {
            return Check::ok(
                NAME,
                format!("directory {}, made at the first start", path.display()),
            );
        }
        StorageUrl::Directory(path) => format!("directory {}", path.display()),
        StorageUrl::S3 { bucket, .. } => format!("S3 bucket {bucket}"),
    };
    let written = async {
        let blobs = wiring::open_storage(context, settings)?;
        let probed = blobs.probe(context.clock.monotonic()).await;
        probed.map_err(|error| Failure::new(Exit::Failed, error.to_string()))
    };
    match written.await {
        Ok(()) => Check::ok(NAME, format!("{place}, writable")),
        Err(failure) => Check::fail(
            NAME,
            format!("{place}: {}", described(&failure)),
            "check `storage.url` and the S3 settings (`proliferate config check`); a directory must \
             belong to this user and be closed to others (chmod 700)",
        ),
    }
}

pub(super) fn clock(context: &Context) -> Check {
    let now = context.clock.now();
    if now.datetime().year() < YEAR_MIN {
        return Check::fail(
            "clock",
            format!("it is {now} here"),
            "set the clock, for example with `timedatectl set-ntp true`; tokens depend on it",
        );
    }
    Check::ok(
        "clock",
        now.datetime().format("%Y-%m-%d %H:%M:%S UTC").to_string(),
    )
}

/// The sentence and its causes on one line.
fn described(failure: &Failure) -> String {
    let mut text = failure.message.clone();
    for cause in &failure.causes {
        text.push_str(": ");
        text.push_str(cause);
    }
    text
}
