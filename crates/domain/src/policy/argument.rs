//! Arguments of a program, with placeholders for values of a call. Each argument stays one argument:
//! an inserted value cannot split it, and cannot turn it into an option.

use std::{fmt, str::FromStr};

use super::{
    name::ParameterName,
    parameter::{InvalidParameter, ParameterValues},
};
use crate::limits::TOOL_ARGUMENT_LENGTH_MAX;

/// One argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// `{input}`: the file of the one stored input.
    Input,
    /// `{output}`: the directory for files that are kept.
    Output,
    /// `{work}`: the directory the steps share; nothing in it is kept.
    Work,
    /// `{param:NAME}`: a parameter.
    Parameter(ParameterName),
}

/// The paths a program gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places<'a> {
    pub input: &'a str,
    pub output: &'a str,
    pub work: &'a str,
}

impl Argument {
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// The text, if it is the same for every call.
    pub fn fixed(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// INVARIANT: an argument is an option only if the policy wrote the dash.
    pub fn fill(
        &self,
        places: Places<'_>,
        values: &ParameterValues,
    ) -> Result<String, InvalidParameter> {
        let mut filled = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Input => filled.push_str(places.input),
                Piece::Output => filled.push_str(places.output),
                Piece::Work => filled.push_str(places.work),
                Piece::Parameter(name) => {
                    let missing = || InvalidParameter::about(name, "is missing");
                    let value = values.get(name).ok_or_else(missing)?.to_string();
                    if filled.is_empty() && value.starts_with('-') {
                        return Err(InvalidParameter::about(name, "must not begin with a dash"));
                    }
                    filled.push_str(&value);
                }
            }
        }
        Ok(filled)
    }
}

impl FromStr for Argument {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let invalid = |rule: &str| format!("not a valid argument: {rule}");
        if text.chars().count() > TOOL_ARGUMENT_LENGTH_MAX || text.chars().any(char::is_control) {
            let max = TOOL_ARGUMENT_LENGTH_MAX;
            let rule = format!("at most {max} characters, none of them control characters");
            return Err(invalid(&rule));
        }
        let known = "braces hold input, output, work or param:NAME";
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, from)) = rest.split_once('{') {
            let (name, after) = from.split_once('}').ok_or_else(|| invalid(known))?;
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            pieces.push(match (name, name.strip_prefix("param:")) {
                ("input", _) => Piece::Input,
                ("output", _) => Piece::Output,
                ("work", _) => Piece::Work,
                (_, Some(name)) => {
                    Piece::Parameter(ParameterName::new(name).map_err(|_| invalid(known))?)
                }
                _ => return Err(invalid(known)),
            });
            rest = after;
        }
        if !rest.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        let brace = |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains('}'));
        if pieces.iter().any(brace) {
            return Err(invalid(known));
        }
        Ok(Self(pieces))
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Input => f.write_str("{input}")?,
                Piece::Output => f.write_str("{output}")?,
                Piece::Work => f.write_str("{work}")?,
                Piece::Parameter(name) => write!(f, "{{param:{name}}}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::ParameterValue;

    const PLACES: Places<'_> = Places {
        input: "/in/input",
        output: "/out",
        work: "/tmp",
    };

    fn filled(text: &str, value: &str) -> Result<String, String> {
        let name = ParameterName::new("x").unwrap();
        let values = ParameterValues::from([(name, ParameterValue::Text(value.into()))]);
        let argument: Argument = text.parse().unwrap();
        assert_eq!(argument.to_string(), text);
        let filled = argument.fill(PLACES, &values);
        filled.map_err(|error| error.to_string())
    }

    #[test]
    fn places_and_parameters_are_filled_in() {
        for (text, expected) in [
            ("{input}", "/in/input"),
            ("{output}/text", "/out/text"),
            ("-f{work}/a", "-f/tmp/a"),
            ("--lang={param:x}", "--lang=a b{input}"),
            ("", ""),
            ("plain", "plain"),
        ] {
            assert_eq!(filled(text, "a b{input}").unwrap(), expected);
        }
    }

    #[test]
    fn a_value_cannot_become_an_option() {
        let refused = "parameter x must not begin with a dash";
        for value in ["-", "-o/etc", "--output=x"] {
            assert_eq!(filled("{param:x}", value), Err(refused.into()));
            assert_eq!(filled("{param:x}{param:x}", value), Err(refused.into()));
        }
        assert_eq!(filled("--n={param:x}", "-5").unwrap(), "--n=-5");
    }

    #[test]
    fn other_braces_are_refused() {
        for bad in [
            "{",
            "}",
            "{}",
            "{inputs}",
            "{param:}",
            "{param:A}",
            "a}b",
            "{input}}",
        ] {
            assert!(bad.parse::<Argument>().is_err(), "{bad}");
        }
        assert!("a\0b".parse::<Argument>().is_err());
    }
}
