//! Finds secrets in text and takes them out. Works on what a line looks like, not on who wrote it,
//! so that a dependency that logs a URL with a password leaks nothing. Rather removes too much than
//! too little.
//!
//! Linear in the length of the text: the `regex` crate does not backtrack, and no pattern has to
//! look beyond its own match.

use std::borrow::Cow;

use regex::{Captures, Regex};

/// Stands where a secret stood.
pub(super) const SCRUBBED: &str = "***";

/// Colour codes, which stand between a field's name and its value in a terminal.
const ANSI: &str = r"(?:\x1b\[[0-9;]*m)*";
/// Names whose values are secret, at their end: `access_token` is one, `token_count` is not.
const NAMES: &str = r"(?:token|secret|password|passwd|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)";
/// Words that follow "bearer" in prose.
const BEARER_PROSE: &[&str] = &[
    "auth",
    "authentication",
    "authorization",
    "credential",
    "credentials",
    "has",
    "header",
    "is",
    "of",
    "or",
    "scheme",
    "token",
    "tokens",
    "was",
];

/// The patterns, compiled once.
#[derive(Debug)]
pub struct Scrubber {
    /// Applied in order; what the groups of each matched is kept.
    rules: Vec<Regex>,
    bearer: Regex,
    secret_name: Regex,
}

impl Scrubber {
    pub fn new() -> Result<Self, regex::Error> {
        // `"name": `, `name=`, `name: Some(`, each with colours or escaped quotes in between.
        let field = format!(r#"{NAMES}{ANSI}[\\"']*{ANSI}\s?[:=]\s*{ANSI}(?:Some\()?"#);
        let patterns = [
            // A PEM block has no quotes inside, so a quote ends one that was cut off.
            r#"()-----BEGIN [A-Z0-9 ]+-----[^"]*?-----END [A-Z0-9 ]+-----"#.to_owned(),
            r#"()-----BEGIN [A-Z0-9 ]+-----[^"]*"#.to_owned(),
            format!(
                r#"(?i)(authorization{ANSI}[\\"']*{ANSI}\s*[:=]\s*{ANSI}[\\"']*(?:(?:basic|bearer|digest|negotiate|token)\s+)?)[^\s"'\\,;]+"#
            ),
            // Up to the last `@` before the path: an unencoded password may contain one.
            r#"(://[^\s/@:"'<>\\]*:)(?:\\.|[^\s/"'<>\\])*(@)"#.to_owned(),
            // JSON web tokens: every one begins with `{"` in base64.
            r"()eyJ[0-9A-Za-z_-]{4,}\.[0-9A-Za-z_-]{2,}(?:\.[0-9A-Za-z_-]*){0,3}".to_owned(),
            // API keys of ours, also when cut; a constraint called `pk_sessions` is none.
            r"()pk_[0-9A-Fa-f]{12,}[0-9A-Za-z]*".to_owned(),
            // Sandbox tokens and model keys.
            r"()(?:sbx|mdl)_[0-9A-Za-z-]{8,}[0-9A-Za-z_-]*".to_owned(),
            // Keys of others that agents and integrations work with.
            r"()(?-u:\b)(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|lin_api_|sk-|[prs]k_live_)[0-9A-Za-z_-]{16,}".to_owned(),
            r"()(?-u:\b)A[KS]IA[0-9A-Z]{16}".to_owned(),
            // Fields, by how their value is quoted.
            format!(r#"(?i)({field}")(?:[^"\\]|\\.)+"#),
            format!(r#"(?i)({field}\\+")(?:[^"\\]|\\[^"])+"#),
            format!(r"(?i)({field}')[^']+"),
            format!(r#"(?i)({NAMES}{ANSI}[\\"']*{ANSI}\s?=\s?{ANSI})[^\s"'\\&<>\x1b]+"#),
            r"(?i)(api[_-]?key:\s*)[0-9A-Za-z._~+/=-]{8,}".to_owned(),
            // Versioned keys, `1:<64 hex>`; `sha256:<64 hex>` is a digest and stays.
            r#"(?i)((?:^|[\s,"'=\[(])[0-9]{1,10}:)[0-9a-f]{64,}"#.to_owned(),
            r"(?i)((?:key|secret|seed|hmac)[\x1b\x20-\x7e]{0,32}?[\x1b\x20-\x2f\x3a-\x40\x5b-\x60m])[0-9a-f]{64,}".to_owned(),
        ];
        Ok(Self {
            rules: patterns
                .iter()
                .map(|pattern| Regex::new(pattern))
                .collect::<Result<_, _>>()?,
            bearer: Regex::new(r"(?i)(?-u:\b)(bearer\s+)([0-9A-Za-z._~+/=-]+)")?,
            secret_name: Regex::new(&format!("(?i)(?:{NAMES}|authorization)$"))?,
        })
    }

    /// The text without secrets.
    pub fn scrub<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut clean = Cow::Borrowed(text);
        for rule in &self.rules {
            if let Cow::Owned(replaced) =
                rule.replace_all(&clean, format!("${{1}}{SCRUBBED}${{2}}"))
            {
                clean = Cow::Owned(replaced);
            }
        }
        if let Cow::Owned(replaced) = self.bearer.replace_all(&clean, without_bearer) {
            clean = Cow::Owned(replaced);
        }
        clean
    }

    /// Whether a field of this name holds a secret, whatever its value looks like.
    pub fn is_secret_name(&self, name: &str) -> bool {
        self.secret_name.is_match(name)
    }
}

fn without_bearer(captures: &Captures<'_>) -> String {
    let word = captures[2].to_ascii_lowercase();
    if BEARER_PROSE.contains(&word.trim_end_matches('.')) {
        captures[0].to_owned()
    } else {
        format!("{}{SCRUBBED}", &captures[1])
    }
}
