//! Every Rust file is part of a crate: a file that no `mod` names is not compiled, and its tests do not run.

use std::collections::{BTreeMap, BTreeSet};

use super::{source_file::SourceFile, violation::Violation};

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let rust: BTreeMap<&str, &str> = files
        .iter()
        .filter(|file| file.is_rust())
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let roots: BTreeSet<&str> = rust
        .keys()
        .copied()
        .filter(|path| is_root(path, files))
        .collect();
    let mut waiting: Vec<&str> = roots.iter().copied().collect();
    let mut included = roots.clone();
    while let Some(path) = waiting.pop() {
        for candidate in modules(path, rust[path], roots.contains(path)) {
            let Some((found, _)) = rust.get_key_value(candidate.as_str()) else {
                continue;
            };
            if included.insert(found) {
                waiting.push(found);
            }
        }
    }
    rust.keys()
        .filter(|path| !included.contains(*path))
        .map(|path| {
            let problem = "no `mod` includes this file, so it is not compiled; declare it";
            Violation::new(*path, 1, problem)
        })
        .collect()
}

/// Whether cargo begins a crate with this file: by its place, or because the manifest names it.
fn is_root(path: &str, files: &[SourceFile]) -> bool {
    let package = |manifest: &str| manifest.strip_suffix("Cargo.toml").map(str::to_owned);
    let manifests = files.iter().filter_map(|file| {
        let folder = package(&file.path)?;
        let below = path.strip_prefix(folder.as_str())?;
        Some((below, file.text.as_str()))
    });
    manifests.into_iter().any(|(below, manifest)| {
        let parts: Vec<&str> = below.split('/').collect();
        let by_place = matches!(
            parts.as_slice(),
            ["build.rs"]
                | ["src", "lib.rs" | "main.rs"]
                | ["src", "bin", _]
                | ["tests" | "benches" | "examples", _]
                | ["src", "bin", _, "main.rs"]
                | ["tests" | "benches" | "examples", _, "main.rs"]
        );
        by_place || manifest.contains(&format!("path = \"{below}\""))
    })
}

/// The files that the `mod` items of a file can name, existing or not.
fn modules(path: &str, text: &str, is_root: bool) -> Vec<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    // `mod.rs` and the root of a crate have their modules beside them, any other file in a folder of its name.
    let below = if is_root || name == "mod.rs" {
        folder.to_owned()
    } else {
        join(folder, name.trim_end_matches(".rs"))
    };
    // Where a `#[path]` begins, and where modules without one are; of inline modules with the closing line.
    let mut open = vec![(folder.to_owned(), below, String::new())];
    let mut explicit = None;
    let mut found = Vec::new();
    for line in text.lines() {
        let code = line.trim();
        if let Some(file) = code.strip_prefix("#[path = \"") {
            explicit = file.strip_suffix("\"]");
            continue;
        }
        // Other attributes may stand between the path and its module.
        if code.starts_with("#[") {
            continue;
        }
        let (paths, below, closing) = open.last().cloned().unwrap_or_default();
        let explicit = explicit.take().map(|file| join(&paths, file));
        if open.len() > 1 && line == closing {
            open.pop();
        } else if let Some(module) = declared(code, ";") {
            found.extend(explicit.map_or_else(
                || {
                    vec![format!("{module}.rs"), format!("{module}/mod.rs")]
                        .into_iter()
                        .map(|file| join(&below, &file))
                        .collect()
                },
                |file| vec![file],
            ));
        } else if let Some(module) = declared(code, " {") {
            let inside = explicit.unwrap_or_else(|| join(&below, module));
            let indentation = &line[..line.len() - line.trim_start().len()];
            open.push((inside.clone(), inside, format!("{indentation}}}")));
        }
    }
    found
}

/// The name in `mod name` before this end, whatever its visibility.
fn declared<'a>(line: &'a str, end: &str) -> Option<&'a str> {
    let line = line.strip_suffix(end)?;
    let (before, name) = line.rsplit_once("mod ")?;
    let is_visibility = before.is_empty() || before.starts_with("pub");
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_visibility && is_name).then_some(name)
}

/// `folder/file`, with the steps up that a `#[path]` may take.
fn join(folder: &str, file: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::check;

    #[test]
    fn a_file_that_no_module_names_is_found() {
        let files = [
            file("Cargo.toml", "[workspace]\n"),
            file("crates/a/Cargo.toml", "[[bin]]\npath = \"src/other.rs\"\n"),
            file(
                "crates/a/src/lib.rs",
                "mod b;\npub(crate) mod c;\n#[cfg(test)]\nmod tests;\n",
            ),
            file("crates/a/src/other.rs", ""),
            file(
                "crates/a/src/b.rs",
                "#[path = \"../shared/e.rs\"]\n#[cfg(test)]\nmod e;\nmod inline {\n    mod f;\n}\n\
                 #[path = \"c\"]\nmod other {\n    #[path = \"../../shared/g.rs\"]\n    mod g;\n    mod h;\n}\nmod i;\n",
            ),
            file("crates/a/src/b/inline/f.rs", ""),
            file("crates/a/shared/g.rs", ""),
            file("crates/a/src/c/h.rs", ""),
            file("crates/a/src/b/i.rs", ""),
            // Beside its parent, which is no `mod.rs`: not where the compiler looks.
            file("crates/a/src/i.rs", ""),
            file("crates/a/src/c/mod.rs", "pub mod d;\n// mod lost;\n"),
            file("crates/a/src/c/d.rs", "mod deep;\n"),
            file("crates/a/src/c/d/deep.rs", ""),
            file("crates/a/src/c/lost.rs", "mod lost_too;\n"),
            file("crates/a/src/c/lost_too.rs", ""),
            file("crates/a/shared/e.rs", ""),
            file("crates/a/src/tests.rs", ""),
            file("crates/a/tests/it/main.rs", "mod one;\n"),
            file("crates/a/tests/it/one.rs", ""),
            file("crates/a/tests/it/two.rs", ""),
            file("crates/a/build.rs", ""),
        ];
        assert_eq!(
            places(&check(&files)),
            [
                "crates/a/src/c/lost.rs:1",
                "crates/a/src/c/lost_too.rs:1",
                "crates/a/src/i.rs:1",
                "crates/a/tests/it/two.rs:1"
            ]
        );
    }
}
