//! What kind of run a call is, and what its result is recorded as. By operation: a call cannot claim it.

use domain::{
    audit::ActionType,
    policy::{Operation, RECORD_WRITE},
    run::RunKind,
};

pub(super) const EXPORT_CREATE: &str = "export.bundle.create";
pub(super) const EXPORT_DOWNLOAD: &str = "export.bundle.download";

pub(super) fn of(operation: &Operation) -> RunKind {
    match operation.as_str() {
        RECORD_WRITE => RunKind::DbWrite,
        EXPORT_CREATE | EXPORT_DOWNLOAD => RunKind::Export,
        "override.enable" | "override.disable" => RunKind::Override,
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
