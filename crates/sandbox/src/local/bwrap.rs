//! The input of bubblewrap: options in a file and filters in files, which it receives by number.
//! A command line could be read by every user of this machine, and options contain the environment.

use std::{io, os::fd::OwnedFd};

use command_fds::{CommandFdExt as _, FdMapping};
use tokio::process::Command;

use super::seccomp;

pub(super) const INFO_FD: i32 = 7;
pub(super) const ARGS_FD: i32 = 8;
const FILTER_FDS: [i32; 2] = [9, 10];

/// Options of bubblewrap, each ended by a NUL.
#[derive(Default)]
pub(super) struct BwrapArguments(pub(super) Vec<u8>);

impl BwrapArguments {
    pub(super) fn add<const N: usize>(&mut self, words: [&str; N]) {
        for word in words {
            self.0.extend(word.as_bytes());
            self.0.push(0);
        }
    }

    pub(super) fn add_filters(&mut self) {
        for fd in FILTER_FDS {
            self.add(["--add-seccomp-fd", &fd.to_string()]);
        }
    }
}

/// Passes a command the files that bubblewrap knows by number.
pub(super) fn pass_files(
    command: &mut Command,
    args: OwnedFd,
    filters: &seccomp::SeccompFilters,
    info: Option<OwnedFd>,
) -> io::Result<()> {
    let mapping = |(parent_fd, child_fd)| FdMapping {
        parent_fd,
        child_fd,
    };
    let files = [(args, ARGS_FD)]
        .into_iter()
        .chain(filters.files()?.into_iter().zip(FILTER_FDS))
        .chain(info.map(|info| (info, INFO_FD)));
    let mappings = files.map(mapping).collect();
    command.fd_mappings(mappings).map_err(io::Error::other)?;
    Ok(())
}
