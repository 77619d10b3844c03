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

use super::Users;

const WAIT: Duration = Duration::from_secs(20);

/// For as long as the world stands.
pub(crate) async fn decide(users: Users) {
    loop {
        sleep(users.net.rng.millis(1_000, 10_000)).await;
        let insider = users.insider();
        let slice = InvocationFilter {
            status: Some(InvocationStatus::Pending),
            limit: 20,
            offset: 0,
        };
        let asked = users.net.ask(users.net.any(), move |app, _| {
            let insider = insider.clone();
            async move { inbox(&app, &insider, slice).await }
        });
        let Some(Ok((items, _))) = asked.await else {
            continue;
        };
        for item in items {
            let invocation = item.record.invocation;
            let asked = (invocation.id, invocation.binding.sha256());
            match users.net.rng.below(100) {
                0..55 => says_yes(&users, asked, None).await,
                55..75 => {
                    let calls = u32::try_from(users.net.rng.between(1, 4)).ok();
                    says_yes(&users, asked, calls.and_then(NonZeroU32::new)).await;
                }
                75..88 => says_no(&users, asked).await,
                // It is looked at again later, or never.
                _ => {}
            }
        }
    }
}

async fn says_yes(users: &Users, (id, call): (InvocationId, Sha256Hex), calls: Option<NonZeroU32>) {
    let scope = users
        .net
        .rng
        .pick(&[GrantScopeKind::Session, GrantScopeKind::Organization]);
    let admin = users.admin();
    let work = move |app: app::App, _| {
        let admin = admin.clone();
        let yes = ActionApproval {
            grant: calls.map(|calls| (scope, Some(calls))),
            call_sha256: call.clone(),
        };
        async move { approve(&app, &admin, None, id, yes, WAIT).await }
    };
    let first = users.net.ask(users.net.any(), work.clone());
    let answers = if users.net.rng.chance(150) {
        let second = users.net.ask(users.net.any(), work);
        let (first, second) = futures::future::join(first, second).await;
        vec![first, second]
    } else {
        vec![first.await]
    };
    for approved in answers.into_iter().flatten().flatten() {
        tell(users, &approved.record);
    }
}

async fn says_no(users: &Users, (id, call): (InvocationId, Sha256Hex)) {
    let admin = users.admin();
    let denied = users.net.ask(users.net.any(), move |app, _| {
        let admin = admin.clone();
        let no = ActionDenial {
            reason: Some("no".to_owned()),
            call_sha256: Some(call.clone()),
        };
        async move { deny(&app, &admin, None, id, no).await }
    });
    if let Some(Ok(record)) = denied.await {
        tell(users, &record);
    }
}

fn tell(users: &Users, record: &InvocationRecord) {
    let line = record.params["line"].as_str().unwrap_or_default();
    if !line.is_empty() {
        users.ledger.action(line, &record.invocation);
    }
}
