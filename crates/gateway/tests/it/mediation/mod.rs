//! The mediated call as its callers see it. A test that proves a case of the contract's list of attacks
//! carries its number.

mod builtin;
mod cancels;
mod crash;
mod desk;
mod hashing;
mod identity;
mod locks;
mod once;
pub(crate) mod pins;
mod running;
mod scope;
pub(crate) mod verify;
