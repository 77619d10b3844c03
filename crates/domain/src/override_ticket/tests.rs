//! Every move from every state, and what a digest covers.

use super::*;

const OPENER: &str = "user_ada";
const SECOND: &str = "user_ben";

fn at(minutes: i64) -> Timestamp {
    Timestamp::from_micros(1_700_000_000_000_000 + minutes * 60_000_000).unwrap()
}

fn user(id: &str) -> UserId {
    UserId::new(id).unwrap()
}

fn run(last: &str) -> RunId {
    format!("0192f0c1-2345-7abc-8def-0123456789{last}")
        .parse()
        .unwrap()
}

fn draft() -> OverrideDraft {
    OverrideDraft {
        lane: LaneId::new("TOOL_DOCUMENT_INTAKE").unwrap(),
        reason: "the court waits".to_owned(),
        minutes: 30,
    }
}

fn requested() -> OverrideTicket {
    let id = "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap();
    let lock_id = "0192f0c1-2345-7abc-8def-0123456789ac".parse().unwrap();
    let of = (OrganizationId::new("org_a").unwrap(), lock_id);
    OverrideTicket::open(id, of, draft(), user(OPENER), at(0))
}

fn approved() -> OverrideTicket {
    requested().approve(user(SECOND), at(1)).unwrap()
}

fn active() -> OverrideTicket {
    approved().enable(run("01"), at(50)).unwrap()
}

fn disabled() -> OverrideTicket {
    active().disable(run("02"), at(60)).unwrap()
}

fn closed() -> OverrideTicket {
    approved().close(user(OPENER), at(2)).unwrap()
}

fn expired() -> OverrideTicket {
    requested().seen_at(at(60))
}

#[test]
fn each_state_makes_the_moves_it_should_and_no_other() {
    type Make = fn() -> OverrideTicket;
    type Move = fn(OverrideTicket) -> Result<OverrideTicket, NotMoved>;
    let states: [Make; 6] = [requested, approved, active, disabled, closed, expired];
    let moves: [(Move, &[usize], OverrideTicketStatus); 4] = [
        (
            |t| t.approve(user("user_eve"), at(1)),
            &[0],
            OverrideTicketStatus::Approved,
        ),
        (
            |t| t.enable(run("03"), at(2)),
            &[1],
            OverrideTicketStatus::Active,
        ),
        (
            |t| t.disable(run("03"), at(51)),
            &[2],
            OverrideTicketStatus::Disabled,
        ),
        (
            |t| t.close(user("user_eve"), at(2)),
            &[0, 1],
            OverrideTicketStatus::Closed,
        ),
    ];
    for (number, make) in states.iter().enumerate() {
        for (index, (step, from, to)) in moves.iter().enumerate() {
            let (before, moved) = (make().state.status(), step(make()));
            match moved {
                Ok(after) => {
                    assert!(from.contains(&number), "{before} made move {index}");
                    assert_eq!(after.state.status(), *to);
                }
                Err(error) => {
                    assert!(!from.contains(&number), "{before}, move {index}: {error}");
                }
            }
        }
    }
}

#[test]
fn the_admin_who_opened_it_is_not_the_second_admin() {
    let own = requested().approve(user(OPENER), at(1));
    assert_eq!(own, Err(NotMoved::OwnTicket));
}

#[test]
fn it_is_used_once() {
    let again = active().enable(run("09"), at(51));
    assert_eq!(again, Err(NotMoved::Status(OverrideTicketStatus::Active)));
    let after = disabled().enable(run("09"), at(61));
    assert_eq!(after, Err(NotMoved::Status(OverrideTicketStatus::Disabled)));
}

#[test]
fn time_counts_from_the_use_and_the_moment_itself_is_too_late() {
    // Used at the fiftieth minute, for thirty.
    assert!(active().can_disable(at(79)));
    assert!(!active().can_disable(at(80)));
    assert_eq!(active().disable(run("02"), at(80)), Err(NotMoved::Expired));
    assert_eq!(active().seen_at(at(79)), active());
    let over = active().seen_at(at(90));
    assert_eq!(over.state.status(), OverrideTicketStatus::Expired);
    assert!(matches!(over.state, OverrideTicketState::Over { at: ended, .. } if ended == at(80)));
    // The ticket was not used in time.
    assert!(approved().can_enable(at(59)));
    assert!(!approved().can_enable(at(60)));
    assert_eq!(approved().enable(run("01"), at(60)), Err(NotMoved::Expired));
    assert_eq!(
        requested().approve(user(SECOND), at(60)),
        Err(NotMoved::Expired)
    );
    assert_eq!(
        requested().close(user(SECOND), at(60)),
        Err(NotMoved::Expired)
    );
}

#[test]
fn what_is_over_stays_as_it_ended() {
    for over in [disabled(), closed(), expired()] {
        assert_eq!(over.clone().seen_at(at(10_000)), over);
        assert_eq!(over.clone().end_with_lock(user(SECOND), at(99)), over);
    }
    let ended = active().end_with_lock(user(SECOND), at(55));
    assert_eq!(ended.state.status(), OverrideTicketStatus::Closed);
}

#[test]
fn a_draft_has_a_reason_and_at_most_an_hour() {
    assert!(draft().check().is_ok());
    for (minutes, reason, field) in [
        (0, "why", "minutes"),
        (61, "why", "minutes"),
        (30, "", "reason"),
        (30, " \n", "reason"),
        (30, "a\u{1b}b", "reason"),
    ] {
        let draft = OverrideDraft {
            minutes,
            reason: reason.to_owned(),
            ..draft()
        };
        assert_eq!(draft.check().unwrap_err().field, field);
    }
}

#[test]
fn a_digest_stands_for_the_lane_the_time_and_the_standing() {
    let ticket = requested();
    let locked = ticket.standing_sha256(LaneLockState::Locked);
    assert_ne!(locked, ticket.standing_sha256(LaneLockState::Lifted));
    // It covers what is changed, not the status of the ticket.
    assert_eq!(locked, active().standing_sha256(LaneLockState::Locked));
    let other = OverrideTicket {
        minutes: 31,
        ..requested()
    };
    assert_ne!(locked, other.standing_sha256(LaneLockState::Locked));
}
