//! Creates, updates and deletes automations.

use domain::{
    automation::{Automation, AutomationDraft},
    id::AutomationId,
    limits::AUTOMATIONS_PER_ORGANIZATION_MAX,
};
use store::Tx;

use crate::{
    access::Insider,
    audit,
    context::App,
    error::{Error, Result},
};

pub async fn create(app: &App, insider: &Insider, draft: AutomationDraft) -> Result<Automation> {
    draft.validate()?;
    let organization_id = insider.organization_id();
    let mut tx = app.db.write().await?;
    configuration_must_exist(&mut tx, insider, &draft).await?;
    let max = AUTOMATIONS_PER_ORGANIZATION_MAX;
    if store::automation_count(&mut tx, organization_id).await? >= i64::from(max) {
        let message = format!("an organization has at most {max} automations");
        return Err(Error::LimitReached(message));
    }
    let now = app.now();
    let automation = Automation {
        id: AutomationId::generate(now, &*app.entropy),
        organization_id: organization_id.clone(),
        name: draft.name,
        description: draft.description,
        enabled: draft.enabled,
        agent_instructions: draft.agent_instructions,
        model: draft.model,
        default_configuration_id: draft.default_configuration_id,
        created_by: insider.user_id().cloned(),
        created_at: now,
        updated_at: now,
    };
    store::automation_insert(&mut tx, &automation).await?;
    let id = Some(automation.id.uuid());
    audit::record_operation(&mut tx, app, insider, "automation_create", id).await?;
    tx.commit().await?;
    Ok(automation)
}

/// Applies `change` to what is stored now. Runs that are under way stay as they were started.
pub async fn update(
    app: &App,
    insider: &Insider,
    id: AutomationId,
    change: impl FnOnce(AutomationDraft) -> AutomationDraft + Send,
) -> Result<Automation> {
    let mut tx = app.db.write().await?;
    let found = store::automation_fetch_locked(&mut tx, insider.organization_id(), id);
    let found = found.await?.ok_or(Error::NotFound("automation"))?;
    let draft = change(AutomationDraft {
        name: found.name,
        description: found.description,
        enabled: found.enabled,
        agent_instructions: found.agent_instructions,
        model: found.model,
        default_configuration_id: found.default_configuration_id,
    });
    draft.validate()?;
    configuration_must_exist(&mut tx, insider, &draft).await?;
    let automation = Automation {
        name: draft.name,
        description: draft.description,
        enabled: draft.enabled,
        agent_instructions: draft.agent_instructions,
        model: draft.model,
        default_configuration_id: draft.default_configuration_id,
        updated_at: app.now(),
        ..found
    };
    store::automation_update(&mut tx, &automation).await?;
    audit::record_operation(&mut tx, app, insider, "automation_update", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(automation)
}

/// Deletes the automation with the record of its runs; their sessions stay. Refused while a run is under way.
pub async fn delete(app: &App, insider: &Insider, id: AutomationId) -> Result<()> {
    let organization_id = insider.organization_id();
    let mut tx = app.db.write().await?;
    let found = store::automation_fetch_locked(&mut tx, organization_id, id).await?;
    found.ok_or(Error::NotFound("automation"))?;
    if !store::automation_delete_idle(&mut tx, organization_id, id).await? {
        let message = "a run of this automation is going on; stop its session first";
        return Err(Error::Conflict(message.to_owned()));
    }
    audit::record_operation(&mut tx, app, insider, "automation_delete", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(())
}

async fn configuration_must_exist(
    tx: &mut Tx,
    insider: &Insider,
    draft: &AutomationDraft,
) -> Result<()> {
    let Some(id) = draft.default_configuration_id else {
        return Ok(());
    };
    let found = store::configuration_fetch(tx, insider.organization_id(), id).await?;
    found.map(drop).ok_or(Error::NotFound("configuration"))
}
