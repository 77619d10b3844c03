//! `[encryption]`: the versioned keys that stored secrets are sealed with. Every key opens, the one
//! with the highest id seals, so a key is rotated by adding one.

use std::collections::BTreeMap;

use secrecy::{ExposeSecret, ExposeSecretMut, SecretBox};

use crate::{
    invalid::InvalidValue,
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, SecretSetting, Section, SectionEntry, Setting, ValueKind},
    sources::ValueSource,
};

pub const KEYS: SecretSetting = SecretSetting {
    value: Setting {
        path: "encryption.keys",
        flag: "",
        env: &[
            EnvVar::new("PROLIFERATE_ENCRYPTION_KEYS", "0.1.0"),
            EnvVar::differing(
                "USER_SECRETS_ENCRYPTION_KEY",
                "0.1.0",
                "One AES-256 key as 64 hexadecimal digits, becomes key 1",
            ),
        ],
        kind: ValueKind::Secret,
        default: DefaultValue::Unset,
        help: "AES-256 keys as `1:<64 hexadecimal digits>,2:<64 hexadecimal digits>`. The highest id seals, all open.",
    },
    file: Setting {
        path: "encryption.keys_file",
        flag: "--encryption-keys-file",
        env: &[EnvVar::new("PROLIFERATE_ENCRYPTION_KEYS_FILE", "0.1.0")],
        kind: ValueKind::FileBesideFile,
        default: DefaultValue::Unset,
        help: "File that holds the keys as `ID:KEY`, separated by commas or line ends.",
    },
};

pub(crate) const SECTION: Section = Section {
    name: "encryption",
    heading: "Tokens and keys",
    entries: &[SectionEntry::Secret(KEYS)],
    other_variables: &[],
};

/// One AES-256 key.
pub type EncryptionKey = SecretBox<[u8; KEY_BYTES]>;

const KEY_BYTES: usize = 32;
/// Rotated monthly, keys of more than two years: time to seal old secrets anew.
const KEYS_MAX: usize = 32;
const HINT: &str = "write `ID:KEY`, separated by commas or line ends, where ID is a whole number \
                    from 1 and KEY is 64 hexadecimal digits, for example from `openssl rand -hex 32`";

/// Keys by id; never empty.
#[derive(Debug)]
pub struct EncryptionKeys {
    newest_id: u32,
    keys: BTreeMap<u32, EncryptionKey>,
}

impl EncryptionKeys {
    /// `1:<64 hex>,2:<64 hex>`, or one bare key, which becomes key 1.
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let text = text.trim();
        if !text.contains([':', ',', '\n']) {
            let key = key_from_hex(text).ok_or_else(|| malformed(1))?;
            return Ok(Self {
                newest_id: 1,
                keys: BTreeMap::from([(1, key)]),
            });
        }
        let mut keys: BTreeMap<u32, EncryptionKey> = BTreeMap::new();
        let entries = text.split([',', '\n']).map(str::trim);
        for (index, entry) in entries.filter(|entry| !entry.is_empty()).enumerate() {
            let (id, key) = entry_parts(entry).ok_or_else(|| malformed(index + 1))?;
            if keys.len() == KEYS_MAX {
                return Err(InvalidValue::new(
                    format!("has more than {KEYS_MAX} keys"),
                    HINT,
                ));
            }
            let twin = keys
                .iter()
                .find(|(_, other)| other.expose_secret() == key.expose_secret());
            if let Some((twin, _)) = twin {
                return Err(InvalidValue::new(
                    format!("has the same key as {twin} and as {id}"),
                    "give each id a key of its own",
                ));
            }
            if keys.insert(id, key).is_some() {
                return Err(InvalidValue::new(
                    format!("has two keys with id {id}"),
                    HINT,
                ));
            }
        }
        let newest_id = *keys.keys().next_back().ok_or_else(|| malformed(1))?;
        Ok(Self { newest_id, keys })
    }

    /// The key that seals, with its id.
    pub fn newest(&self) -> (u32, &EncryptionKey) {
        (self.newest_id, &self.keys[&self.newest_id])
    }

    /// The key that opens what was sealed with `id`.
    pub fn get(&self, id: u32) -> Option<&EncryptionKey> {
        self.keys.get(&id)
    }

    /// All keys, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &EncryptionKey)> {
        self.keys.iter().map(|(id, key)| (*id, key))
    }
}

fn entry_parts(entry: &str) -> Option<(u32, EncryptionKey)> {
    let (id, key) = entry.split_once(':')?;
    let id = id.trim().parse().ok().filter(|id| *id > 0)?;
    Some((id, key_from_hex(key.trim())?))
}

fn key_from_hex(text: &str) -> Option<EncryptionKey> {
    let mut key = EncryptionKey::default();
    hex::decode_to_slice(text, key.expose_secret_mut()).ok()?;
    Some(key)
}

fn malformed(entry: usize) -> InvalidValue {
    InvalidValue::new(format!("has a malformed key (entry {entry})"), HINT)
}

/// The keys of stored secrets. May be absent: not every command needs them.
#[derive(Debug)]
pub struct EncryptionSettings {
    pub keys: Option<EncryptionKeys>,
}

impl EncryptionSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        let Some(text) = resolver.secret(&KEYS) else {
            return Self { keys: None };
        };
        let keys = EncryptionKeys::parse(text.expose_secret()).map_err(|invalid| {
            let row = resolver.effective.last();
            let source = row.map_or(ValueSource::Default, |row| row.source.clone());
            resolver.report(KEYS.value.path, source, invalid);
        });
        Self { keys: keys.ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex_of(byte: u8) -> String {
        hex::encode([byte; KEY_BYTES])
    }

    #[test]
    fn the_highest_id_seals_and_every_key_opens() {
        let text = format!("2:{},\n10:{}\n1:{}\n", hex_of(2), hex_of(10), hex_of(1));
        let keys = EncryptionKeys::parse(&text).unwrap();
        assert_eq!(keys.newest().0, 10);
        assert_eq!(keys.newest().1.expose_secret(), &[10; KEY_BYTES]);
        for id in [1, 2, 10] {
            assert_eq!(
                keys.get(id).unwrap().expose_secret()[0],
                u8::try_from(id).unwrap()
            );
        }
        assert!(keys.get(3).is_none());
        assert_eq!(
            keys.iter().map(|(id, _)| id).collect::<Vec<_>>(),
            [1, 2, 10]
        );
        assert!(!format!("{keys:?}").contains(&hex_of(2)));
    }

    #[test]
    fn a_bare_key_is_key_1() {
        assert_eq!(EncryptionKeys::parse(&hex_of(7)).unwrap().newest().0, 1);
    }

    #[test]
    fn malformed_keys_are_refused_without_being_repeated() {
        let key = hex_of(0xab);
        for bad in [
            String::new(),
            ",".to_owned(),
            key[1..].to_owned(),
            format!("{key}00"),
            format!("0:{key}"),
            format!("-1:{key}"),
            format!("x:{key}"),
            format!("1:{key},1:{}", hex_of(1)),
            format!("1:{key},2:{key}"),
            format!("1:{key},2:{}", key.replace('a', "g")),
            (1..=33)
                .map(|n| format!("{n}:{}", hex_of(n)))
                .collect::<Vec<_>>()
                .join(","),
        ] {
            let invalid = EncryptionKeys::parse(&bad).unwrap_err();
            assert!(!format!("{invalid:?}").contains("abab"), "{bad}");
        }
    }
}
