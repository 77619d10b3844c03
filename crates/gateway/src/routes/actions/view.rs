//! Invocations as clients see them.

use axum::http::StatusCode;
use store::InvocationRecord;
use wire::action::{ActionStatus, InvocationView};

pub(in crate::routes) fn invocation_view(record: InvocationRecord) -> InvocationView {
    InvocationView::new(record.invocation, record.params, record.result)
}

/// The status of a response about an invocation to its requester or approver.
pub(super) const fn status_of(status: ActionStatus) -> StatusCode {
    match status {
        ActionStatus::Completed => StatusCode::OK,
        ActionStatus::Pending | ActionStatus::Approved | ActionStatus::Executing => {
            StatusCode::ACCEPTED
        }
        ActionStatus::Denied => StatusCode::FORBIDDEN,
        ActionStatus::Expired => StatusCode::GONE,
        ActionStatus::Failed => StatusCode::BAD_GATEWAY,
    }
}
