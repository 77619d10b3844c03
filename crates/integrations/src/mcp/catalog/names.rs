//! Names of actions. A tool may be called anything; an action's name goes into commands, grants, tables
//! and the interfaces of language models.
//!
//! INVARIANT: the name depends on the tool's own name and nothing else, so that a tool that appears, or
//! one that is left out, never changes which tool another name means.

use domain::{canonical::sha256_hex, limits::CONNECTOR_ACTION_NAME_LENGTH_MAX};

/// Hexadecimal digits that tell apart names that would be written alike.
const MARK_LENGTH: usize = 8;

/// The name of the action that a tool becomes: the tool's own if it can be, else one made from it with a
/// mark of the original.
pub fn action_name(tool: &str) -> String {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_good = !tool.is_empty()
        && tool.len() <= CONNECTOR_ACTION_NAME_LENGTH_MAX
        && !tool.starts_with('-')
        && tool.chars().all(good);
    if is_good {
        return tool.to_owned();
    }
    let room = CONNECTOR_ACTION_NAME_LENGTH_MAX - MARK_LENGTH - 1;
    let safe = tool.chars().take(room);
    let safe: String = safe.map(|c| if good(c) { c } else { '_' }).collect();
    let safe = safe.trim_start_matches('-');
    let digest = sha256_hex(tool.as_bytes());
    format!("{safe}_{}", &digest[..MARK_LENGTH])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_name_stays_and_a_bad_one_is_made_safe() {
        for good in ["echo", "create_issue", "get-sum", "A1", &"x".repeat(64)] {
            assert_eq!(action_name(good), good);
        }
        assert_eq!(action_name("a.b"), "a_b_2e7336dc");
        for bad in [
            "",
            "a b",
            "a/b",
            "a.b",
            "../../etc",
            "--help",
            "naïve",
            "工具",
            "a\nb",
            "$(id)",
            "*",
            &"x".repeat(65),
        ] {
            let name = action_name(bad);
            assert!(name.len() <= CONNECTOR_ACTION_NAME_LENGTH_MAX, "{name}");
            assert!(!name.starts_with('-'), "{name}");
            assert!(
                name.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)),
                "{name}"
            );
        }
    }

    #[test]
    fn names_that_would_be_written_alike_stay_apart() {
        let names = ["a.b", "a/b", "a b", "a_b", "a:b"].map(action_name);
        let mut unique = names.to_vec();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
        let long = [
            format!("{}1", "x".repeat(70)),
            format!("{}2", "x".repeat(70)),
        ];
        assert_ne!(action_name(&long[0]), action_name(&long[1]));
    }
}
