//! Notices: notifications about an action, while it waits for an approval and when it is over, and about the spend
//! limits of an organization. Their texts are made in `app::notices`.

use crate::action::{Authority, InvocationState};

crate::text_enum! {
    /// The kinds of notices; the words are those of the session's stream.
    NoticeKind {
        /// An approval is needed.
        ActionApprovalRequest = "action_approval_request",
        /// It was decided, or expired.
        ActionApprovalResult = "action_approval_result",
        /// It ran.
        ActionCompleted = "action_completed",
        /// A share of a spend limit of the organization was reached. Not about an action.
        SpendNotice = "spend_notice",
    }
}

crate::text_enum! {
    /// How an approval request ended.
    ApprovalOutcome {
        Approved = "approved",
        Denied = "denied",
        /// Without a decision.
        Expired = "expired",
    }
}

impl NoticeKind {
    /// The notice for an invocation that entered this state. None for one that started to run without an
    /// approval request.
    pub const fn of(state: &InvocationState) -> Option<Self> {
        match state {
            InvocationState::Pending { .. } => Some(Self::ActionApprovalRequest),
            InvocationState::Completed { .. } | InvocationState::Failed { .. } => {
                Some(Self::ActionCompleted)
            }
            _ => match ApprovalOutcome::of(state) {
                Some(_) => Some(Self::ActionApprovalResult),
                None => None,
            },
        }
    }
}

impl ApprovalOutcome {
    /// How it was decided, as far as the state tells: `None` while it waits, and where no approval was
    /// needed.
    pub const fn of(state: &InvocationState) -> Option<Self> {
        match state {
            InvocationState::Approved { .. } => Some(Self::Approved),
            InvocationState::Executing { authority, .. }
            | InvocationState::Completed { authority, .. }
            | InvocationState::Failed { authority, .. } => match authority {
                Authority::Approval { .. } => Some(Self::Approved),
                Authority::Read | Authority::Grant(_) => None,
            },
            InvocationState::Denied { .. } => Some(Self::Denied),
            InvocationState::Expired { .. } => Some(Self::Expired),
            InvocationState::Pending { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        action::{ApprovalMode, DeniedBy, Effect, Refusal, ResultRef},
        audit::Sha256Hex,
        clock::Timestamp,
        id::UserId,
        run::{RunError, RunErrorCode},
    };

    #[test]
    fn what_is_told_of_each_state() {
        use NoticeKind::{ActionApprovalRequest, ActionApprovalResult, ActionCompleted};
        let at = Timestamp::from_micros(0).unwrap();
        let by = UserId::new("ada").unwrap();
        let approval = Authority::Approval { by: by.clone(), at };
        let executing = |authority| InvocationState::Executing {
            claimed_at: at,
            authority,
        };
        let result = ResultRef {
            sha256: Sha256Hex::of(b""),
            artifact: None,
        };
        let completed = |authority| InvocationState::Completed {
            ended_at: at,
            authority,
            result: result.clone(),
            duration: Duration::ZERO,
        };
        let failed = InvocationState::Failed {
            ended_at: at,
            authority: Authority::Read,
            error: RunError::new(RunErrorCode::ToolError, "x", false),
            effect: Effect::Known,
            result: None,
            duration: Duration::ZERO,
        };
        let pending = InvocationState::Pending {
            expires_at: at,
            returned: None,
        };
        let approved = InvocationState::Approved {
            by,
            at,
            mode: ApprovalMode::Once,
            expires_at: at,
        };
        let denied = InvocationState::Denied {
            at,
            by: DeniedBy::Platform(Refusal::Danger),
            reason: None,
        };
        let yes = Some(ApprovalOutcome::Approved);
        let table = [
            (pending, Some(ActionApprovalRequest), None),
            (approved, Some(ActionApprovalResult), yes),
            (executing(approval.clone()), Some(ActionApprovalResult), yes),
            (executing(Authority::Read), None, None),
            (completed(Authority::Read), Some(ActionCompleted), None),
            (completed(approval), Some(ActionCompleted), yes),
            (failed, Some(ActionCompleted), None),
            (
                denied,
                Some(ActionApprovalResult),
                Some(ApprovalOutcome::Denied),
            ),
            (
                InvocationState::Expired { at },
                Some(ActionApprovalResult),
                Some(ApprovalOutcome::Expired),
            ),
        ];
        for (state, kind, outcome) in table {
            assert_eq!(NoticeKind::of(&state), kind, "{state:?}");
            assert_eq!(ApprovalOutcome::of(&state), outcome, "{state:?}");
        }
    }
}
