//! Records of cases.

use domain::{
    id::{OrganizationId, RecordId},
    page::{Page, PageRequest},
    policy::{CaseId, RecordKey, TableName},
    record::CaseRecord,
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

macro_rules! columns {
    () => {
        "id, organization_id, case_id, table_name, record_key, artifact_id, run_id, created_at, \
         updated_at"
    };
}

statements! {
    /// The same artifact in the same table again is the record that is there.
    RECORD_APPEND = concat!("INSERT INTO case_records (", columns!(), ")
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING");
    RECORD_UPSERT = concat!("INSERT INTO case_records (", columns!(), ")
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (organization_id, case_id, table_name, record_key) WHERE record_key IS NOT NULL
        DO UPDATE SET artifact_id = excluded.artifact_id, run_id = excluded.run_id,
        updated_at = excluded.updated_at");
    RECORD_LIST = concat!("SELECT ", columns!(), " FROM case_records
        WHERE organization_id = $1 AND case_id = $2 AND (table_name = $3 OR $3 IS NULL) AND id < $4
        ORDER BY id DESC LIMIT $5");
    RECORD_COUNT = "SELECT COUNT(*) AS n FROM case_records WHERE organization_id = $1 AND case_id = $2";
}

/// The records of a case, or of one of its tables, newest first.
pub async fn record_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    case_id: &CaseId,
    table: Option<&TableName>,
    page: PageRequest<RecordId>,
) -> Result<Page<CaseRecord, RecordId>> {
    let before = crate::session::cursor(page.before.map(RecordId::uuid));
    let values = values![
        organization_id,
        case_id.as_str(),
        table.map(TableName::as_str),
        before,
        page.fetch_limit(),
    ];
    let rows = conn.fetch_all("case_records", &RECORD_LIST, values).await?;
    let records = rows.iter().map(record).collect::<Result<_>>()?;
    Ok(page.page(records, |record: &CaseRecord| record.id))
}

/// Puts the record into its table: one with a key replaces the one of that key, one without is added
/// unless its artifact is there. `Error::MissingReference` for an artifact that is not of the case.
pub async fn record_write(tx: &mut Tx, record: &CaseRecord) -> Result<()> {
    let statement = match record.key {
        Some(_) => &RECORD_UPSERT,
        None => &RECORD_APPEND,
    };
    let values = values![
        record.id.uuid(),
        &record.organization_id,
        record.case_id.as_str(),
        record.table.as_str(),
        record.key.as_ref().map(RecordKey::as_str),
        record.artifact_id,
        record.run_id,
        record.created_at,
        record.updated_at,
    ];
    tx.execute(statement, values).await?;
    Ok(())
}

pub async fn record_count(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    case_id: &CaseId,
) -> Result<i64> {
    let values = values![organization_id, case_id.as_str()];
    tx.count("case_records", &RECORD_COUNT, values).await
}

fn record(row: &Row) -> Result<CaseRecord> {
    Ok(CaseRecord {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        case_id: row.parsed("case_id")?,
        table: row.parsed("table_name")?,
        key: row.parsed_opt("record_key")?,
        artifact_id: row.id("artifact_id")?,
        run_id: row.id("run_id")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
