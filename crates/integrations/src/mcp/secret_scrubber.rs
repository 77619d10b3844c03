//! Takes a connector's secret out of what its server says. A server that echoes what it was sent, in an
//! error or a result, must not carry the secret to the agent.

use std::fmt;

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use domain::limits::CONNECTOR_SCRUB_BYTES_MIN;
use serde_json::Value;

use crate::output::{OutputPart, ResourceBody};

const MARK: &str = "[redacted]";

/// The forms in which a secret is looked for.
#[derive(Clone, Default)]
pub(crate) struct SecretScrubber {
    forms: Vec<String>,
}

impl fmt::Debug for SecretScrubber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretScrubber").finish_non_exhaustive()
    }
}

impl SecretScrubber {
    pub(crate) fn new(secret: &str) -> Self {
        if secret.len() < CONNECTOR_SCRUB_BYTES_MIN {
            return Self::default();
        }
        let bytes = secret.as_bytes();
        let mut forms = vec![
            secret.to_owned(),
            hex::encode(bytes),
            hex::encode_upper(bytes),
            percent_encoded(secret),
        ];
        forms.extend(in_json(secret));
        for shift in 0..3 {
            forms.extend(in_base64(bytes, shift));
        }
        // The longest first: a form that holds another must not leave its rest behind.
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        Self { forms }
    }

    pub(crate) fn text(&self, mut text: String) -> String {
        for form in &self.forms {
            if text.contains(form.as_str()) {
                text = text.replace(form.as_str(), MARK);
            }
        }
        self.in_escapes(&text).unwrap_or(text)
    }

    /// A text that is JSON, where the secret is in it with letters escaped.
    fn in_escapes(&self, text: &str) -> Option<String> {
        if self.forms.is_empty() || !text.contains('\\') {
            return None;
        }
        let written: Value = serde_json::from_str(text).ok()?;
        let scrubbed = self.value(written.clone());
        (scrubbed != written).then(|| scrubbed.to_string())
    }

    pub(crate) fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            Value::Object(members) => {
                let member = |(key, value)| (self.text(key), self.value(value));
                Value::Object(members.into_iter().map(member).collect())
            }
            plain => plain,
        }
    }

    pub(crate) fn part(&self, part: OutputPart) -> OutputPart {
        let found = |bytes: &[u8]| self.is_in(bytes);
        match part {
            OutputPart::Text(text) => OutputPart::Text(self.text(text)),
            OutputPart::Image { bytes, .. } | OutputPart::Audio { bytes, .. } if found(&bytes) => {
                OutputPart::Text(MARK.into())
            }
            OutputPart::Resource {
                body: ResourceBody::Bytes(bytes),
                ..
            } if found(&bytes) => OutputPart::Text(MARK.into()),
            OutputPart::Image { media_type, bytes } => OutputPart::Image {
                media_type: self.text(media_type),
                bytes,
            },
            OutputPart::Audio { media_type, bytes } => OutputPart::Audio {
                media_type: self.text(media_type),
                bytes,
            },
            OutputPart::Resource {
                uri,
                media_type,
                body,
            } => OutputPart::Resource {
                uri: self.text(uri),
                media_type: media_type.map(|text| self.text(text)),
                body: match body {
                    ResourceBody::Text(text) => ResourceBody::Text(self.text(text)),
                    bytes @ ResourceBody::Bytes(_) => bytes,
                },
            },
            OutputPart::ResourceLink {
                uri,
                name,
                media_type,
            } => OutputPart::ResourceLink {
                uri: self.text(uri),
                name: self.text(name),
                media_type: media_type.map(|text| self.text(text)),
            },
        }
    }

    fn is_in(&self, bytes: &[u8]) -> bool {
        self.forms.iter().any(|form| {
            let form = form.as_bytes();
            bytes.windows(form.len()).any(|window| window == form)
        })
    }
}

/// As JSON writes it within a text; some writers escape the slash, too.
fn in_json(secret: &str) -> [String; 2] {
    let quoted = Value::String(secret.to_owned()).to_string();
    let plain = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let plain = plain.unwrap_or_default();
    [plain.to_owned(), plain.replace('/', "\\/")]
}

/// What base64 of any text that holds the secret must hold, when the secret begins `shift` bytes after a
/// multiple of three: the characters that depend on it alone.
fn in_base64(secret: &[u8], shift: usize) -> [String; 2] {
    let mut bytes = vec![0; shift];
    bytes.extend_from_slice(secret);
    // Characters that also depend on what comes before or after.
    let before = [0, 2, 3][shift];
    let after = usize::from(!bytes.len().is_multiple_of(3));
    [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD].map(|alphabet| {
        let whole = alphabet.encode(&bytes);
        whole[before..whole.len() - after].to_owned()
    })
}

fn percent_encoded(text: &str) -> String {
    use std::fmt::Write as _;
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(byte.into());
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;
    use bytes::Bytes;
    use serde_json::json;

    use super::*;

    const SECRET: &str = "s3cr3t/tok+en=value";

    #[test]
    fn case_46_a_secret_is_found_in_every_form() {
        let scrubber = SecretScrubber::new(SECRET);
        let mut forms = vec![
            SECRET.to_owned(),
            hex::encode(SECRET),
            hex::encode_upper(SECRET),
            "s3cr3t%2Ftok%2Ben%3Dvalue".to_owned(),
        ];
        for before in [
            "",
            "a",
            "ab",
            "abc",
            "Bearer ",
            "{\"authorization\":\"Bearer ",
        ] {
            for after in ["", "x", "xy", "xyz"] {
                let text = format!("{before}{SECRET}{after}");
                forms.push(STANDARD.encode(&text));
                forms.push(URL_SAFE_NO_PAD.encode(&text));
            }
        }
        for form in forms {
            let text = scrubber.text(format!("you sent {form}, thanks"));
            assert!(text.contains(MARK), "{form}");
            assert!(!text.contains(SECRET));
        }
        let nested = json!({"a": [{SECRET: 1}, format!("Bearer {SECRET}")], "n": 1});
        let nested = scrubber.value(nested);
        assert_eq!(
            nested,
            json!({"a": [{MARK: 1}, format!("Bearer {MARK}")], "n": 1})
        );
    }

    #[test]
    fn case_46_a_secret_in_bytes_takes_the_part_with_it() {
        let scrubber = SecretScrubber::new(SECRET);
        let image = |text: &str| OutputPart::Image {
            media_type: "image/png".into(),
            bytes: Bytes::from(text.to_owned()),
        };
        let echoed = image(&format!("..{SECRET}.."));
        assert_eq!(scrubber.part(echoed), OutputPart::Text(MARK.into()));
        assert_eq!(scrubber.part(image("clean")), image("clean"));
    }

    #[test]
    fn case_46_a_secret_is_found_where_json_escapes_it() {
        let secret = "s3cr3t/tok\"en";
        let scrubber = SecretScrubber::new(secret);
        let echoed = json!({"sent": format!("Bearer {secret}")}).to_string();
        let by_code = |c: char| format!("\\u{:04x}", u32::from(c));
        let every_letter: String = secret.chars().map(by_code).collect();
        for text in [
            echoed.clone(),
            echoed.replace('/', "\\/"),
            format!("error: {}", echoed.replace('/', "\\/")),
            format!("[\"{every_letter}\"]"),
            Value::String(format!("[\"{every_letter}\"]")).to_string(),
        ] {
            let scrubbed = scrubber.text(text.clone());
            assert!(scrubbed.contains(MARK), "{text}: {scrubbed}");
        }
        let clean = r#"{"a":"\n\u0041"}"#;
        assert_eq!(scrubber.text(clean.into()), clean);
    }

    #[test]
    fn what_is_no_secret_stays() {
        let scrubber = SecretScrubber::new(SECRET);
        assert_eq!(scrubber.text("s3cr3t/tok".into()), "s3cr3t/tok");
        // Too short to be told from ordinary text.
        assert_eq!(SecretScrubber::new("abc").text("abc".into()), "abc");
        assert!(!format!("{scrubber:?}").contains("s3cr3t"));
    }
}
