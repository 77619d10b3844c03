//! Whether this instance can do its work now.

use std::time::Duration;

use crate::context::App;

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadinessCheck {
    pub name: &'static str,
    pub ok: bool,
    /// What is wrong, in words for an operator; nothing that belongs to a client's business.
    pub detail: Option<String>,
    pub took: Duration,
}

/// Looks at the database, the coordination service and storage.
pub async fn check(app: &App) -> Vec<ReadinessCheck> {
    let coordination = async {
        app.coordination
            .ping()
            .await
            .map_err(|error| error.to_string())
    };
    let storage = async {
        let probed = app.blobs.probe(app.clock.monotonic()).await;
        probed.map_err(|error| error.to_string())
    };
    let (database, coordination, storage) = tokio::join!(
        timed(app, "database", database(app)),
        timed(app, "coordination", coordination),
        timed(app, "storage", storage),
    );
    vec![database, coordination, storage]
}

async fn timed(
    app: &App,
    name: &'static str,
    look: impl Future<Output = Result<(), String>>,
) -> ReadinessCheck {
    let started = app.clock.monotonic();
    let outcome = look.await;
    let took = app.clock.monotonic().saturating_sub(started);
    ReadinessCheck {
        name,
        ok: outcome.is_ok(),
        detail: outcome.err(),
        took,
    }
}

async fn database(app: &App) -> Result<(), String> {
    let usable = async {
        app.db.ping().await?;
        app.db.schema_status().await?.require_usable()
    };
    usable.await.map_err(|error| match error.remedy() {
        Some(remedy) => format!("{error}: {remedy}"),
        None => error.to_string(),
    })
}
