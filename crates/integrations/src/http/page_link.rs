//! The `Link` header (RFC 8288), as far as lists use it: where the next page is.

/// The link to the next page, `None` where there is no such page. Sentry always names one and says with
/// `results` whether there is anything on it.
pub(crate) fn next_link(header: &str) -> Option<PageLink> {
    split(header, ',')
        .filter_map(PageLink::read)
        .find(|link| link.attribute("rel") == Some("next"))
        .filter(|link| link.attribute("results") != Some("false"))
}

/// A target with its attributes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PageLink {
    pub(crate) target: String,
    attributes: Vec<(String, String)>,
}

impl PageLink {
    fn read(text: &str) -> Option<Self> {
        let rest = text.trim().strip_prefix('<')?;
        let (target, attributes) = rest.split_once('>')?;
        let attributes = split(attributes, ';')
            .filter_map(|attribute| attribute.split_once('='))
            .map(|(name, value)| {
                let value = value.trim().trim_matches('"');
                (name.trim().to_ascii_lowercase(), value.to_owned())
            })
            .collect();
        Some(Self {
            target: target.to_owned(),
            attributes,
        })
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Splits where the separator stands neither in quotes nor in angle brackets.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut bracketed) = (false, false);
    text.split(move |letter| {
        match letter {
            '"' if !bracketed => quoted = !quoted,
            '<' if !quoted => bracketed = true,
            '>' if !quoted => bracketed = false,
            _ => {}
        }
        letter == separator && !quoted && !bracketed
    })
}

#[cfg(test)]
mod tests {
    use super::next_link;

    #[test]
    fn the_next_page_is_found() {
        let sentry = r#"<https://sentry.io/api/0/issues/1/events/?&cursor=0:0:1>; rel="previous"; results="false"; cursor="0:0:1", <https://sentry.io/api/0/issues/1/events/?&cursor=0:100:0>; rel="next"; results="true"; cursor="0:100:0""#;
        let link = next_link(sentry).unwrap();
        assert_eq!(link.attribute("cursor"), Some("0:100:0"));
        let github = r#"<https://api.github.com/repositories/1/issues?labels=a,b;c&page=3>; rel="next", <https://api.github.com/x?page=9>; rel="last""#;
        let link = next_link(github).unwrap();
        assert!(link.target.ends_with("page=3"), "{link:?}");
    }

    #[test]
    fn where_there_is_none_none_is_found() {
        for header in [
            "",
            "nonsense",
            "<unclosed",
            r#"<x>; rel="previous""#,
            r#"<x>; rel="next"; results="false"; cursor="0:100:0""#,
            r#"<x>; title="rel=next""#,
            ",,;;=<>",
        ] {
            assert_eq!(next_link(header), None, "{header}");
        }
    }
}
