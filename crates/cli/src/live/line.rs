//! What is typed while a session is watched.

/// A line, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// For the agent.
    Prompt(String),
    /// Yes or no to the call that is named, or to the one with this label.
    Approve(Option<u32>),
    Deny(Option<u32>),
    /// Show what was not shown yet of it.
    Show(Option<u32>),
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
    /// `y`, `n` and `v` are answers only while something is asked; else they are words for the agent.
    pub(crate) fn parse(text: &str, is_asked: bool) -> Self {
        let text = text.trim();
        if let Some(answer) = answer(text).filter(|_| is_asked) {
            return answer;
        }
        match text {
            "" => Self::Nothing,
            "/cancel" => Self::Cancel,
            "/quit" | "/exit" => Self::Quit,
            "/help" => Self::Help,
            // Two slashes are one, for a text that begins with one.
            _ if text.starts_with("//") => Self::Prompt(text[1..].to_owned()),
            _ if text.starts_with('/') => Self::Unknown(text.to_owned()),
            _ => Self::Prompt(text.to_owned()),
        }
    }

    /// Whether it is about a call that waits.
    pub(crate) const fn is_answer(&self) -> bool {
        matches!(self, Self::Approve(_) | Self::Deny(_) | Self::Show(_))
    }
}

/// An answer about a call: the word, and its label where one is given.
fn answer(text: &str) -> Option<Line> {
    let mut words = text.split_whitespace();
    let verb: fn(Option<u32>) -> Line = match words.next()? {
        "y" | "yes" => Line::Approve,
        "n" | "no" => Line::Deny,
        "v" | "show" => Line::Show,
        _ => return None,
    };
    match (words.next(), words.next()) {
        (None, _) => Some(verb(None)),
        (Some(label), None) => label.parse().ok().map(|label| verb(Some(label))),
        _ => None,
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
            ("y", true, Line::Approve(None)),
            ("y 2", true, Line::Approve(Some(2))),
            ("y 2", false, prompt("y 2")),
            ("no", true, Line::Deny(None)),
            ("n  12", true, Line::Deny(Some(12))),
            ("v", true, Line::Show(None)),
            ("show 3", true, Line::Show(Some(3))),
            ("show me 3", true, prompt("show me 3")),
            ("yes please", true, prompt("yes please")),
            ("y 1 2", true, prompt("y 1 2")),
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
