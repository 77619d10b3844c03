//! Sharing: which members see a session, and links to its transcript for readers without a credential.
//!
//! ```text
//! update.rs        who sees and steers a session: read, and replaced as a whole
//! link.rs          share links of a session: made, listed, revoked
//! shared.rs        what a reader with a link gets
//! organization.rs  whether links work in an organization
//! ```
//!
//! INVARIANT: who may do what is decided by the table in [`domain::sharing`], through the proofs of `access`; every
//! change and every opening that counts is on record in its own transaction.

mod link;
mod organization;
mod shared;
mod update;

pub use link::{CreatedLink, create_link, list_links, revoke_link, sweep_links};
pub use organization::{link_policy, set_link_policy};
pub use shared::{SharedPage, env_form_tool, open_shared, read_shared};
pub use update::{NamedUser, SessionShares, show, update};
pub(crate) use update::{insert_people, validate_people};
