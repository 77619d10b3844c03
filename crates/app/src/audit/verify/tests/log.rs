//! Whole logs.

use proptest::prelude::*;

use super::*;

/// The number of the record that is named as the first bad one, which is that of its line.
fn named(file: &File) -> u64 {
    fault(file).seq.unwrap()
}

#[test]
fn a_good_log_is_good() {
    for size in 0..20 {
        let log = log("acme", size);
        let report = check(&log_file(&log).bytes()).unwrap();
        assert_eq!((report.size, report.out_of_time), (size as u64, 0));
        assert_eq!(report.root, merkle::root(&log.leaves));
        assert_eq!(report.cases, [0, 0, 1].get(size).copied().unwrap_or(2));
        assert_eq!(report.sessions, [0, 1, 1].get(size).copied().unwrap_or(2));
        assert_eq!(report.checkpoints, size.saturating_sub(1) as u64 / 3);
    }
}

/// Of every byte, not a sample: the file is small enough.
#[test]
fn case_49_a_flipped_bit_of_every_byte_is_found_in_its_record() {
    let file = log_file(&log("acme", 4));
    let bytes = file.bytes();
    for at in 0..bytes.len() {
        let line = line_at(&bytes, at);
        // One bit of each byte; the properties below try any.
        let bit = at % 8;
        let mut changed = bytes.clone();
        changed[at] ^= 1 << bit;
        let fault = check(&changed).unwrap_err();
        assert_eq!(fault.line, line, "byte {at}, bit {bit}: {fault}");
        if let What::Record(seq) = file.what(line) {
            assert_eq!(fault.seq, Some(seq), "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn case_49_a_record_of_another_organization_is_found() {
    let (ours, theirs) = (log("acme", 6), log("other", 6));
    for at in 0..6 {
        let mut file = log_file(&ours);
        let line = usize::try_from(file.line_of(at)).unwrap() - 1;
        file.0[line]
            .1
            .clone_from(&theirs.lines[usize::try_from(at).unwrap()]);
        assert_eq!(named(&file), at);
    }
    let fault = fault(&log_file(&theirs));
    assert_eq!(fault.line, 1, "it is another organization's key");
}

/// Back to an old backup: the file agrees with itself, but not with the checkpoint kept elsewhere.
#[test]
fn case_49_a_log_that_was_rolled_back_is_shorter_than_the_checkpoint_that_was_kept() {
    let (old, long) = (log("acme", 4), log("acme", 9));
    let kept = open(&note("acme", &long.leaves), &key()).unwrap();
    let bytes = log_file(&old).bytes();
    check(&bytes).unwrap();
    let fault = check_from(&bytes, Some(kept)).unwrap_err();
    assert!(fault.reason.contains("rolled back"), "{fault}");
    for size in 0..=9 {
        let kept = open(&note("acme", &long.leaves[..size]), &key()).unwrap();
        check_from(&log_file(&long).bytes(), Some(kept)).unwrap();
    }
}

#[test]
fn case_50_a_fork_is_found_by_the_checkpoint_that_was_kept() {
    let log = log("acme", 9);
    for size in 1..=9 {
        let mut other = log.leaves[..size].to_vec();
        other[size / 2][0] ^= 1;
        let kept = open(&note("acme", &other), &key()).unwrap();
        let fault = check_from(&log_file(&log).bytes(), Some(kept)).unwrap_err();
        assert!(fault.reason.contains("forked"), "{fault}");
    }
}

#[test]
fn case_55_a_clock_set_back_is_marked_counted_and_no_fault() {
    // The minutes begin again after sixty records.
    let good = log("acme", 130);
    assert_eq!(check(&log_file(&good).bytes()).unwrap().out_of_time, 2);
    // Without the mark, or with one too many, it is one.
    for (seq, mark) in [(60, "\"clock_regression\":true,"), (61, "")] {
        let mut lines = good.lines.clone();
        let line = String::from_utf8(lines[seq].clone()).unwrap();
        let changed = if mark.is_empty() {
            line.replacen("\"event\"", "\"clock_regression\":true,\"event\"", 1)
        } else {
            line.replacen(mark, "", 1)
        };
        lines[seq] = changed.into_bytes();
        let forged = rechained(&lines, seq);
        let fault = fault(&log_file(&forged));
        assert!(fault.reason.contains("clock"), "{fault}");
        assert_eq!(fault.seq, Some(seq as u64));
    }
}

/// The lines with every record from `from` on chained anew, and so the leaves.
fn rechained(lines: &[Vec<u8>], from: usize) -> Log {
    let (mut leaves, mut chained): (Vec<Hash>, Vec<Vec<u8>>) = (Vec::new(), Vec::new());
    let mut trails: BTreeMap<String, Hash> = BTreeMap::new();
    for (seq, line) in lines.iter().enumerate() {
        let mut value: Value = serde_json::from_slice(line).unwrap();
        let ids = ["case", "session"].map(|kind| match kind {
            "case" => (kind, value["event"]["case_id"].as_str().map(str::to_owned)),
            _ => (kind, value["session_id"].as_str().map(str::to_owned)),
        });
        if seq > from {
            value["prev"] = hex::encode(leaves.last().unwrap()).into();
            for (kind, id) in &ids {
                if let Some(prev) = id.as_ref().and_then(|id| trails.get(id)) {
                    value[format!("{kind}_prev")] = hex::encode(prev).into();
                }
            }
        }
        let line = canonical_bytes(&value);
        let leaf = merkle::leaf_hash(&line);
        for id in ids.into_iter().filter_map(|(_, id)| id) {
            trails.insert(id, leaf);
        }
        leaves.push(leaf);
        chained.push(line);
    }
    Log {
        organization: "acme",
        lines: chained,
        leaves,
    }
}

/// A whole new chain from some record on, by an attacker without the signing key: found between the checkpoints
/// round the first record that was changed.
#[test]
fn a_rewritten_chain_is_found_between_two_checkpoints() {
    let (log, size) = (log("acme", 20), 20);
    for at in 0..size {
        let mut lines = log.lines.clone();
        let line = String::from_utf8(lines[at].clone()).unwrap();
        lines[at] = line.replacen("success", "failure", 1).into_bytes();
        let rewritten = rechained(&lines, at);
        let mut file = log_file(&log);
        for (what, line) in &mut file.0 {
            if let What::Record(seq) = what {
                line.clone_from(&rewritten.lines[usize::try_from(*seq).unwrap()]);
            }
        }
        let fault = fault(&file);
        if at < 18 {
            assert_eq!(fault.seq, Some(at as u64 / 3 * 3), "{fault}");
            assert!(fault.reason.contains("chained anew"), "{fault}");
        } else {
            assert_eq!(fault.seq, Some(19), "after the last checkpoint: {fault}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_flipped_bit_is_found_in_its_line(
        size in 1_usize..16, at in any::<prop::sample::Index>(), bit in 0_u8..8,
    ) {
        let mut bytes = log_file(&log("acme", size)).bytes();
        let at = at.index(bytes.len());
        let line = line_at(&bytes, at);
        bytes[at] ^= 1 << bit;
        prop_assert_eq!(check(&bytes).unwrap_err().line, line);
    }

    #[test]
    fn a_deleted_record_is_found(size in 1_usize..16, at in any::<prop::sample::Index>()) {
        let at = at.index(size) as u64;
        let mut file = log_file(&log("acme", size));
        let line = file.line_of(at);
        file.0.remove(usize::try_from(line).unwrap() - 1);
        let fault = fault(&file);
        prop_assert_eq!((fault.seq, fault.line), (Some(at), line));
    }

    #[test]
    fn a_deleted_line_is_found(size in 0_usize..16, at in any::<prop::sample::Index>()) {
        let mut file = log_file(&log("acme", size));
        let at = at.index(file.0.len());
        file.0.remove(at);
        prop_assert!(fault(&file).line > at as u64);
    }

    #[test]
    fn two_swapped_records_are_found(
        size in 2_usize..16, one in any::<prop::sample::Index>(), by in any::<prop::sample::Index>(),
    ) {
        let one = one.index(size - 1);
        let other = one + 1 + by.index(size - 1 - one);
        let mut log = log("acme", size);
        let header = log_file(&log);
        log.lines.swap(one, other);
        let mut file = log_file(&log);
        file.0[0] = header.0[0].clone();
        prop_assert_eq!(named(&file), one as u64);
    }

    #[test]
    fn an_inserted_record_is_found(
        size in 1_usize..16, at in any::<prop::sample::Index>(), which in any::<prop::sample::Index>(),
    ) {
        let log = log("acme", size);
        let mut file = log_file(&log);
        // Anywhere after the header.
        let at = 1 + at.index(file.0.len());
        let copy = log.lines[which.index(size)].clone();
        let before = file.0[..at].iter().filter(|(what, _)| matches!(what, What::Record(_)));
        // A copy right before its original, or before the checkpoint after that: the second is one too many.
        let (before, at_end) = (before.count(), at == file.0.len());
        let stands = log.lines.get(before) == Some(&copy);
        file.0.insert(at, (What::Evidence, copy));
        let fault = fault(&file);
        if at_end {
            prop_assert!(fault.reason.contains("after the last line"));
        } else {
            let late = stands && file.0[at + 1..].iter().any(|(what, _)| *what == What::Checkpoint);
            prop_assert!(fault.seq == Some((before + usize::from(stands)) as u64) || late, "{fault}");
        }
    }

    #[test]
    fn a_cut_file_is_found_where_it_ends(size in 1_usize..16, at in any::<prop::sample::Index>()) {
        let bytes = log_file(&log("acme", size)).bytes();
        let at = at.index(bytes.len());
        prop_assert_eq!(check(&bytes[..at]).unwrap_err().line, line_at(&bytes, at));
    }

    #[test]
    fn any_bytes_are_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(check(&bytes).is_err());
    }
}
