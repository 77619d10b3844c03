//! A text with one encoding removed, with the position in the original of every byte.

use std::ops::Range;

/// Bytes and their origin.
#[derive(Debug)]
pub(super) enum View<'a> {
    /// The text itself.
    Plain(&'a [u8]),
    Decoded {
        bytes: Vec<u8>,
        /// Of each byte: what it was written as.
        places: Vec<Range<u32>>,
    },
}

impl<'a> View<'a> {
    pub(super) const fn of(text: &'a str) -> Self {
        Self::Plain(text.as_bytes())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Decoded { bytes, .. } => bytes,
        }
    }

    /// The part of the original that a part of this view was written as.
    pub(super) fn original(&self, found: &Range<usize>) -> Range<usize> {
        self.place(found.start).start..self.place(found.end - 1).end
    }

    /// All the base64 around a part of it: its first and last characters are shared with what is beside it.
    pub(super) fn base64_around(&self, found: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = found;
        while start > 0 && self.continues(start) {
            start -= 1;
        }
        while end < self.bytes().len() && self.continues(end) {
            end += 1;
        }
        start..end
    }

    /// A part of it with the characters of base64 beside it, with which its first and last bits may be shared.
    pub(super) fn base64_beside(&self, found: Range<usize>) -> Range<usize> {
        let before = found.start > 0 && self.continues(found.start);
        let after = found.end < self.bytes().len() && self.continues(found.end);
        found.start - usize::from(before)..found.end + usize::from(after)
    }

    /// Whether the bytes before and at `index` are both of base64 and beside each other in the original.
    fn continues(&self, index: usize) -> bool {
        let [before, at] = [index - 1, index];
        self.place(before).end == self.place(at).start
            && is_base64(self.bytes()[before])
            && is_base64(self.bytes()[at])
    }

    fn place(&self, index: usize) -> Range<usize> {
        match self {
            Self::Plain(_) => index..index + 1,
            Self::Decoded { places, .. } => {
                let place = &places[index];
                place.start as usize..place.end as usize
            }
        }
    }

    /// This view with one encoding taken off; `None` if it has nothing of it.
    pub(super) fn decoded(&self, encoding: Encoding) -> Option<View<'static>> {
        let source = self.bytes();
        if !source.iter().any(|byte| encoding.begins_with(*byte)) {
            return None;
        }
        let mut bytes = Vec::with_capacity(source.len());
        let mut places = Vec::with_capacity(source.len());
        let mut index = 0;
        while index < source.len() {
            let (meant, width) = encoding.unit(&source[index..]);
            let last = index + width - 1;
            let (start, end) = (self.place(index).start, self.place(last).end);
            let place = offset(start)..offset(end);
            for byte in meant.as_slice() {
                bytes.push(*byte);
                places.push(place.clone());
            }
            index += width;
        }
        // As long as before is as it was: whatever is taken off makes it shorter.
        (bytes.len() < source.len()).then_some(View::Decoded { bytes, places })
    }
}

/// The encodings that may cover a text. One at a time: a `%41` in a secret is no escape while JSON's are
/// removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Percent,
    Backslash,
    /// Line breaks, as in the base64 of mail.
    Lines,
}

impl Encoding {
    pub(super) const ALL: [Self; 3] = [Self::Percent, Self::Backslash, Self::Lines];

    const fn begins_with(self, byte: u8) -> bool {
        match self {
            Self::Percent => byte == b'%',
            Self::Backslash => byte == b'\\',
            Self::Lines => matches!(byte, b'\r' | b'\n'),
        }
    }

    /// What the text begins with: the bytes it stands for, and how many it is written with.
    fn unit(self, text: &[u8]) -> (Meant, usize) {
        let plain = (Meant::byte(text[0]), 1);
        if !self.begins_with(text[0]) {
            return plain;
        }
        match self {
            Self::Percent => percent(&text[1..]).unwrap_or(plain),
            Self::Backslash => backslash(&text[1..]).unwrap_or(plain),
            Self::Lines => (Meant::NOTHING, 1),
        }
    }
}

/// Up to four bytes: what one escape stands for.
#[derive(Debug, Clone, Copy)]
struct Meant {
    bytes: [u8; 4],
    length: usize,
}

impl Meant {
    const NOTHING: Self = Self {
        bytes: [0; 4],
        length: 0,
    };

    const fn byte(byte: u8) -> Self {
        Self {
            bytes: [byte, 0, 0, 0],
            length: 1,
        }
    }

    fn char(char: char) -> Self {
        let mut bytes = [0; 4];
        let length = char.encode_utf8(&mut bytes).len();
        Self { bytes, length }
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

fn percent(rest: &[u8]) -> Option<(Meant, usize)> {
    let byte = hex_number(rest.get(..2)?)?;
    Some((Meant::byte(u8::try_from(byte).ok()?), 3))
}

fn backslash(rest: &[u8]) -> Option<(Meant, usize)> {
    let byte = match rest {
        [b'u', digits @ ..] => return unicode_escape(digits),
        [b'n', ..] => b'\n',
        [b'r', ..] => b'\r',
        [b't', ..] => b'\t',
        [escaped @ (b'"' | b'\'' | b'\\' | b'/'), ..] => *escaped,
        _ => return None,
    };
    Some((Meant::byte(byte), 2))
}

/// `\uXXXX`, or two of them that make one character; `rest` is what follows the `u`.
fn unicode_escape(rest: &[u8]) -> Option<(Meant, usize)> {
    let first = hex_number(rest.get(..4)?)?;
    if let Some(char) = char::from_u32(first) {
        return Some((Meant::char(char), 6));
    }
    let second = hex_number(rest.get(4..10)?.strip_prefix(b"\\u")?)?;
    let pair = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
    let char = char::decode_utf16(pair).next()?.ok()?;
    Some((Meant::char(char), 12))
}

fn hex_number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(number * 16 + digit)
    })
}

/// Texts are bounded far below this.
fn offset(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str, encoding: Encoding) -> Option<String> {
        let view = View::of(text).decoded(encoding)?;
        Some(String::from_utf8_lossy(view.bytes()).into_owned())
    }

    #[test]
    fn encodings_are_taken_off_one_at_a_time() {
        use Encoding::{Backslash, Lines, Percent};
        let table = [
            (Percent, "a%2Fb%2f%41\\n", Some("a/b/A\\n")),
            (Percent, "100%", None),
            (Percent, "%zz%4", None),
            (Percent, "plain é \\u0041\n", None),
            (
                Backslash,
                r#"\"q\" \\ \/ \n\t%41"#,
                Some("\"q\" \\ / \n\t%41"),
            ),
            (Backslash, r"\u0041\u00e9\ud83d\ude00", Some("Aé😀")),
            (Backslash, r"\ud83d \u12 \x \", None),
            (Backslash, "%41\n", None),
            (Lines, "ab\r\ncd%41", Some("abcd%41")),
            (Lines, "%0a", None),
        ];
        for (encoding, text, expected) in table {
            assert_eq!(decoded(text, encoding).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn every_byte_knows_its_place() {
        let text = r"x%41\u00e9\ny";
        let view = View::of(text).decoded(Encoding::Percent).unwrap();
        let view = view.decoded(Encoding::Backslash).unwrap();
        assert_eq!(view.bytes(), "xAé\ny".as_bytes());
        assert_eq!(&text[view.original(&(1..2))], "%41");
        assert_eq!(&text[view.original(&(2..4))], r"\u00e9");
        assert_eq!(&text[view.original(&(0..6))], text);
        let once = View::of("a%2541b").decoded(Encoding::Percent).unwrap();
        let twice = once.decoded(Encoding::Percent).unwrap();
        assert_eq!(twice.bytes(), b"aAb");
        assert_eq!(twice.original(&(1..2)), 1..6);
    }

    #[test]
    fn base64_is_taken_with_its_surroundings_but_not_over_line_breaks() {
        let view = View::of("say abcDEF== now");
        assert_eq!(view.base64_around(6..8), 4..12);
        let broken = View::of("one\nabcdef\ntwo")
            .decoded(Encoding::Lines)
            .unwrap();
        assert_eq!(broken.original(&broken.base64_around(4..5)), 4..10);
    }
}
