//! What the user types while a session is watched.

use std::time::Duration;

/// A line of input and when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypedLine {
    pub(crate) text: String,
    /// On the monotonic clock, which also says when each call was shown.
    pub(crate) at: Duration,
}

/// What a line means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// For the agent.
    Prompt(String),
    /// Yes or no to the current call, or to the one with this label.
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

impl Input {
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
fn answer(text: &str) -> Option<Input> {
    let mut words = text.split_whitespace();
    let verb: fn(Option<u32>) -> Input = match words.next()? {
        "y" | "yes" => Input::Approve,
        "n" | "no" => Input::Deny,
        "v" | "show" => Input::Show,
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
        let prompt = |text: &str| Input::Prompt(text.to_owned());
        for (text, is_asked, meant) in [
            ("fix the tests", false, prompt("fix the tests")),
            ("  \t", false, Input::Nothing),
            ("y", false, prompt("y")),
            ("y", true, Input::Approve(None)),
            ("y 2", true, Input::Approve(Some(2))),
            ("y 2", false, prompt("y 2")),
            ("no", true, Input::Deny(None)),
            ("n  12", true, Input::Deny(Some(12))),
            ("v", true, Input::Show(None)),
            ("show 3", true, Input::Show(Some(3))),
            ("show me 3", true, prompt("show me 3")),
            ("yes please", true, prompt("yes please")),
            ("y 1 2", true, prompt("y 1 2")),
            ("/cancel", true, Input::Cancel),
            ("/quit", false, Input::Quit),
            ("/help", false, Input::Help),
            ("//etc is empty", false, prompt("/etc is empty")),
            ("/cancle", false, Input::Unknown("/cancle".to_owned())),
        ] {
            assert_eq!(Input::parse(text, is_asked), meant, "{text:?} {is_asked}");
        }
    }
}
