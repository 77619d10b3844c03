//! Reads the text of a .env file in its common forms: `KEY=value`, `export KEY=value`, comments,
//! single quotes (literal), double quotes (with `\n`, `\t`, `\r`, `\"`, `\\`, `\$`; may span lines).
//! Nothing is expanded. A line that cannot be understood is an error with its number, never a guess.

use crate::{
    invalid::Invalid,
    limits::{ENV_IMPORT_BYTES_MAX, ENV_IMPORT_KEYS_MAX},
    secret::{validate_key, validate_value},
};

/// Parses the text; the last of several lines for one key takes effect, as in a shell.
pub fn parse(field: &str, text: &str) -> Result<Vec<(String, String)>, Invalid> {
    if text.len() > ENV_IMPORT_BYTES_MAX {
        let message = format!("must have at most {ENV_IMPORT_BYTES_MAX} bytes");
        return Err(Invalid::new(field, message));
    }
    let mut reader = Reader {
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        line: 1,
    };
    let mut variables: Vec<(String, String)> = Vec::new();
    while let Some(variable) = reader.next_variable(field)? {
        variables.retain(|(key, _)| *key != variable.0);
        variables.push(variable);
        if variables.len() > ENV_IMPORT_KEYS_MAX {
            let message = format!("must have at most {ENV_IMPORT_KEYS_MAX} variables");
            return Err(Invalid::new(field, message));
        }
    }
    Ok(variables)
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn next_variable(&mut self, field: &str) -> Result<Option<(String, String)>, Invalid> {
        self.skip_blank_and_comments();
        if self.rest.is_empty() {
            return Ok(None);
        }
        let line = self.line;
        let at_line =
            |error: Invalid| Invalid::new(field, format!("line {line}: {}", error.message));
        let key = self
            .key()
            .ok_or_else(|| Invalid::new(field, format!("line {line}: expected KEY=value")))?;
        validate_key(field, &key).map_err(at_line)?;
        let value = self
            .value()
            .map_err(|message| Invalid::new(field, format!("line {line}: {message}")))?;
        validate_value(field, &value).map_err(at_line)?;
        Ok(Some((key, value)))
    }

    fn skip_blank_and_comments(&mut self) {
        loop {
            let trimmed = self.rest.trim_start_matches([' ', '\t', '\r']);
            if let Some(next) = trimmed.strip_prefix('\n') {
                self.rest = next;
                self.line += 1;
            } else if trimmed.starts_with('#') {
                self.rest = trimmed.find('\n').map_or("", |end| &trimmed[end..]);
            } else {
                self.rest = trimmed;
                return;
            }
        }
    }

    fn key(&mut self) -> Option<String> {
        let end = self.rest.find(['=', '\n'])?;
        if self.rest.as_bytes()[end] != b'=' {
            return None;
        }
        let key = self.rest[..end].trim();
        let key = key
            .strip_prefix("export ")
            .map_or(key, str::trim)
            .to_owned();
        self.rest = &self.rest[end + 1..];
        Some(key)
    }

    fn value(&mut self) -> Result<String, &'static str> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let value = match self.rest.chars().next() {
            Some('\'') => self.literal()?,
            Some('"') => self.quoted()?,
            _ => return Ok(self.plain()),
        };
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let after = self.rest[..end].trim();
        if !after.is_empty() && !after.starts_with('#') {
            return Err("unexpected text after the closing quote");
        }
        self.rest = &self.rest[end..];
        Ok(value)
    }

    fn literal(&mut self) -> Result<String, &'static str> {
        let end = self.rest[1..]
            .find('\'')
            .ok_or("the closing quote is missing")?;
        let value = self.rest[1..=end].to_owned();
        self.line += value.matches('\n').count();
        self.rest = &self.rest[end + 2..];
        Ok(value)
    }

    fn quoted(&mut self) -> Result<String, &'static str> {
        let mut value = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((index, c)) = chars.next() {
            match c {
                '"' => {
                    self.line += self.rest[..index].matches('\n').count();
                    self.rest = &self.rest[index + 1..];
                    return Ok(value);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, 't')) => value.push('\t'),
                    Some((_, 'r')) => value.push('\r'),
                    Some((_, escaped @ ('"' | '\\' | '$'))) => value.push(escaped),
                    Some((_, other)) => value.extend(['\\', other]),
                    None => break,
                },
                other => value.push(other),
            }
        }
        Err("the closing quote is missing")
    }

    fn plain(&mut self) -> String {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let raw = &self.rest[..end];
        self.rest = &self.rest[end..];
        // A comment begins at a `#` that follows white space; `a#b` is a value.
        let comment = raw
            .char_indices()
            .find(|(index, c)| *c == '#' && (*index == 0 || raw[..*index].ends_with([' ', '\t'])))
            .map_or(raw.len(), |(index, _)| index);
        raw[..comment].trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_people_write() {
        let text = "\u{feff}# comment\n\nA=1\nexport B = two words  # note\nC='lit $x # \\n'\r\nD=\"a\\nb \\\"q\\\" \\$x\" # end\nE=\nF=a#b\nG=\"two\nlines\"\nA=again\n";
        let expected = [
            ("B", "two words"),
            ("C", "lit $x # \\n"),
            ("D", "a\nb \"q\" $x"),
            ("E", ""),
            ("F", "a#b"),
            ("G", "two\nlines"),
            ("A", "again"),
        ];
        let expected: Vec<_> = expected.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        assert_eq!(parse("text", text).unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_understood_is_named_by_its_line() {
        let cases = [
            ("A=1\nnonsense\n", "line 2: expected KEY=value"),
            ("A=1\n\nB=\"open\n", "line 3: the closing quote is missing"),
            (
                "A='x' y\n",
                "line 1: unexpected text after the closing quote",
            ),
            ("A=\"1\n2\"\n9=x\n", "line 3: must start with a letter"),
        ];
        for (text, message) in cases {
            let error = parse("text", text).unwrap_err();
            assert!(error.message.starts_with(message), "{text:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_panic(text in "[A-B='\"\\\\# \n$ä\t]{0,40}") {
            let _ = parse("text", &text);
        }

        #[test]
        fn a_quoted_value_comes_back(value in "[^\0]{0,60}") {
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            let parsed = parse("text", &format!("KEY=\"{escaped}\"")).unwrap();
            prop_assert_eq!(&parsed[0].1, &value);
        }
    }
}
