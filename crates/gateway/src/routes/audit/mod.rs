//! The audit log over HTTP: its events, and their proofs.

mod bundle;
mod checkpoint;
mod events;
mod key;
mod proof;

pub(crate) use bundle::{__path_bundle, bundle};
pub(crate) use checkpoint::{__path_checkpoint, checkpoint};
pub(crate) use events::{__path_events, events};
pub(crate) use key::{__path_key, key};
pub(crate) use proof::{__path_consistency, __path_proof, consistency, proof};

use app::{
    access::{Insider, Person},
    audit::Reader,
};
use domain::{caller::Caller, id::OrganizationId, policy::CaseId};
use store::AuditRecord;
use wire::audit::AuditRecordView;

use crate::{error::Failure, state::Gateway};

/// The proof that the caller may read: everything for an administrator, else that case.
async fn reader(
    gateway: &Gateway,
    caller: &Caller,
    case: Option<&CaseId>,
) -> Result<Reader, Failure> {
    let insider = Insider::of(caller)?;
    let admin = Person::of(caller).is_ok_and(|person| person.admin().is_ok());
    Ok(Reader::of(&gateway.app, insider, admin, case).await?)
}

fn view(organization_id: &OrganizationId, record: &AuditRecord) -> AuditRecordView {
    let mut text = String::new();
    record
        .envelope(organization_id)
        .write(&record.event, &mut text);
    AuditRecordView {
        event_id: record.event_id,
        seq: u64::try_from(record.seq).unwrap_or_default(),
        leaf: record.leaf.clone(),
        // Stored events are JSON; an event that was altered to something else is returned as it is.
        record: serde_json::from_str(&text).unwrap_or(serde_json::Value::String(text)),
    }
}
