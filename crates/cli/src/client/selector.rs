//! What is given where an id is taken: the id, a part of it, or a name. The one place that decides which row is meant.
//!
//! INVARIANT: a row is chosen only if nothing else that the caller may list fits. A whole id is used as it is, without a
//! request. The last characters of an id tell rows apart; the first are the time at which it was made.

use std::{fmt, marker::PhantomData, str::FromStr};

use domain::{
    id::{
        AutomationId, ConfigurationId, ConnectorId, GrantId, GrantRequestId, IntegrationId,
        InvocationId, OverrideTicketId, RepoId, SecretId, SessionId, UserId, WebhookId,
    },
    limits::PAGE_SIZE_MAX,
    policy::CaseId,
};
use serde_json::{Value, json};

use super::Client;
use crate::{exit::Exit, failure::Failure, printer::printable};

/// Fewest characters of a part of an id, not counting hyphens.
const PART_LENGTH_MIN: usize = 4;
/// Characters at the end of an id that tell it from all others even where not all rows were read: 32 random bits.
const TAIL_LENGTH_CERTAIN: usize = 8;
/// Pages that are read to find a row: the newest thousand.
const PAGES_MAX: usize = 10;
/// Candidates that an ambiguous text is answered with.
const CANDIDATES_SHOWN: usize = 5;

/// An id of something that a caller can list.
pub(crate) trait Listed: FromStr + fmt::Display {
    /// One of them, in a sentence.
    const KIND: &'static str;
    const PATH: &'static str;
    const PAGING: Paging = Paging::Cursor;
    /// Members of a listed row that name it.
    const NAMES: &'static [&'static str];
    /// The member of a listed row that has its id.
    const ID: &'static str = "id";
    /// Whether any word may be a whole id, so that no text can be used without looking.
    const IS_TEXT: bool = false;
}

/// How a list is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paging {
    Cursor,
    /// The invocations: by how many are passed over.
    Offset,
    /// All at once.
    Whole,
}

macro_rules! listed {
    ($($id:ident $kind:literal $path:literal $names:expr $(, $other:ident = $value:expr)*;)+) => {$(
        impl Listed for $id {
            const KIND: &'static str = $kind;
            const PATH: &'static str = $path;
            const NAMES: &'static [&'static str] = &$names;
            $(listed!(@ $other $value);)*
        }
    )+};
    (@ PAGING $value:expr) => { const PAGING: Paging = $value; };
    (@ ID $value:expr) => { const ID: &'static str = $value; };
    (@ IS_TEXT $value:expr) => { const IS_TEXT: bool = $value; };
}

listed! {
    AutomationId "automation" "/v1/automations" ["name"];
    CaseId "case" "/v1/cases" ["title"], IS_TEXT = true;
    ConfigurationId "configuration" "/v1/configurations" ["name"];
    ConnectorId "connector" "/v1/connectors" ["name"];
    GrantId "grant" "/v1/grants" [];
    GrantRequestId "grant request" "/v1/grant-requests" [];
    IntegrationId "integration" "/v1/integrations" ["displayName", "integrationId"];
    InvocationId "action" "/v1/actions" [], PAGING = Paging::Offset;
    OverrideTicketId "ticket" "/v1/override-tickets" [];
    RepoId "repo" "/v1/repos" ["name"];
    SecretId "secret" "/v1/secrets" ["key"];
    SessionId "session" "/v1/sessions" ["title"];
    UserId "member" "/v1/members" ["email", "name"], PAGING = Paging::Whole, ID = "userId", IS_TEXT = true;
    WebhookId "webhook" "/v1/webhooks" ["url"];
}

/// A text that selects one row of its kind.
pub(crate) struct Selector<Id> {
    text: String,
    id: PhantomData<fn() -> Id>,
}

impl<Id> Clone for Selector<Id> {
    fn clone(&self) -> Self {
        Self {
            text: self.text.clone(),
            id: PhantomData,
        }
    }
}

impl<Id> fmt::Debug for Selector<Id> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl<Id> FromStr for Selector<Id> {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() {
            return Err("must not be empty");
        }
        Ok(Self {
            text: text.to_owned(),
            id: PhantomData,
        })
    }
}

impl<Id: Listed> Selector<Id> {
    /// The text itself, if it is a whole id.
    pub(crate) fn whole(&self) -> Option<Id> {
        let id = || self.text.parse().ok();
        (!Id::IS_TEXT).then(id)?
    }

    /// The id of the one row that is meant.
    pub(crate) async fn resolve(&self, client: &Client) -> Result<Id, Failure> {
        if let Some(id) = self.whole() {
            return Ok(id);
        }
        match fetch_rows::<Id>(client).await {
            Ok(rows) => self.choose(&rows),
            // A service may use what it may not list.
            Err(failure) if Id::IS_TEXT && failure.exit == Exit::Denied => {
                self.text.parse().map_err(|_| failure)
            }
            Err(failure) => Err(failure),
        }
    }

    fn choose(&self, rows: &Rows) -> Result<Id, Failure> {
        let found = matches(&self.text, &rows.candidates);
        match found[..] {
            // Not listed is not absent where ids are words: the gateway has the last word.
            [] if Id::IS_TEXT && self.text.parse::<Id>().is_ok() => Self::parse(&self.text),
            [] => Err(self.not_found(rows)),
            [one] if rows.are_all || is_certain(&self.text, one) => Self::parse(&one.id),
            [_] => Err(self.not_certain(rows)),
            _ => Err(self.ambiguous(&found)),
        }
    }

    fn parse(id: &str) -> Result<Id, Failure> {
        id.parse().map_err(|_| {
            let message = format!("the gateway listed a {} with an id that is none", Id::KIND);
            Failure::new(Exit::Failed, message)
        })
    }

    fn not_found(&self, rows: &Rows) -> Failure {
        let (kind, text) = (Id::KIND, printable(&self.text));
        let failure = Failure::new(Exit::NotFound, format!("there is no {kind} `{text}`"));
        if !rows.are_all {
            let count = rows.candidates.len();
            return failure.hint(format!(
                "only the newest {count} were looked at: give the whole id of an older one"
            ));
        }
        failure.hint(
            "give a name, or 4 or more characters of an id from its beginning or its end; \
             `proliferate help ids` has more",
        )
    }

    fn not_certain(&self, rows: &Rows) -> Failure {
        let (kind, count) = (Id::KIND, rows.candidates.len());
        let text = printable(&self.text);
        let message = format!(
            "`{text}` may mean another {kind} too: there are more than the newest {count} that were looked at"
        );
        Failure::new(Exit::Usage, message).hint(format!(
            "give the last {TAIL_LENGTH_CERTAIN} characters of its id, or all of it"
        ))
    }

    fn ambiguous(&self, found: &[&Candidate]) -> Failure {
        let (kind, count) = (Id::KIND, found.len());
        let text = printable(&self.text);
        let message = format!("`{text}` means more than one {kind}: {count} fit");
        let mut failure = Failure::new(Exit::Usage, message);
        for candidate in found.iter().take(CANDIDATES_SHOWN) {
            failure = failure.detail(&candidate.id, candidate.names.join(", "));
        }
        failure.hint("give more of its id, best from the end")
    }
}

/// The id that an option selects, if it was given.
pub(crate) async fn resolve_option<Id: Listed>(
    client: &Client,
    selector: Option<&Selector<Id>>,
) -> Result<Option<Id>, Failure> {
    match selector {
        Some(selector) => selector.resolve(client).await.map(Some),
        None => Ok(None),
    }
}

/// The one of these ids that is meant, whole or by a part of it. For what is listed within something else.
pub(crate) fn select_id(kind: &str, text: &str, ids: Vec<String>) -> Result<String, Failure> {
    let names = Vec::new;
    let candidates = ids.into_iter().map(|id| Candidate { id, names: names() });
    let candidates: Vec<Candidate> = candidates.collect();
    let shown = printable(text);
    match matches(text, &candidates)[..] {
        [one] => Ok(one.id.clone()),
        [] => Err(Failure::new(
            Exit::NotFound,
            format!("there is no {kind} `{shown}`"),
        )),
        _ => Err(
            Failure::new(Exit::Usage, format!("`{shown}` means more than one {kind}"))
                .hint("give more of its id"),
        ),
    }
}

/// A listed row.
#[derive(Debug)]
struct Candidate {
    id: String,
    names: Vec<String>,
}

/// What was read of a list.
#[derive(Debug)]
struct Rows {
    candidates: Vec<Candidate>,
    are_all: bool,
}

async fn fetch_rows<Id: Listed>(client: &Client) -> Result<Rows, Failure> {
    let mut rows = Rows {
        candidates: Vec::new(),
        are_all: true,
    };
    let mut query = match Id::PAGING {
        Paging::Whole => json!({}),
        _ => json!({ "limit": PAGE_SIZE_MAX }),
    };
    for _ in 0..PAGES_MAX {
        let page: Value = client.get(Id::PATH, &query).await?;
        let items = page.get("items").or_else(|| page.get("invocations"));
        let items = items
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        rows.candidates
            .extend(items.iter().filter_map(candidate::<Id>));
        let next = match Id::PAGING {
            Paging::Cursor => page["nextCursor"]
                .as_str()
                .map(|cursor| ("cursor", json!(cursor))),
            Paging::Offset => {
                let seen = rows.candidates.len();
                let has_more = !items.is_empty() && page["total"].as_u64() > Some(seen as u64);
                has_more.then(|| ("offset", json!(seen)))
            }
            Paging::Whole => {
                rows.are_all = page["hasMore"] != true;
                return Ok(rows);
            }
        };
        let Some((name, value)) = next else {
            return Ok(rows);
        };
        query[name] = value;
    }
    rows.are_all = false;
    Ok(rows)
}

fn candidate<Id: Listed>(item: &Value) -> Option<Candidate> {
    let names = Id::NAMES.iter();
    Some(Candidate {
        id: item[Id::ID].as_str()?.to_owned(),
        names: names
            .filter_map(|name| item[*name].as_str().map(str::to_owned))
            .collect(),
    })
}

/// The candidates that a text fits: by the whole id if one has it, else by name or by a part of the id.
fn matches<'a>(text: &str, candidates: &'a [Candidate]) -> Vec<&'a Candidate> {
    if let Some(exact) = candidates.iter().find(|candidate| candidate.id == text) {
        return vec![exact];
    }
    let name = text.to_lowercase();
    let part = without_hyphens(text);
    let is_part =
        part.len() >= PART_LENGTH_MIN && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let fits = |candidate: &&Candidate| {
        let is_named = candidate.names.iter().any(|one| one.to_lowercase() == name);
        let id = without_hyphens(&candidate.id);
        is_named || is_part && (id.starts_with(&part) || id.ends_with(&part))
    };
    candidates.iter().filter(fits).collect()
}

/// Whether the text can mean no row that was not read: the whole id, or enough of its random end.
fn is_certain(text: &str, candidate: &Candidate) -> bool {
    let part = without_hyphens(text);
    candidate.id == text
        || part.len() >= TAIL_LENGTH_CERTAIN && without_hyphens(&candidate.id).ends_with(&part)
}

fn without_hyphens(text: &str) -> String {
    text.replace('-', "").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "0192f0c1-2345-7abc-8def-0123456789ab";
    const B: &str = "0192f0c1-2345-7abc-8def-01234567c9ab";
    const C: &str = "0193aaaa-2345-7abc-8def-deadbeef0001";

    fn rows(are_all: bool) -> Rows {
        let row = |id: &str, name: &str| Candidate {
            id: id.to_owned(),
            names: vec![name.to_owned()],
        };
        Rows {
            candidates: vec![row(A, "Web"), row(B, "docs"), row(C, "Docs")],
            are_all,
        }
    }

    fn chosen(text: &str, are_all: bool) -> Result<String, Exit> {
        let selector: Selector<SessionId> = text.parse().unwrap();
        let chosen = selector.choose(&rows(are_all));
        chosen
            .map(|id| id.to_string())
            .map_err(|failure| failure.exit)
    }

    #[test]
    fn a_part_or_a_name_selects_one_row() {
        let table: [(&str, Result<&str, Exit>); 15] = [
            (A, Ok(A)),
            // The end, with hyphens or without, in any case.
            ("89ab", Ok(A)),
            ("89AB", Ok(A)),
            ("def-0123456789ab", Ok(A)),
            ("beef0001", Ok(C)),
            ("c9ab", Ok(B)),
            // Too short for a part of an id, and no name.
            ("9ab", Err(Exit::NotFound)),
            // The beginning is the time: two of one moment share it.
            ("0192f0c1", Err(Exit::Usage)),
            ("0193", Ok(C)),
            // From the middle is from neither end.
            ("7abc", Err(Exit::NotFound)),
            ("web", Ok(A)),
            ("Web", Ok(A)),
            // A name that two have, and a part of a name.
            ("docs", Err(Exit::Usage)),
            ("doc", Err(Exit::NotFound)),
            ("ffff", Err(Exit::NotFound)),
        ];
        for (text, expected) in table {
            assert_eq!(chosen(text, true), expected.map(str::to_owned), "{text}");
        }
    }

    #[test]
    fn where_not_all_was_read_only_a_long_end_is_certain() {
        for (text, expected) in [
            ("89ab", Err(Exit::Usage)),
            ("456789ab", Ok(A)),
            ("web", Err(Exit::Usage)),
            ("0193aaaa", Err(Exit::Usage)),
            ("none", Err(Exit::NotFound)),
        ] {
            assert_eq!(chosen(text, false), expected.map(str::to_owned), "{text}");
        }
    }

    #[test]
    fn a_name_that_is_the_end_of_another_id_selects_neither() {
        let mut rows = rows(true);
        rows.candidates[2].names = vec!["89ab".to_owned()];
        let selector: Selector<SessionId> = "89ab".parse().unwrap();
        let failure = selector.choose(&rows).unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        let details: Vec<_> = failure.details.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(details, [A, C]);
    }

    #[test]
    fn a_whole_id_needs_no_list_and_a_word_does() {
        let whole: Selector<SessionId> = A.parse().unwrap();
        assert_eq!(whole.whole().unwrap().to_string(), A);
        let part: Selector<SessionId> = "89ab".parse().unwrap();
        assert!(part.whole().is_none());
        let word: Selector<UserId> = "user_ada".parse().unwrap();
        assert!(word.whole().is_none());
        // Where ids are words, one that is not listed is left to the gateway.
        assert_eq!(word.choose(&rows(true)).unwrap().as_str(), "user_ada");
        let spaced: Selector<UserId> = "Ada L".parse().unwrap();
        assert_eq!(spaced.choose(&rows(true)).unwrap_err().exit, Exit::NotFound);
        assert!(" ".parse::<Selector<UserId>>().is_err());
    }
}
