//! Fingerprints of the secrets that the gateway resolved for a call: length and hash alone. A text is
//! searched for them in one pass whatever their number, in plain form and in the encodings in which services
//! echo them: base64 (also in the middle of other data), percent and form encoding, escapes of JSON,
//! hexadecimal digits.

use std::{collections::HashMap, fmt, ops::Range};

use base64::{
    Engine,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use super::view::{Encoding, View};
use crate::limits::FINGERPRINT_BYTES_MIN;

/// Hashes are polynomials in this base over the prime field of 2^61 - 1: the hash of any part of a text
/// follows from two of its prefix hashes. A false positive has a probability of 2^-61 and hides too much;
/// a false negative is impossible.
const PRIME: u64 = (1 << 61) - 1;
const BASE: u64 = 0x0a7c_15f3_9e37_79b9;
/// Sixteen bits of hash in words of 64.
const BEGINS_WORDS: usize = (1 << 16) / 64;
/// How many encodings are removed from a text: JSON in JSON, a URL in JSON.
const DECODINGS_MAX: usize = 2;

/// How much is hidden around a secret that was found in base64.
#[derive(Debug, Clone, Copy)]
enum Around {
    /// All of the base64.
    All,
    /// The characters that share bits with it.
    Shared,
}

/// The secrets of a call. Holds no part of them and prints nothing of them.
#[derive(Clone, Default)]
pub struct Fingerprints {
    /// By the hash of their first bytes.
    prints: HashMap<u16, Vec<Print>>,
    /// A bit set of those hashes: it skips nearly every position of a text.
    begins: Vec<u64>,
    secrets: usize,
    /// Secrets too short to be searched for.
    skipped: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Print {
    length: usize,
    hash: u64,
    /// `BASE` to the length, which moves a hash that far.
    shift: u64,
    base64: bool,
}

impl Fingerprints {
    pub fn of<'a>(secrets: impl IntoIterator<Item = &'a SecretString>) -> Self {
        let mut fingerprints = Self::default();
        for secret in secrets {
            fingerprints.add(secret);
        }
        fingerprints
    }

    /// How many secrets were too short to be searched for; they can only be recognised by name and
    /// shape.
    pub const fn skipped(&self) -> usize {
        self.skipped
    }

    fn add(&mut self, secret: &SecretString) {
        let whole = secret.expose_secret();
        let bare = whole.trim();
        if bare.len() < FINGERPRINT_BYTES_MIN {
            self.skipped += usize::from(!bare.is_empty());
            return;
        }
        self.secrets += 1;
        let joined = copied(bare, |c| (!matches!(c, '\r' | '\n')).then_some(c));
        let form = copied(bare, |c| Some(if c == ' ' { '+' } else { c }));
        for text in [bare, &joined, &form] {
            self.insert(text.as_bytes(), false);
        }
        for text in [whole, bare] {
            self.insert_base64(text.as_bytes());
        }
        let mut digits = Zeroizing::new(hex::encode(bare));
        self.insert(digits.as_bytes(), false);
        digits.make_ascii_uppercase();
        self.insert(digits.as_bytes(), false);
    }

    /// The characters that depend on nothing but the secret, for each of the three offsets it can have in
    /// a group of three bytes.
    fn insert_base64(&mut self, secret: &[u8]) {
        for before in 0..3 {
            let mut padded = Zeroizing::new(Vec::with_capacity(before + secret.len()));
            padded.resize(before, 0);
            padded.extend_from_slice(secret);
            let own = (before * 8).div_ceil(6)..padded.len() * 8 / 6;
            for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
                let encoded = Zeroizing::new(engine.encode(&*padded));
                self.insert(&encoded.as_bytes()[own.clone()], true);
            }
        }
    }

    fn insert(&mut self, text: &[u8], base64: bool) {
        let Some(bucket) = text.first_chunk().copied().map(bucket) else {
            return;
        };
        let fold = |(hash, shift): (u64, u64), byte: &u8| (step(hash, *byte), times(shift, BASE));
        let (hash, shift) = text.iter().fold((0, 1), fold);
        let print = Print {
            length: text.len(),
            hash,
            shift,
            base64,
        };
        self.begins.resize(BEGINS_WORDS, 0);
        let (word, bit) = bit(bucket);
        self.begins[word] |= bit;
        let prints = self.prints.entry(bucket).or_default();
        if !prints.contains(&print) {
            prints.push(print);
        }
    }

    /// Where the text contains secrets, in any encoding. A hit in base64 covers all of the surrounding
    /// base64.
    pub(super) fn find(&self, text: &str) -> Vec<Range<usize>> {
        self.find_with(text, Around::All)
    }

    /// The same with only the characters that depend on a secret: for a text whose author must not be able to hide
    /// parts of it by writing a secret into it.
    pub(super) fn find_exactly(&self, text: &str) -> Vec<Range<usize>> {
        self.find_with(text, Around::Shared)
    }

    fn find_with(&self, text: &str, around: Around) -> Vec<Range<usize>> {
        if self.prints.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.find_below(&View::of(text), DECODINGS_MAX, around, &mut found);
        found
    }

    /// Searches the view, and what it reads as with each encoding taken off.
    fn find_below(
        &self,
        view: &View<'_>,
        decodings: usize,
        around: Around,
        found: &mut Vec<Range<usize>>,
    ) {
        found.extend(self.find_in(view, around));
        if decodings == 0 {
            return;
        }
        for decoded in Encoding::ALL.iter().filter_map(|one| view.decoded(*one)) {
            self.find_below(&decoded, decodings - 1, around, found);
        }
    }

    /// The fingerprints with this start.
    fn near(&self, first: [u8; FINGERPRINT_BYTES_MIN]) -> Option<&Vec<Print>> {
        let bucket = bucket(first);
        let (word, bit) = bit(bucket);
        let there = self.begins.get(word).is_some_and(|word| word & bit != 0);
        there.then(|| self.prints.get(&bucket)).flatten()
    }

    fn find_in(&self, view: &View<'_>, around: Around) -> Vec<Range<usize>> {
        let bytes = view.bytes();
        let mut hashes = None;
        let mut found: Vec<Range<usize>> = Vec::new();
        for (start, first) in bytes.windows(FINGERPRINT_BYTES_MIN).enumerate() {
            let Some(prints) = first.first_chunk().and_then(|first| self.near(*first)) else {
                continue;
            };
            let hashes = hashes.get_or_insert_with(|| prefix_hashes(bytes));
            for print in prints {
                let end = start + print.length;
                let is_there = hashes.get(end).is_some_and(|hash| {
                    minus(*hash, times(hashes[start], print.shift)) == print.hash
                });
                // A hit within the last one adds nothing: a text full of hits stays linear.
                let known = found.last().is_some_and(|last| end <= last.end);
                if is_there && !known {
                    let hit = if print.base64 {
                        match around {
                            Around::All => view.base64_around(start..end),
                            Around::Shared => view.base64_beside(start..end),
                        }
                    } else {
                        start..end
                    };
                    join(&mut found, hit);
                }
            }
        }
        found.into_iter().map(|hit| view.original(&hit)).collect()
    }
}

/// Adds a hit whose start precedes that of the last one by no more than its surroundings.
fn join(found: &mut Vec<Range<usize>>, hit: Range<usize>) {
    match found.last_mut() {
        Some(last) if hit.start <= last.end => {
            last.start = last.start.min(hit.start);
            last.end = last.end.max(hit.end);
        }
        _ => found.push(hit),
    }
}

/// A copy that is wiped with its only buffer.
fn copied(text: &str, char: impl Fn(char) -> Option<char>) -> Zeroizing<String> {
    let mut copy = Zeroizing::new(String::with_capacity(text.len()));
    copy.extend(text.chars().filter_map(char));
    copy
}

impl fmt::Debug for Fingerprints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fingerprints")
            .field("secrets", &self.secrets)
            .field("skipped", &self.skipped)
            .finish_non_exhaustive()
    }
}

fn bit(bucket: u16) -> (usize, u64) {
    (usize::from(bucket / 64), 1 << (bucket % 64))
}

/// The bucket of fingerprints with this start. Sixteen bits reveal little about six bytes.
fn bucket(first: [u8; FINGERPRINT_BYTES_MIN]) -> u16 {
    let mut word = [0; 8];
    word[..FINGERPRINT_BYTES_MIN].copy_from_slice(&first);
    let spread = u64::from_le_bytes(word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let [high, low, ..] = (spread ^ (spread >> 32))
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
        .to_be_bytes();
    u16::from_be_bytes([high, low])
}

/// The hash of every prefix of the text, the empty one first.
fn prefix_hashes(bytes: &[u8]) -> Vec<u64> {
    let mut hashes = Vec::with_capacity(bytes.len() + 1);
    let mut hash = 0;
    hashes.push(hash);
    for byte in bytes {
        hash = step(hash, *byte);
        hashes.push(hash);
    }
    hashes
}

/// Appends one byte. Counted from one, so that leading zero bytes change the hash.
fn step(hash: u64, byte: u8) -> u64 {
    (times(hash, BASE) + u64::from(byte) + 1) % PRIME
}

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    u64::try_from(product % u128::from(PRIME)).unwrap_or_default()
}

const fn minus(a: u64, b: u64) -> u64 {
    (a + PRIME - b) % PRIME
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(secret: &str) -> Fingerprints {
        Fingerprints::of([&SecretString::from(secret.to_owned())])
    }

    #[test]
    fn nothing_of_a_secret_is_printed() {
        let printed = format!("{:?}", prints("correct-horse"));
        assert_eq!(printed, "Fingerprints { secrets: 1, skipped: 0, .. }");
    }

    #[test]
    fn short_secrets_are_counted_and_not_searched_for() {
        let short = Fingerprints::of(
            ["", " ", "abcde", " abc\n"]
                .map(|text| SecretString::from(text.to_owned()))
                .iter(),
        );
        assert_eq!(short.skipped(), 2);
        assert!(short.find("abcde abc").is_empty());
        assert_eq!(prints("abcdef").find("xabcdefx").first(), Some(&(1..7)));
    }

    #[test]
    fn every_place_is_found_also_where_they_overlap() {
        let overlapping = prints("aaaaaa").find("aaaaaaa");
        assert_eq!((overlapping.len(), overlapping.first()), (1, Some(&(0..7))));
        let once = prints("hunter2!").find("hunter2 hunter2!");
        assert_eq!((once.len(), once.first()), (1, Some(&(8..16))));
        assert!(prints("hunter2!").find("hunter2").is_empty());
    }

    #[test]
    fn base64_in_the_middle_of_other_data_is_found_with_all_that_surrounds_it() {
        for before in 0..4 {
            let data = format!("{}s3cr3t-value:x", "u".repeat(before));
            for text in [STANDARD_NO_PAD.encode(&data), URL_SAFE_NO_PAD.encode(&data)] {
                let line = format!("Basic {text} end");
                let found = prints("s3cr3t-value").find(&line);
                assert_eq!(found.first(), Some(&(6..6 + text.len())), "{line}");
            }
        }
    }

    #[test]
    fn exactly_is_no_more_of_base64_than_depends_on_the_secret() {
        for before in 0..4 {
            let data = format!("{}s3cr3t-value{}", "u".repeat(30 + before), "x".repeat(30));
            let text = STANDARD_NO_PAD.encode(&data);
            let secret = 8 * (30 + before)..8 * (42 + before);
            let own = secret.start / 6..secret.end.div_ceil(6);
            let found = prints("s3cr3t-value").find_exactly(&text);
            let [hit] = &found[..] else {
                panic!("{found:?}")
            };
            assert!(
                hit.start <= own.start && own.end <= hit.end,
                "{hit:?} {own:?}"
            );
            assert!(
                own.start - hit.start <= 1 && hit.end - own.end <= 1,
                "{hit:?} {own:?}"
            );
        }
    }

    /// A quadratic search would take minutes for either.
    #[test]
    fn a_text_full_of_hits_is_one_hit() {
        let size = 1 << 18;
        let text = "a".repeat(size);
        assert_eq!(prints("aaaaaaaa").find(&text).first(), Some(&(0..size)));
        let encoded = STANDARD_NO_PAD.encode("s3cr3t".repeat(size / 8));
        assert_eq!(
            prints("s3cr3t").find(&encoded).first(),
            Some(&(0..encoded.len()))
        );
    }

    #[test]
    fn hashing_is_arithmetic_in_the_field() {
        assert_eq!(times(PRIME - 1, PRIME - 1), 1);
        assert_eq!(minus(0, 1), PRIME - 1);
        let hashes = prefix_hashes(b"abcabc");
        let shift = times(times(BASE, BASE), BASE);
        assert_eq!(minus(hashes[6], times(hashes[3], shift)), hashes[3]);
    }
}
