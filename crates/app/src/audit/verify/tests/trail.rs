//! Trails of cases and sessions.

use proptest::prelude::*;

use super::*;

fn trails() -> [Trail; 2] {
    [case_1(), Trail::Session(session(1))]
}

/// Where a fault of this line may be reported: there; for another case's id in the header at the first record, or
/// at the end if there is none; for a proof also at its record; for evidence also at the end, which is signed over
/// all of it.
fn expected(file: &File, line: u64, reported: u64) -> bool {
    let end = file.0.len() as u64;
    match file.what(line) {
        What::Header => reported <= 2 || (!file.has_records() && reported == end),
        What::Proof(_) => reported == line || reported + 1 == line,
        What::Evidence => reported >= line && reported <= end,
        _ => reported == line,
    }
}

#[test]
fn a_good_trail_is_good() {
    for trail in trails() {
        for size in 0..20 {
            let log = log("acme", size);
            let file = trail_file(&log, &trail);
            let report = check(&file.bytes()).unwrap();
            let records = { file.0.iter() }.filter(|(what, _)| matches!(what, What::Record(_)));
            assert_eq!(report.records, records.count() as u64);
            assert_eq!((report.size, report.artifacts), (size as u64, 1));
            assert_eq!((report.artifact_contents, report.artifacts_missing), (1, 0));
            assert_eq!(report.policy_files, u64::from(report.records > 0));
            assert_eq!(report.policy_files_missing, 0);
        }
    }
}

/// Of every byte, not a sample: the file is small enough.
#[test]
fn case_58_a_flipped_bit_of_every_byte_is_found() {
    let file = trail_file(&log("acme", 4), &case_1());
    let bytes = file.bytes();
    for at in 0..bytes.len() {
        let line = line_at(&bytes, at);
        // One bit of each byte; the properties below try any.
        let bit = at % 8;
        let mut changed = bytes.clone();
        changed[at] ^= 1 << bit;
        let fault = check(&changed).unwrap_err();
        let right = expected(&file, line, fault.line);
        assert!(right, "byte {at} of line {line}, bit {bit}: {fault}");
    }
}

/// Also the last one, and also with everything that counts them changed along: the end is signed.
#[test]
fn case_58_leaving_out_one_event_breaks_the_trail() {
    for trail in trails() {
        let whole = trail_file(&log("acme", 12), &trail);
        let records: Vec<usize> = (0..whole.0.len())
            .filter(|at| matches!(whole.0[*at].0, What::Record(_)))
            .collect();
        for at in records {
            let mut file = whole.clone();
            // With its proof and its checkpoint.
            let extra = matches!(file.0[at + 2].0, What::Checkpoint);
            file.0.drain(at..at + 2 + usize::from(extra));
            let (_, end) = file.0.last_mut().unwrap();
            let mut value: Value = serde_json::from_slice(end).unwrap();
            value["end"]["records"] = (value["end"]["records"].as_u64().unwrap() - 1).into();
            let checkpoints = value["end"]["checkpoints"].as_u64().unwrap();
            value["end"]["checkpoints"] = (checkpoints - u64::from(extra)).into();
            *end = canonical_bytes(&value);
            let fault = fault(&file);
            let last = file.what(fault.line) == What::End;
            let reason = if last { "left out" } else { "where" };
            assert!(fault.reason.contains(reason), "{fault}");
            assert_eq!(
                usize::try_from(fault.line).unwrap(),
                if last { file.0.len() } else { at + 1 }
            );
        }
    }
}

#[test]
fn case_58_a_record_of_another_case_has_no_place() {
    let log = log("acme", 12);
    let mut file = trail_file(&log, &case_1());
    let proof = merkle::inclusion_proof(&log.leaves, 2).unwrap();
    let proof: Value = proof.iter().map(hex::encode).collect();
    let proof = canonical_bytes(&json!({ "proof": proof }));
    file.0.insert(1, (What::Record(2), log.lines[2].clone()));
    file.0.insert(2, (What::Proof(2), proof));
    let fault = fault(&file);
    assert_eq!((fault.line, fault.seq), (2, Some(2)));
    assert_eq!(fault.event_id.as_deref(), Some("evt-00000002"));
    assert!(fault.reason.contains("not of this case"), "{fault}");
}

#[test]
fn case_50_a_trail_of_a_forked_log_is_found_by_the_checkpoint_that_was_kept() {
    let log = log("acme", 12);
    let file = trail_file(&log, &case_1());
    // Sizes at which the trail has a checkpoint with its proof, and the log's own.
    for size in [2, 4, 6, 8, 10, 12] {
        let kept = |leaves: &[Hash]| open(&note("acme", leaves), &key()).unwrap();
        check_from(&file.bytes(), Some(kept(&log.leaves[..size]))).unwrap();
        let mut other = log.leaves[..size].to_vec();
        other[0][0] ^= 1;
        let fault = check_from(&file.bytes(), Some(kept(&other))).unwrap_err();
        assert!(fault.reason.contains("forked"), "{fault}");
    }
    let kept = open(&note("acme", &log.leaves[..3]), &key()).unwrap();
    let fault = check_from(&file.bytes(), Some(kept)).unwrap_err();
    assert!(fault.reason.contains("does not prove"), "{fault}");
}

/// What is not there is told, not passed over.
#[test]
fn missing_policy_files_and_artifacts_are_counted() {
    let log = log("acme", 4);
    let mut file = trail_file(&log, &case_1());
    file.0.retain(|(what, _)| *what != What::Evidence);
    let (_, end) = file.0.last_mut().unwrap();
    let mut value: Value = serde_json::from_slice(end).unwrap();
    let note = signing_key("acme").sign_trail(&TrailEnd {
        trail: &case_1(),
        size: 4,
        records: 2,
        last: &hex::encode(log.leaves[3]),
        evidence: &sha256_hex(b""),
    });
    (value["end"]["artifacts"], value["end"]["policy_files"]) = (0.into(), 0.into());
    value["end"]["trail"] = note.into();
    *end = canonical_bytes(&value);
    let report = check(&file.bytes()).unwrap();
    assert_eq!(
        (report.policy_files_missing, report.artifacts_missing),
        (1, 1)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_flipped_bit_is_found(
        size in 1_usize..14, which in 0_usize..2, at in any::<prop::sample::Index>(), bit in 0_u8..8,
    ) {
        let file = trail_file(&log("acme", size), &trails()[which]);
        let mut bytes = file.bytes();
        let at = at.index(bytes.len());
        let line = line_at(&bytes, at);
        bytes[at] ^= 1 << bit;
        let fault = check(&bytes).unwrap_err();
        prop_assert!(expected(&file, line, fault.line), "line {}: {}", line, fault);
    }

    #[test]
    fn a_deleted_line_is_found(size in 1_usize..14, which in 0_usize..2, at in any::<prop::sample::Index>()) {
        let mut file = trail_file(&log("acme", size), &trails()[which]);
        let at = at.index(file.0.len());
        file.0.remove(at);
        // A proof that is gone is missed at its record.
        prop_assert!(fault(&file).line >= at as u64);
    }

    #[test]
    fn two_swapped_lines_are_found(
        size in 2_usize..14, one in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(),
    ) {
        let mut file = trail_file(&log("acme", size), &case_1());
        let (one, other) = (one.index(file.0.len()), other.index(file.0.len()));
        prop_assume!(file.0[one].1 != file.0[other].1);
        file.0.swap(one, other);
        prop_assert!(fault(&file).line >= one.min(other) as u64);
    }

    #[test]
    fn a_repeated_line_is_found(size in 1_usize..14, at in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let mut file = trail_file(&log("acme", size), &case_1());
        let copy = file.0[at.index(file.0.len())].clone();
        let to = to.index(file.0.len() + 1);
        file.0.insert(to, copy);
        prop_assert!(fault(&file).line >= to as u64);
    }

    #[test]
    fn a_cut_file_is_found_where_it_ends(size in 1_usize..14, at in any::<prop::sample::Index>()) {
        let file = trail_file(&log("acme", size), &case_1());
        let bytes = file.bytes();
        let at = at.index(bytes.len());
        let fault = check(&bytes[..at]).unwrap_err();
        let line = line_at(&bytes, at);
        let of_record = fault.line + 1 == line && matches!(file.what(line), What::Proof(_));
        prop_assert!(fault.line == line || of_record, "{} at {}", fault, line);
    }
}
