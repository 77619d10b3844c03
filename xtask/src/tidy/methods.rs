//! A type with more methods than this does several jobs: its responsibilities become types of their own.
//! `xtask/method-exceptions.txt` excuses the ones from before the rule and may only shrink.

use std::collections::BTreeMap;

use super::{
    exceptions::Exceptions, module_tree::ModuleTree, source_file::SourceFile, violation::Violation,
};

/// In all files of the crate together, without those of traits.
const METHODS_MAX: usize = 30;
const EXCEPTIONS: &str = "xtask/method-exceptions.txt";

pub(super) fn check(
    crates: &BTreeMap<&str, ModuleTree<'_>>,
    files: &[SourceFile],
) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut excused = Exceptions::read(EXCEPTIONS, files, &mut violations);
    for (crate_name, tree) in crates {
        for ((path, name), count) in tree.methods() {
            if count <= METHODS_MAX {
                continue;
            }
            let allowed = excused.ceiling(&format!("{crate_name} {name}"), METHODS_MAX);
            if count > allowed {
                let problem = format!(
                    "`{name}` has {count} methods, {allowed} is the limit; give its responsibilities types of their own"
                );
                violations.push(Violation::new(path, 1, problem));
            }
        }
    }
    violations.extend(excused.unused());
    violations
}

#[cfg(test)]
mod tests {
    use super::super::{
        fixture::{file, places},
        module_tree,
        source_file::SourceFile,
    };
    use super::{EXCEPTIONS, check};

    fn methods(count: usize) -> String {
        format!("impl A {{ {} }}\n", "fn a() {} ".repeat(count))
    }

    fn found(one: usize, other: usize, list: &str) -> Vec<String> {
        let files: [SourceFile; 3] = [
            file(
                "crates/a/src/lib.rs",
                format!("mod b;\nstruct A;\n{}", methods(one)),
            ),
            file(
                "crates/a/src/b.rs",
                format!("use super::A;\n{}", methods(other)),
            ),
            file(EXCEPTIONS, format!("# why\n{list}\n")),
        ];
        places(&check(&module_tree::read(&files), &files))
    }

    #[test]
    fn a_type_may_have_30_methods_in_all_its_files() {
        assert!(found(20, 10, "").is_empty());
        assert_eq!(found(20, 11, ""), ["crates/a/src/lib.rs:1"]);
    }

    #[test]
    fn an_exception_excuses_up_to_its_ceiling_and_must_be_needed() {
        assert!(found(20, 11, "a A 31").is_empty());
        assert_eq!(found(20, 12, "a A 31"), ["crates/a/src/lib.rs:1"]);
        assert_eq!(found(20, 10, "a A 31"), [format!("{EXCEPTIONS}:2")]);
    }
}
