//! An admin who looks at what waits and decides some of it, at times in two windows at once; what is left alone expires.

use std::{num::NonZeroU32, time::Duration};

use app::actions::{ActionApproval, ActionDenial, InvocationFilter, approve, deny, inbox};
use domain::{
    action::{GrantScopeKind, InvocationStatus},
    audit::Sha256Hex,
    id::InvocationId,
};
use store::InvocationRecord;
use tokio::time::sleep;

use super::People;

const WAIT: Duration = Duration::from_secs(20);

/// For as long as the world stands.
pub(crate) async fn decide(people: People) {
    loop {
        sleep(people.net.rng.millis(1_000, 10_000)).await;
        let insider = people.insider();
        let slice = InvocationFilter {
            status: Some(InvocationStatus::Pending),
            limit: 20,
            offset: 0,
        };
        let asked = people.net.ask(people.net.any(), move |app, _| {
            let insider = insider.clone();
            async move { inbox(&app, &insider, slice).await }
        });
        let Some(Ok((items, _))) = asked.await else {
            continue;
        };
        for item in items {
            let invocation = item.record.invocation;
            let asked = (invocation.id, invocation.binding.sha256());
            match people.net.rng.below(100) {
                0..55 => says_yes(&people, asked, None).await,
                55..75 => {
                    let calls = u32::try_from(people.net.rng.between(1, 4)).ok();
                    says_yes(&people, asked, calls.and_then(NonZeroU32::new)).await;
                }
                75..88 => says_no(&people, asked).await,
                // It is looked at again later, or never.
                _ => {}
            }
        }
    }
}

async fn says_yes(
    people: &People,
    (id, call): (InvocationId, Sha256Hex),
    calls: Option<NonZeroU32>,
) {
    let scope = people
        .net
        .rng
        .pick(&[GrantScopeKind::Session, GrantScopeKind::Organization]);
    let admin = people.admin();
    let work = move |app: app::App, _| {
        let admin = admin.clone();
        let yes = ActionApproval {
            grant: calls.map(|calls| (scope, Some(calls))),
            call_sha256: call.clone(),
        };
        async move { approve(&app, &admin, None, id, yes, WAIT).await }
    };
    let first = people.net.ask(people.net.any(), work.clone());
    let answers = if people.net.rng.chance(150) {
        let second = people.net.ask(people.net.any(), work);
        let (first, second) = futures::future::join(first, second).await;
        vec![first, second]
    } else {
        vec![first.await]
    };
    for approved in answers.into_iter().flatten().flatten() {
        tell(people, &approved.record);
    }
}

async fn says_no(people: &People, (id, call): (InvocationId, Sha256Hex)) {
    let admin = people.admin();
    let denied = people.net.ask(people.net.any(), move |app, _| {
        let admin = admin.clone();
        let no = ActionDenial {
            reason: Some("no".to_owned()),
            call_sha256: Some(call.clone()),
        };
        async move { deny(&app, &admin, None, id, no).await }
    });
    if let Some(Ok(record)) = denied.await {
        tell(people, &record);
    }
}

fn tell(people: &People, record: &InvocationRecord) {
    let line = record.params["line"].as_str().unwrap_or_default();
    if !line.is_empty() {
        people.ledger.action(line, &record.invocation);
    }
}
