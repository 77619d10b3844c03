//! The table, cell by cell, and what holds for all of it.

use super::*;

fn everywhere() -> impl Iterator<Item = (SessionStanding, SessionRelation)> {
    Visibility::ALL.iter().flat_map(|&visibility| {
        [false, true].into_iter().flat_map(move |is_orphaned| {
            let session = SessionStanding {
                visibility,
                is_orphaned,
            };
            SessionRelation::ALL.iter().map(move |&one| (session, one))
        })
    })
}

/// Rights as letters: see, steer, order, decide, share.
fn letters(session: SessionStanding, relation: SessionRelation) -> String {
    let letter = |&right: &SessionRight| {
        let letter = right.as_str().chars().next().unwrap();
        let letter = if right == SessionRight::Steer {
            't'
        } else if right == SessionRight::Share {
            'h'
        } else {
            letter
        };
        if may(session, relation, right) {
            letter
        } else {
            '-'
        }
    };
    SessionRight::ALL.iter().map(letter).collect()
}

/// `relation | organization | people | private | each of them when the creator has left`
const TABLE: &str = "
    creator          | sto-h sto-h sto-h | sto-h sto-h sto-h
    named_to_steer   | sto-- sto-- ----- | sto-- sto-- -----
    named_to_see     | s---- s---- ----- | s---- s---- -----
    automation_owner | s---- ----- ----- | sto-- ----- -----
    member           | s---- ----- ----- | s---- ----- -----
    admin            | s-odh s-odh s-odh | stodh stodh stodh
    owner            | s-odh s-odh s-odh | stodh stodh stodh
    service          | sto-- sto-- sto-- | sto-- sto-- sto--
    agent            | s---- s---- s---- | s---- s---- s----
";

#[test]
fn who_may_what() {
    let mut lines = TABLE.trim().lines();
    for &relation in SessionRelation::ALL {
        let cells = [false, true].map(|is_orphaned| {
            let order = [
                Visibility::Organization,
                Visibility::People,
                Visibility::Private,
            ];
            let cells = order.map(|visibility| {
                let session = SessionStanding {
                    visibility,
                    is_orphaned,
                };
                letters(session, relation)
            });
            cells.join(" ")
        });
        let line = format!("{:<16} | {} | {}", relation.as_str(), cells[0], cells[1]);
        assert_eq!(lines.next().map(str::trim), Some(line.as_str()));
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn every_right_comes_with_sight() {
    for (session, relation) in everywhere() {
        let has_one = SessionRight::ALL
            .iter()
            .any(|&right| may(session, relation, right));
        let sees = may(session, relation, SessionRight::See);
        assert_eq!(has_one, sees, "{relation} of {session:?}");
    }
}

#[test]
fn who_decides_is_who_administers() {
    use crate::role::Role;
    for (session, relation) in everywhere() {
        let role = match relation {
            SessionRelation::Admin => Some(Role::Admin),
            SessionRelation::Owner => Some(Role::Owner),
            _ => None,
        };
        let decides = may(session, relation, SessionRight::Decide);
        assert_eq!(decides, role.is_some_and(Role::is_admin), "{relation}");
    }
}

#[test]
fn a_wider_visibility_takes_no_right_away() {
    let order = [
        Visibility::Private,
        Visibility::People,
        Visibility::Organization,
    ];
    for (narrow, wide) in order.iter().zip(&order[1..]) {
        for (session, relation) in everywhere() {
            for &right in SessionRight::ALL {
                let at = |visibility| SessionStanding {
                    visibility,
                    ..session
                };
                let kept = !may(at(*narrow), relation, right) || may(at(*wide), relation, right);
                assert!(kept, "{relation} {right} {narrow} {wide}");
            }
        }
    }
}

/// `docs/concepts/sharing.md` has the table as it is here.
#[test]
fn the_documentation_has_the_same_table() {
    let page = include_str!("../../../../docs/concepts/sharing.md");
    let table = rights_table_markdown();
    assert!(page.contains(&table), "write this into it:\n\n{table}");
}
