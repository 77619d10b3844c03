//! What git knows about the repositories of the workspace, and changes that users request.
//!
//! Reading changes nothing: programs that a repository's settings can name are switched off, and git takes no locks.

mod change;
mod command;
mod look;
mod repository;
mod state;
mod status;

pub(super) use self::{
    change::{branch, commit, push},
    look::{diff, state, status},
    repository::list_repositories,
};
