//! The rules, applied: a pure function from the crates to what is wrong with them.

use std::collections::{BTreeMap, BTreeSet};

use spdx::{Expression, Licensee, ParseMode};

use super::policy::{Level, Policy};

/// A crate that is linked.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// An expression of SPDX.
    pub(super) license: Option<String>,
    /// `None` for one that is read from a folder.
    pub(super) source: Option<String>,
    pub(super) is_ours: bool,
    pub(super) is_private: bool,
    pub(super) requirements: Vec<Requirement>,
}

/// What a crate asks for.
#[derive(Debug)]
pub(super) struct Requirement {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) is_path: bool,
}

/// What was found: what breaks a rule, and what is worth a word.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) violations: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Found {
    fn add(&mut self, level: Level, text: String) {
        match level {
            Level::Allow => {}
            Level::Warn => self.notes.push(text),
            Level::Deny => self.violations.push(text),
        }
    }
}

pub(super) fn check(policy: &Policy, packages: &[Package]) -> Found {
    let mut found = Found::default();
    licenses(policy, packages, &mut found);
    bans(policy, packages, &mut found);
    sources(policy, packages, &mut found);
    found
}

fn licenses(policy: &Policy, packages: &[Package], found: &mut Found) {
    let allowed = match policy.allowed() {
        Ok(allowed) => allowed,
        Err(error) => return found.add(Level::Deny, format!("{error:#}")),
    };
    let mut used = BTreeSet::new();
    for package in packages {
        if package.is_private && policy.licenses.private.ignore {
            continue;
        }
        if let Err(why) = licensed(package, &allowed, &mut used) {
            let Package { name, version, .. } = package;
            found.add(Level::Deny, format!("licenses: {name} {version} {why}"));
        }
    }
    for (at, licence) in allowed.iter().enumerate() {
        if !used.contains(&at) {
            let text = format!("licenses: no crate is under {licence}; take it from the list");
            found.add(policy.licenses.unused_allowed_license, text);
        }
    }
}

/// Whether what is allowed is enough for the crate. `used` has the places of the licences that count for it.
fn licensed(
    package: &Package,
    allowed: &[Licensee],
    used: &mut BTreeSet<usize>,
) -> Result<(), String> {
    let Some(text) = &package.license else {
        return Err("names no licence".to_owned());
    };
    // Older crates write `MIT/Apache-2.0`.
    let expression = Expression::parse_mode(text, ParseMode::LAX).map_err(|error| {
        format!(
            "has a licence that cannot be read: `{text}` ({})",
            error.reason
        )
    })?;
    let satisfied = expression.evaluate(|required| {
        let by = allowed
            .iter()
            .position(|licence| licence.satisfies(required));
        used.extend(by);
        by.is_some()
    });
    if satisfied {
        return Ok(());
    }
    Err(format!(
        "is under `{text}`, and licenses.allow is not enough for it"
    ))
}

fn bans(policy: &Policy, packages: &[Package], found: &mut Found) {
    for ban in &policy.bans.deny {
        for package in packages.iter().filter(|package| package.name == ban.name) {
            let users = users(packages, &ban.name).join(", ");
            let (version, reason) = (&package.version, &ban.reason);
            let text = format!(
                "bans: {} {version} is linked, which {users} may ask for: {reason}",
                ban.name
            );
            found.add(Level::Deny, text);
        }
    }
    let mut versions = BTreeMap::<&str, BTreeSet<&str>>::new();
    for package in packages {
        versions
            .entry(&package.name)
            .or_default()
            .insert(&package.version);
    }
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        let versions: Vec<_> = versions.iter().copied().collect();
        let text = format!("bans: {name} is linked in {}", versions.join(" and "));
        found.add(policy.bans.multiple_versions, text);
    }
    // What crates of others ask for is settled by Cargo.lock.
    for package in packages.iter().filter(|package| package.is_ours) {
        for required in &package.requirements {
            let is_allowed = required.is_path && policy.bans.allow_wildcard_paths;
            if required.version == "*" && !is_allowed {
                let text = format!(
                    "bans: {} asks for any version of {}",
                    package.name, required.name
                );
                found.add(policy.bans.wildcards, text);
            }
        }
    }
}

fn users<'a>(packages: &'a [Package], name: &str) -> Vec<&'a str> {
    let asks = |package: &&Package| {
        let mut requirements = package.requirements.iter();
        requirements.any(|required| required.name == name)
    };
    packages
        .iter()
        .filter(asks)
        .map(|package| package.name.as_str())
        .collect()
}

fn sources(policy: &Policy, packages: &[Package], found: &mut Found) {
    for package in packages {
        let Package { name, version, .. } = package;
        let Some(source) = &package.source else {
            if !package.is_ours {
                let text = format!(
                    "sources: {name} {version} is read from a folder outside the workspace"
                );
                found.add(Level::Deny, text);
            }
            continue;
        };
        let (kind, url) = source.split_once('+').unwrap_or(("", source));
        let (level, known) = match kind {
            "registry" | "sparse" => (
                policy.sources.unknown_registry,
                &policy.sources.allow_registry,
            ),
            _ => (policy.sources.unknown_git, &policy.sources.allow_git),
        };
        // Behind a git address stand what was asked for and what it was.
        let url = url.split(['?', '#']).next().unwrap_or_default();
        if !known.iter().any(|known| known == url) {
            let text =
                format!("sources: {name} {version} comes from {source}, which is not on the list");
            found.add(level, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";
    const POLICY: &str = r#"
[graph]
targets = ["x86_64-unknown-linux-gnu"]
[licenses]
allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"]
[licenses.private]
ignore = true
[bans]
multiple-versions = "warn"
wildcards = "deny"
allow-wildcard-paths = true
deny = [{ crate = "native-tls", reason = "rustls is linked" }]
[advisories]
yanked = "deny"
[sources]
unknown-registry = "deny"
unknown-git = "deny"
"#;

    fn package(name: &str, license: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: Some(license.to_owned()),
            source: Some(CRATES_IO.to_owned()),
            is_ours: false,
            is_private: false,
            requirements: Vec::new(),
        }
    }

    fn ours(requirements: &[(&str, &str, bool)]) -> Package {
        let requirement = |(name, version, is_path): &(&str, &str, bool)| Requirement {
            name: (*name).to_owned(),
            version: (*version).to_owned(),
            is_path: *is_path,
        };
        Package {
            license: None,
            source: None,
            is_ours: true,
            is_private: true,
            requirements: requirements.iter().map(requirement).collect(),
            ..package("ours", "")
        }
    }

    fn found(packages: &[Package]) -> Found {
        check(&Policy::read(POLICY).unwrap(), packages)
    }

    #[track_caller]
    fn is_refused(package: Package, because: &str) {
        let violations = found(&[package]).violations;
        assert_eq!(violations.len(), 1, "{violations:?}");
        assert!(violations[0].contains(because), "{violations:?}");
    }

    #[test]
    fn licences_are_judged_as_expressions() {
        for good in [
            "MIT",
            "MIT OR GPL-3.0-only",
            "GPL-3.0-only OR Apache-2.0",
            "MIT/GPL-3.0",
            "MIT AND Apache-2.0",
            "(MIT OR GPL-3.0-only) AND Apache-2.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            let found = found(&[package("it", good)]);
            assert!(
                found.violations.is_empty(),
                "{good}: {:?}",
                found.violations
            );
        }
        for bad in [
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT AND MPL-2.0) OR GPL-3.0-only",
            "MIT WITH Classpath-exception-2.0",
            "LicenseRef-ours",
        ] {
            is_refused(package("it", bad), "is not enough");
        }
        is_refused(package("it", "do what you like"), "cannot be read");
        let unnamed = Package {
            license: None,
            ..package("it", "")
        };
        is_refused(unnamed, "names no licence");
    }

    #[test]
    fn crates_of_our_own_need_no_licence_and_others_do() {
        assert!(found(&[ours(&[])]).violations.is_empty());
    }

    #[test]
    fn what_is_banned_is_named_with_who_links_it() {
        let banned = package("native-tls", "MIT");
        let user = ours(&[("native-tls", "^1", false)]);
        let violations = found(&[banned, user]).violations;
        let expected = "bans: native-tls 1.0.0 is linked, which ours may ask for: rustls is linked";
        assert_eq!(violations, [expected]);
    }

    #[test]
    fn two_versions_are_worth_a_word() {
        let second = Package {
            version: "2.0.0".to_owned(),
            ..package("it", "MIT")
        };
        let found = found(&[package("it", "MIT"), second]);
        assert!(found.violations.is_empty());
        assert_eq!(found.notes, ["bans: it is linked in 1.0.0 and 2.0.0"]);
    }

    #[test]
    fn any_version_may_be_asked_for_in_the_workspace_alone() {
        assert!(
            found(&[ours(&[("sibling", "*", true)])])
                .violations
                .is_empty()
        );
        is_refused(
            ours(&[("serde", "*", false)]),
            "asks for any version of serde",
        );
    }

    #[test]
    fn crates_come_from_crates_io_alone() {
        for source in [
            "registry+https://registry.example/index",
            "git+https://github.com/example/it?branch=main#0123",
            "sparse+https://registry.example/",
        ] {
            let it = Package {
                source: Some(source.to_owned()),
                ..package("it", "MIT")
            };
            is_refused(it, "is not on the list");
        }
        let folder = Package {
            source: None,
            ..package("it", "MIT")
        };
        is_refused(folder, "outside the workspace");
    }

    #[test]
    fn a_rule_that_is_not_known_is_an_error() {
        for extra in ["[licenses.more]", "[build]", "[sources.allow-org]"] {
            assert!(
                Policy::read(&format!("{POLICY}{extra}\n")).is_err(),
                "{extra}"
            );
        }
        let misspelt = POLICY.replace("\"MIT\"", "\"MTI\"");
        assert!(Policy::read(&misspelt).is_err());
        assert!(Policy::read(&POLICY.replace("\"warn\"", "\"sometimes\"")).is_err());
    }
}
