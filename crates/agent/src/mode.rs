//! The purpose of a session, as its agent sees it: three modes, each with its tools, prompt and
//! lane.

use domain::session::{ClientType, SessionType};

use crate::tool::Tool;

domain::text_enum! {
    /// The mode of a session.
    Mode {
        /// Prepares an environment that later sessions start from.
        Setup = "setup",
        /// Works with a user on code.
        Coding = "coding",
        /// Works without a user on a task, and reports how it ended.
        Automation = "automation",
    }
}

impl Mode {
    /// The mode of a session: its type takes precedence over the kind of client.
    pub const fn of(session: SessionType, client: ClientType) -> Self {
        match (session, client) {
            (SessionType::Setup, _) => Self::Setup,
            (SessionType::Automation, _) | (_, ClientType::Automation) => Self::Automation,
            (SessionType::Coding | SessionType::Cli, _) => Self::Coding,
        }
    }

    /// Whether the tool is indispensable for a session of this mode.
    pub const fn needs(self, tool: Tool) -> bool {
        matches!(
            (self, tool),
            (Self::Setup, Tool::SaveSnapshot) | (Self::Automation, Tool::AutomationComplete)
        )
    }

    /// The lane that decides which tools a session of this mode may call.
    pub const fn lane(self) -> &'static str {
        match self {
            Self::Setup => "SESSION_SETUP",
            Self::Coding => "SESSION_CODING",
            Self::Automation => "SESSION_AUTOMATION",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_session_and_client_has_its_mode() {
        for session in SessionType::ALL {
            for client in ClientType::ALL {
                let expected = match (session.as_str(), client.as_str()) {
                    ("setup", _) => "setup",
                    ("automation", _) | (_, "automation") => "automation",
                    _ => "coding",
                };
                assert_eq!(
                    Mode::of(*session, *client).as_str(),
                    expected,
                    "{session} {client}"
                );
            }
        }
    }
}
