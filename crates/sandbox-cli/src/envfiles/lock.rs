//! One change at a time, across processes. The kernel gives the lock back when its holder dies.

use std::{fs::File, io};

use rustix::fs::{FlockOperation, Mode, OFlags};

use super::Places;
use crate::{
    exit::Exit,
    failure::Failure,
    limits::{ENV_LOCK_EVERY, ENV_LOCK_WITHIN},
    system::Deadline,
};

/// Held until it is dropped.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "held, never read")] File);

impl Lock {
    pub(super) fn take(places: &Places) -> Result<Self, Failure> {
        let path = places.values.with_extension("lock");
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = rustix::fs::open(&path, flags, Mode::from_raw_mode(0o600));
        let file = File::from(opened.map_err(|error| unlocked(&error.into()))?);
        let deadline = Deadline::after(ENV_LOCK_WITHIN);
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Self(file)),
                Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => {}
                Err(error) => return Err(unlocked(&error.into())),
            }
            if deadline.left().is_zero() {
                let message = "another command has been changing env files for too long";
                return Err(Failure::new(Exit::Failed, message).hint("try again shortly"));
            }
            std::thread::sleep(ENV_LOCK_EVERY);
        }
    }
}

fn unlocked(error: &io::Error) -> Failure {
    Failure::new(
        Exit::Failed,
        format!("cannot lock the env files: {}", error.kind()),
    )
}
