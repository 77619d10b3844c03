//! The exit codes of the binary. A promise to scripts: a code may be added, never given another
//! meaning. The table of the reference page is made from here.

use std::process::ExitCode;

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// It did what was asked.
    Ok = 0,
    /// It could not, or a check found something.
    Failed = 1,
    /// The command line or the settings are wrong.
    Usage = 2,
    /// What was asked for does not exist.
    NotFound = 3,
    /// The token is missing, not valid or not enough.
    Denied = 4,
    /// Something is in the way: a running process, a taken port, a used key, a session that ended.
    Conflict = 5,
    /// The gateway or a service behind it does not answer; the same command may succeed later.
    Unavailable = 6,
    /// The policy denied the call; the same call is denied again.
    PolicyDenied = 7,
    /// Interrupted a second time, without waiting for the shutdown.
    Interrupted = 130,
}

impl Exit {
    pub const ALL: &[Self] = &[
        Self::Ok,
        Self::Failed,
        Self::Usage,
        Self::NotFound,
        Self::Denied,
        Self::Conflict,
        Self::Unavailable,
        Self::PolicyDenied,
        Self::Interrupted,
    ];

    pub const fn code(self) -> u8 {
        self as u8
    }

    /// What it means, for the reference page.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "It did what was asked. A server was stopped and ended in order.",
            Self::Failed => {
                "It could not, or a check (`doctor`, `config check`, `migrate --check`) found something."
            }
            Self::Usage => "The command line, the settings or the request are wrong.",
            Self::NotFound => "What was asked for does not exist, or not in this organization.",
            Self::Denied => "The token is missing, not valid or not enough.",
            Self::Conflict => {
                "Something is in the way: a running process, a taken port, a used key, a session that ended."
            }
            Self::Unavailable => {
                "The gateway or a service behind it does not answer; the same command may succeed later."
            }
            Self::PolicyDenied => "The policy denied the call; the same call is denied again.",
            Self::Interrupted => "Interrupted a second time, without waiting for the shutdown.",
        }
    }

    /// The code for an HTTP status that is no success.
    pub const fn from_status(status: u16) -> Self {
        match status {
            400 | 413 | 415 => Self::Usage,
            401..=403 => Self::Denied,
            404 => Self::NotFound,
            409 | 410 => Self::Conflict,
            429 | 502..=504 => Self::Unavailable,
            _ => Self::Failed,
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
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 6, 7, 130]);
    }

    #[test]
    fn statuses_become_codes() {
        for (status, exit) in [
            (400, Exit::Usage),
            (401, Exit::Denied),
            (402, Exit::Denied),
            (403, Exit::Denied),
            (404, Exit::NotFound),
            (405, Exit::Failed),
            (409, Exit::Conflict),
            (410, Exit::Conflict),
            (413, Exit::Usage),
            (429, Exit::Unavailable),
            (500, Exit::Failed),
            (503, Exit::Unavailable),
        ] {
            assert_eq!(Exit::from_status(status), exit, "{status}");
        }
    }
}
