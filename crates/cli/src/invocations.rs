//! Requests about invocations, for the commands of `action` and for a session that is watched in the terminal: opening the
//! whole call, and deciding about a call that was on the screen.

use domain::id::InvocationId;
use uuid::Uuid;
use wire::action::{
    ApprovalMode, ApproveRequest, ApproveResponse, DenyRequest, GrantTerms, InvocationResponse,
    InvocationView, OpenedCall,
};

use crate::{client::Client, failure::Failure};

/// A call that was on the screen.
#[derive(Debug)]
pub(crate) struct SeenCall {
    pub(crate) session_id: Uuid,
    pub(crate) invocation_id: Uuid,
    /// The digest of what was shown.
    pub(crate) call_sha256: String,
}

impl SeenCall {
    /// Where a decision about it is sent.
    fn path(&self, verb: &str) -> String {
        let (session, id) = (self.session_id, self.invocation_id);
        format!("/proliferate/{session}/actions/invocations/{id}/{verb}")
    }
}

pub(crate) async fn fetch(client: &Client, id: InvocationId) -> Result<InvocationView, Failure> {
    let found: InvocationResponse = client.get(&format!("/v1/actions/{id}"), &()).await?;
    Ok(found.invocation)
}

/// Opens a whole call; the gateway records that it was opened.
pub(crate) async fn open(
    client: &Client,
    session: Uuid,
    invocation: Uuid,
) -> Result<OpenedCall, Failure> {
    let path = format!("/proliferate/{session}/actions/invocations/{invocation}/call");
    client.get(&path, &()).await
}

/// What is said above an opened call.
pub(crate) fn title_of(opened: &OpenedCall) -> String {
    match opened.left_out {
        0 => "opened, which is on record; all of it:".to_owned(),
        count => {
            format!("opened, which is on record; all of it but {count} credentials of the gateway:")
        }
    }
}

/// Approves a call that was on the screen, once or with a grant.
pub(crate) async fn approve(
    client: &Client,
    seen: &SeenCall,
    terms: Option<GrantTerms>,
) -> Result<ApproveResponse, Failure> {
    let request = ApproveRequest {
        mode: match terms {
            None => ApprovalMode::Once,
            Some(_) => ApprovalMode::Grant,
        },
        grant: terms,
        call_sha256: seen.call_sha256.clone(),
    };
    // A second decision is refused by itself; the key is for the log.
    let key = seen.invocation_id.to_string();
    let path = seen.path("approve");
    client.post_for_answer(&path, &(), &key, &request).await
}

/// Denies a call, with a reason or without. Without a digest, the call that waits under the id is denied.
pub(crate) async fn deny(
    client: &Client,
    seen: &SeenCall,
    reason: Option<String>,
) -> Result<InvocationResponse, Failure> {
    let call_sha256 = Some(seen.call_sha256.clone()).filter(|digest| !digest.is_empty());
    let request = DenyRequest {
        reason,
        call_sha256,
    };
    client.post(&seen.path("deny"), &request).await
}
