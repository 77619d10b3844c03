//! Addresses of mail. One spelling each: lower case, so that an address finds its user.

use std::{fmt, str::FromStr};

use crate::{invalid::Invalid, limits::EMAIL_LENGTH_MAX};

/// An address that mail can be sent to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EmailAddress(String);

/// Bytes before the `@`, by RFC 5321.
const LOCAL_LENGTH_MAX: usize = 64;

impl EmailAddress {
    /// The error names `email`.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let text = text.trim();
        if is_address(text) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            let message = "must be an address of mail, such as `ada@acme.example`";
            Err(Invalid::new("email", message))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether mail can be sent there. Quoted names, addresses of hosts and letters beyond ASCII are not accepted: mail servers
/// disagree about them. Nothing reaches `.invalid`, which stands for users without an address.
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let is_atom = |c: u8| c.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&c);
    let is_local = |part: &str| !part.is_empty() && part.bytes().all(is_atom);
    let is_label = |part: &str| {
        let is_safe = |c: u8| c.is_ascii_alphanumeric() || c == b'-';
        !part.is_empty()
            && part.len() <= 63
            && part.bytes().all(is_safe)
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    text.len() <= EMAIL_LENGTH_MAX
        && local.len() <= LOCAL_LENGTH_MAX
        && local.split('.').all(is_local)
        && domain.contains('.')
        && domain.split('.').all(is_label)
        && !domain.to_ascii_lowercase().ends_with(".invalid")
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Redacted: an address belongs in no log line.
impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EmailAddress")
    }
}

impl FromStr for EmailAddress {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_spelling() {
        for text in ["Ada@Acme.Example", " ada@acme.example\n"] {
            assert_eq!(
                EmailAddress::parse(text).unwrap().as_str(),
                "ada@acme.example"
            );
        }
    }

    #[test]
    fn what_no_mail_reaches_is_refused() {
        let long = format!("{}@acme.example", "a".repeat(65));
        for text in [
            "",
            "ada",
            "@acme.example",
            "ada@",
            "ada@localhost",
            "a b@acme.example",
            "ada@acme.example,bob@acme.example",
            "ada@acme.example\r\nBcc: bob@acme.example",
            "Ada <ada@acme.example>",
            ".ada@acme.example",
            "ada@acme..example",
            "ada@-acme.example",
            "ada@user.invalid",
            "ad\u{e4}@acme.example",
            &long,
        ] {
            let refused = EmailAddress::parse(text);
            assert_eq!(refused.unwrap_err().field, "email", "{text:?}");
        }
    }
}
