//! The kinds of values: how each is written in the file and called in the help.

/// What kind of value a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Text,
    /// One of a few words, written as in `on|off`.
    Choice(&'static str),
    /// A number with its unit, such as `30s`.
    Duration,
    /// A whole number.
    Number,
    /// A number that may have a fraction.
    Fraction,
    Dollars,
    Url,
    /// A URL that may contain a password and is then refused in the file.
    UrlWithPassword,
    /// IP address and port.
    Address,
    Directory,
    /// As [`Self::Directory`]; in the file it is relative to the file.
    DirectoryBesideFile,
    File,
    /// As [`Self::File`]; in the file it is relative to the file.
    FileBesideFile,
    /// The text of a secret, which the file must not contain.
    Secret,
    Texts,
    Urls,
    Networks,
    /// `HOST:PORT` each.
    Hosts,
    Ids,
}

/// What a value is in TOML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TomlType {
    String,
    Integer,
    Float,
    /// Of strings.
    Array,
}

impl ValueKind {
    pub fn toml_type(self) -> TomlType {
        match self {
            Self::Number => TomlType::Integer,
            Self::Fraction => TomlType::Float,
            Self::Texts | Self::Urls | Self::Networks | Self::Hosts | Self::Ids => TomlType::Array,
            _ => TomlType::String,
        }
    }

    /// The placeholder behind a flag in the help.
    pub fn placeholder(self) -> &'static str {
        match self {
            Self::Text | Self::Secret => "TEXT",
            Self::Choice(words) => words,
            Self::Duration => "DURATION",
            Self::Number | Self::Fraction => "NUMBER",
            Self::Dollars => "DOLLARS",
            Self::Url | Self::UrlWithPassword => "URL",
            Self::Address => "ADDRESS",
            Self::Directory | Self::DirectoryBesideFile => "DIR",
            Self::File | Self::FileBesideFile => "FILE",
            Self::Texts => "TEXTS",
            Self::Urls => "URLS",
            Self::Networks => "NETWORKS",
            Self::Hosts => "HOSTS",
            Self::Ids => "IDS",
        }
    }

    /// Whether flags and variables take several values, separated by commas.
    pub fn is_list(self) -> bool {
        self.toml_type() == TomlType::Array
    }

    /// Whether a value must never be shown as it is.
    pub fn is_secret(self) -> bool {
        matches!(self, Self::Secret | Self::UrlWithPassword)
    }

    pub(crate) fn is_relative_to_file(self) -> bool {
        matches!(self, Self::DirectoryBesideFile | Self::FileBesideFile)
    }
}

impl TomlType {
    /// As TOML's own messages call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Float => "float",
            Self::Array => "array",
        }
    }
}
