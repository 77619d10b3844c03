//! The table of rights in words, as the documentation and the dashboard show it.

use std::fmt::Write as _;

use super::{SessionRelation, SessionRight, SessionStanding, Visibility, may};

/// A relation, and when it has each right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RightsRow {
    pub relation: SessionRelation,
    /// The relation in words.
    pub title: &'static str,
    /// In the order of [`SessionRight::ALL`].
    pub cells: Vec<(SessionRight, &'static str)>,
}

const YES: &str = "yes";
const NO: &str = "no";
const NOT_PRIVATE: &str = "unless private";
const ORGANIZATION: &str = "if visible to the organization";
const ORPHANED: &str = "if the creator has left";
const ORGANIZATION_ORPHANED: &str = "if visible to the organization and the creator has left";

/// The whole table.
pub fn rights_table() -> Vec<RightsRow> {
    let row = |&relation: &SessionRelation| RightsRow {
        relation,
        title: title(relation),
        cells: SessionRight::ALL
            .iter()
            .map(|&right| (right, condition(relation, right)))
            .collect(),
    };
    SessionRelation::ALL.iter().map(row).collect()
}

/// The table in Markdown.
pub fn rights_table_markdown() -> String {
    let mut text = String::from("| |");
    for right in SessionRight::ALL {
        _ = write!(text, " {right} |");
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(SessionRight::ALL.len()));
    for row in rights_table() {
        _ = write!(text, "\n| {} |", row.title);
        for (_, cell) in row.cells {
            _ = write!(text, " {cell} |");
        }
    }
    text.push('\n');
    text
}

const fn title(relation: SessionRelation) -> &'static str {
    match relation {
        SessionRelation::Creator => "its creator",
        SessionRelation::NamedToSteer => "a member named to steer",
        SessionRelation::NamedToSee => "a member named to see",
        SessionRelation::AutomationOwner => "the creator of its automation",
        SessionRelation::Member => "any other member",
        SessionRelation::Admin => "an admin",
        SessionRelation::Owner => "an owner",
        SessionRelation::Service => "a service of the platform",
        SessionRelation::Agent => "its own agent",
    }
}

/// When the relation has the right: by visibility, and by whether the creator is still a member.
fn condition(relation: SessionRelation, right: SessionRight) -> &'static str {
    let has = |visibility, is_orphaned| {
        let session = SessionStanding {
            visibility,
            is_orphaned,
        };
        may(session, relation, right)
    };
    let by_visibility = |is_orphaned| {
        [
            Visibility::Organization,
            Visibility::People,
            Visibility::Private,
        ]
        .map(|visibility| has(visibility, is_orphaned))
    };
    match (by_visibility(false), by_visibility(true)) {
        ([true, true, true], _) => YES,
        ([true, true, false], _) => NOT_PRIVATE,
        ([true, false, false], _) => ORGANIZATION,
        (_, [true, true, true]) => ORPHANED,
        (_, [true, false, false]) => ORGANIZATION_ORPHANED,
        _ => NO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A condition that the words above do not cover would read as another one.
    #[test]
    fn the_words_say_exactly_what_the_table_decides() {
        for row in rights_table() {
            for (right, cell) in row.cells {
                for &visibility in Visibility::ALL {
                    for is_orphaned in [false, true] {
                        let open = visibility == Visibility::Organization;
                        let said = match cell {
                            YES => true,
                            NOT_PRIVATE => visibility != Visibility::Private,
                            ORGANIZATION => open,
                            ORPHANED => is_orphaned,
                            ORGANIZATION_ORPHANED => open && is_orphaned,
                            _ => false,
                        };
                        let session = SessionStanding {
                            visibility,
                            is_orphaned,
                        };
                        let decided = may(session, row.relation, right);
                        assert_eq!(said, decided, "{} {right} {session:?}", row.relation);
                    }
                }
            }
        }
    }
}
