//! `record.write`: keeps an artifact in a table of its case. That the lane lists the table was decided
//! before; here the artifact gets its place.

use domain::{
    id::RecordId,
    limits::RECORDS_PER_CASE_MAX,
    policy::{RecordKey, TableName, WriteMode},
    record::CaseRecord,
};
use tools::{Failure, PermittedCall, Produced};

use super::parameters::{self, case, database, invalid, one_input};
use crate::{context::App, mediation::files};

pub(super) async fn write(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    let record = read(app, call)?;
    let (organization_id, case_id) = (&record.organization_id, &record.case_id);
    let mut tx = app.db.write().await.map_err(database)?;
    store::case_lock(&mut tx, organization_id, case_id)
        .await
        .map_err(database)?;
    match store::record_write(&mut tx, &record).await {
        // The decision saw it a moment ago: the case was removed meanwhile.
        Err(store::Error::MissingReference) => {
            return Err(invalid("the input is not of this case"));
        }
        other => other.map_err(database)?,
    }
    let count = store::record_count(&mut tx, organization_id, case_id).await;
    if count.map_err(database)? > i64::from(RECORDS_PER_CASE_MAX) {
        return Err(files::broken("the case has as many records as it may"));
    }
    tx.commit().await.map_err(database)?;
    Ok(Produced::default())
}

fn read(app: &App, call: &PermittedCall) -> Result<CaseRecord, Failure> {
    parameters::only(&call.parameters, &["table", "mode", "key"])?;
    let table: TableName = parameters::required(&call.parameters, "table")?;
    let mode: WriteMode = parameters::required(&call.parameters, "mode")?;
    let key: Option<RecordKey> = parameters::optional(&call.parameters, "key")?;
    match (mode, &key) {
        (WriteMode::Upsert, None) => {
            return Err(invalid("an upsert needs parameters.key: what it replaces"));
        }
        (WriteMode::Append, Some(_)) => {
            return Err(invalid(
                "what is appended has no key; leave parameters.key out",
            ));
        }
        (WriteMode::Upsert, Some(_)) | (WriteMode::Append, None) => {}
    }
    let now = app.now();
    Ok(CaseRecord {
        id: RecordId::generate(now, &*app.entropy),
        organization_id: call.scope.organization_id.clone(),
        case_id: case(call)?.clone(),
        table,
        key,
        artifact_id: one_input(call)?.artifact_id,
        run_id: call.scope.run_id,
        created_at: now,
        updated_at: now,
    })
}
