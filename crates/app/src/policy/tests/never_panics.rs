//! Whatever stands in a file, reading it ends in a policy or in problems.

use proptest::prelude::*;

use super::with;
use crate::policy::{FileBytes, PolicyFile, PolicyFiles, load};

fn file() -> impl Strategy<Value = PolicyFile> {
    prop::sample::select(PolicyFile::ALL)
}

/// Pieces that mean something to a YAML reader.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "lanes:", "- ", "  ", "\n", "lane_id: A", "{", "}", "[", "]", ": ", ", ", "&a ", "*a", "<<: ",
    "!!str ", "---\n", "...\n", "? ", "| \n", ">-\n", "\"", "'", "#", "%YAML 1.2\n", "\u{feff}", "\t",
    "\r", "\0", "version: 1\n", "contract_version: v1\n", "é", "\u{2028}",
];

/// Such pieces thrown together.
fn yaml_like() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|list| list.concat())
}

fn check(files: PolicyFiles) -> Result<(), TestCaseError> {
    if let Err(problems) = load(files) {
        prop_assert!(!problems.all.is_empty());
        let text = problems.to_string();
        let escape = char::from(0x1b);
        prop_assert!(!text.contains(escape));
    }
    Ok(())
}

proptest! {
    #[test]
    fn on_any_bytes(file in file(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut files = PolicyFiles::built_in();
        let bytes = FileBytes::from(&*bytes);
        match file {
            PolicyFile::Lanes => files.lanes = bytes,
            PolicyFile::Roles => files.roles = bytes,
            PolicyFile::Tools => files.tools = bytes,
        }
        check(files)?;
    }

    #[test]
    fn on_any_text(file in file(), text in ".{0,200}") {
        check(with(file, |_| text))?;
    }

    #[test]
    fn on_pieces_of_yaml(file in file(), text in yaml_like()) {
        check(with(file, |_| text))?;
    }

    /// The built-in file with a stretch taken out and something put in its place.
    #[test]
    fn on_a_damaged_file(
        file in file(), at in 0.0..1.0, length in 0_usize..40, put in yaml_like(),
    ) {
        let damage = |text: String| {
            let letters: Vec<char> = text.chars().collect();
            #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let start = (letters.len() as f64 * at) as usize;
            let end = (start + length).min(letters.len());
            let head: String = letters[..start].iter().collect();
            let tail: String = letters[end..].iter().collect();
            format!("{head}{put}{tail}")
        };
        check(with(file, damage))?;
    }
}
