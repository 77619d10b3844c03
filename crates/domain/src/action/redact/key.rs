//! Names that belong to secrets. A name is split into words first, so that `accessToken`,
//! `ACCESS_TOKEN`, `x-access-token` and `accesstoken` are the same, and `tokenizer` is another.

use serde_json::{Map, Value};

/// Words that mark a name as a secret's, at any position.
const SECRETS: &[&str] = &[
    "apikey",
    "authorization",
    "bearer",
    "cookie",
    "credential",
    "jwt",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "pwd",
    "secret",
    "token",
];
/// Of these also a word that ends so: `accesstoken`, `clientsecret`.
const ENDINGS: &[&str] = &["apikey", "cookie", "passwd", "password", "secret", "token"];
/// What makes a secret of the word `key` after it.
const KEYS: &[&str] = &[
    "access",
    "account",
    "api",
    "auth",
    "client",
    "deploy",
    "encryption",
    "license",
    "master",
    "private",
    "secret",
    "service",
    "session",
    "shared",
    "signing",
    "ssh",
    "storage",
    "webhook",
];
/// Names that are a secret's only if they consist of nothing else.
const WHOLE: &[&str] = &["auth", "pass", "pat", "pw"];
/// Last words that mark a name as metadata of a secret: its count, its type, its address.
const ABOUT: &[&str] = &[
    "algorithm",
    "at",
    "budget",
    "count",
    "counts",
    "enabled",
    "endpoint",
    "expiry",
    "exists",
    "expires",
    "hint",
    "id",
    "ids",
    "in",
    "kind",
    "length",
    "limit",
    "limits",
    "method",
    "name",
    "names",
    "path",
    "policy",
    "present",
    "ref",
    "required",
    "scope",
    "scopes",
    "size",
    "status",
    "strategy",
    "ttl",
    "type",
    "types",
    "uri",
    "url",
    "usage",
    "used",
    "version",
];
/// Words before `token` that mark it as a position in a list.
const PAGING: &[&str] = &["continuation", "next", "page", "pagination"];
/// Words that mark a name as a count. Its number is then an ordinary number.
const COUNTING: &[&str] = &[
    "avg",
    "budget",
    "cached",
    "completion",
    "input",
    "max",
    "min",
    "num",
    "output",
    "per",
    "prompt",
    "remaining",
    "total",
    "used",
];
/// Last words of names whose values are long and mixed without being secret.
const IDENTIFIERS: &[&str] = &[
    "checksum",
    "cursor",
    "digest",
    "etag",
    "fingerprint",
    "hash",
    "id",
    "ids",
    "integrity",
    "sha",
];

/// Whether this value under this name is a secret.
pub(super) fn names_secret(name: &str, value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(number) => names_secret_text(name, &number.to_string()),
        Value::String(text) => names_secret_text(name, text),
        Value::Array(items) => !items.is_empty() && is_secret(&words(name)),
        Value::Object(members) => !members.is_empty() && is_secret(&words(name)),
    }
}

/// Whether this text under this name is a secret.
pub(super) fn names_secret_text(name: &str, text: &str) -> bool {
    let number = text.bytes().all(|b| b.is_ascii_digit());
    let words = words(name);
    !text.is_empty() && is_secret(&words) && !(number && counts(&words))
}

/// Whether the name marks its value as an identifier.
pub(super) fn names_identifier(name: &str) -> bool {
    let words = words(name);
    let last = words
        .last()
        .is_some_and(|last| IDENTIFIERS.contains(&last.as_str()));
    last && !is_secret(&words)
}

/// The member that holds a secret because another one names it: `{"name": "Authorization", "value": ..}`.
pub(super) fn named_member(members: &Map<String, Value>) -> Option<&'static str> {
    let (key, value) = ["value", "values"]
        .into_iter()
        .find_map(|key| Some((key, members.get(key)?)))?;
    let named = |key: &&str| {
        let name = members.get(*key).and_then(Value::as_str);
        name.is_some_and(|name| names_secret(name, value))
    };
    ["name", "key", "header", "field"]
        .iter()
        .any(named)
        .then_some(key)
}

fn is_secret(words: &[String]) -> bool {
    let Some(last) = words.last() else {
        return false;
    };
    if let [only] = words
        && WHOLE.contains(&only.as_str())
    {
        return true;
    }
    if words.len() > 1 && ABOUT.contains(&last.as_str()) {
        return false;
    }
    if let [.., before, last] = words
        && last == "token"
        && PAGING.contains(&before.as_str())
    {
        return false;
    }
    let key = |pair: &[String]| KEYS.contains(&pair[0].as_str()) && singular(&pair[1]) == "key";
    words.iter().any(|word| is_secret_word(word)) || words.windows(2).any(key)
}

fn is_secret_word(word: &str) -> bool {
    let word = singular(word);
    SECRETS.contains(&word) || ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// Whether a number under this name is an amount.
fn counts(words: &[String]) -> bool {
    let plural = words.last().is_some_and(|last| singular(last) != last);
    plural || words.iter().any(|word| COUNTING.contains(&word.as_str()))
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// Lower-case words: split at every character that is not a letter, and where a capital starts a
/// word.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = None;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let hump = before.is_some_and(char::is_lowercase);
        // The last capital of `APIKey` starts a word.
        let acronym = before.is_some_and(char::is_uppercase)
            && letters.peek().is_some_and(|after| after.is_lowercase());
        let begins = letter.is_uppercase() && (hump || acronym);
        if (begins || !letter.is_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests;
