//! A type name is unique among the types of its crate that other files can use, so that a reader finds one
//! definition. `xtask/duplicate-type-names.txt` excuses the ones from before the rule and may only shrink.

use std::collections::BTreeMap;

use super::{exceptions::Exceptions, source_file::SourceFile, violation::Violation};

/// Names with one meaning per module: clap's arguments, a module's error, a table's row, a section of the settings.
const EXEMPT: [&str; 4] = ["Error", "Args", "Row", "Config"];
const KEYWORDS: [&str; 5] = ["struct", "enum", "trait", "type", "union"];
/// Macros that define a public enum with the name on the first line inside.
const ENUM_MACROS: [&str; 2] = ["text_enum! {", "wire_enum! {"];
const EXCEPTIONS: &str = "xtask/duplicate-type-names.txt";

/// A definition: its file and line.
type Definition<'a> = (&'a str, usize);

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut excused = Exceptions::read(EXCEPTIONS, files, &mut violations);
    for ((krate, name), definitions) in definitions(files) {
        if definitions.len() == 1 {
            continue;
        }
        let excused = excused.take(&format!("{krate} {name}"));
        let allowed = excused.as_ref().map_or(1, |excused| excused.ceiling);
        let count = definitions.len();
        if count > allowed {
            let (path, line) = definitions[allowed];
            let (first, _) = definitions[0];
            let problem = format!(
                "`{name}` is defined {count} times in {krate}, first in {first}; give each a name that says what it is"
            );
            violations.push(Violation::new(path, line, problem));
        } else if let Some(excused) = excused.filter(|excused| count < excused.ceiling) {
            let problem =
                format!("`{krate} {name}` is defined {count} times; lower {allowed} to {count}");
            violations.push(Violation::new(EXCEPTIONS, excused.line, problem));
        }
    }
    violations.extend(excused.unused());
    violations
}

/// Every type that is visible outside its own file, by crate and name.
fn definitions(files: &[SourceFile]) -> BTreeMap<(&str, &str), Vec<Definition<'_>>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let Some((krate, _)) = file
            .path
            .strip_prefix("crates/")
            .and_then(|path| path.split_once("/src/"))
        else {
            continue;
        };
        let mut in_enum_macro = false;
        for (number, line) in file.numbered_lines() {
            let code = line.trim_start();
            if in_enum_macro && (code.starts_with("//") || code.starts_with('#')) {
                continue;
            }
            let name = if in_enum_macro {
                identifier(code)
            } else {
                visible_type(code)
            };
            in_enum_macro = ENUM_MACROS.iter().any(|head| code.ends_with(head));
            if let Some(name) = name.filter(|name| !EXEMPT.contains(name)) {
                found
                    .entry((krate, name))
                    .or_default()
                    .push((file.path.as_str(), number));
            }
        }
    }
    found
}

/// The name that a line defines, if it begins a `pub`, `pub(crate)` or `pub(super)` type.
fn visible_type(code: &str) -> Option<&str> {
    let rest = code.strip_prefix("pub")?;
    let rest = match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')')?.1,
        None => rest,
    };
    let (keyword, rest) = rest.strip_prefix(' ')?.split_once(' ')?;
    KEYWORDS.contains(&keyword).then(|| identifier(rest))?
}

fn identifier(code: &str) -> Option<&str> {
    let end = code
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(code.len());
    Some(&code[..end]).filter(|name| name.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::{EXCEPTIONS, check, visible_type};

    #[test]
    fn only_types_that_other_files_can_use_are_names() {
        for (code, name) in [
            ("pub struct Place {", Some("Place")),
            ("pub(crate) enum Call<'a> {", Some("Call")),
            ("pub(in crate::a) trait Ask: Send {", Some("Ask")),
            ("pub type Outcome = Result<(), Failure>;", Some("Outcome")),
            ("struct Place;", None),
            ("pub fn place() {}", None),
            ("pub use other::Place;", None),
            ("publish struct Place", None),
        ] {
            assert_eq!(visible_type(code), name, "{code}");
        }
    }

    #[test]
    fn a_name_is_defined_once_in_a_crate() {
        let one = "//! One.\npub struct Place;\npub struct Row;\n";
        let other = "//! Other.\npub struct Row;\n\npub(crate) enum Place {}\n";
        let files = [
            file("crates/a/src/one.rs", one),
            file("crates/a/src/other.rs", other),
            file("crates/b/src/one.rs", one),
            file("crates/a/tests/it/other.rs", other),
            file("xtask/src/other.rs", other),
        ];
        assert_eq!(places(&check(&files)), ["crates/a/src/other.rs:4"]);
    }

    #[test]
    fn an_enum_of_a_macro_is_a_name() {
        let text = "domain::text_enum! {\n    /// What.\n    #[derive(A)]\n    Outcome {\n        Is = \"is\",\n    }\n}\n";
        let files = [
            file("crates/a/src/one.rs", text),
            file("crates/a/src/other.rs", "pub enum Outcome {}\n"),
        ];
        assert_eq!(places(&check(&files)), ["crates/a/src/other.rs:1"]);
    }

    #[test]
    fn an_exception_excuses_as_many_as_there_are() {
        let list = |text: &str| file(EXCEPTIONS, format!("# why\n{text}\n"));
        let twice = || file("crates/a/src/a.rs", "pub struct Call;\npub struct Call;\n");
        assert!(check(&[list("a Call 2"), twice()]).is_empty());
        let at_the_list = [format!("{EXCEPTIONS}:2")];
        assert_eq!(places(&check(&[list("a Call 3"), twice()])), at_the_list);
        let once = file("crates/a/src/a.rs", "pub struct Call;\n");
        assert_eq!(places(&check(&[list("a Call 2"), once])), at_the_list);
        assert_eq!(places(&check(&[list("a Call")])), at_the_list);
    }
}
