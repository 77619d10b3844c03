//! What somebody types while they watch a session.

/// A line, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// For the agent.
    Prompt(String),
    /// Yes or no to the oldest question.
    Approve,
    Deny,
    /// Stop what the agent does.
    Cancel,
    /// Stop watching.
    Quit,
    Help,
    Nothing,
    /// No such command.
    Unknown(String),
}

impl Line {
    /// `y` and `n` are answers only while something is asked; else they are words for the agent.
    pub(crate) fn parse(text: &str, is_asked: bool) -> Self {
        let text = text.trim();
        match text {
            "" => Self::Nothing,
            "y" | "yes" if is_asked => Self::Approve,
            "n" | "no" if is_asked => Self::Deny,
            "/cancel" => Self::Cancel,
            "/quit" | "/exit" => Self::Quit,
            "/help" => Self::Help,
            // Two slashes are one, for whoever wants to begin with one.
            _ if text.starts_with("//") => Self::Prompt(text[1..].to_owned()),
            _ if text.starts_with('/') => Self::Unknown(text.to_owned()),
            _ => Self::Prompt(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_for_the_agent_unless_it_says_otherwise() {
        let prompt = |text: &str| Line::Prompt(text.to_owned());
        for (text, is_asked, meant) in [
            ("fix the tests", false, prompt("fix the tests")),
            ("  \t", false, Line::Nothing),
            ("y", false, prompt("y")),
            ("y", true, Line::Approve),
            ("no", true, Line::Deny),
            ("/cancel", true, Line::Cancel),
            ("/quit", false, Line::Quit),
            ("/help", false, Line::Help),
            ("//etc is empty", false, prompt("/etc is empty")),
            ("/cancle", false, Line::Unknown("/cancle".to_owned())),
        ] {
            assert_eq!(Line::parse(text, is_asked), meant, "{text:?} {is_asked}");
        }
    }
}
