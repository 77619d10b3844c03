//! Tripwires on length: 500 lines per file outside tests, 70 per function. Long code is where two
//! ideas live in one place. `xtask/size-exceptions.txt` excuses some and may only shrink.

use super::{exceptions::Exceptions, source_file::SourceFile, violation::Violation};

const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
const EXCEPTIONS: &str = "xtask/size-exceptions.txt";

/// Something with a length: a file, or a function as `path::name`.
struct Measured<'a> {
    subject: String,
    path: &'a str,
    line: usize,
    length: usize,
    length_max: usize,
}

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut excused = Exceptions::read(EXCEPTIONS, files, &mut violations);
    for measured in files.iter().filter(|file| file.is_rust()).flat_map(measure) {
        if measured.length <= measured.length_max {
            continue;
        }
        let allowed = excused.ceiling(&measured.subject, measured.length_max);
        if measured.length > allowed {
            let Measured {
                subject, length, ..
            } = &measured;
            let problem =
                format!("`{subject}` has {length} lines, {allowed} is the limit; split it");
            violations.push(Violation::new(measured.path, measured.line, problem));
        }
    }
    violations.extend(excused.unused());
    violations
}

fn measure(file: &SourceFile) -> Vec<Measured<'_>> {
    let lines = lines_outside_tests(file);
    let mut measured = vec![Measured {
        subject: file.path.clone(),
        path: &file.path,
        line: 1,
        length: lines.len(),
        length_max: FILE_LINES_MAX,
    }];
    for (index, line) in lines.iter().enumerate() {
        if let Some(name) = function_name(line) {
            measured.push(Measured {
                subject: format!("{}::{name}", file.path),
                path: &file.path,
                line: index + 1,
                length: function_length(&lines[index..]),
                length_max: FUNCTION_LINES_MAX,
            });
        }
    }
    measured
}

/// A test module ends its file (clippy's `items_after_test_module`), so what precedes it counts.
fn lines_outside_tests(file: &SourceFile) -> Vec<&str> {
    if file.path.contains("/tests/") || file.path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let lines: Vec<&str> = file.numbered_lines().map(|(_, line)| line).collect();
    let tests_start = lines.windows(2).position(|pair| {
        pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{')
    });
    lines[..tests_start.unwrap_or(lines.len())].to_vec()
}

fn function_name(line: &str) -> Option<&str> {
    let code = line.trim_start();
    let (before, after) = code.split_once("fn ")?;
    let only_qualifiers = before.split_whitespace().all(|word| {
        ["pub", "const", "async", "unsafe", "default", "extern"].contains(&word)
            || word.starts_with("pub(")
            || word.starts_with('"')
    });
    let name = after
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .next()?;
    (only_qualifiers && !name.is_empty()).then_some(name)
}

/// By rustfmt's indentation: a body ends at the first `}` that stands where its `fn` stands.
fn function_length(lines: &[&str]) -> usize {
    let header = lines[0];
    let indentation = &header[..header.len() - header.trim_start().len()];
    let signature_end = lines
        .iter()
        .position(|line| line.ends_with(['{', ';', '}']));
    let Some(signature_end) = signature_end.filter(|end| lines[*end].ends_with('{')) else {
        return 1;
    };
    let closing = format!("{indentation}}}");
    lines
        .iter()
        .skip(signature_end)
        .position(|line| *line == closing)
        .unwrap_or(0)
        + signature_end
        + 1
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::{EXCEPTIONS, check, function_length, function_name};

    fn function(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    work();\n".repeat(lines - 2))
    }

    #[test]
    fn a_file_may_have_500_lines_outside_its_tests() {
        let at_the_limit = "// line\n".repeat(500);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{at_the_limit}}}\n");
        let files = [
            file("a.rs", at_the_limit.clone() + &tests),
            file("b.rs", at_the_limit.clone() + "// one more\n"),
            file("crates/x/tests/it.rs", at_the_limit.clone() + &at_the_limit),
            file("c.md", at_the_limit.clone() + "text\n"),
        ];
        assert_eq!(places(&check(&files)), ["b.rs:1"]);
    }

    #[test]
    fn a_function_may_have_70_lines() {
        let files = [
            file("a.rs", function(70)),
            file("b.rs", format!("//! B.\n\n{}", function(71))),
        ];
        assert_eq!(places(&check(&files)), ["b.rs:3"]);
    }

    #[test]
    fn an_exception_excuses_up_to_its_length_and_must_be_needed() {
        let list = |text: &str| file(EXCEPTIONS, format!("# why\n{text}\n"));
        let long = || file("a.rs", function(80));
        assert!(check(&[list("a.rs::long 80"), long()]).is_empty());
        assert_eq!(places(&check(&[list("a.rs::long 79"), long()])), ["a.rs:1"]);
        let short = file("a.rs", function(70));
        assert_eq!(
            places(&check(&[list("a.rs::long 80"), short])),
            [format!("{EXCEPTIONS}:2")]
        );
        assert_eq!(places(&check(&[list("a.rs")])), [format!("{EXCEPTIONS}:2")]);
    }

    #[test]
    fn functions_are_recognised_by_their_indentation() {
        assert_eq!(
            function_name("    pub(crate) async fn create("),
            Some("create")
        );
        assert_eq!(function_name("const extern \"C\" fn raw() {}"), Some("raw"));
        assert_eq!(function_name("// the fn called x"), None);
        assert_eq!(function_name("let call: fn (u8) = f;"), None);
        let method = [
            "    fn a(",
            "        b: u8,",
            "    ) {",
            "        if b {",
            "        }",
            "    }",
            "}",
        ];
        assert_eq!(function_length(&method), 6);
        assert_eq!(
            function_length(&["    fn declared(&self);", "    fn next() {", "    }"]),
            1
        );
        assert_eq!(
            function_length(&["fn main() {}", "", "fn other() {", "}"]),
            1
        );
    }
}
