//! Automations.

mod run;

use domain::{
    automation::Automation,
    id::{AutomationId, OrganizationId},
    model::Model,
    page::{Page, PageRequest},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::{Statement, statements},
    value::values,
};

pub use run::{
    OpenRun, automation_run_close, automation_run_count_running, automation_run_end,
    automation_run_fetch, automation_run_fetch_of_session, automation_run_insert,
    automation_run_list, automation_run_list_open,
};

macro_rules! columns {
    () => {
        "id, organization_id, name, description, enabled, agent_instructions, model_id, \
         default_configuration_id, created_by, created_at, updated_at"
    };
}

statements! {
    AUTOMATION_INSERT = concat!("INSERT INTO automations (", columns!(), ")
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)");
    AUTOMATION_FETCH = concat!("SELECT ", columns!(), " FROM automations
        WHERE organization_id = $1 AND id = $2");
    /// INVARIANT: a transaction that counts the runs of an automation locks it, so that none is added in between.
    AUTOMATION_FETCH_LOCKED = concat!("SELECT ", columns!(), " FROM automations
        WHERE organization_id = $1 AND id = $2"), pg: " FOR NO KEY UPDATE";
    AUTOMATION_LIST = concat!("SELECT ", columns!(), " FROM automations
        WHERE organization_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
    AUTOMATION_COUNT = "SELECT COUNT(*) AS n FROM automations WHERE organization_id = $1";
    AUTOMATION_UPDATE = "UPDATE automations SET name = $3, description = $4, enabled = $5,
        agent_instructions = $6, model_id = $7, default_configuration_id = $8, updated_at = $9
        WHERE organization_id = $1 AND id = $2";
    /// INVARIANT: what a running agent is to answer to stays.
    AUTOMATION_DELETE_IDLE = "DELETE FROM automations WHERE organization_id = $1 AND id = $2
        AND NOT EXISTS (SELECT 1 FROM automation_runs WHERE automation_id = $2 AND status = 'running')";
}

pub(crate) fn statements() -> Vec<&'static Statement> {
    [STATEMENTS, run::STATEMENTS].concat()
}

pub async fn automation_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: AutomationId,
) -> Result<Option<Automation>> {
    let values = values![organization_id, id];
    let row = conn.fetch_optional("automations", &AUTOMATION_FETCH, values);
    row.await?.map(|row| automation(&row)).transpose()
}

/// Newest first.
pub async fn automation_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    page: PageRequest<AutomationId>,
) -> Result<Page<Automation, AutomationId>> {
    let before = crate::session::cursor(page.before.map(AutomationId::uuid));
    let values = values![organization_id, before, page.fetch_limit()];
    let rows = conn.fetch_all("automations", &AUTOMATION_LIST, values);
    let found = rows.await?.iter().map(automation).collect::<Result<_>>()?;
    Ok(page.page(found, |automation: &Automation| automation.id))
}

pub async fn automation_count(conn: &mut Conn, organization_id: &OrganizationId) -> Result<i64> {
    let values = values![organization_id];
    conn.count("automations", &AUTOMATION_COUNT, values).await
}

/// The automation, which stays as it is until the transaction ends.
pub async fn automation_fetch_locked(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: AutomationId,
) -> Result<Option<Automation>> {
    let values = values![organization_id, id];
    let row = tx.fetch_optional("automations", &AUTOMATION_FETCH_LOCKED, values);
    row.await?.map(|row| automation(&row)).transpose()
}

pub async fn automation_insert(tx: &mut Tx, automation: &Automation) -> Result<()> {
    let values = values![
        automation.id,
        &automation.organization_id,
        &automation.name,
        automation.description.as_ref(),
        automation.enabled,
        &automation.agent_instructions,
        automation.model.spec().canonical,
        automation.default_configuration_id,
        automation.created_by.as_ref(),
        automation.created_at,
        automation.updated_at,
    ];
    tx.execute(&AUTOMATION_INSERT, values).await?;
    Ok(())
}

/// Returns whether it exists.
pub async fn automation_update(tx: &mut Tx, automation: &Automation) -> Result<bool> {
    let values = values![
        &automation.organization_id,
        automation.id,
        &automation.name,
        automation.description.as_ref(),
        automation.enabled,
        &automation.agent_instructions,
        automation.model.spec().canonical,
        automation.default_configuration_id,
        automation.updated_at,
    ];
    Ok(tx.execute(&AUTOMATION_UPDATE, values).await? == 1)
}

/// With the runs it had. `false` if it is not there, or a run of it is going on.
pub async fn automation_delete_idle(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: AutomationId,
) -> Result<bool> {
    let values = values![organization_id, id];
    Ok(tx.execute(&AUTOMATION_DELETE_IDLE, values).await? == 1)
}

fn automation(row: &Row) -> Result<Automation> {
    let model = Model::resolve("model_id", &row.text("model_id")?);
    Ok(Automation {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        name: row.text("name")?,
        description: row.text_opt("description")?,
        enabled: row.bool("enabled")?,
        agent_instructions: row.text("agent_instructions")?,
        model: model.map_err(|error| row.inconsistent("model_id", &error.message))?,
        default_configuration_id: row.id_opt("default_configuration_id")?,
        created_by: row.parsed_opt("created_by")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
