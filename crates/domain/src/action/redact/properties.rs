//! No planted secret survives in any encoding, wherever it is put; redacting twice is redacting once.

use base64::{Engine, engine::general_purpose as base64_engines};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::{Value, json};

use super::{
    view::{Encoding, View},
    *,
};

/// The encodings in which services echo what they were sent.
const ENCODINGS: usize = 17;

fn percent(secret: &str, all: bool) -> String {
    let one = |b: u8| match b {
        plain if !all && (plain.is_ascii_alphanumeric() || b"-._~".contains(&plain)) => {
            char::from(plain).to_string()
        }
        other => format!("%{other:02X}"),
    };
    let parts: Vec<String> = secret.bytes().map(one).collect();
    parts.concat()
}

fn lower_hex(encoded: &str) -> String {
    let lower = |(index, part): (usize, &str)| match index {
        0 => part.to_owned(),
        _ => part[..2].to_lowercase() + &part[2..],
    };
    let parts: Vec<String> = encoded.split('%').enumerate().map(lower).collect();
    parts.join("%")
}

fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn unicode_escaped(text: &str) -> String {
    let units: Vec<String> = text
        .encode_utf16()
        .map(|unit| format!("\\u{unit:04x}"))
        .collect();
    units.concat()
}

fn wrapped(text: &str) -> String {
    let lines: Vec<&str> = text
        .as_bytes()
        .chunks(20)
        .map(|line| str::from_utf8(line).unwrap())
        .collect();
    lines.join("\r\n")
}

fn encode(secret: &str, around: (&str, &str), encoding: usize) -> String {
    let data = format!("{}{secret}{}", around.0, around.1);
    match encoding {
        0 => secret.to_owned(),
        1 => data,
        2 => base64_engines::STANDARD.encode(secret),
        3 => base64_engines::STANDARD.encode(data),
        4 => base64_engines::STANDARD_NO_PAD.encode(data),
        5 => base64_engines::URL_SAFE.encode(data),
        6 => base64_engines::URL_SAFE_NO_PAD.encode(data),
        7 => wrapped(&base64_engines::STANDARD.encode(data)),
        8 => percent(secret, false),
        9 => lower_hex(&percent(secret, false)),
        10 => percent(secret, true),
        11 => percent(&percent(secret, false), false),
        12 => escaped(secret),
        13 => unicode_escaped(secret),
        14 => percent(secret, false).replace("%20", "+"),
        15 => hex::encode_upper(secret),
        _ => hex::encode(secret),
    }
}

/// Every place a text can have in a value.
fn place(text: &str, place: usize) -> Value {
    match place {
        0 => json!(text),
        1 => json!({"a": [{"b": text}]}),
        2 => json!({ text: 1 }),
        3 => json!({"log": format!("before {text} after {text}")}),
        4 => json!({"body": json!({"message": text}).to_string()}),
        _ => json!([["name", text], {"note": format!("\"{text}\"")}]),
    }
}

/// Every decoding a reader could try on the shown text to recover the secret.
fn readings(shown: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    collect(shown, &mut texts);
    for _ in 0..2 {
        let decoded = |text: &String| {
            Encoding::ALL.map(|encoding| {
                let view = View::of(text).decoded(encoding)?;
                Some(String::from_utf8_lossy(view.bytes()).into_owned())
            })
        };
        let more: Vec<String> = texts.iter().flat_map(decoded).flatten().collect();
        texts.extend(more);
    }
    texts
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(members) => {
            for (name, member) in members {
                texts.push(name.clone());
                collect(member, texts);
            }
        }
        other => texts.push(other.to_string()),
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[ -~]{0,60}",
        "[A-Za-z0-9_+/=.-]{0,90}",
        any::<String>(),
        "(token|password|x)[=:][ -~]{0,20}",
        r#"\{"(token|a|secret_id)": ?"[a-z]{0,9}"\}"#,
        "https?://[a-z:@.]{0,20}/[a-z]*",
        "(Bearer|Cookie:|sk-|eyJ|ghp_)[A-Za-z0-9_.= -]{0,60}",
    ];
    let name = prop_oneof!["[a-z]{1,6}", "(access_|)(token|tokens|id)", any::<String>()];
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        Just(Value::Null),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((name.clone(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn case_46_no_planted_secret_survives(
        secret in "[!-~é]([ -~é😀]{4,60})[!-~é]",
        before in "[a-zA-Z0-9:]{0,5}",
        after in "[a-zA-Z0-9:]{0,5}",
        encoding in 0..ENCODINGS,
        at in 0_usize..6,
    ) {
        let encoded = encode(&secret, (&before, &after), encoding);
        let fingerprints = Fingerprints::of([&SecretString::from(secret.clone())]);
        let core = encode(&secret, ("", ""), encoding);
        let whole = hide_known(&place(&encoded, at), &fingerprints);
        let (redacted, scrubbed) = (
            redact(&place(&encoded, at), &fingerprints),
            scrub(&place(&encoded, at), &fingerprints),
        );
        for (shown, count) in [
            (redacted.value, redacted.count),
            (scrubbed.value, scrubbed.count),
            (whole.value, whole.hidden),
        ] {
            prop_assert!(count > 0, "{shown:?}");
            for reading in readings(&shown) {
                prop_assert!(!reading.contains(&secret), "{reading}");
                prop_assert!(!reading.contains(&encoded), "{reading}");
                prop_assert!(!reading.contains(&core), "{reading}");
            }
        }
    }

    /// An approver sees everything except the secret itself.
    #[test]
    fn all_but_the_secret_is_shown_letter_by_letter(
        value in any_value(),
        before in any::<String>(),
        after in "[ -~]{0,200}",
    ) {
        const SECRET: &str = "lin_api_0123456789";
        let fingerprints = Fingerprints::of([&SecretString::from(SECRET.to_owned())]);
        let body = json!({"value": value, "text": value.to_string()});
        let whole = hide_known(&body, &fingerprints);
        prop_assert_eq!((whole.value, whole.hidden), (body, 0));
        let text = json!(format!("{before} {SECRET} {after}"));
        let whole = hide_known(&text, &fingerprints);
        let expected = json!(format!("{before} {MARK} {after}"));
        prop_assert_eq!((whole.value, whole.hidden), (expected, 1));
    }

    #[test]
    fn redacting_twice_is_redacting_once(value in any_value(), secret in "[a-z]{6}") {
        let fingerprints = Fingerprints::of([&SecretString::from(secret)]);
        let once = redact(&value, &fingerprints);
        let twice = redact(&once.value, &fingerprints);
        prop_assert_eq!(&twice.value, &once.value);
        prop_assert_eq!((twice.count, twice.left_out), (0, once.left_out));
    }

    /// With a secret taken from the value itself, so that something is found.
    #[test]
    fn redacting_what_was_there_twice_is_redacting_once(
        value in any_value(),
        from in any::<proptest::sample::Index>(),
    ) {
        let written = value.to_string();
        let start = written.floor_char_boundary(from.index(written.len()));
        let end = written.ceil_char_boundary((start + 8).min(written.len()));
        let secret = SecretString::from(written[start..end].to_owned());
        let fingerprints = Fingerprints::of([&secret]);
        let once = redact(&value, &fingerprints);
        prop_assert_eq!(redact(&once.value, &fingerprints).value, once.value);
    }
}
