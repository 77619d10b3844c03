//! The agent's program and the packages of its tools on this machine: in a directory of npm packages,
//! of exactly the versions that the contract was tested with.

use std::path::{Path, PathBuf};

/// The version of program and plugin. The API moves fast; another one is another contract.
pub const OPENCODE_VERSION: &str = "1.18.33";
/// What the modules of the tools import.
pub(crate) const PLUGIN_PACKAGE: &str = "@opencode-ai/plugin";
/// The packages that a sandbox needs: the plugin and what it imports in turn.
pub const PACKAGES: [&str; 2] = [PLUGIN_PACKAGE, "zod"];
/// The directory in this repository; a deployment configures its own.
pub const DEFAULT_DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/opencode/node_modules");

/// The program and the packages, found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// The program itself, no wrapper.
    pub program: PathBuf,
    directory: PathBuf,
}

/// A missing file. Retrying does not help; installing does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InstallationProblem {
    #[error("OpenCode has no program for {os} on {arch}")]
    Platform {
        os: &'static str,
        arch: &'static str,
    },
    #[error("{package} is not installed in {}; run `{command}`", directory.display())]
    Package {
        package: String,
        directory: PathBuf,
        command: String,
    },
    #[error("{package} is version {found}, {OPENCODE_VERSION} is needed; run `{command}`")]
    Version {
        package: String,
        found: String,
        command: String,
    },
}

impl Installation {
    /// Searches a `node_modules` directory.
    pub fn find(directory: &Path) -> Result<Self, InstallationProblem> {
        let platform = platform_package()?;
        for package in [platform, PLUGIN_PACKAGE] {
            match version(directory, package) {
                Some(found) if found == OPENCODE_VERSION => {}
                Some(found) => {
                    return Err(InstallationProblem::Version {
                        package: package.to_owned(),
                        found,
                        command: command(directory),
                    });
                }
                None => return Err(missing(directory, package)),
            }
        }
        for package in PACKAGES {
            if version(directory, package).is_none() {
                return Err(missing(directory, package));
            }
        }
        let program = directory.join(platform).join("bin/opencode");
        if !program.is_file() {
            return Err(missing(directory, platform));
        }
        Ok(Self {
            program,
            directory: directory.to_owned(),
        })
    }

    /// Whether it is unchanged: it may have been removed or replaced since.
    pub fn check(&self) -> Result<(), InstallationProblem> {
        if *self == Self::unseen() {
            return Ok(());
        }
        Self::find(&self.directory).map(drop)
    }

    /// One that is not checked: for sandboxes without files of their own.
    pub fn unseen() -> Self {
        Self {
            program: PathBuf::new(),
            directory: PathBuf::new(),
        }
    }

    /// Where a package of [`PACKAGES`] is.
    pub fn package(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }
}

fn platform_package() -> Result<&'static str, InstallationProblem> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("opencode-linux-x64"),
        ("linux", "aarch64") => Ok("opencode-linux-arm64"),
        (os, arch) => Err(InstallationProblem::Platform { os, arch }),
    }
}

fn version(directory: &Path, package: &str) -> Option<String> {
    let manifest = std::fs::read(directory.join(package).join("package.json")).ok()?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).ok()?;
    manifest["version"].as_str().map(str::to_owned)
}

fn missing(directory: &Path, package: &str) -> InstallationProblem {
    InstallationProblem::Package {
        package: package.to_owned(),
        directory: directory.to_owned(),
        command: command(directory),
    }
}

/// The command that installs it. With the repository's lock file if it exists, else by naming the
/// packages.
fn command(directory: &Path) -> String {
    let folder = directory.parent().unwrap_or(directory);
    if folder.join("package-lock.json").is_file() {
        return format!(
            "npm install --no-save --prefix {} --ignore-scripts",
            folder.display()
        );
    }
    let platform = platform_package().unwrap_or("opencode-ai");
    format!(
        "npm install --prefix {} --ignore-scripts {platform}@{OPENCODE_VERSION} \
         {PLUGIN_PACKAGE}@{OPENCODE_VERSION}",
        folder.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(directory: &Path, name: &str, version: &str) {
        let folder = directory.join(name);
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        let manifest = format!("{{\"version\": \"{version}\"}}");
        std::fs::write(folder.join("package.json"), manifest).unwrap();
        std::fs::write(folder.join("bin/opencode"), "").unwrap();
    }

    #[test]
    fn what_is_missing_is_named_with_the_command_that_brings_it() {
        let folder = tempfile::tempdir().unwrap();
        let modules = folder.path().join("node_modules");
        let platform = platform_package().unwrap();
        let steps = [
            (
                platform,
                OPENCODE_VERSION,
                format!("{platform} is not installed in "),
            ),
            (
                PLUGIN_PACKAGE,
                "1.0.0",
                format!("{PLUGIN_PACKAGE} is not installed in "),
            ),
            (
                PLUGIN_PACKAGE,
                OPENCODE_VERSION,
                format!("{PLUGIN_PACKAGE} is version 1.0.0, "),
            ),
            ("zod", "4.1.8", "zod is not installed in ".to_owned()),
        ];
        for (name, version, said) in steps {
            let error = Installation::find(&modules).unwrap_err().to_string();
            assert!(error.starts_with(&said), "{error}");
            let mend = format!("; run `npm install --prefix {}", folder.path().display());
            assert!(error.contains(&mend), "{error}");
            package(&modules, name, version);
        }
        let found = Installation::find(&modules).unwrap();
        assert_eq!(found.program, modules.join(platform).join("bin/opencode"));
        assert_eq!(found.package("zod"), modules.join("zod"));

        // A package that is removed later is reported in the same way.
        assert_eq!(found.check(), Ok(()));
        assert_eq!(Installation::unseen().check(), Ok(()));
        std::fs::remove_file(&found.program).unwrap();
        assert_eq!(found.check(), Err(missing(&modules, platform)));
    }

    #[test]
    fn with_a_lock_file_the_command_installs_what_it_says() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("package-lock.json"), "{}").unwrap();
        let error = Installation::find(&folder.path().join("node_modules")).unwrap_err();
        let command = format!(
            "npm install --no-save --prefix {} --ignore-scripts",
            folder.path().display()
        );
        assert!(
            error.to_string().ends_with(&format!("run `{command}`")),
            "{error}"
        );
    }

    #[test]
    fn the_lock_file_has_the_version_of_the_contract() {
        let lock = include_str!("../opencode/package-lock.json");
        let lock: serde_json::Value = serde_json::from_str(lock).unwrap();
        let package =
            |name: &str| lock["packages"][format!("node_modules/{name}")]["version"].clone();
        assert_eq!(package(platform_package().unwrap()), OPENCODE_VERSION);
        assert_eq!(package(PLUGIN_PACKAGE), OPENCODE_VERSION);
    }
}
