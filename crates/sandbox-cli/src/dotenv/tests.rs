//! Quoting against the readers that there are: a shell, Node's own parser, and the rules of the dotenv
//! package; and changes to files that leave everything else alone.

use std::{collections::BTreeSet, io::Write as _, process::Command};

use proptest::prelude::*;

use super::{document::ScrubbedText, *};

/// What a shell has in its environment after it sourced the file.
fn by_shell(file: &[u8], names: &[&str]) -> Vec<Vec<u8>> {
    let mut temporary = tempfile::NamedTempFile::new().unwrap();
    temporary.write_all(file).unwrap();
    let script = r#"set -a; . "$1"; shift; for name in "$@"; do printf '%s\0' "${!name}"; done"#;
    let output = Command::new("bash")
        .args(["-c", script, "bash"])
        .arg(temporary.path())
        .args(names)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut values: Vec<Vec<u8>> = output
        .stdout
        .split(|byte| *byte == 0)
        .map(<[u8]>::to_vec)
        .collect();
    values.pop();
    values
}

/// The same by Node's parser and by the expressions of the dotenv package, as two JSON objects.
fn by_node(file: &[u8]) -> Vec<serde_json::Value> {
    const SCRIPT: &str = r#"
const text = require('fs').readFileSync(process.argv[1], 'utf8');
const LINE = /(?:^|^)\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?(?:$|$)/mg;
const dotenv = {};
for (const [, key, raw] of text.replace(/\r\n?/mg, '\n').matchAll(LINE)) {
  let value = (raw || '').trim();
  const quote = value[0];
  value = value.replace(/^(['"`])([\s\S]*)\1$/mg, '$2');
  if (quote === '"') value = value.replace(/\\n/g, '\n').replace(/\\r/g, '\r');
  dotenv[key] = value;
}
// Older ones have no parser of their own.
const own = require('util').parseEnv;
console.log(JSON.stringify(own ? [own(text), dotenv] : [dotenv]));
"#;
    let mut temporary = tempfile::NamedTempFile::new().unwrap();
    temporary.write_all(file).unwrap();
    let output = Command::new("node")
        .args(["-e", SCRIPT])
        .arg(temporary.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Values in which what is special is frequent.
fn values() -> impl Strategy<Value = Vec<String>> {
    let special = prop::sample::select(vec![
        "'",
        "\"",
        "\\",
        "$",
        "`",
        "\n",
        "\r",
        "#",
        " ",
        "=",
        "!",
        "~",
        "\t",
        "${A}",
        "$(id)",
        "\\n",
        "é",
        "\u{1}",
        "\u{7f}",
        "\u{1F600}",
        "a",
        "export B=1\n",
    ]);
    let piece = prop_oneof![3 => special.prop_map(str::to_owned), 1 => "[^\u{0}]"];
    let value = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    prop::collection::vec(value, 1..8)
}

const NAMES: [&str; 8] = ["A", "B_1", "_C", "D", "E", "F", "G", "H"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_shell_gets_every_byte_back(values in values()) {
        let pairs: Vec<(&str, &str)> = NAMES.into_iter().zip(values.iter().map(String::as_str)).collect();
        let file = DotenvDocument::read(b"").with_values(&pairs);
        let names: Vec<&str> = pairs.iter().map(|(name, _)| *name).collect();
        let expected: Vec<Vec<u8>> = values.iter().map(|value| value.clone().into_bytes()).collect();
        prop_assert_eq!(by_shell(&file, &names), expected);
    }

    #[test]
    fn a_file_that_is_written_twice_or_scrubbed_between_is_the_same(values in values()) {
        let pairs: Vec<(&str, &str)> = NAMES.into_iter().zip(values.iter().map(String::as_str)).collect();
        let head = b"# it's ours\nOTHER=it's\n\nODD ='x' # don't\n".as_slice();
        let file = DotenvDocument::read(head).with_values(&pairs);
        prop_assert!(file.starts_with(head));
        prop_assert_eq!(&DotenvDocument::read(&file).with_values(&pairs), &file);
        let names: BTreeSet<&str> = pairs.iter().map(|(name, _)| *name).collect();
        let scrubbed = DotenvDocument::read(&file).scrub(&names);
        let bare = scrubbed.text.unwrap();
        prop_assert!(bare.starts_with(head));
        // Nothing but the head and one line for each name: no value can have stayed.
        prop_assert_eq!(bare[head.len()..].split(|byte| *byte == b'\n').count(), names.len() + 1);
        prop_assert_eq!(&DotenvDocument::read(&bare).with_values(&pairs), &file);
    }

    #[test]
    fn any_bytes_can_be_read_and_come_out_as_they_were(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let scrubbed = DotenvDocument::read(&bytes).scrub(&BTreeSet::new());
        if let Some(text) = scrubbed.text {
            prop_assert_eq!(text, bytes.clone());
        }
        prop_assert_eq!(DotenvDocument::read(&bytes).with_values(&[]), bytes);
    }
}

proptest! {
    // Node takes a while to start.
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn other_readers_agree_where_the_quoting_says_so(values in values()) {
        let common: Vec<(&str, &str)> = NAMES
            .into_iter()
            .zip(values.iter().map(String::as_str))
            .filter(|(_, value)| quote(value).is_common)
            .collect();
        let file = DotenvDocument::read(b"").with_values(&common);
        for read in by_node(&file) {
            for (name, value) in &common {
                prop_assert_eq!(read[name].as_str(), Some(*value), "{}", String::from_utf8_lossy(&file));
            }
        }
    }
}

#[test]
fn a_quote_that_nothing_closes_does_not_keep_a_value_from_scrubbing() {
    let names = BTreeSet::from(["A"]);
    for before in [
        "MSG='tis the season\nA=old\nB=\"\n",
        "B='\nA='x'\nC=\"\n",
        "B=\"\n",
    ] {
        let file = DotenvDocument::read(before.as_bytes()).with_values(&[("A", "it's planted")]);
        assert_eq!(
            DotenvDocument::read(&file).with_values(&[("A", "it's planted")]),
            file
        );
        let scrubbed = DotenvDocument::read(&file).scrub(&names);
        let text = String::from_utf8(scrubbed.text.unwrap()).unwrap();
        assert!(!text.contains("planted"), "{before}: {text}");
        assert_eq!(scrubbed.names, ["A"]);
    }
}

#[test]
fn the_forms() {
    for (value, text, is_common) in [
        ("", "''", true),
        (
            "postgres://u@h:5432/db?x=1",
            "'postgres://u@h:5432/db?x=1'",
            true,
        ),
        ("plain-1.2/x", "plain-1.2/x", true),
        ("two words # $HOME", "'two words # $HOME'", true),
        ("~", "'~'", true),
        ("a\nb", "'a\nb'", true),
        ("it's", "\"it's\"", true),
        ("it's $5", r"'it'\''s $5'", false),
        ("a\r\nb", "'a\r\nb'", false),
        (r"C:\", r"'C:\'", false),
    ] {
        let quoted = quote(value);
        assert_eq!(
            (quoted.text.as_str(), quoted.is_common),
            (text, is_common),
            "{value:?}"
        );
    }
}

#[test]
fn a_value_of_several_lines_is_one_piece() {
    let file = b"A='one\nB=two' # it's\nexport C=\"x\\\"\ny\"\nD=it's\nE=last";
    let changed =
        DotenvDocument::read(file).with_values(&[("A", "1"), ("C", "2"), ("E", "3"), ("F", "4")]);
    assert_eq!(
        String::from_utf8(changed).unwrap(),
        "A=1\nexport C=2\nD=it's\nE=3\nF=4\n"
    );
}

#[test]
fn a_name_twice_is_there_once_afterwards() {
    let changed = DotenvDocument::read(b"A=1\nB=2\nA=3\n").with_values(&[("A", "x y")]);
    assert_eq!(String::from_utf8(changed).unwrap(), "A='x y'\nB=2\n");
}

#[test]
fn a_file_of_ours_alone_is_nothing_once_scrubbed() {
    let names = BTreeSet::from(["A", "B"]);
    let scrubbed = DotenvDocument::read(b"A=1\n\nexport B='x\ny'\n").scrub(&names);
    assert_eq!(
        scrubbed,
        ScrubbedText {
            names: vec!["A".into(), "B".into()],
            text: None
        }
    );
    let mixed = DotenvDocument::read(b"A=1\nMINE=2").scrub(&names);
    assert_eq!(mixed.text.unwrap(), b"# proliferate scrubbed A\nMINE=2");
}
