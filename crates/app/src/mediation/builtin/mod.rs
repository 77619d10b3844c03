//! Tools that are code of ours. They are executors like any other: the permit is spent first.
//!
//! They are made for a call and not registered, because they work with the app that they are a part of.
//! What an operator or a test registers for an operation counts before them.

mod automation;
mod configuration;
mod dictation;
mod export;
mod override_ticket;
mod parameters;
mod record;
mod status;

use std::sync::Arc;

use async_trait::async_trait;
use domain::policy::{
    CaseId, Engine, OVERRIDE_DISABLE, OVERRIDE_ENABLE, Permit, RECORD_WRITE, ToolSpec,
};
use tools::{Availability, Executor, Failure, Input, Produced, Work};

pub(super) use override_ticket::{AFTER, BEFORE};

use super::kind::{EXPORT_CREATE, EXPORT_DOWNLOAD};
use crate::context::App;

/// What runs the tool, if it is one of ours.
pub(super) fn find(app: &App, spec: &ToolSpec) -> Option<Arc<dyn Executor>> {
    if spec.engine != Engine::Builtin {
        return None;
    }
    let tool = match spec.operation.as_str() {
        "dictation.start" => Tool::DictationStart,
        "dictation.stop" => Tool::DictationStop,
        "transcription.status" => Tool::TranscriptionStatus,
        EXPORT_CREATE => Tool::ExportCreate,
        EXPORT_DOWNLOAD => Tool::ExportDownload,
        RECORD_WRITE => Tool::RecordWrite,
        OVERRIDE_ENABLE => Tool::OverrideEnable,
        OVERRIDE_DISABLE => Tool::OverrideDisable,
        "save_service_commands" | "save_env_files" => Tool::SaveInConfiguration,
        "automation.complete" => Tool::AutomationComplete,
        _ => return None,
    };
    Some(Arc::new(Builtin {
        app: app.clone(),
        tool,
    }))
}

#[derive(Debug)]
struct Builtin {
    app: App,
    tool: Tool,
}

#[derive(Debug, Clone, Copy)]
enum Tool {
    DictationStart,
    DictationStop,
    TranscriptionStatus,
    ExportCreate,
    ExportDownload,
    RecordWrite,
    OverrideEnable,
    OverrideDisable,
    SaveInConfiguration,
    AutomationComplete,
}

#[async_trait]
impl Executor for Builtin {
    fn availability(&self, _: &ToolSpec) -> Availability {
        Availability::Ready("part of the gateway".to_owned())
    }

    async fn execute(&self, permit: Permit, work: Work) -> Result<Produced, Failure> {
        work.spend(permit)?;
        let app = &self.app;
        match self.tool {
            Tool::DictationStart => dictation::start(app, &work).await,
            Tool::DictationStop => dictation::stop(app, &work).await,
            Tool::TranscriptionStatus => status::status(app, &work).await,
            Tool::ExportCreate => export::create(app, &work).await,
            Tool::ExportDownload => export::download(app, &work).await,
            Tool::RecordWrite => record::write(app, &work).await,
            Tool::OverrideEnable => override_ticket::enable(app, &work).await,
            Tool::OverrideDisable => override_ticket::disable(app, &work).await,
            Tool::SaveInConfiguration => configuration::save(app, &work).await,
            Tool::AutomationComplete => automation::complete(app, &work).await,
        }
    }
}

/// The case of a call that makes no sense without one. Lanes ask for it; a policy of one's own may not.
fn case(work: &Work) -> Result<&CaseId, Failure> {
    let case_id = work.scope.case_id.as_ref();
    case_id.ok_or_else(|| invalid("the tool works on a case, and the call names none"))
}

fn one_input(work: &Work) -> Result<&Input, Failure> {
    match &work.inputs[..] {
        [input] => Ok(input),
        _ => Err(invalid("the tool takes exactly one input")),
    }
}

fn no_input(work: &Work) -> Result<(), Failure> {
    if work.inputs.is_empty() {
        return Ok(());
    }
    Err(invalid("the tool takes no input"))
}

fn invalid(message: impl Into<String>) -> Failure {
    Failure::Invalid(message.into())
}

/// What a caller is told of trouble with our own tables. The details are for our log.
#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
fn database(error: store::Error) -> Failure {
    tracing::warn!(%error, "a tool could not read or write its tables");
    Failure::Unavailable {
        hint: "the database does not answer; try again later".to_owned(),
    }
}
