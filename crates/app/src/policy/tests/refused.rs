//! Case 17: files that must not load, each for its reason and on its line; and what loads all the same.

use domain::{
    limits::{POLICY_FILE_BYTES_MAX, POLICY_LANES_MAX, POLICY_PROBLEMS_MAX},
    policy::FilePin,
};

use super::{edited, mistakes::REFUSED, problems, with};
use crate::policy::{PolicyFile, PolicyFiles, load};

use PolicyFile::{Lanes, Roles, Tools};

#[test]
fn case_17_each_mistake_is_refused_on_its_line() {
    for (file, from, to, complaint) in REFUSED {
        let found = problems(edited(*file, from, to));
        let prefix = format!("{file}:");
        assert!(
            found.iter().any(|problem| problem.contains(complaint)),
            "{from:?} -> {to:?}: no {complaint:?} in {found:#?}"
        );
        assert!(
            found.iter().any(|problem| problem.starts_with(&prefix)),
            "{found:#?}"
        );
    }
}

/// What only follows from a mistake is not reported beside it.
#[test]
fn one_mistake_is_one_problem() {
    let one = [
        edited(Roles, "class: agent", "class: robot"),
        edited(Lanes, "lane_id: SESSION_SETUP", "lane_id: session_setup"),
        edited(Lanes, "[session_id, run_id]", "[session_id, ticket]"),
        edited(Lanes, "roles: [SANDBOX_AGENT]", "roles: sandbox"),
        edited(Tools, "enabled: true", "enabled: yes"),
        edited(Lanes, "lanes:\n", "lanes:\n  -\n"),
        edited(Roles, "roles:\n", "roles: none\nrest:\n"),
        edited(Lanes, "[CASE_AGENT, ", "[CASE_AGENT, GHOST, "),
        edited(Lanes, "roles: [SANDBOX_AGENT]", "roles: *all"),
        edited(
            Lanes,
            "roles: [SANDBOX_AGENT]",
            "<<: {roles: [SANDBOX_AGENT]}\n      roles: []",
        ),
    ];
    // The seventh also has an unknown key.
    let counts: Vec<usize> = one.into_iter().map(|files| problems(files).len()).collect();
    assert_eq!(counts, [1, 1, 1, 1, 1, 1, 2, 1, 1, 1]);
}

#[test]
fn case_17_a_leading_byte_order_mark_loads_and_is_pinned_with_it() {
    let files = with(Roles, |text| format!("\u{feff}{text}"));
    let pin = FilePin::of(&files.roles.bytes, None);
    let policy = load(files).unwrap();
    assert_eq!(policy.versions().roles, pin);
    let without = load(PolicyFiles::built_in()).unwrap();
    assert_ne!(policy.versions().roles, without.versions().roles);
}

#[test]
fn line_ends_of_another_system_load() {
    assert!(load(with(Lanes, |text| text.replace('\n', "\r\n"))).is_ok());
}

#[test]
fn case_17_what_is_not_the_file_at_all() {
    let here_string = |text: String| format!("@'\n{text}'@ | Set-Content lanes.yaml\n");
    assert!(problems(with(Lanes, here_string))[0].starts_with("lanes.yaml:1: not YAML: "));
    let empty = problems(with(Lanes, |_| "# nothing\n".into()));
    assert_eq!(empty, ["lanes.yaml: the file is empty"]);
    let list = problems(with(Lanes, |_| "- a\n".into()));
    assert_eq!(list, ["lanes.yaml:1: the file: must be a mapping of keys"]);
    let two = problems(with(Lanes, |text| format!("{text}---\nversion: 1\n")));
    assert_eq!(two, ["lanes.yaml:189: a second document is not allowed"]);
    let large = problems(with(Lanes, |text| {
        text + &"#".repeat(POLICY_FILE_BYTES_MAX)
    }));
    assert_eq!(large, ["lanes.yaml: larger than 1048576 bytes"]);
    let mut files = PolicyFiles::built_in();
    files.tools.bytes = b"version: 1\n# \xff\n".to_vec();
    assert_eq!(problems(files), ["tools.yaml:2: not UTF-8"]);
}

#[test]
fn case_17_an_alias_bomb_goes_nowhere() {
    let level = |level: usize| {
        let below = format!("*a{}, ", level - 1).repeat(9);
        format!("a{level}: &a{level} [{below}]\n")
    };
    let text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    let text = (1..30).map(level).fold(text, |text, line| text + &line);
    let found = problems(with(Lanes, |_| text));
    assert!(found.iter().any(|problem| problem.contains("aliases")));
}

#[test]
fn the_list_of_mistakes_is_bounded_and_says_so() {
    let unknown = (0..500).map(|number| format!("key_{number}: 1\n"));
    let text = unknown.collect::<String>();
    let found = problems(with(Lanes, |file| file + &text));
    assert_eq!(found.len(), POLICY_PROBLEMS_MAX + 1);
    assert_eq!(found[0], "lanes.yaml: 400 more mistakes are not listed");
}

#[test]
fn case_17_too_deep_and_too_many() {
    let deep = |text: String| format!("{text}deep: {}{}\n", "[".repeat(1000), "]".repeat(1000));
    assert!(problems(with(Lanes, deep))[0].contains("not YAML: "));
    let many = |_| {
        let lanes = "  - {}\n".repeat(POLICY_LANES_MAX + 1);
        format!("version: 1\ncontract_version: v1\nlanes:\n{lanes}")
    };
    let found = problems(with(Lanes, many));
    assert_eq!(found, ["lanes.yaml:4: lanes: 501 entries, 500 is the most"]);
}

#[test]
fn case_20_no_lane_can_switch_the_audit_off() {
    for (from, to, complaint) in [
        (
            "required: true",
            "required: false",
            "audit.required: must be true",
        ),
        ("level: full", "level: none", "audit.level: must be full"),
        (
            "    audit: {required: true, level: full}\n",
            "",
            "`audit` is missing",
        ),
        ("required: true, ", "", "`required` is missing"),
    ] {
        let found = problems(edited(Lanes, from, to));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(complaint), "{found:?}");
    }
}

#[test]
fn a_file_with_many_mistakes_is_told_all_of_them() {
    let lanes = "\
version: one
contract_version: v1
comment: hello
lanes:
  - lane_id: INTAKE
    purpose: 7
    allowed_callers: {roles: [CASE_AGENT, CASE_AGENT, case agent]}
    allowed_actions:
      tools: [ocr.extract, OCR.extract, &x document.text, *x]
      writes: [{table: case_notes}, {table: case_notes, mode: overwrite}]
    scope: {requires: [case_id, case], prohibits: [everything], permits: []}
    audit: {required: false, level: some}
  - lane_id: INTAKE
    purpose: Again.
    allowed_callers: {roles: [GHOST]}
    allowed_actions: {tools: [made.up], writes: [{table: audit_events, mode: append}]}
    scope: {requires: [], prohibits: []}
    audit: {required: true, level: full}
  - lane_id: EMPTY
    purpose: Nothing.
    allowed_callers: {roles: []}
    allowed_actions: {tools: [], writes: []}
    scope: {requires: [], prohibits: []}
    audit: {required: true, level: full, level: full}
";
    let report = problems(with(Lanes, |_| lanes.to_owned())).join("\n");
    insta::assert_snapshot!(report);
}

#[test]
fn case_20_no_lane_can_do_without_a_record() {
    let mut files = PolicyFiles::built_in();
    let lanes = String::from_utf8(files.lanes.bytes).unwrap();
    let count = lanes.matches("audit: {required: true").count();
    assert!(count > 5, "{count}");
    let lax = lanes.replace("audit: {required: true", "audit: {required: false");
    files.lanes.bytes = lax.into_bytes();
    let problems = load(files).unwrap_err().to_string();
    let told = problems.matches("audit.required: must be true").count();
    assert_eq!(told, count, "{problems}");
}
