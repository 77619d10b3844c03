//! Tools that are part of the gateway. They are executors like any other: the permit is spent first.
//!
//! The entry of a call makes its executor and hands it in, because these tools work with the app that they are a part
//! of. An executor that is registered for an operation takes precedence.

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
    OVERRIDE_DISABLE, OVERRIDE_ENABLE, Operation, Permit, RECORD_WRITE, ToolSpec,
};
use tools::{Availability, Executor, Failure, PermittedCall, Produced};

use crate::{
    context::App,
    mediation::run_kind::{EXPORT_CREATE, EXPORT_DOWNLOAD},
};

/// The executor of an operation that is part of the gateway.
pub(crate) fn executor_of(app: &App, operation: &Operation) -> Option<Arc<dyn Executor>> {
    let tool = match operation.as_str() {
        "dictation.start" => BuiltinTool::DictationStart,
        "dictation.stop" => BuiltinTool::DictationStop,
        "transcription.status" => BuiltinTool::TranscriptionStatus,
        EXPORT_CREATE => BuiltinTool::ExportCreate,
        EXPORT_DOWNLOAD => BuiltinTool::ExportDownload,
        RECORD_WRITE => BuiltinTool::RecordWrite,
        OVERRIDE_ENABLE => BuiltinTool::OverrideEnable,
        OVERRIDE_DISABLE => BuiltinTool::OverrideDisable,
        "save_service_commands" | "save_env_files" => BuiltinTool::SaveInConfiguration,
        "automation.complete" => BuiltinTool::AutomationComplete,
        _ => return None,
    };
    Some(Arc::new(BuiltinExecutor {
        app: app.clone(),
        tool,
    }))
}

#[derive(Debug)]
struct BuiltinExecutor {
    app: App,
    tool: BuiltinTool,
}

#[derive(Debug, Clone, Copy)]
enum BuiltinTool {
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
impl Executor for BuiltinExecutor {
    fn availability(&self, _: &ToolSpec) -> Availability {
        Availability::Ready("part of the gateway".to_owned())
    }

    async fn execute(&self, permit: Permit, call: PermittedCall) -> Result<Produced, Failure> {
        call.spend(permit)?;
        let app = &self.app;
        match self.tool {
            BuiltinTool::DictationStart => dictation::start(app, &call).await,
            BuiltinTool::DictationStop => dictation::stop(app, &call).await,
            BuiltinTool::TranscriptionStatus => status::status(app, &call).await,
            BuiltinTool::ExportCreate => export::create(app, &call).await,
            BuiltinTool::ExportDownload => export::download(app, &call).await,
            BuiltinTool::RecordWrite => record::write(app, &call).await,
            BuiltinTool::OverrideEnable => override_ticket::enable(app, &call).await,
            BuiltinTool::OverrideDisable => override_ticket::disable(app, &call).await,
            BuiltinTool::SaveInConfiguration => configuration::save(app, &call).await,
            BuiltinTool::AutomationComplete => automation::complete(app, &call).await,
        }
    }
}
