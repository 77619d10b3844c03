//! Use cases on both databases, in one process and without HTTP.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod audit;
mod audit_bundle;
mod audit_copies;
mod audit_places;
mod audit_role;
