//! JSON from the command line, a file or stdin: the params of an action, bounded and strictly one object; or
//! a list.
//! What is wrong is said by place, never by quoting: params may hold what is not for a log.

use std::{
    fs::File,
    io::{self, Read},
};

use serde_json::{Map, Value};

use crate::{failure::Failure, limits::PARAMS_BYTES_MAX, strict_json};

/// Reads `JSON`, `@FILE` or `-`.
pub(crate) fn read(given: &str) -> Result<Map<String, Value>, Failure> {
    object(&text("--params", given)?)
}

fn text(flag: &str, given: &str) -> Result<Vec<u8>, Failure> {
    if given == "-" {
        bounded(io::stdin().lock(), "stdin")
    } else if let Some(path) = given.strip_prefix('@') {
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        bounded(file, path)
    } else {
        bounded(given.as_bytes(), flag)
    }
}

/// The same for a list of anything.
pub(crate) fn list(flag: &str, given: &str) -> Result<Vec<Value>, Failure> {
    match strict_json::parse(&text(flag, given)?) {
        Ok(Value::Array(list)) => Ok(list),
        Ok(_) => Err(Failure::usage(format!("{flag} is not a JSON array"))),
        Err(why) => Err(Failure::usage(format!("{flag} is not valid JSON: {why}"))),
    }
}

fn bounded(source: impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(PARAMS_BYTES_MAX + 1).unwrap_or(u64::MAX);
    let read = source.take(limit).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(name, &error))?;
    if bytes.len() > PARAMS_BYTES_MAX {
        let message = format!("the params have more than {PARAMS_BYTES_MAX} bytes");
        return Err(Failure::usage(message));
    }
    Ok(bytes)
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot read the params from {name}: {error}"))
}

fn object(text: &[u8]) -> Result<Map<String, Value>, Failure> {
    match strict_json::parse(text) {
        Ok(Value::Object(params)) => Ok(params),
        Ok(_) => Err(Failure::usage("the params are not a JSON object").hint(EXAMPLE)),
        Err(why) => {
            Err(Failure::usage(format!("the params are not valid JSON: {why}")).hint(EXAMPLE))
        }
    }
}

const EXAMPLE: &str =
    r#"write an object such as '{"title": "Hello"}', or put it into a file and pass @FILE"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_and_nothing_else() {
        assert_eq!(
            Value::Object(read(r#" {"a": [1]} "#).unwrap()),
            serde_json::json!({"a": [1]})
        );
        for bad in [
            "[]",
            "null",
            "\"x\"",
            "",
            "{",
            "{} {}",
            "{a: 1}",
            "{\"a\": 1, \"a\": 2}",
            "--x",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn complaints_do_not_quote() {
        for bad in [
            r#""hunter2""#,
            r#"{"hunter2": 1, "hunter2": 2}"#,
            "{hunter2}",
            "hunter2",
        ] {
            let failure = read(bad).unwrap_err();
            assert!(!failure.message.contains("hunter2"), "{}", failure.message);
        }
    }

    #[test]
    fn size_is_bounded_on_every_way() {
        let fits = format!("{{\"a\":\"{}\"}}", "x".repeat(PARAMS_BYTES_MAX - 8));
        assert!(read(&fits).is_ok());
        let large = format!("{fits} ");
        assert!(read(&large).unwrap_err().message.contains("more than"));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &large).unwrap();
        let from_file = read(&format!("@{}", file.path().display()));
        assert!(from_file.unwrap_err().message.contains("more than"));
        assert!(
            read("@/dev/zero")
                .unwrap_err()
                .message
                .contains("more than")
        );
    }
}
