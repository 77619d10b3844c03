//! The gateway as its callers see it: the routes in process, over both databases.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod authorization;
