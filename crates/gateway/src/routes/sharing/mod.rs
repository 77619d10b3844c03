//! Sharing sessions over HTTP: who sees one, and links to its transcript.

mod links;
mod organization;
mod people;
mod shared;
mod transcript;

pub(crate) use links::*;
pub(crate) use organization::*;
pub(crate) use people::*;
pub(crate) use shared::*;
