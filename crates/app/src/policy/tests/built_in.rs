//! What the built-in policy promises.

use std::collections::BTreeSet;

use domain::policy::{FilePin, LaneId, Prohibition, RoleId, ScopeKey};

use super::{built_in, edited};
use crate::policy::{PolicyFile, PolicyFiles, load, who_can};

fn tools_of(lane: &str) -> Vec<String> {
    let policy = built_in();
    let lane = policy.snapshot().lane(&lane.parse().unwrap()).unwrap();
    lane.tools.iter().map(ToString::to_string).collect()
}

/// The tools that a sandbox is given are those its lane allows, by the same names and versions.
#[test]
fn a_modes_tools_are_those_the_agent_is_given() {
    let policy = built_in();
    for mode in agent::Mode::ALL {
        let mut given: Vec<_> = agent::tool::Tool::of_mode(*mode)
            .iter()
            .map(ToString::to_string)
            .collect();
        given.sort();
        assert_eq!(tools_of(mode.lane()), given, "{mode}");
    }
    for tool in agent::tool::Tool::ALL {
        let registered = policy.tool(&tool.as_str().parse().unwrap()).unwrap();
        let version = tool.spec().version.to_string();
        assert_eq!(registered.version.to_string(), version, "{tool}");
    }
}

/// Setup has all but `automation.complete`; coding has three; automation adds the one.
#[test]
fn a_modes_tools_are_those_of_the_design() {
    let setup = [
        "request_env_variables",
        "save_env_files",
        "save_service_commands",
        "save_snapshot",
        "verify",
    ];
    assert_eq!(tools_of("SESSION_SETUP"), setup);
    let coding = ["request_env_variables", "save_snapshot", "verify"];
    assert_eq!(tools_of("SESSION_CODING"), coding);
    let automation = [
        "automation.complete",
        "request_env_variables",
        "save_snapshot",
        "verify",
    ];
    assert_eq!(tools_of("SESSION_AUTOMATION"), automation);
}

#[test]
fn lanes_require_and_prohibit_what_the_contract_says() {
    use Prohibition as P;
    use ScopeKey as S;
    let session = (&[S::SessionId, S::RunId][..], &[][..]);
    let within_case = &[P::CrossCaseLookup, P::ExternalExport][..];
    let table = [
        ("SESSION_SETUP", session),
        ("SESSION_CODING", session),
        ("SESSION_AUTOMATION", session),
        ("REPOSITORY_PUSH", session),
        ("ACTION_READ", session),
        ("ACTION_WRITE", session),
        ("ACTION_DANGER", session),
        (
            "TOOL_INTERVIEW_CAPTURE",
            (&[S::CaseId, S::ClientSessionId, S::RunId], within_case),
        ),
        (
            "TOOL_DOCUMENT_INTAKE",
            (&[S::CaseId, S::RunId], within_case),
        ),
        (
            "WRITE_CASE_RECORDS",
            (
                &[S::CaseId, S::RunId],
                &[P::CrossCaseLookup, P::SharedKnowledgeWrite],
            ),
        ),
        (
            "EXPORT_CASE_DATA",
            (
                &[S::CaseId, S::RunId, S::ExportReason],
                &[P::RawExternalDestination, P::UnauditedDelivery],
            ),
        ),
        (
            "SYSTEM_OVERRIDE",
            (
                &[S::OverrideTicketId, S::RunId, S::OverrideReason],
                &[P::SilentChanges],
            ),
        ),
    ];
    let policy = built_in();
    assert_eq!(policy.snapshot().lanes().count(), table.len());
    for (lane, (requires, prohibits)) in table {
        let lane = policy.snapshot().lane(&lane.parse().unwrap()).unwrap();
        let set = requires.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(lane.requires, set, "{}", lane.id);
        let set = prohibits.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(lane.prohibits, set, "{}", lane.id);
    }
}

#[test]
fn every_registered_tool_is_open_to_a_role() {
    let policy = built_in();
    for tool in policy.tools() {
        assert!(
            !who_can(&policy, &tool.operation).is_empty(),
            "{}",
            tool.operation
        );
    }
}

#[test]
fn the_platform_itself_opens_no_lane() {
    let policy = built_in();
    let role = RoleId::new("PLATFORM_SERVICE").unwrap();
    assert!(policy.snapshot().role(&role).unwrap().lanes.is_empty());
}

/// Case 15: pins are over the bytes of the files and nothing else.
#[test]
fn case_15_pins_are_those_of_the_bytes() {
    let files = PolicyFiles::built_in();
    let pin = FilePin::of(&files.lanes.bytes, None);
    let policy = load(files).unwrap();
    assert_eq!(policy.versions().lanes, pin);
    assert_eq!(policy.versions().lanes.commit, None);
    // A comment changes no rule and still makes another policy.
    let commented = load(edited(PolicyFile::Lanes, "# Lanes:", "# lanes:")).unwrap();
    let lane = LaneId::new("ACTION_READ").unwrap();
    assert_eq!(
        commented.snapshot().lane(&lane),
        policy.snapshot().lane(&lane)
    );
    assert!(!commented.versions().same_policy(policy.versions()));
    assert_eq!(commented.versions().roles, policy.versions().roles);
}

/// What an action of each risk is asked under is in the built-in policy: in its own lane and no other.
#[test]
fn each_risk_has_its_lane_and_its_operation() {
    let policy = load(PolicyFiles::built_in()).unwrap();
    for risk in domain::action::Risk::ALL {
        let operation = risk.operation().parse().unwrap();
        assert!(policy.tool(&operation).is_some(), "{risk}");
        for other in domain::action::Risk::ALL {
            let lane = policy.snapshot().lane(&other.lane().parse().unwrap());
            let allowed = lane.unwrap().tools.contains(&operation);
            assert_eq!(allowed, other == risk, "{operation} in {}", other.lane());
        }
    }
}
