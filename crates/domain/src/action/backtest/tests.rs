//! What a grant would have meant for past calls.

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    super::{
        budget::GrantBudget,
        fixture::{at, call, draft, grant, session},
        grant::GrantScope,
        predicate::{Condition, JsonPointer, Predicate},
    },
    *,
};

fn past(number: u8, risk: Risk, params: &Value) -> PastCall<'_> {
    PastCall {
        id: InvocationId::from_uuid(Uuid::from_u128(number.into())),
        at: at(number.into()),
        risk,
        call: call(params),
    }
}

fn allowed(judged: &[(InvocationId, Judgement)]) -> Vec<u128> {
    judged
        .iter()
        .filter(|(_, judgement)| *judgement == Judgement::Allowed)
        .map(|(id, _)| id.uuid().as_u128())
        .collect()
}

#[test]
fn the_budget_goes_to_the_oldest_whatever_the_order_of_rows() {
    let params = json!({});
    let calls = [3, 1, 4, 2].map(|number| past(number, Risk::Write, &params));
    let mut two = grant(1);
    two.budget = GrantBudget::new(std::num::NonZeroU32::new(2));
    let judged = backtest(&two, at(0), &calls);
    assert_eq!(allowed(&judged), [1, 2]);
    let exhausted = Verdict::Exhausted {
        max_calls: std::num::NonZeroU32::new(2).unwrap(),
    };
    assert_eq!(judged[3].1, Judgement::NotCovered(exhausted));
}

#[test]
fn a_grant_for_an_hour_would_have_lived_an_hour() {
    let params = json!({});
    let calls = [5, 14, 15, 30].map(|number| past(number, Risk::Write, &params));
    let mut short = grant(100);
    // Created at 100, expires at 110: with 5 as its start it would have expired at 15.
    short.expires_at = Some(at(110));
    let judged = backtest(&short, at(5), &calls);
    assert_eq!(allowed(&judged), [5, 14]);
    assert_eq!(
        judged[2].1,
        Judgement::NotCovered(Verdict::Expired { at: at(15) })
    );
    // Calls before the start do not count.
    assert_eq!(backtest(&short, at(15), &calls).len(), 2);
}

#[test]
fn reads_needed_no_grant_and_danger_gets_none() {
    let params = json!({});
    let calls = [
        past(1, Risk::Read, &params),
        past(2, Risk::Danger, &params),
        past(3, Risk::Write, &params),
    ];
    let mut one = grant(1);
    one.budget = GrantBudget::new(std::num::NonZeroU32::new(1));
    let judged: Vec<Judgement> = backtest(&one, at(0), &calls)
        .into_iter()
        .map(|j| j.1)
        .collect();
    assert_eq!(
        judged,
        [Judgement::NotNeeded, Judgement::Danger, Judgement::Allowed]
    );
}

#[test]
fn scope_names_and_conditions_are_those_of_the_grant() {
    let (good, bad) = (json!({"teamId": "T1"}), json!({"teamId": "T2"}));
    let pointer = JsonPointer::new("pointer", "/teamId").unwrap();
    let mut narrow = grant(1);
    narrow.predicates = vec![Predicate::new(pointer, Condition::Equals(json!("T1"))).unwrap()];
    narrow.scope = GrantScope::Session(session(1));
    let mut elsewhere = past(3, Risk::Write, &good);
    elsewhere.call.session_id = session(2);
    let calls = [
        past(1, Risk::Write, &good),
        past(2, Risk::Write, &bad),
        elsewhere,
    ];
    let judged = backtest(&narrow, at(0), &calls);
    assert_eq!(allowed(&judged), [1]);
    assert_eq!(judged[2].1, Judgement::NotCovered(Verdict::OtherSession));
    narrow.integration = draft("sentry", "*", None).integration;
    assert!(allowed(&backtest(&narrow, at(0), &calls)).is_empty());
}

proptest! {
    /// Never more than the budget, always the oldest writes, and the grant itself is left as it was.
    #[test]
    fn a_backtest_allows_the_first_writes(
        risks in proptest::collection::vec(0_usize..3, 0..40),
        max in proptest::option::of(1_u32..10),
    ) {
        let params = json!({});
        let calls: Vec<PastCall<'_>> = (1_u8..)
            .zip(&risks)
            .map(|(number, risk)| past(number, Risk::ALL[*risk], &params))
            .collect();
        let mut grant = grant(1);
        grant.budget = GrantBudget::new(max.and_then(std::num::NonZeroU32::new));
        let before = grant.clone();
        let writes: Vec<u128> = calls
            .iter()
            .filter(|past| past.risk == Risk::Write)
            .map(|past| past.id.uuid().as_u128())
            .take(max.map_or(usize::MAX, |max| max as usize))
            .collect();
        let judged = backtest(&grant, at(0), &calls);
        prop_assert_eq!(judged.len(), calls.len());
        prop_assert_eq!(allowed(&judged), writes);
        prop_assert_eq!(grant, before);
    }
}
