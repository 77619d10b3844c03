//! Names of environment variables that change how programs start: what they load, run or trust before their own first
//! line. The gateway's programs in a sandbox (git, the agent, its services) are started with a session's environment,
//! so that a value under such a name has the power of a command.
//!
//! INVARIANT: this is the one table. Every incoming name is checked by [`refuse`] with whether its author administers
//! the organization; names that the gateway alone sets are [`crate::secret::is_reserved`].

use crate::invalid::Invalid;

/// Which names, in capitals, and what a program does with the value.
struct Entry {
    names: &'static [&'static str],
    /// Every name that begins with one of these.
    prefixes: &'static [&'static str],
    why: &'static str,
}

const TABLE: &[Entry] = &[
    Entry {
        names: &[
            "ENV",
            "SHELL",
            "SHELLOPTS",
            "PROMPT_COMMAND",
            "PS4",
            "IFS",
            "CDPATH",
            "ZDOTDIR",
            "INPUTRC",
        ],
        prefixes: &["BASH"],
        why: "shells run, or read commands by, what it says",
    },
    Entry {
        names: &[
            "GCONV_PATH",
            "GLIBC_TUNABLES",
            "LOCPATH",
            "NLSPATH",
            "HOSTALIASES",
            "RESOLV_HOST_CONF",
        ],
        prefixes: &["LD_", "DYLD_"],
        why: "the loader and the C library of every program read it",
    },
    Entry {
        names: &["PATH"],
        prefixes: &[],
        why: "it says which program a name means",
    },
    Entry {
        names: &["NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE"],
        prefixes: &["BUN_", "DENO_"],
        why: "JavaScript runtimes load what it names",
    },
    Entry {
        names: &[
            "PYTHONSTARTUP",
            "PYTHONPATH",
            "PYTHONHOME",
            "PYTHONUSERBASE",
            "PYTHONEXECUTABLE",
            "PYTHONINSPECT",
            "PYTHONBREAKPOINT",
            "PYTHONPLATLIBDIR",
            "PYTHONPYCACHEPREFIX",
            "PYTHONWARNINGS",
            "PYTEST_ADDOPTS",
            "PYTEST_PLUGINS",
        ],
        prefixes: &[],
        why: "Python loads or runs what it names",
    },
    Entry {
        names: &[
            "PERL5OPT",
            "PERL5LIB",
            "PERL5DB",
            "PERLLIB",
            "RUBYOPT",
            "RUBYLIB",
            "GEM_PATH",
            "GEM_HOME",
            "PHPRC",
            "PHP_INI_SCAN_DIR",
            "LUA_INIT",
            "LUA_PATH",
            "LUA_CPATH",
        ],
        prefixes: &[],
        why: "the interpreter loads or runs what it names",
    },
    Entry {
        names: &[
            "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "JAVA_OPTS",
            "JAVA_HOME",
            "CLASSPATH",
            "MAVEN_OPTS",
            "MAVEN_ARGS",
            "GRADLE_OPTS",
            "GRADLE_USER_HOME",
            "DOTNET_STARTUP_HOOKS",
        ],
        prefixes: &["CORECLR_"],
        why: "the virtual machine loads what it names",
    },
    Entry {
        names: &[
            "MAKEFLAGS",
            "GNUMAKEFLAGS",
            "MAKEFILES",
            "CC",
            "CXX",
            "CPP",
            "LD",
            "AR",
            "CFLAGS",
            "CXXFLAGS",
            "CPPFLAGS",
            "LDFLAGS",
            "GOFLAGS",
            "GOENV",
            "GOROOT",
            "GOPROXY",
            "GOSUMDB",
            "GONOSUMDB",
            "GOTOOLCHAIN",
            "RUSTC",
            "RUSTC_WRAPPER",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTFLAGS",
            "RUSTDOC",
            "RUSTDOCFLAGS",
            "RUSTUP_HOME",
            "RUSTUP_TOOLCHAIN",
        ],
        prefixes: &["CARGO_"],
        why: "compilers and build tools run what it names",
    },
    Entry {
        names: &["BUNDLE_GEMFILE", "BUNDLE_PATH", "BUNDLE_BIN"],
        prefixes: &["PIP_", "UV_", "YARN_", "COREPACK_"],
        why: "installers take packages and settings from where it says",
    },
    Entry {
        names: &[
            "TAR_OPTIONS",
            "RIPGREP_CONFIG_PATH",
            "RSYNC_RSH",
            "RSYNC_CONNECT_PROG",
            "PSQLRC",
            "KUBECONFIG",
            "AWS_CONFIG_FILE",
            "AWS_SHARED_CREDENTIALS_FILE",
            "DOCKER_CONFIG",
        ],
        prefixes: &[],
        why: "clients run commands that it names, or that a file it names has",
    },
    Entry {
        names: &[
            "SSH_ASKPASS",
            "SSH_ASKPASS_REQUIRE",
            "SSH_AUTH_SOCK",
            "SSH_SK_PROVIDER",
            "GNUPGHOME",
        ],
        prefixes: &["GIT_"],
        why: "git and what it starts take programs and settings from it",
    },
    Entry {
        names: &[
            "XDG_CONFIG_HOME",
            "XDG_CONFIG_DIRS",
            "XDG_DATA_HOME",
            "XDG_DATA_DIRS",
            "XDG_CACHE_HOME",
        ],
        prefixes: &[],
        why: "git, the agent and others load settings and programs from the folder it names",
    },
    Entry {
        names: &[
            "EDITOR",
            "VISUAL",
            "PAGER",
            "BROWSER",
            "LESSOPEN",
            "LESSCLOSE",
            "MANPAGER",
            "VIMINIT",
            "EXINIT",
            "SUDO_ASKPASS",
        ],
        prefixes: &[],
        why: "programs run it as a command",
    },
    Entry {
        names: &[
            "NODE_EXTRA_CA_CERTS",
            "NODE_TLS_REJECT_UNAUTHORIZED",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "REQUESTS_CA_BUNDLE",
            "CURL_CA_BUNDLE",
            "OPENSSL_CONF",
            "OPENSSL_ENGINES",
            "OPENSSL_MODULES",
        ],
        prefixes: &[],
        why: "it says whose certificates programs believe",
    },
    Entry {
        names: &["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
        prefixes: &[],
        why: "it leads what programs send elsewhere",
    },
];

/// Names with such a prefix that are harmless: they name a user or hold a plain credential, or are passed to no
/// program. In capitals.
const HARMLESS: &[&str] = &[
    crate::secret::GIT_CREDENTIAL,
    "GIT_TOKEN",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_DATE",
    "CARGO_REGISTRY_TOKEN",
    "UV_PUBLISH_TOKEN",
    "UV_PUBLISH_USERNAME",
    "UV_PUBLISH_PASSWORD",
    "YARN_NPM_AUTH_TOKEN",
    "YARN_NPM_AUTH_IDENT",
    "COREPACK_NPM_TOKEN",
    "COREPACK_NPM_USERNAME",
    "COREPACK_NPM_PASSWORD",
];

/// Plain credentials whose names have that of a package registry in the middle: their prefix and suffix. The address of
/// a registry has another name, which is for admins: it decides whose code is installed.
const HARMLESS_AROUND: &[(&str, &str)] = &[
    ("CARGO_REGISTRIES_", "_TOKEN"),
    ("UV_INDEX_", "_USERNAME"),
    ("UV_INDEX_", "_PASSWORD"),
];

/// Returns what programs do with a variable of this name when they start, if they do something. Compared without regard
/// to capitals: several programs read theirs in any spelling.
pub fn reason(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_uppercase();
    let is_around = |(begin, end): &(&str, &str)| {
        let rest = name.strip_prefix(begin);
        rest.is_some_and(|rest| rest.len() > end.len() && rest.ends_with(end))
    };
    if HARMLESS.contains(&name.as_str()) || HARMLESS_AROUND.iter().any(is_around) {
        return None;
    }
    let is_it = |entry: &&Entry| {
        entry.names.contains(&name.as_str())
            || entry.prefixes.iter().any(|prefix| name.starts_with(prefix))
    };
    TABLE.iter().find(is_it).map(|entry| entry.why)
}

/// Refuses a name that changes how programs start, unless its author is an admin or owner of the organization.
pub fn refuse(field: &str, name: &str, is_admin: bool) -> Result<(), Invalid> {
    match reason(name) {
        Some(why) if !is_admin => Err(Invalid::new(
            field,
            format!(
                "`{name}` changes how programs start ({why}); only an admin or owner of the organization may set it"
            ),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_change_how_programs_start_are_for_admins() {
        for name in [
            "BASH_ENV",
            "ENV",
            "BASHOPTS",
            "LD_PRELOAD",
            "LD_AUDIT",
            "DYLD_INSERT_LIBRARIES",
            "PATH",
            "NODE_OPTIONS",
            "PYTHONPATH",
            "PERL5OPT",
            "RUBYOPT",
            "JAVA_TOOL_OPTIONS",
            "GIT_SSH_COMMAND",
            "GIT_CONFIG_COUNT",
            "GIT_CONFIG_KEY_0",
            "SSH_ASKPASS",
            "PAGER",
            "https_proxy",
            "Https_Proxy",
            "bun_options",
            "NODE_EXTRA_CA_CERTS",
            "MAKEFLAGS",
            "GNUMAKEFLAGS",
            "MAKEFILES",
            "GOFLAGS",
            "RUSTC_WRAPPER",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTFLAGS",
            "CARGO_BUILD_RUSTC_WRAPPER",
            "CARGO_REGISTRIES_OURS_INDEX",
            "CARGO_REGISTRIES_TOKEN",
            "CC",
            "CXX",
            "JAVA_HOME",
            "GRADLE_USER_HOME",
            "MAVEN_ARGS",
            "RSYNC_RSH",
            "PSQLRC",
            "KUBECONFIG",
            "AWS_CONFIG_FILE",
            "PIP_INDEX_URL",
            "UV_INDEX_URL",
            "UV_INDEX_PASSWORD",
            "YARN_YARN_PATH",
            "COREPACK_NPM_REGISTRY",
            "CFLAGS",
            "tar_options",
            "RIPGREP_CONFIG_PATH",
            "PYTEST_ADDOPTS",
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
        ] {
            let refused = refuse("envVars.X", name, false).unwrap_err();
            assert_eq!(refused.field, "envVars.X", "{name}");
            assert!(refused.message.contains(name), "{name}");
            assert!(refuse("envVars.X", name, true).is_ok(), "{name}");
        }
        for name in [
            "DATABASE_URL",
            "NODE_ENV",
            "GITHUB_TOKEN",
            "GIT_TOKEN",
            "GIT_CREDENTIAL",
            "GIT_AUTHOR_NAME",
            "SSH_PRIVATE_KEY",
            "PYTHONUNBUFFERED",
            "ENVIRONMENT",
            "APP_PATH",
            "PGOPTIONS",
            "PIPELINE",
            "CCACHE",
            "AWS_SECRET_ACCESS_KEY",
            "CARGO_REGISTRY_TOKEN",
            "CARGO_REGISTRIES_OURS_TOKEN",
            "UV_PUBLISH_TOKEN",
            "UV_INDEX_OURS_USERNAME",
            "UV_INDEX_OURS_PASSWORD",
            "YARN_NPM_AUTH_TOKEN",
            "COREPACK_NPM_TOKEN",
        ] {
            assert!(refuse("key", name, false).is_ok(), "{name}");
        }
    }
}
