//! The kind of run that a call is, and the type of event that its result is recorded as. Both follow from the
//! operation: a caller cannot claim them.

use domain::{
    action::Risk,
    audit::ActionType,
    policy::{OVERRIDE_DISABLE, OVERRIDE_ENABLE, Operation, RECORD_WRITE},
    run::{RunKind, RunTarget},
};

pub(crate) const EXPORT_CREATE: &str = "export.bundle.create";
pub(crate) const EXPORT_DOWNLOAD: &str = "export.bundle.download";

/// Whether the target is an action of an integration.
pub(crate) fn is_action(target: &RunTarget) -> bool {
    let operation = target.operation.as_str();
    Risk::ALL.iter().any(|risk| risk.operation() == operation)
}

pub(super) fn of(operation: &Operation) -> RunKind {
    match operation.as_str() {
        RECORD_WRITE => RunKind::DbWrite,
        EXPORT_CREATE | EXPORT_DOWNLOAD => RunKind::Export,
        OVERRIDE_ENABLE | OVERRIDE_DISABLE => RunKind::Override,
        _ => RunKind::ToolGateway,
    }
}

/// The type of event that the result of a run of this kind is recorded as.
pub(crate) const fn action_type(kind: RunKind) -> ActionType {
    match kind {
        RunKind::DbWrite => ActionType::DbWrite,
        RunKind::Export => ActionType::Export,
        RunKind::Override => ActionType::Override,
        _ => ActionType::ToolCall,
    }
}

/// Whether a run of this kind is a call, not a run that calls belong to.
pub(super) const fn is_call(kind: RunKind) -> bool {
    matches!(
        kind,
        RunKind::ToolGateway | RunKind::DbWrite | RunKind::Export | RunKind::Override
    )
}
