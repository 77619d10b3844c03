//! Which crate may depend on which, and which crate alone may use a third-party library. The layers
//! hold only while no edge points upwards; `cargo metadata` says which edges there are.

use std::path::Path;

use anyhow::Context;
use cargo_metadata::{DependencyKind, MetadataCommand};

use super::{source_file::SourceFile, violation::Violation};

/// A workspace member with its direct dependencies.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    /// Of its Cargo.toml, from the repository root.
    pub(super) manifest: String,
    pub(super) dependencies: Vec<Dependency>,
}

#[derive(Debug)]
pub(super) struct Dependency {
    name: String,
    /// Only for tests, examples and benches.
    for_tests: bool,
}

enum Allowed {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

/// The layers. A new crate gets its line here, which is the moment to think about its place.
fn allowed(member: &str) -> Option<Allowed> {
    use Allowed::{AllBut, Only};
    Some(match member {
        "domain" | "xtask" => Only(&[]),
        "agent" | "blobs" | "config" | "coord" | "model" | "sandbox" | "store" | "tools"
        | "wire" => Only(&["domain"]),
        // What they ask goes through the egress guard, which is the tools'.
        "integrations" => Only(&["domain", "tools"]),
        "app" => Only(&[
            "agent",
            "blobs",
            "coord",
            "domain",
            "integrations",
            "sandbox",
            "store",
            "tools",
        ]),
        "hub" => Only(&[
            "agent",
            "app",
            "coord",
            "domain",
            "integrations",
            "sandbox",
            "store",
            // What an agent asks of its own sandbox is done by an executor like any other.
            "tools",
            // What the log keeps is what clients are sent.
            "wire",
        ]),
        "gateway" => Only(&["app", "config", "coord", "domain", "hub", "store", "wire"]),
        "sandbox-cli" => Only(&["wire"]),
        "cli" => AllBut(&["bench", "fuzz", "simulate", "testkit", "xtask"]),
        "testkit" => AllBut(&["bench", "cli", "fuzz", "simulate", "xtask"]),
        "bench" => AllBut(&["fuzz", "simulate", "xtask"]),
        // It hands bytes to whatever reads those of others; no server and no process is above it.
        "fuzz" => AllBut(&["bench", "cli", "gateway", "simulate", "testkit", "xtask"]),
        // What it runs is what every process is made of; what is around that it brings along.
        "simulate" => AllBut(&["bench", "cli", "fuzz", "gateway", "testkit", "xtask"]),
        _ => return None,
    })
}

/// What the tests of any crate may use: nothing that is built for users is below them.
const TEST_SUPPORT: &[&str] = &["model", "testkit"];

/// Libraries that one layer hides from all others. Tests may use them to look behind it.
const BOUNDARIES: &[(&str, &[&str])] = &[
    ("aes-gcm", &["app"]),
    (
        "axum",
        &["bench", "cli", "fuzz", "gateway", "model", "testkit"],
    ),
    ("command-fds", &["sandbox"]),
    ("jsonschema", &["integrations"]),
    ("jsonwebtoken", &["app"]),
    ("lettre", &["app"]),
    ("object_store", &["blobs"]),
    ("openidconnect", &["app"]),
    ("redis", &["coord", "testkit"]),
    ("rmcp", &["cli", "fuzz", "gateway", "integrations"]),
    ("rustls", &["tools"]),
    ("seccompiler", &["sandbox"]),
    ("sqlx", &["store", "testkit"]),
];

pub(super) fn read(root: &Path) -> anyhow::Result<Vec<Member>> {
    let metadata = MetadataCommand::new()
        .current_dir(root)
        .no_deps()
        .exec()
        .context("cargo metadata failed; do all Cargo.toml files parse?")?;
    let member = |package: &cargo_metadata::Package| Member {
        name: package.name.to_string(),
        manifest: package
            .manifest_path
            .strip_prefix(&metadata.workspace_root)
            .unwrap_or(&package.manifest_path)
            .to_string(),
        dependencies: package
            .dependencies
            .iter()
            .map(|dependency| Dependency {
                name: dependency.name.clone(),
                for_tests: dependency.kind == DependencyKind::Development,
            })
            .collect(),
    };
    Ok(metadata.packages.iter().map(member).collect())
}

pub(super) fn check(members: &[Member], files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for member in members {
        let Some(allowed) = allowed(&member.name) else {
            let problem = format!(
                "the crate `{}` has no layer; add it to xtask/src/tidy/direction.rs",
                member.name
            );
            violations.push(Violation::new(&member.manifest, 1, problem));
            continue;
        };
        for dependency in &member.dependencies {
            let is_ours = members.iter().any(|other| other.name == dependency.name);
            let problem = if is_ours {
                edge_problem(member, dependency, &allowed)
            } else {
                boundary_problem(member, dependency)
            };
            if let Some(problem) = problem {
                let line = declaration_line(files, &member.manifest, dependency);
                violations.push(Violation::new(&member.manifest, line, problem));
            }
        }
    }
    violations
}

fn edge_problem(member: &Member, dependency: &Dependency, allowed: &Allowed) -> Option<String> {
    let name = dependency.name.as_str();
    let permitted = match allowed {
        Allowed::Only(names) => names.contains(&name),
        Allowed::AllBut(names) => !names.contains(&name),
    };
    let is_for_tests =
        dependency.for_tests && (TEST_SUPPORT.contains(&name) || reaches(allowed, name));
    (!permitted && !is_for_tests).then(|| {
        format!(
            "`{}` must not depend on `{name}`; move the code to the layer that may \
             (xtask/src/tidy/direction.rs lists them)",
            member.name
        )
    })
}

/// Whether a crate has the other through those it may depend on. Its tests may then name it: they look
/// behind the layer below, and the edge still points downwards.
fn reaches(from: &Allowed, name: &str) -> bool {
    match from {
        // Ends: the layers have no circle.
        Allowed::Only(names) => names.iter().any(|between| {
            *between == name || allowed(between).is_some_and(|from| reaches(&from, name))
        }),
        Allowed::AllBut(names) => !names.contains(&name),
    }
}

fn boundary_problem(member: &Member, dependency: &Dependency) -> Option<String> {
    let (library, homes) = BOUNDARIES
        .iter()
        .find(|(library, _)| *library == dependency.name)?;
    (!dependency.for_tests && !homes.contains(&member.name.as_str())).then(|| {
        format!(
            "`{library}` stays inside {}; call that crate instead",
            homes.join(", ")
        )
    })
}

/// Where the manifest names the dependency, the last time when it is for tests, which come last.
fn declaration_line(files: &[SourceFile], manifest: &str, dependency: &Dependency) -> usize {
    let names_it = |line: &str| {
        line.strip_prefix(dependency.name.as_str())
            .is_some_and(|rest| rest.starts_with([' ', '.', '=']))
    };
    let Some(file) = files.iter().find(|file| file.path == manifest) else {
        return 1;
    };
    let mut lines = file
        .numbered_lines()
        .filter(|(_, line)| names_it(line))
        .map(|(at, _)| at);
    let found = if dependency.for_tests {
        lines.last()
    } else {
        lines.next()
    };
    found.unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::{Dependency, Member, check};

    fn member(name: &str, normal: &[&str], for_tests: &[&str]) -> Member {
        let edge = |for_tests| {
            move |name: &&str| Dependency {
                name: (*name).to_owned(),
                for_tests,
            }
        };
        Member {
            name: name.to_owned(),
            manifest: format!("crates/{name}/Cargo.toml"),
            dependencies: normal
                .iter()
                .map(edge(false))
                .chain(for_tests.iter().map(edge(true)))
                .collect(),
        }
    }

    fn problems(members: &[Member]) -> Vec<String> {
        check(members, &[])
            .into_iter()
            .map(|found| found.problem)
            .collect()
    }

    #[test]
    fn tests_may_name_what_a_crate_has_through_others() {
        let members = [
            member("gateway", &[], &["tools"]),
            member("wire", &[], &["app"]),
            member("app", &[], &["gateway"]),
            member("tools", &[], &[]),
        ];
        let problems = problems(&members);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("`wire` must not depend on `app`"));
        assert!(problems[1].starts_with("`app` must not depend on `gateway`"));
    }

    #[test]
    fn edges_point_downwards() {
        let members = [
            member("domain", &["app"], &[]),
            member("app", &["domain"], &["testkit"]),
            member("cli", &["app", "testkit"], &[]),
            member("testkit", &["app", "cli"], &[]),
        ];
        let problems = problems(&members);
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].starts_with("`domain` must not depend on `app`"));
        assert!(problems[1].starts_with("`cli` must not depend on `testkit`"));
        assert!(problems[2].starts_with("`testkit` must not depend on `cli`"));
    }

    #[test]
    fn a_test_edge_may_point_at_testkit_and_no_other_upper_layer() {
        let members = [
            member("domain", &[], &["testkit", "app"]),
            member("app", &[], &[]),
            member("testkit", &[], &[]),
        ];
        let problems = problems(&members);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("`domain` must not depend on `app`"));
    }

    #[test]
    fn a_library_stays_in_its_home() {
        let members = [
            member("store", &["sqlx"], &[]),
            member("app", &["sqlx"], &["axum"]),
            member("gateway", &["axum"], &[]),
        ];
        assert_eq!(
            problems(&members),
            ["`sqlx` stays inside store, testkit; call that crate instead"]
        );
    }

    #[test]
    fn a_crate_without_a_layer_is_found_and_a_line_is_named() {
        assert!(problems(&[member("misc", &[], &[])])[0].contains("has no layer"));
        let manifest = file(
            "crates/app/Cargo.toml",
            "[dependencies]\nsqlx-x = 1\nsqlx = \"1\"\n",
        );
        let found = check(&[member("app", &["sqlx"], &[])], &[manifest]);
        assert_eq!(places(&found), ["crates/app/Cargo.toml:3"]);
    }
}
