//! Texts with a form of their own: pushes of git, dotenv files, tokens of sandboxes.

use std::{collections::BTreeSet, fmt::Write as _};

use domain::{
    dotenv as import,
    git_push::Head,
    sandbox_token::{Purpose, SandboxClaim, render},
    secret::{validate_key, validate_value},
};

use crate::{
    bytes::{choice, line},
    dotenv::DotenvDocument,
};

/// A push means what a simple reader of its packets finds, and more bytes never change what the beginning says.
pub(crate) fn git_push(bytes: &[u8]) {
    let (seed, bytes) = choice(bytes);
    let read = Head::read(bytes);
    let cut = &bytes[..bytes.len() * seed / 256];
    match (&read, Head::read(cut)) {
        (_, Ok(Head::More)) | (Err(_), Err(_)) => {}
        (whole, before) => assert_eq!(*whole, before, "more bytes changed what the push says"),
    }
    let Ok(Head::Whole(push)) = read else { return };
    let lines = packets(bytes);
    let lines = lines.as_deref().unwrap_or_default();
    let mut updates = lines.iter().filter(|line| !line.starts_with(b"shallow "));
    for update in &push.updates {
        let expected = format!("{} {} {}", update.from, update.to, update.name);
        let found = updates.next().map(|line| line.split(|byte| *byte == 0));
        let found = found.and_then(|mut parts| parts.next());
        let found = found.map(<[u8]>::trim_ascii_end);
        assert_eq!(found, Some(expected.trim_ascii_end().as_bytes()));
    }
    assert_eq!(updates.next(), None, "a change was passed over");
    // git reads the refusal of what we read, packet by packet, and does not take it for a yes.
    let rejection = push.rejection("no");
    assert!(packets(&rejection).is_some(), "git cannot read the refusal");
    assert!(push.updates.is_empty() || !push.is_taken(&rejection));
}

/// An answer to a push is a yes only if it names each ref as taken; the first line is the names.
pub(crate) fn git_answer(bytes: &[u8]) {
    let (names, answer) = line(bytes);
    let id = "1".repeat(40);
    let names = String::from_utf8_lossy(names).replace(['\0', '\r'], "");
    let mut head = String::new();
    for name in names.split(' ').filter(|name| !name.is_empty()).take(8) {
        let text = format!("{id} {id} {name}\0side-band-64k");
        let _ = write!(head, "{:04x}{text}", text.len() + 4);
    }
    let Ok(Head::Whole(push)) = Head::read((head + "0000").as_bytes()) else {
        return;
    };
    if push.updates.is_empty() {
        return;
    }
    if push.is_taken(answer) {
        let report = report(answer);
        for update in &push.updates {
            let yes = format!("ok {}", update.name);
            let is_said = { report.windows(yes.len()) }.any(|text| text == yes.as_bytes());
            assert!(is_said, "{} was not named", update.name);
        }
    }
    assert!(!push.is_taken(&push.rejection("no")));
}

/// What stands in the packets of the first band, as far as they are packets.
fn report(mut bytes: &[u8]) -> Vec<u8> {
    let mut report = Vec::new();
    while let Some((length, behind)) = bytes.split_at_checked(4) {
        let length = std::str::from_utf8(length).unwrap_or_default();
        let length = usize::from_str_radix(length, 16).unwrap_or_default().max(4);
        let Some((payload, behind)) = behind.split_at_checked(length - 4) else {
            break;
        };
        report.extend_from_slice(payload.strip_prefix(&[1]).unwrap_or_default());
        bytes = behind;
    }
    report
}

/// What stands in each packet before the first flush, by the letter of the protocol; `None` if it is none.
fn packets(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    loop {
        let (length, behind) = bytes.split_at_checked(4)?;
        if !length.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let length = usize::from_str_radix(std::str::from_utf8(length).ok()?, 16).ok()?;
        if length == 0 {
            return Some(found);
        }
        let (payload, behind) = behind.split_at_checked(length.checked_sub(4)?)?;
        found.push(payload.to_vec());
        bytes = behind;
    }
}

/// Names are unique and allowed, and a file written from what was read is read as the same.
pub(crate) fn dotenv_import(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(variables) = import::parse("text", &text) else {
        return;
    };
    let names: BTreeSet<&str> = variables.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), variables.len(), "a name twice");
    let mut written = String::new();
    for (name, value) in &variables {
        assert_eq!(validate_key("text", name), Ok(()));
        assert_eq!(validate_value("text", value), Ok(()));
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(written, "{name}=\"{value}\"");
    }
    match import::parse("text", &written) {
        Ok(again) => assert_eq!(again, variables),
        // Quotes make it longer than it may be.
        Err(_) => assert!(written.len() > text.len()),
    }
}

/// No value that is put into a file stays in it once it is scrubbed, and what was not to be changed stays as it was.
pub(crate) fn env_file(bytes: &[u8]) {
    const PLANTED: &str = "planted \"5ecret'";
    let document = DotenvDocument::read(bytes);
    assert_eq!(document.with_values(&[]), bytes);
    let values = [("A", PLANTED), ("B_1", "plain")];
    let written = document.with_values(&values);
    let again = DotenvDocument::read(&written);
    assert_eq!(again.with_values(&values), written, "written twice");
    let scrubbed = again.scrub(&BTreeSet::from(["A", "B_1"]));
    let is_left = |text: &[u8]| text.windows(7).any(|window| window == b"5ecret'");
    if let Some(text) = scrubbed.text.filter(|_| !is_left(bytes)) {
        assert!(!is_left(&text), "a value outlived scrubbing");
    }
}

/// One token, one spelling: what is read as a claim is written as the very same token.
pub(crate) fn sandbox_token(bytes: &[u8]) {
    let Ok(token) = std::str::from_utf8(bytes) else {
        return;
    };
    for purpose in [Purpose::Sandbox, Purpose::Model] {
        let Some(claim) = SandboxClaim::parse(purpose, token) else {
            continue;
        };
        assert!(SandboxClaim::looks_like_one(purpose, token));
        assert!(claim.incarnation.0 >= 0);
        if let Ok(mac) = hex::decode(claim.mac_hex)
            && claim.mac_hex == claim.mac_hex.to_lowercase()
        {
            let written = render(purpose, claim.session_id, claim.incarnation, &mac);
            assert_eq!(written, token);
        }
    }
}
