//! Starts a run: a session of its own whose first prompt is the automation's instructions.

use domain::{
    automation::Automation,
    automation_run::AutomationRun,
    id::{AutomationId, AutomationRunId},
    invalid::bounded_text,
    limits::AUTOMATION_RUN_KEY_LENGTH_MAX,
    model::AgentConfig,
    session::{ClientType, ConfigurationChoice, Provisioning, SessionType},
    sharing::Visibility,
};
use serde_json::json;

use super::{RunToBegin, close::close_soon, finalize};
use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
    sessions::{self, CreateSession},
};

/// A run and whether the same request had started it before.
#[derive(Debug)]
pub struct StartedRun {
    pub run: AutomationRun,
    pub already_existed: bool,
}

/// INVARIANT: the same key starts one run. The session's own key decides, because the run is made with it.
pub async fn start(
    app: &App,
    insider: &Insider,
    id: AutomationId,
    idempotency_key: Option<String>,
) -> Result<StartedRun> {
    if let Some(key) = &idempotency_key {
        bounded_text("Idempotency-Key", key, 1, AUTOMATION_RUN_KEY_LENGTH_MAX)?;
    }
    let organization_id = insider.organization_id();
    let automation = super::fetch(app, insider, id).await?;
    let now = app.now();
    let run_id = AutomationRunId::generate(now, &*app.entropy);
    let command = command(&automation, run_id, idempotency_key);
    // In a task of its own: the caller may disconnect, and the run must be ended all the same if it cannot begin.
    let (app, insider) = (app.clone(), insider.clone());
    let organization_id = organization_id.clone();
    let work = async move {
        let created = sessions::create(&app, &insider, command).await?;
        let session_id = created.session.id;
        let run = {
            let mut conn = app.db.read().await?;
            let run =
                store::automation_run_fetch_of_session(&mut conn, &organization_id, session_id);
            run.await?.ok_or(Error::NotFound("automation run"))?
        };
        let run = match created.provision_error {
            None => run,
            Some(error) => {
                let reason = format!("its session could not be started: {error}");
                let ended = finalize::fail_run(&app, run, &reason).await?;
                close_soon(&app, &ended);
                ended
            }
        };
        Ok(StartedRun {
            run,
            already_existed: created.already_existed,
        })
    };
    let started = tokio::spawn(work).await;
    started.unwrap_or_else(|error| Err(error.into()))
}

fn command(
    automation: &Automation,
    run_id: AutomationRunId,
    idempotency_key: Option<String>,
) -> CreateSession {
    let id = automation.id;
    CreateSession {
        idempotency_key: idempotency_key.map(|key| format!("automation:{id}:{key}")),
        request: json!({"automationId": id.to_string()}),
        provisioning: Provisioning::Immediate,
        session_type: SessionType::Automation,
        client_type: ClientType::Automation,
        client_metadata: Some(json!({
            "automationId": id.to_string(), "automationRunId": run_id.to_string(),
        })),
        agent_config: AgentConfig {
            model: automation.model,
            ..AgentConfig::default()
        },
        configuration: automation
            .default_configuration_id
            .map_or(ConfigurationChoice::Scratch, ConfigurationChoice::Existing),
        visibility: Visibility::Organization,
        people: Vec::new(),
        snapshot_id: None,
        title: Some(automation.name.clone()),
        initial_prompt: Some(first_prompt(automation, run_id)),
        system_prompt: None,
        integration_ids: Vec::new(),
        env_vars: std::collections::BTreeMap::new(),
        ssh: None,
        run: Some(RunToBegin {
            automation_id: id,
            run_id,
        }),
    }
}

/// The instructions, and what the agent needs to say how it went.
fn first_prompt(automation: &Automation, run_id: AutomationRunId) -> String {
    format!(
        "{}\n\n---\n\nThis is a run of the automation \"{}\". When it is over, whatever came of it, call \
         `automation_complete` once with these ids:\n\n- `run_id`: {run_id}\n- `completion_id`: {}\n",
        automation.agent_instructions.trim_end(),
        automation.name,
        AutomationRun::completion_id(run_id),
    )
}
