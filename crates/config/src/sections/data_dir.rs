//! `data_dir`: the one directory that holds everything the product keeps on disk.

use std::path::PathBuf;

use crate::{
    invalid::InvalidValue,
    resolve::Resolver,
    setting::{
        DefaultValue, EnvVar, NOT_SET, OtherVariable, Section, SectionEntry, Setting, ValueKind,
    },
    sources::ValueSource,
};

pub const DATA_DIR: Setting = Setting {
    path: "data_dir",
    flag: "--data-dir",
    env: &[EnvVar::new("PROLIFERATE_DATA_DIR", "0.1.0")],
    kind: ValueKind::DirectoryBesideFile,
    default: DefaultValue::Unset,
    help: "Directory for everything the product keeps on disk.",
};
const XDG_DATA_HOME: OtherVariable = OtherVariable {
    variable: EnvVar::new("XDG_DATA_HOME", "0.1.0"),
    used_by: DATA_DIR.path,
    is_secret: false,
    help: "Absolute path; the default data directory is `proliferate` inside it.",
};
const HOME: OtherVariable = OtherVariable {
    variable: EnvVar::new("HOME", "0.1.0"),
    used_by: DATA_DIR.path,
    is_secret: false,
    help: "The default data directory is `.local/share/proliferate` inside it when `XDG_DATA_HOME` is not set.",
};

/// What stands in the file above all tables. Every command takes the flag.
pub(crate) const SECTION: Section = Section {
    name: "",
    heading: "",
    entries: &[SectionEntry::Open(DATA_DIR)],
    other_variables: &[XDG_DATA_HOME, HOME],
};

/// Our directory below the user's.
const NAME: &str = "proliferate";

/// Returns the data directory; empty, with a problem reported, where none can be derived.
pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> PathBuf {
    let found = resolver.path(&DATA_DIR);
    let default = || Some((default_directory(resolver)?, ValueSource::Default));
    if let Some((path, source)) = found.or_else(default) {
        resolver.record(DATA_DIR.path, path.display().to_string(), source);
        return path;
    }
    resolver.record(DATA_DIR.path, NOT_SET.to_owned(), ValueSource::Default);
    resolver.report(
        DATA_DIR.path,
        ValueSource::Default,
        InvalidValue::new(
            "is not set and cannot be derived, because HOME is not set either",
            "name a directory with `--data-dir` or PROLIFERATE_DATA_DIR",
        ),
    );
    PathBuf::new()
}

fn default_directory(resolver: &Resolver<'_>) -> Option<PathBuf> {
    // The XDG specification: a relative path is invalid and to be ignored.
    let xdg = resolver.variable(XDG_DATA_HOME.variable.name);
    if let Some(base) = xdg.map(PathBuf::from)
        && base.is_absolute()
    {
        return Some(base.join(NAME));
    }
    let home = PathBuf::from(resolver.variable(HOME.variable.name)?);
    Some(home.join(".local/share").join(NAME))
}
