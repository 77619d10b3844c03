//! Files that import each other in a circle can only be read together. A circle may have three files: a parent with two of
//! its modules. `xtask/import-circles.txt` excuses larger ones by crate and may only shrink.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    exceptions::Exceptions, module_tree::ModuleTree, source_file::SourceFile, violation::Violation,
};

const FILES_MAX: usize = 3;
/// Of a large circle as many are named: taking it apart begins somewhere.
const FILES_SHOWN: usize = 12;
const EXCEPTIONS: &str = "xtask/import-circles.txt";

/// Every file with the files it imports from.
type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

pub(super) fn check(
    crates: &BTreeMap<&str, ModuleTree<'_>>,
    files: &[SourceFile],
) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut excused = Exceptions::read(EXCEPTIONS, files, &mut violations);
    for (name, tree) in crates {
        let imports = tree.imports();
        let circles = circles(&imports);
        if circles.iter().all(|circle| circle.len() <= FILES_MAX) {
            continue;
        }
        let ceiling = excused.ceiling(name, FILES_MAX);
        let found = circles.iter().filter(|circle| circle.len() > ceiling);
        violations.extend(found.filter_map(|circle| violation(circle, &imports)));
    }
    violations.extend(excused.unused());
    violations
}

/// Names the imports that make the circle, file by file.
fn violation(circle: &BTreeSet<&str>, imports: &Imports<'_>) -> Option<Violation> {
    let within = |file: &str| {
        let imported = imports.get(file).into_iter().flatten();
        let imported: Vec<&str> = imported
            .copied()
            .filter(|other| circle.contains(other))
            .collect();
        format!("{file} imports {}", imported.join(" and "))
    };
    let shown: Vec<String> = circle
        .iter()
        .take(FILES_SHOWN)
        .map(|file| within(file))
        .collect();
    let problem = format!(
        "{} files import each other, {FILES_MAX} is the limit; move what they share into a file that imports none of \
         them: {}",
        circle.len(),
        shown.join("; ")
    );
    Some(Violation::new(*circle.first()?, 1, problem))
}

/// The sets of files in which each reaches every other one by imports.
fn circles<'a>(imports: &Imports<'a>) -> BTreeSet<BTreeSet<&'a str>> {
    let reached: Imports<'a> = imports
        .keys()
        .map(|file| (*file, reach(file, imports)))
        .collect();
    let of_file = |(file, others): (&&'a str, &BTreeSet<&'a str>)| {
        let comes_back =
            |other: &&&str| reached.get(**other).is_some_and(|back| back.contains(file));
        let circle: BTreeSet<&str> = others.iter().filter(comes_back).copied().collect();
        (!circle.is_empty()).then_some(circle)
    };
    reached.iter().filter_map(of_file).collect()
}

/// Every file that this one imports from, itself or through others.
fn reach<'a>(file: &'a str, imports: &Imports<'a>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![file];
    while let Some(file) = waiting.pop() {
        let new = imports.get(file).into_iter().flatten();
        waiting.extend(new.filter(|other| reached.insert(**other)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::{
        fixture::{file, places},
        module_tree,
        source_file::SourceFile,
    };
    use super::{EXCEPTIONS, check};

    /// A crate with so many modules, each of which imports the next and the last the first.
    fn ring(name: &str, count: usize) -> Vec<SourceFile> {
        let module = |number: usize| {
            let next = (number + 1) % count;
            let path = format!("crates/{name}/src/m{number}.rs");
            file(&path, format!("use crate::m{next}::F;\npub struct F;\n"))
        };
        let declared = |number| format!("mod m{number};\n");
        let root: String = (0..count).map(declared).collect();
        let root = file(&format!("crates/{name}/src/lib.rs"), root);
        (0..count).map(module).chain([root]).collect()
    }

    fn found(files: &[SourceFile]) -> Vec<String> {
        places(&check(&module_tree::read(files), files))
    }

    #[test]
    fn three_files_may_import_each_other_and_a_fourth_is_too_many() {
        assert!(found(&ring("a", 3)).is_empty());
        assert_eq!(found(&ring("a", 4)), ["crates/a/src/m0.rs:1"]);
    }

    #[test]
    fn a_file_that_is_only_imported_is_in_no_circle() {
        let mut files = ring("a", 3);
        files[0].text.push_str("use crate::m3::G;\n");
        files[3].text.push_str("mod m3;\n");
        files.push(file("crates/a/src/m3.rs", "pub struct G;\n"));
        assert!(found(&files).is_empty());
    }

    #[test]
    fn an_exception_is_for_one_crate_and_must_be_needed() {
        let with = |mut files: Vec<SourceFile>, list: &str| {
            files.push(file(EXCEPTIONS, format!("# why\n{list}\n")));
            found(&files)
        };
        assert!(with(ring("a", 5), "a 5").is_empty());
        assert_eq!(with(ring("a", 5), "a 4"), ["crates/a/src/m0.rs:1"]);
        assert_eq!(with(ring("a", 3), "a 4"), [format!("{EXCEPTIONS}:2")]);
        assert_eq!(with(ring("a", 4), "b 4").len(), 2);
    }
}
