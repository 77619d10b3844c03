//! The modules of each crate and which file a path leads to: re-exports are followed to the file that defines the name.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    module_items::{ModuleItems, Segments},
    source_file::SourceFile,
};

/// The modules of one crate that are in files of their own, by their path from the root of the crate.
#[derive(Debug, Default)]
pub(super) struct ModuleTree<'a> {
    modules: BTreeMap<Segments, Module<'a>>,
}

#[derive(Debug)]
struct Module<'a> {
    file: &'a str,
    items: ModuleItems,
}

/// A type by the file that defines it.
pub(super) type DefinedType<'a> = (&'a str, String);

/// Every crate of the repository by its name, with the modules that its root declares. What is compiled for tests alone
/// is not among them.
pub(super) fn read(files: &[SourceFile]) -> BTreeMap<&str, ModuleTree<'_>> {
    let texts: BTreeMap<&str, &str> = files
        .iter()
        .filter(|file| file.is_rust())
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let mut crates = BTreeMap::new();
    for path in texts.keys() {
        let Some((folder, "lib.rs" | "main.rs")) = path.rsplit_once('/') else {
            continue;
        };
        let Some(name) = crate_name(folder) else {
            continue;
        };
        // Of a library and a program in one folder the library has the modules, and comes first.
        let tree: &mut ModuleTree<'_> = crates.entry(name).or_default();
        if tree.modules.is_empty() {
            tree.add(Segments::new(), path, folder, &texts);
        }
    }
    crates
}

/// `crates/NAME/src` or `NAME/src`.
fn crate_name(folder: &str) -> Option<&str> {
    let folder = folder.strip_prefix("crates/").unwrap_or(folder);
    folder
        .strip_suffix("/src")
        .filter(|name| !name.contains('/'))
}

impl<'a> ModuleTree<'a> {
    /// Adds a module and the modules below it. `folder` has the files of those.
    fn add(
        &mut self,
        module: Segments,
        file: &'a str,
        folder: &str,
        texts: &BTreeMap<&'a str, &'a str>,
    ) {
        let items = ModuleItems::read(texts[file]);
        for child in &items.children {
            let below = format!("{folder}/{child}");
            let places = [format!("{below}.rs"), format!("{below}/mod.rs")];
            let found = places
                .iter()
                .find_map(|path| texts.get_key_value(path.as_str()));
            if let Some((file, _)) = found {
                let child = [module.as_slice(), std::slice::from_ref(child)].concat();
                self.add(child, file, &below, texts);
            }
        }
        self.modules.insert(module, Module { file, items });
    }

    /// Every file with the files it imports from. A re-export alone is no import.
    pub(super) fn imports(&self) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
        let of_module = |(path, module): (&Segments, &Module<'a>)| {
            let items = &module.items;
            let private = items.imports.iter().filter(|import| !import.is_reexport);
            let by_use = private.filter_map(|import| self.absolute(path, &import.path));
            let by_path = items
                .paths
                .iter()
                .filter_map(|named| self.absolute_of_code(path, named));
            let files = by_use
                .chain(by_path)
                .filter_map(|absolute| self.defining_file(&absolute));
            let others = files.filter(|file| *file != module.file);
            (module.file, others.collect())
        };
        self.modules.iter().map(of_module).collect()
    }

    /// Every type with methods of its own, and how many it has in all files together.
    pub(super) fn methods(&self) -> BTreeMap<DefinedType<'a>, usize> {
        let mut methods = BTreeMap::new();
        for (path, module) in &self.modules {
            for block in &module.items.inherent_impls {
                let Some(name) = block.type_path.last() else {
                    continue;
                };
                let absolute = self.absolute_of_code(path, &block.type_path);
                let file = absolute.and_then(|absolute| self.defining_file(&absolute));
                let defined = (file.unwrap_or(module.file), name.clone());
                *methods.entry(defined).or_default() += block.methods;
            }
        }
        methods
    }

    /// The path from the root of the crate; `None` for one that leads to another crate.
    fn absolute(&self, from: &[String], path: &[String]) -> Option<Segments> {
        let (first, rest) = path.split_first()?;
        let above = |levels: usize| from.get(..from.len().checked_sub(levels)?);
        let (base, rest) = match first.as_str() {
            "crate" => (above(from.len())?, rest),
            "self" => (from, rest),
            "super" => {
                let levels = path
                    .iter()
                    .take_while(|segment| *segment == "super")
                    .count();
                (above(levels)?, &path[levels..])
            }
            child if self.modules.get(from)?.items.children.contains(child) => (from, path),
            _ => return None,
        };
        Some([base, rest].concat())
    }

    /// The same for a path in code, which may begin with a name that a `use` brought in.
    fn absolute_of_code(&self, from: &[String], path: &[String]) -> Option<Segments> {
        let (first, rest) = path.split_first()?;
        let items = &self.modules.get(from)?.items;
        if let Some(import) = items.imports.iter().find(|import| import.name == *first) {
            return Some([&*self.absolute(from, &import.path)?, rest].concat());
        }
        let absolute = self.absolute(from, path);
        absolute.or_else(|| {
            let globs = items.imports.iter().filter(|import| import.name == "*");
            let of_glob = |glob: &[String]| {
                let module = self.absolute(from, &glob[..glob.len() - 1])?;
                let is_there = self.modules.get(&module)?.items.definitions.contains(first);
                is_there.then(|| [&*module, path].concat())
            };
            globs.into_iter().find_map(|glob| of_glob(&glob.path))
        })
    }

    fn defining_file(&self, absolute: &[String]) -> Option<&'a str> {
        self.follow(absolute, &mut BTreeSet::new())
    }

    /// Follows re-exports; `followed` has those that were, so that names which lead to each other end.
    fn follow(&self, absolute: &[String], followed: &mut BTreeSet<Segments>) -> Option<&'a str> {
        let levels = (0..=absolute.len())
            .rev()
            .find(|levels| self.modules.contains_key(&absolute[..*levels]))?;
        let (path, rest) = absolute.split_at(levels);
        let module = &self.modules[path];
        let Some((name, rest)) = rest.split_first().filter(|(name, _)| *name != "*") else {
            return Some(module.file);
        };
        if module.items.definitions.contains(name) || !followed.insert(absolute.to_vec()) {
            return Some(module.file);
        }
        let imports = &module.items.imports;
        if let Some(import) = imports.iter().find(|import| import.name == *name) {
            let target = self.absolute(path, &import.path)?;
            return self.follow(&[&*target, rest].concat(), followed);
        }
        let globs = imports
            .iter()
            .filter(|import| import.is_reexport && import.name == "*");
        let modules: Vec<Segments> = globs
            .filter_map(|glob| self.absolute(path, glob.path.split_last()?.1))
            .filter(|target| self.modules.contains_key(target))
            .collect();
        let defines = |target: &&Segments| self.modules[*target].items.definitions.contains(name);
        let found = match modules.as_slice() {
            // A name that no definition shows is defined by a macro there.
            [only] => Some(only),
            several => several.iter().find(defines),
        };
        Some(found.map_or(module.file, |target| self.modules[target].file))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{fixture::file, source_file::SourceFile};
    use super::read;

    fn imports(files: &[SourceFile]) -> Vec<String> {
        let crates = read(files);
        let lines = crates.values().flat_map(|tree| {
            let imports = tree.imports();
            imports.into_iter().map(|(file, imported)| {
                let imported: Vec<&str> = imported.into_iter().collect();
                format!("{file}: {}", imported.join(", "))
            })
        });
        lines.filter(|line| !line.ends_with(": ")).collect()
    }

    #[test]
    fn imports_lead_to_the_file_that_defines_the_name() {
        let files = [
            file(
                "crates/a/src/lib.rs",
                "mod b;\nmod c;\npub use c::{D, E};\nfn f() { b::g(); }\n",
            ),
            file(
                "crates/a/src/b.rs",
                "use crate::{D, c};\nuse other::c::X;\nfn g() { c::e::h(); crate::E::new(); }\n",
            ),
            file(
                "crates/a/src/c/mod.rs",
                "mod e;\nmod d;\npub use self::{d::D, e::*};\n",
            ),
            file(
                "crates/a/src/c/d.rs",
                "pub struct D;\nuse super::super::b::g;\n",
            ),
            file("crates/a/src/c/e.rs", "pub struct E;\npub fn h() {}\n"),
        ];
        assert_eq!(
            imports(&files),
            [
                "crates/a/src/b.rs: crates/a/src/c/d.rs, crates/a/src/c/e.rs, crates/a/src/c/mod.rs",
                "crates/a/src/c/d.rs: crates/a/src/b.rs",
                "crates/a/src/lib.rs: crates/a/src/b.rs",
            ]
        );
    }

    #[test]
    fn a_name_that_a_macro_defines_is_in_the_module_that_is_exported_as_a_whole() {
        let files = [
            file("crates/a/src/lib.rs", "mod b;\nmod c;\n"),
            file("crates/a/src/b.rs", "use crate::c::D;\n"),
            file("crates/a/src/c/mod.rs", "mod e;\npub use e::*;\n"),
            file("crates/a/src/c/e.rs", "define!(D);\n"),
        ];
        assert_eq!(imports(&files), ["crates/a/src/b.rs: crates/a/src/c/e.rs"]);
    }

    #[test]
    fn files_for_tests_and_names_that_lead_to_each_other_are_no_trouble() {
        let files = [
            file(
                "crates/a/src/lib.rs",
                "mod b;\npub use b::X;\n#[cfg(test)]\nmod tests;\n",
            ),
            file("crates/a/src/b.rs", "pub use crate::X;\n"),
            file("crates/a/src/tests.rs", "use crate::b::X;\n"),
        ];
        assert!(imports(&files).is_empty());
    }

    #[test]
    fn methods_are_counted_by_the_file_that_defines_the_type() {
        let files = [
            file(
                "crates/a/src/lib.rs",
                "mod b;\nmod c;\npub struct A;\nimpl A { fn a() {} }\n",
            ),
            file(
                "crates/a/src/b.rs",
                "use super::*;\nimpl A { fn b() {} fn c() {} }\n",
            ),
            file("crates/a/src/c.rs", "struct A;\nimpl A { fn d() {} }\n"),
        ];
        let crates = read(&files);
        let methods: Vec<_> = crates["a"].methods().into_iter().collect();
        let name = || "A".to_owned();
        assert_eq!(
            methods,
            [
                (("crates/a/src/c.rs", name()), 1),
                (("crates/a/src/lib.rs", name()), 3)
            ]
        );
    }
}
