//! The audit log: events recorded with the change they speak of, put in order afterwards, signed, given
//! out as one file, and checked by an auditor with that file and the public key.
//!
//! INVARIANT: an event is committed with its change or not at all; a place in the log is given once and
//! never again; what is signed is a continuation of what was signed before. `verify` shares nothing with
//! the writing side but the hash functions of `domain`, so that a mistake of ours does not hide itself.

mod at_once;
pub mod bundle;
mod checkpoint;
mod copy;
pub(crate) mod due;
mod emit;
mod heartbeat;
mod key;
pub(crate) mod noted;
pub mod ocsf;
mod proof;
mod read;
mod record;
mod refusals;
mod run;
mod sequence;
pub mod verify;

pub use at_once::{GrownLogs, record_batch};
pub use checkpoint::checkpoint;
pub use copy::{copy_checkpoints, copy_until};
pub(crate) use emit::record_role_kept;
pub use emit::{
    record_change, record_member_change, record_member_end, record_member_erasure,
    record_operation, record_operation_about, record_organization_change, record_session_change,
};
pub use key::{SigningKey, TrailEnd};
pub use proof::{InclusionProof, consistency, prove};
pub use read::{Reader, bundle_open, checkpoint_show, list};
pub use record::{EventIds, prepare, record, record_all};
pub(crate) use refusals::record_anonymous_refusal;
pub use refusals::{RefusedRequest, fold_refusals, fold_until, record_refusal};
pub(crate) use refusals::{count_refusal, record_refused};
pub use run::{run, sign_pending};
pub use sequence::sequence;
