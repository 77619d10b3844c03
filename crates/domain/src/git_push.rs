//! The parts of a push that the decision depends on: the ref updates at the start of what git sends, and whether
//! the repository accepts changes of them. Also reads the server's report at the end.

use std::collections::HashSet;

use crate::{
    limits::{GIT_PUSH_HEAD_BYTES_MAX, GIT_REF_BYTES_MAX},
    repo::RepoPush,
};

/// The start of a push, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// Incomplete; more bytes are needed.
    More,
    Whole(Push),
}

/// The requested ref updates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Push {
    /// Empty where git only tests its access.
    pub updates: Vec<Update>,
    /// Whether the response is expected in side-band packets.
    has_side_band: bool,
}

/// One ref, and its old and new object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    pub name: String,
    /// All zeros for a ref that is created.
    pub from: String,
    /// All zeros for a ref that is deleted.
    pub to: String,
}

/// The bytes are not a push in a known form, so its effect is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the push cannot be read")]
pub struct InvalidPush;

/// Why a push is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushRefused {
    Never,
    DefaultBranch,
    NotABranch,
}

impl PushRefused {
    /// The message shown to the agent that pushed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Never => {
                "agents may not push to this repository; an administrator can allow it in the repository's settings"
            }
            Self::DefaultBranch => {
                "agents may not push to the default branch of this repository; push another one"
            }
            Self::NotABranch => "agents may push only branches of this repository",
        }
    }
}

impl Head {
    /// Reads the packets before the first flush: `OLD NEW NAME`, the first followed by a list of capabilities.
    pub fn read(bytes: &[u8]) -> Result<Self, InvalidPush> {
        let (mut rest, mut push) = (bytes, Push::default());
        loop {
            let Some((length, behind)) = rest.split_at_checked(4) else {
                return more(bytes);
            };
            let payload = match packet_length(length).ok_or(InvalidPush)? {
                0 => return Ok(Self::Whole(push)),
                1..=4 => return Err(InvalidPush),
                length => match behind.split_at_checked(length - 4) {
                    None => return more(bytes),
                    Some((payload, behind)) => {
                        rest = behind;
                        payload
                    }
                },
            };
            let text = std::str::from_utf8(payload).map_err(|_| InvalidPush)?;
            let (line, abilities) = text.split_once('\0').unwrap_or((text, ""));
            push.has_side_band |= abilities
                .split_whitespace()
                .any(|one| one == "side-band-64k");
            let words: Vec<&str> = line.trim_end_matches('\n').splitn(3, ' ').collect();
            match words[..] {
                ["shallow", id] if is_id(id) => {}
                [from, to, name] if is_id(from) && is_id(to) && name.len() <= GIT_REF_BYTES_MAX => {
                    let [name, from, to] = [name, from, to].map(str::to_owned);
                    push.updates.push(Update { name, from, to });
                }
                // Signed pushes among them: their commands are inside the certificate, which is not
                // parsed here.
                _ => return Err(InvalidPush),
            }
        }
    }
}

impl Push {
    /// The protocol response of a server that accepts none of it: git shows the reason beside each ref.
    pub fn rejection(&self, reason: &str) -> Vec<u8> {
        let mut report = packet("unpack ok\n");
        for update in &self.updates {
            report += &packet(&format!("ng {} {reason}\n", update.name));
        }
        report += FLUSH;
        if !self.has_side_band {
            return report.into_bytes();
        }
        let mut bands = Vec::new();
        for piece in report.as_bytes().chunks(BAND_BYTES_MAX) {
            bands.extend_from_slice(format!("{:04x}\u{1}", piece.len() + 5).as_bytes());
            bands.extend_from_slice(piece);
        }
        bands.extend_from_slice(FLUSH.as_bytes());
        bands
    }

    /// Whether the server's report says that it accepted all updates.
    pub fn is_taken(&self, answer: &[u8]) -> bool {
        let report = if self.has_side_band {
            let bands = packets(answer);
            bands
                .filter_map(|band| band.strip_prefix(REPORT_BAND))
                .flatten()
                .copied()
                .collect()
        } else {
            answer.to_vec()
        };
        let mut lines = packets(&report).map(<[u8]>::trim_ascii_end);
        let taken: HashSet<&[u8]> = match lines.next() {
            Some(b"unpack ok") => lines.filter_map(|line| line.strip_prefix(b"ok ")).collect(),
            _ => return false,
        };
        let mut updates = self.updates.iter();
        updates.all(|update| taken.contains(update.name.as_bytes()))
    }
}

/// The content of each packet, as far as the bytes are packets.
fn packets(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        loop {
            let (length, behind) = bytes.split_at_checked(4)?;
            let length = packet_length(length)?;
            if length == 0 {
                bytes = behind;
                continue;
            }
            let (payload, behind) = behind.split_at_checked(length.checked_sub(4)?)?;
            bytes = behind;
            return Some(payload);
        }
    })
}

/// The length before a packet: four digits and nothing else. A sign followed by three digits, which Rust's parser
/// accepts, is not a length for git.
fn packet_length(digits: &[u8]) -> Option<usize> {
    let is_digits = digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok().filter(|_| is_digits)?;
    usize::from_str_radix(text, 16).ok()
}

/// The band that carries the report; others carry text for users.
const REPORT_BAND: &[u8] = &[1];
const FLUSH: &str = "0000";
/// The largest payload of one side-band packet.
const BAND_BYTES_MAX: usize = 65_515;

fn packet(text: &str) -> String {
    format!("{:04x}{text}", text.len() + 4)
}

fn more(bytes: &[u8]) -> Result<Head, InvalidPush> {
    if bytes.len() > GIT_PUSH_HEAD_BYTES_MAX {
        return Err(InvalidPush);
    }
    Ok(Head::More)
}

fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl RepoPush {
    /// Whether these refs may be changed.
    pub fn judge<'a>(
        self,
        default_branch: &str,
        refs: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), PushRefused> {
        let branch = |name: &'a str| name.strip_prefix("refs/heads/");
        match self {
            Self::Never => Err(PushRefused::Never),
            Self::Any => Ok(()),
            Self::Branches => refs.into_iter().try_for_each(|name| match branch(name) {
                None => Err(PushRefused::NotABranch),
                Some(name) if name == default_branch => Err(PushRefused::DefaultBranch),
                Some(_) => Ok(()),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OLD: &str = "0000000000000000000000000000000000000000";
    const NEW: &str = "1111111111111111111111111111111111111111";

    fn push(names: &[&str]) -> Vec<u8> {
        let mut text = packet(&format!("shallow {NEW}"));
        for name in names {
            text += &packet(&format!("{OLD} {NEW} {name}\0 report-status side-band-64k"));
        }
        (text + "0000PACK....").into_bytes()
    }

    fn updates(names: &[&str]) -> Vec<Update> {
        let update = |name: &&str| Update {
            name: (*name).to_owned(),
            from: OLD.to_owned(),
            to: NEW.to_owned(),
        };
        names.iter().map(update).collect()
    }

    #[test]
    fn the_names_are_before_the_first_flush() {
        let two = ["refs/heads/a b", "refs/tags/v1"];
        let bytes = push(&two);
        let read = Push {
            updates: updates(&two),
            has_side_band: true,
        };
        assert_eq!(Head::read(&bytes), Ok(Head::Whole(read)));
        assert_eq!(Head::read(b"0000"), Ok(Head::Whole(Push::default())));
        let flush = bytes.len() - "0000PACK....".len();
        for end in 0..flush + 4 {
            assert_eq!(Head::read(&bytes[..end]), Ok(Head::More), "{end}");
        }
        for bad in ["PACK", "0003", "0008push", "0009hello", "zzzz", "+008push"] {
            assert_eq!(Head::read(bad.as_bytes()), Err(InvalidPush), "{bad}");
        }
        let certificate = packet("push-cert\0 caps");
        assert_eq!(Head::read(certificate.as_bytes()), Err(InvalidPush));
        // With a sign in front of its length it is not a packet for git.
        let signed = String::from_utf8(push(&["refs/heads/x"])).unwrap();
        let signed = signed.replacen("00", "+0", 1);
        assert_eq!(Head::read(signed.as_bytes()), Err(InvalidPush));
        // The refusal of a longer name would be no packet.
        let long = "x".repeat(GIT_REF_BYTES_MAX + 1);
        assert_eq!(Head::read(&push(&[long.as_str()])), Err(InvalidPush));
        let endless = packet(&format!("{OLD} {NEW} refs/heads/x")).repeat(1000);
        assert_eq!(Head::read(endless.as_bytes()), Err(InvalidPush));
    }

    #[test]
    fn a_rejection_names_every_ref() {
        let mut push = Push {
            updates: updates(&["refs/heads/main"]),
            has_side_band: false,
        };
        let plain = "000eunpack ok\n001ang refs/heads/main no\n0000";
        assert_eq!(push.rejection("no"), plain.as_bytes());
        push.has_side_band = true;
        let banded = format!("0031\u{1}{plain}0000");
        assert_eq!(push.rejection("no"), banded.as_bytes());
        push.updates = updates(&vec!["refs/heads/main"; 4000]);
        let many = push.rejection("no");
        assert!(
            many.starts_with(b"fff0\x01000eunpack ok\n"),
            "a packet has at most so much"
        );
    }

    #[test]
    fn a_push_is_taken_when_the_server_says_so_of_every_name() {
        let report = |lines: &[&str]| {
            let lines = lines.iter().map(|line| packet(&format!("{line}\n")));
            lines.collect::<String>() + FLUSH
        };
        let (a, b) = ("refs/heads/a", "refs/heads/b");
        for (lines, expected) in [
            (
                &["unpack ok", "ok refs/heads/a", "ok refs/heads/b"][..],
                true,
            ),
            (&["unpack ok", "ok refs/heads/b", "ok refs/heads/a"], true),
            (&["unpack ok", "ok refs/heads/a"], false),
            (
                &["unpack ok", "ok refs/heads/a", "ng refs/heads/b hook"],
                false,
            ),
            (&["unpack index-pack failed", "ng refs/heads/a x"], false),
            (&["ok refs/heads/a", "ok refs/heads/b"], false),
            (&[], false),
        ] {
            let plain = report(lines);
            let banded: String = plain
                .as_bytes()
                .chunks(7)
                .map(|piece| packet(&format!("\u{1}{}", String::from_utf8_lossy(piece))))
                .collect();
            let banded = packet("\u{2}remote: hello\n") + &banded + FLUSH;
            for (has_side_band, answer) in [(false, &plain), (true, &banded)] {
                let push = Push {
                    updates: updates(&[a, b]),
                    has_side_band,
                };
                assert_eq!(push.is_taken(answer.as_bytes()), expected, "{answer}");
            }
        }
        // A response that rejects updates does not count as accepted.
        for has_side_band in [false, true] {
            let push = Push {
                updates: updates(&[a]),
                has_side_band,
            };
            assert!(!push.is_taken(&push.rejection("no")));
        }
    }

    #[test]
    fn what_a_repository_takes() {
        let [main, other, tag] = ["refs/heads/main", "refs/heads/fix/main", "refs/tags/main"];
        for (push, refs, expected) in [
            (RepoPush::Never, vec![], Err(PushRefused::Never)),
            (RepoPush::Never, vec![other], Err(PushRefused::Never)),
            (RepoPush::Branches, vec![], Ok(())),
            (RepoPush::Branches, vec![other], Ok(())),
            (
                RepoPush::Branches,
                vec![other, main],
                Err(PushRefused::DefaultBranch),
            ),
            (RepoPush::Branches, vec![tag], Err(PushRefused::NotABranch)),
            (RepoPush::Any, vec![main, tag], Ok(())),
        ] {
            assert_eq!(
                push.judge("main", refs.clone()),
                expected,
                "{push} {refs:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[0-9a-f ]{0,80}") {
            let _ = Head::read(&bytes);
            let _ = Head::read(text.as_bytes());
            let mut push = Push { updates: updates(&["refs/heads/a"]), has_side_band: true };
            prop_assert!(!push.is_taken(&bytes) && !push.is_taken(text.as_bytes()));
            push.has_side_band = false;
            prop_assert!(!push.is_taken(&bytes) && !push.is_taken(text.as_bytes()));
        }
    }
}
