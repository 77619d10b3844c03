//! Secrets by their shape: tokens with a known prefix, keys in PEM, URLs with a password,
//! assignments to a secret's name in running text, and long strings that only a generator produces.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::{MARK, key};

/// Digits or a length that no word has: `Bearer authentication` is prose.
const CREDENTIAL_LENGTH: usize = 24;
/// From which length a run of letters and digits may be a token, and from which length it is
/// content.
const RUN_LENGTH: Range<usize> = 40..513;
/// An AWS secret key: the one kind that has slashes in it.
const RUN_WITH_SLASHES: usize = 40;

/// Prefixes of tokens of any issuer. The last two are the gateway's own.
static TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)
        gh[pousr]_[A-Za-z0-9]{16,} | github_pat_[A-Za-z0-9_]{20,} | glpat-[A-Za-z0-9_-]{16,}
        | xox[a-z]-[A-Za-z0-9-]{8,} | xapp-[A-Za-z0-9-]{8,}
        | hooks\.slack\.com/services/[A-Za-z0-9/_-]+
        | lin_(?:api|oauth)_[A-Za-z0-9]{16,}
        | (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}
        | AIza[A-Za-z0-9_-]{30,} | ya29\.[A-Za-z0-9_-]{16,}
        | [sr]k_(?:live|test)_[A-Za-z0-9]{10,} | whsec_[A-Za-z0-9+/=]{16,}
        | sntry[su]_[A-Za-z0-9_+/=-]{16,} | npm_[A-Za-z0-9]{30,} | pypi-[A-Za-z0-9_-]{30,}
        | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,} | hf_[A-Za-z0-9]{30,}
        | dop_v1_[0-9a-f]{32,}
        | eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}
        | -----BEGIN\ [A-Z0-9\ ]*PRIVATE\ KEY(?s:.*?)(?:-----END\ [A-Z0-9\ ]*-----|\z)
        | pk_[0-9a-f]{64} | sbx_[0-9a-f-]{36}_[0-9]+_[0-9a-f]{32,}",
    )
});
/// `sk-` is in ordinary words too, so it has to begin one and have a digit.
static SK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:^|[^A-Za-z0-9])(sk-[A-Za-z0-9_-]{16,})"));
static CREDENTIAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?ix) \b(?: (?:bearer|basic|token)\s+ | authorization\s*[:=]\s*(?:[a-z]+\s+)? )
        ([^\s"',;<>\[\]]{8,})"#,
    )
});
static COOKIE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?i)\bcookie\s*:\s*([^\r\n"]*=[^\r\n"]*)"#));
static USERINFO: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"([A-Za-z][A-Za-z0-9+.-]*)://([^\s/?\#"'<>]+)@"#));
static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"([A-Za-z][A-Za-z0-9_.-]{0,63})=(?:"([^"]+)"|'([^']+)'|([^\s&"'<>,;]+))"#)
});
static MEMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?x) ["']([A-Za-z][A-Za-z0-9_.-]{0,63})\\?["'] \s*:\s*
        \\?["']( (?:[^"'\\]|\\[^"'])+ )"#,
    )
});
/// A line of settings: a name, a colon and one word.
static SETTING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^[ \t-]*([A-Za-z][A-Za-z0-9_.-]{0,63}):[ \t]+(\S+)[ \t]*\r?$"));
static RUN: LazyLock<Regex> = LazyLock::new(|| pattern(r"[A-Za-z0-9_+/=-]{40,}"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant and a test compiles it")
}

/// Where secrets are. Under a name that marks an id, long mixed strings are kept. A pattern is only tried
/// where its one indispensable character occurs.
pub(super) fn find(text: &str, identifier: bool) -> Vec<Range<usize>> {
    let has = |byte: u8| text.as_bytes().contains(&byte);
    let mut found: Vec<Range<usize>> = TOKENS.find_iter(text).map(|token| token.range()).collect();
    if has(b'-') {
        found.extend(captured(&SK, text, |_, value| has_digit(value)));
    }
    if has(b' ') || has(b':') || has(b'=') || has(b'\t') || has(b'\n') {
        found.extend(captured(&CREDENTIAL, text, |_, value| {
            has_digit(value) || value.len() >= CREDENTIAL_LENGTH
        }));
    }
    if has(b'@') {
        found.extend(captured(&USERINFO, text, |scheme, userinfo| {
            // `ssh://git@host` names an account, not a password.
            userinfo.contains(':') || !scheme.to_ascii_lowercase().ends_with("ssh")
        }));
    }
    if has(b'=') {
        found.extend(captured(&ASSIGNED, text, |name, value| {
            key::names_secret_text(name, value) || signs(name)
        }));
    }
    if has(b':') {
        found.extend(captured(&COOKIE, text, |_, _| true));
        found.extend(captured(&MEMBER, text, key::names_secret_text));
        found.extend(captured(&SETTING, text, key::names_secret_text));
    }
    if !identifier && text.len() >= RUN_LENGTH.start {
        for run in RUN.find_iter(text) {
            found.extend(tokens_in(run.as_str(), run.start()));
        }
    }
    found
}

/// The last group of each match, if `is_secret` says so of the first and the last.
fn captured(
    pattern: &Regex,
    text: &str,
    is_secret: impl Fn(&str, &str) -> bool,
) -> Vec<Range<usize>> {
    let range = |captures: regex::Captures<'_>| {
        let mut groups = captures.iter().skip(1).flatten();
        let first = groups.next()?;
        let last = groups.last().unwrap_or(first);
        let hidden = last.as_str() == MARK || !is_secret(first.as_str(), last.as_str());
        (!hidden).then(|| last.range())
    };
    pattern.captures_iter(text).filter_map(range).collect()
}

/// Parts of a run that look made by a generator. Slashes part it, as in paths, but for what could be a
/// secret key of AWS.
fn tokens_in(run: &str, start: usize) -> Vec<Range<usize>> {
    let whole = run.len() == RUN_WITH_SLASHES && is_mixed(run);
    let mut found = Vec::new();
    let mut at = start;
    for part in run.split('/') {
        if RUN_LENGTH.contains(&part.len()) && is_mixed(part) {
            found.push(at..at + part.len());
        }
        at += part.len() + 1;
    }
    if whole {
        found.push(start..start + run.len());
    }
    found
}

/// Capitals, small letters and digits that alternate as they do by chance: in three of five places for
/// random text, in two of five at most for words run together, which also have one number at most.
fn is_mixed(run: &str) -> bool {
    let class = |b: &u8| match b {
        b'A'..=b'Z' => 0_u8,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let classes: Vec<u8> = run.as_bytes().iter().map(class).collect();
    let changes = classes.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let two_digits = run.bytes().filter(u8::is_ascii_digit).nth(1).is_some();
    classes.contains(&0) && classes.contains(&1) && two_digits && changes * 20 >= run.len() * 9
}

/// Whether a parameter makes a URL a credential.
fn signs(name: &str) -> bool {
    let last = name.rsplit('-').next().unwrap_or(name);
    ["sig", "signature"]
        .iter()
        .any(|word| last.eq_ignore_ascii_case(word))
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit())
}
