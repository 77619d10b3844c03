//! Cases: what work and its documents belong to, and who may work on them. To a caller who is not a
//! member, a case does not exist.

use std::{fmt, str::FromStr};

use crate::{
    clock::Timestamp,
    id::{OrganizationId, SessionId, UserId},
    invalid::{Invalid, bounded_text},
    limits::TITLE_LENGTH_MAX,
    policy::{CaseId, ClientSessionId},
};

/// A case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub id: CaseId,
    pub organization_id: OrganizationId,
    pub title: Option<String>,
    pub created_at: Timestamp,
}

/// A member of a case, who may work on it; written `user:ID`, `service:NAME` or `session:ID`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CaseMember {
    /// A user of the organization.
    User(UserId),
    /// Another service of the platform.
    Service(ServiceName),
    /// The agent of one session.
    Session(SessionId),
}

/// A service's name as used in a list of members: 1 to 100 letters, digits, `_`, `-`, `.`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServiceName(String);

/// A meeting with a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSession {
    pub id: ClientSessionId,
    pub case_id: CaseId,
    pub organization_id: OrganizationId,
    pub created_at: Timestamp,
}

/// The end of a page of cases. Their ids are chosen by users and do not reflect their age, so the time
/// comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseCursor {
    pub created_at: Timestamp,
    pub id: CaseId,
}

/// A text that is not what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidCaseText(&'static str);

impl Case {
    pub fn cursor(&self) -> CaseCursor {
        CaseCursor {
            created_at: self.created_at,
            id: self.id.clone(),
        }
    }
}

/// Checks a given title.
pub fn check_title(title: Option<&str>) -> Result<(), Invalid> {
    title.map_or(Ok(()), |title| {
        bounded_text("title", title, 1, TITLE_LENGTH_MAX)
    })
}

impl ServiceName {
    pub fn new(name: impl Into<String>) -> Result<Self, InvalidCaseText> {
        let name = name.into();
        let safe = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
        if name.is_empty() || name.len() > 100 || !name.bytes().all(safe) {
            return Err(InvalidCaseText("not a service's name"));
        }
        Ok(Self(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CaseMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => write!(f, "user:{id}"),
            Self::Service(name) => write!(f, "service:{}", name.0),
            Self::Session(id) => write!(f, "session:{id}"),
        }
    }
}

impl FromStr for CaseMember {
    type Err = InvalidCaseText;

    fn from_str(text: &str) -> Result<Self, InvalidCaseText> {
        let refused = InvalidCaseText("must be user:ID, service:NAME or session:ID");
        match text.split_once(':') {
            Some(("user", id)) => id.parse().map(Self::User).map_err(|_| refused),
            Some(("service", name)) => ServiceName::new(name)
                .map(Self::Service)
                .map_err(|_| refused),
            Some(("session", id)) => id.parse().map(Self::Session).map_err(|_| refused),
            _ => Err(refused),
        }
    }
}

impl fmt::Display for CaseCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.created_at.micros(), self.id)
    }
}

impl FromStr for CaseCursor {
    type Err = InvalidCaseText;

    fn from_str(text: &str) -> Result<Self, InvalidCaseText> {
        let refused = InvalidCaseText("not a cursor");
        let (micros, id) = text.split_once('.').ok_or(refused)?;
        let micros = micros.parse().map_err(|_| refused)?;
        Ok(Self {
            created_at: Timestamp::from_micros(micros).ok_or(refused)?,
            id: id.parse().map_err(|_| refused)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_written_the_way_it_is_read() {
        for text in [
            "user:user_ada",
            "service:billing.v2",
            "session:0192f0c1-2345-7abc-8def-0123456789ab",
        ] {
            let member: CaseMember = text.parse().unwrap();
            assert_eq!(member.to_string(), text);
        }
        for bad in [
            "",
            "ada",
            "user:",
            "user:a b",
            "user:a/b",
            "service:",
            "service:a:b",
            "session:x",
            "team:a",
            "User:a",
        ] {
            assert!(bad.parse::<CaseMember>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_cursor_is_written_the_way_it_is_read() {
        let text = "1700000000123456.CASE-1_a";
        assert_eq!(text.parse::<CaseCursor>().unwrap().to_string(), text);
        for bad in ["", "1", "x.CASE-1", "1.a", "1.CASE 1", "-.CASE-1"] {
            assert!(bad.parse::<CaseCursor>().is_err(), "{bad}");
        }
    }

    #[test]
    fn case_14_an_id_with_a_path_in_it_is_no_case() {
        for bad in [
            "../C2",
            "C1/../../C2",
            "C1//x",
            "%2e%2e",
            "....",
            "abc",
            "    ",
        ] {
            assert!(bad.parse::<CaseId>().is_err(), "{bad}");
        }
    }
}
