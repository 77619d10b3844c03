//! The exit codes. A promise to agents and scripts: a code may be added, never given another meaning.

use std::process::ExitCode;

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Ok = 0,
    Failed = 1,
    Usage = 2,
    Denied = 3,
    Expired = 4,
    Pending = 5,
    Gateway = 6,
    Daemon = 7,
    Missing = 8,
}

impl Exit {
    pub(crate) const ALL: &[Self] = &[
        Self::Ok,
        Self::Failed,
        Self::Usage,
        Self::Denied,
        Self::Expired,
        Self::Pending,
        Self::Gateway,
        Self::Daemon,
        Self::Missing,
    ];

    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "done; the result is on stdout",
            Self::Failed => "it ran and failed, or its outcome is unknown; stderr says which",
            Self::Usage => "the command line, the environment or the request is wrong; nothing ran",
            Self::Denied => {
                "denied by a person, the policy or the state of the session; nothing ran"
            }
            Self::Expired => "the time to decide ended without a decision; nothing ran",
            Self::Pending => "not ended when the time was up; stdout and stderr say how to go on",
            Self::Gateway => "the gateway cannot be reached, is busy, or does not accept the token",
            Self::Daemon => {
                "the daemon of this sandbox cannot be reached, or does not accept the token"
            }
            Self::Missing => "a value of the environment is not there; nothing was written",
        }
    }

    /// The list for `--help`.
    pub(crate) fn list() -> String {
        let line = |exit: &Self| format!("  {}  {}", exit.code(), exit.meaning());
        let lines: Vec<String> = Self::ALL.iter().map(line).collect();
        format!("Exit codes:\n{}", lines.join("\n"))
    }

    /// The code for an HTTP status that is neither a success nor tells of an invocation.
    pub(crate) const fn from_status(status: u16) -> Self {
        match status {
            400 | 404 | 413 | 415 | 422 => Self::Usage,
            402 | 403 | 409 | 410 => Self::Denied,
            _ => Self::Gateway,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_a_promise() {
        let codes: Vec<u8> = Exit::ALL.iter().map(|exit| exit.code()).collect();
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn statuses_become_codes() {
        for (status, exit) in [
            (400, Exit::Usage),
            (401, Exit::Gateway),
            (403, Exit::Denied),
            (404, Exit::Usage),
            (409, Exit::Denied),
            (429, Exit::Gateway),
            (500, Exit::Gateway),
        ] {
            assert_eq!(Exit::from_status(status), exit, "{status}");
        }
    }
}
