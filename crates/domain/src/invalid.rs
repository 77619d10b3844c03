//! Input that breaks a rule, with the name of the field that broke it.

/// One field and what is wrong with it; becomes a 400 that names the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct Invalid {
    pub field: String,
    pub message: String,
}

impl Invalid {
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }

    /// The same error from the view of the enclosing field, e.g. `path` in `files[2]`.
    #[must_use]
    pub fn within(self, outer: &str) -> Self {
        Self {
            field: format!("{outer}.{}", self.field),
            ..self
        }
    }
}

/// Checks that `text` has between `min` and `max` characters and no control characters but newline
/// and tab, which are invalid in names and confuse terminals and logs.
pub fn bounded_text(field: &str, text: &str, min: usize, max: usize) -> Result<(), Invalid> {
    let count = text.chars().count();
    if count < min {
        let message = if min == 1 {
            "must not be empty".to_owned()
        } else {
            format!("must have at least {min} characters")
        };
        return Err(Invalid::new(field, message));
    }
    if count > max {
        return Err(Invalid::new(
            field,
            format!("must have at most {max} characters, has {count}"),
        ));
    }
    if text
        .chars()
        .any(|c| c.is_control() && c != '\n' && c != '\t' && c != '\r')
    {
        return Err(Invalid::new(field, "must not contain control characters"));
    }
    Ok(())
}

/// Checks a name that others see: `bounded_text` on one line, with something visible in it.
pub fn visible_name(field: &str, text: &str, max: usize) -> Result<(), Invalid> {
    bounded_text(field, text, 1, max)?;
    if text.contains(['\n', '\r', '\t']) {
        return Err(Invalid::new(field, "must be one line without tabs"));
    }
    if text.trim().is_empty() {
        return Err(Invalid::new(field, "must not be blank"));
    }
    Ok(())
}

/// Checks that `text` can be a mail address: a name, one `@` and a domain. Whether mail arrives there only mail shows.
pub fn mail_address(field: &str, text: &str, max: usize) -> Result<(), Invalid> {
    bounded_text(field, text, 1, max)?;
    let is_address = text.split_once('@').is_some_and(|(name, domain)| {
        let labels = domain.split('.');
        let is_plain =
            |c: char| !c.is_whitespace() && !c.is_control() && !"<>(),;:\\\"[]@".contains(c);
        !name.is_empty()
            && labels.clone().count() > 1
            && labels.into_iter().all(|label| !label.is_empty())
            && name.chars().chain(domain.chars()).all(is_plain)
    });
    if is_address {
        return Ok(());
    }
    let message = "must be a mail address such as `ada@example.com`";
    Err(Invalid::new(field, message))
}

/// Checks a list length.
pub fn bounded_count(field: &str, count: usize, max: usize) -> Result<(), Invalid> {
    if count > max {
        return Err(Invalid::new(
            field,
            format!("must have at most {max} entries, has {count}"),
        ));
    }
    Ok(())
}

/// Checks a path that will be joined below a workspace: relative, no `..`, no drive letter.
pub fn relative_path(field: &str, path: &str, max: usize) -> Result<(), Invalid> {
    bounded_text(field, path, 1, max)?;
    let drive = path.as_bytes().get(1) == Some(&b':');
    if path.starts_with(['/', '\\', '~']) || drive {
        return Err(Invalid::new(field, "must be a relative path"));
    }
    if path.split(['/', '\\']).any(|segment| segment == "..") {
        return Err(Invalid::new(field, "must not contain `..`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_bounded_in_characters_not_bytes() {
        assert!(bounded_text("title", "ééé", 1, 3).is_ok());
        assert_eq!(
            bounded_text("title", "éééé", 1, 3).unwrap_err().message,
            "must have at most 3 characters, has 4"
        );
        assert_eq!(
            bounded_text("title", "", 1, 3).unwrap_err().message,
            "must not be empty"
        );
        assert!(bounded_text("title", "a\u{0}b", 1, 3).is_err());
        assert!(bounded_text("title", "a\u{1b}b", 1, 3).is_err());
    }

    #[test]
    fn paths_stay_below_the_workspace() {
        for good in [".", "apps/web", "a/.env", "..hidden/x", "a..b"] {
            assert!(relative_path("path", good, 500).is_ok(), "{good}");
        }
        for bad in [
            "",
            "/etc",
            "../x",
            "a/../../b",
            "C:\\x",
            "~root",
            "\\\\host",
            "a\\..\\b",
        ] {
            assert!(relative_path("path", bad, 500).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_mail_address_has_a_name_and_a_domain() {
        for good in ["ada@example.com", "a.b+c@x.co.uk", "Ada@Example.invalid"] {
            assert!(mail_address("email", good, 254).is_ok(), "{good}");
        }
        for bad in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "ada@example",
            "ada@.com",
            "a@b@c.de",
            "ada @example.com",
            "Ada <ada@example.com>",
            "ada@example.com\n",
        ] {
            assert!(mail_address("email", bad, 254).is_err(), "{bad}");
        }
        assert!(mail_address("email", "ada@example.com", 5).is_err());
    }

    #[test]
    fn a_name_is_one_visible_line() {
        assert!(visible_name("name", "Ada Lovelace", 100).is_ok());
        for bad in ["", "  ", "a\nb", "a\tb", "a\u{1b}b"] {
            assert!(visible_name("name", bad, 100).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_complaint_can_be_seen_from_further_out() {
        let inner = Invalid::new("path", "must be a relative path");
        assert_eq!(
            inner.within("files[2]").to_string(),
            "files[2].path: must be a relative path"
        );
    }
}
