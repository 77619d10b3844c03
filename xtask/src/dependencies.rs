//! `cargo xtask dependencies`: licences, bans and sources of what is linked, by the rules of `deny.toml`, which
//! `cargo deny` reads too. Known vulnerabilities need a database from elsewhere: they are for `cargo deny` alone.

mod check;
mod policy;

use std::{collections::BTreeMap, path::Path};

use anyhow::Context;
use cargo_metadata::{Metadata, MetadataCommand};

use self::{
    check::{Package, Requirement},
    policy::Policy,
};

const POLICY: &str = "deny.toml";

/// Checks what every platform of the policy links; `false` when a rule is broken.
pub(crate) fn run(root: &Path) -> anyhow::Result<bool> {
    let text = std::fs::read_to_string(root.join(POLICY));
    let policy = Policy::read(&text.with_context(|| format!("cannot read {POLICY}"))?)?;
    let packages = packages(root, &policy)?;
    let found = check::check(&policy, &packages);
    for note in &found.notes {
        println!("note: {note}");
    }
    for violation in &found.violations {
        println!("{POLICY}: {violation}");
    }
    let (count, broken) = (packages.len(), found.violations.len());
    println!("dependencies: {count} crates, {broken} violations");
    Ok(found.violations.is_empty())
}

/// The crates that are linked on any of the platforms, each once.
fn packages(root: &Path, policy: &Policy) -> anyhow::Result<Vec<Package>> {
    let mut packages = BTreeMap::new();
    for target in &policy.graph.targets {
        let options = ["--locked", "--filter-platform", target];
        let metadata = MetadataCommand::new()
            .current_dir(root)
            .other_options(options.map(str::to_owned))
            .exec()
            .with_context(|| format!("cargo metadata failed for {target}"))?;
        let linked = metadata.packages.iter();
        packages.extend(linked.map(|package| (package.id.repr.clone(), read(&metadata, package))));
    }
    Ok(packages.into_values().collect())
}

fn read(metadata: &Metadata, package: &cargo_metadata::Package) -> Package {
    let requirement = |dependency: &cargo_metadata::Dependency| Requirement {
        name: dependency.name.clone(),
        version: dependency.req.to_string(),
        is_path: dependency.path.is_some(),
    };
    Package {
        name: package.name.to_string(),
        version: package.version.to_string(),
        license: package.license.clone(),
        source: package.source.as_ref().map(|source| source.repr.clone()),
        is_ours: metadata.workspace_members.contains(&package.id),
        is_private: package.publish.as_ref().is_some_and(Vec::is_empty),
        requirements: package.dependencies.iter().map(requirement).collect(),
    }
}
