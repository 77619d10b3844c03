//! What a setting is, declared once: its name in the file, its flag, its variables, the kind of its
//! value, its default and what it is for. Resolving, flags, the JSON schema and the reference pages
//! follow from these declarations.

mod default;
mod kind;
mod section;

pub(crate) use self::default::NOT_SET;
pub use self::{
    default::DefaultValue,
    kind::{TomlType, ValueKind},
    section::{OtherVariable, Section, SectionEntry},
};

/// One setting. The constants of this type live with their sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Section and key as in the file, e.g. `server.listen`.
    pub path: &'static str,
    /// The flag, e.g. `--listen`; empty for secrets, which would show in a process list.
    pub flag: &'static str,
    /// Variables that set it, the preferred name first; never none.
    pub env: &'static [EnvVar],
    pub kind: ValueKind,
    pub default: DefaultValue,
    /// What it is for, in whole sentences: for the help of the flag, the schema and the page of variables.
    pub help: &'static str,
}

/// An environment variable that sets a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnvVar {
    pub name: &'static str,
    /// The version that first read it.
    pub since: &'static str,
    /// How the value differs from that of the preferred name, if this is another name and it does.
    pub difference: &'static str,
}

/// A secret: never written in the file or given by flag, only by variable or in a file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretSetting {
    /// The secret's text itself.
    pub value: Setting,
    /// The path of a file that holds it.
    pub file: Setting,
}

impl Setting {
    /// The name inside its section.
    pub(crate) fn key(&self) -> &'static str {
        self.path.split_once('.').map_or(self.path, |(_, key)| key)
    }

    /// Its description in the schema, which is also the hint for a value of the wrong type.
    pub(crate) fn file_description(&self) -> String {
        let mut help = self.help.to_owned();
        if self.kind.is_relative_to_file() {
            help = format!("{}; relative to this file.", help.trim_end_matches('.'));
        }
        format!("{help} {}", self.default.sentence())
            .trim_end()
            .to_owned()
    }
}

impl EnvVar {
    pub(crate) const fn new(name: &'static str, since: &'static str) -> Self {
        Self {
            name,
            since,
            difference: "",
        }
    }

    /// Another name of the setting's variable, with its value written differently.
    pub(crate) const fn differing(
        name: &'static str,
        since: &'static str,
        difference: &'static str,
    ) -> Self {
        Self {
            name,
            since,
            difference,
        }
    }
}
