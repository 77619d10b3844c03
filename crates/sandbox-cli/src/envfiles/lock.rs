//! One change at a time, across processes. The kernel releases the lock when its holder dies.

use std::{fs::File, io};

use rustix::fs::{FlockOperation, Mode, OFlags};

use super::paths::EnvPaths;
use crate::{
    exit::Exit,
    failure::Failure,
    limits::{ENV_LOCK_EVERY, ENV_LOCK_WITHIN},
    system::Deadline,
};

/// ScrubbedFile until it is dropped.
#[derive(Debug)]
pub(super) struct EnvLock(#[expect(dead_code, reason = "held, never read")] File);

impl EnvLock {
    pub(super) fn acquire(paths: &EnvPaths) -> Result<Self, Failure> {
        let path = paths.values.with_extension("lock");
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = rustix::fs::open(&path, flags, Mode::from_raw_mode(0o600));
        let file = File::from(opened.map_err(|error| lock_failure(&error.into()))?);
        let deadline = Deadline::after(ENV_LOCK_WITHIN);
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Self(file)),
                Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => {}
                Err(error) => return Err(lock_failure(&error.into())),
            }
            if deadline.left().is_zero() {
                let message = "another command has been changing env files for too long";
                return Err(Failure::new(Exit::Failed, message).hint("try again shortly"));
            }
            std::thread::sleep(ENV_LOCK_EVERY);
        }
    }
}

fn lock_failure(error: &io::Error) -> Failure {
    Failure::new(
        Exit::Failed,
        format!("cannot lock the env files: {}", error.kind()),
    )
}
