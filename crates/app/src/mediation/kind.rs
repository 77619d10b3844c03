//! What kind of run a call is, and what its result is recorded as. By operation: a call cannot claim it.

use domain::{
    action::Risk,
    audit::ActionType,
    policy::{OVERRIDE_DISABLE, OVERRIDE_ENABLE, Operation, RECORD_WRITE},
    run::{RunKind, RunTarget},
};

use super::callback::is_of_sandbox;

pub(super) const EXPORT_CREATE: &str = "export.bundle.create";
pub(super) const EXPORT_DOWNLOAD: &str = "export.bundle.download";

/// Whether what is called is an action on an outside service.
pub(super) fn is_action(target: &RunTarget) -> bool {
    let operation = target.operation.as_str();
    Risk::ALL.iter().any(|risk| risk.operation() == operation)
}

/// Whether what is called is a tool of a sandbox.
pub(super) fn is_callback(target: &RunTarget) -> bool {
    is_of_sandbox(target.operation.as_str())
}

pub(super) fn of(operation: &Operation) -> RunKind {
    match operation.as_str() {
        RECORD_WRITE => RunKind::DbWrite,
        EXPORT_CREATE | EXPORT_DOWNLOAD => RunKind::Export,
        OVERRIDE_ENABLE | OVERRIDE_DISABLE => RunKind::Override,
        _ => RunKind::ToolGateway,
    }
}

pub(super) const fn action(kind: RunKind) -> ActionType {
    match kind {
        RunKind::DbWrite => ActionType::DbWrite,
        RunKind::Export => ActionType::Export,
        RunKind::Override => ActionType::Override,
        _ => ActionType::ToolCall,
    }
}

/// Whether a run of this kind is a call, and not what calls belong to.
pub(super) const fn is_call(kind: RunKind) -> bool {
    matches!(
        kind,
        RunKind::ToolGateway | RunKind::DbWrite | RunKind::Export | RunKind::Override
    )
}
