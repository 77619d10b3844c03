//! Keys, signatures and what two checkpoints say about each other.

use super::*;

#[test]
fn two_checkpoints_are_compared() {
    let log = log("acme", 9);
    let (old, kept) = (note("acme", &log.leaves[..4]), note("acme", &log.leaves));
    assert_eq!(compare(&old, &kept, &key()), Ok(Comparison::Older));
    assert_eq!(compare(&kept, &old, &key()), Ok(Comparison::Newer));
    assert_eq!(compare(&kept, &kept, &key()), Ok(Comparison::Same));
}

#[test]
fn case_50_two_checkpoints_of_one_size_and_different_roots_are_a_fork() {
    let log = log("acme", 7);
    let mut forked = log.leaves.clone();
    forked[3][0] ^= 1;
    let (one, other) = (note("acme", &log.leaves), note("acme", &forked));
    assert_eq!(compare(&one, &other, &key()), Ok(Comparison::Forked));
    let foreign = note("other", &log.leaves);
    assert!(compare(&one, &foreign, &key()).is_err());
}

#[test]
fn only_the_named_key_is_believed() {
    let bytes = log_file(&log("acme", 3)).bytes();
    let trust = TrustAnchor {
        key: signing_key("other").verifier_key().parse().unwrap(),
        from: None,
    };
    let error = verify(&bytes[..], &trust, |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("line 1:"), "{error}");
    let text = key().to_string();
    for bad in [
        "",
        "a+b",
        "acme+00000000+AQ==",
        &text[1..],
        &text[..text.len() - 2],
    ] {
        assert!(bad.parse::<VerifierKey>().is_err(), "{bad}");
    }
}

/// The end of a trail is signed with the same key and is no checkpoint.
#[test]
fn the_end_of_a_trail_does_not_pass_for_a_checkpoint() {
    let note = signing_key("acme").sign_trail(&TrailEnd {
        trail: &case_1(),
        size: 1,
        records: 1,
        last: "",
        evidence: "",
    });
    assert!(open(&note, &key()).is_err());
    assert!(note::signed_text(&note, &key()).is_ok());
}

#[test]
fn the_published_note_is_read() {
    let key: VerifierKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
        .parse()
        .unwrap();
    let text = "If you think cryptography is the answer to your problem,\n\
        then you don't know what your problem is.\n";
    let note = format!(
        "{text}\n\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZS\
         NXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    );
    assert_eq!(note::signed_text(&note, &key), Ok(text));
    let changed = note.replace("answer", "Answer");
    assert!(note::signed_text(&changed, &key).is_err());
    // Signed, and no checkpoint.
    assert!(open(&note, &key).is_err());
}
