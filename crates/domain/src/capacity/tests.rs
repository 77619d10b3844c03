//! The invariants of sharing, for any order of acquiring and releasing.

use proptest::prelude::*;

use super::*;
use crate::limits;

const SMALL: CapacityLimits = CapacityLimits {
    what: "places",
    total: 16,
    per_organization: 8,
    per_holder: 4,
    floor: 1,
};

fn claimant(organization: usize, holder: usize) -> Claimant {
    Claimant {
        organization_id: format!("org-{organization}").parse().unwrap(),
        holder: Holder::Service(format!("service-{holder}")),
    }
}

/// Acquires repeatedly until a request is refused.
fn take_all(pool: &CapacityPool, claimant: &Claimant, amount: u64) -> Vec<CapacityPermit> {
    std::iter::from_fn(|| pool.try_acquire(claimant, amount).ok()).collect()
}

#[test]
fn each_organization_gets_its_part_of_what_the_others_leave() {
    let pool = CapacityPool::new(SMALL);
    let mut held = Vec::new();
    let mut counts = Vec::new();
    for organization in 0..8 {
        let before = pool.held();
        for holder in 0..8 {
            held.extend(take_all(&pool, &claimant(organization, holder), 1));
        }
        counts.push(pool.held() - before);
    }
    assert_eq!(counts, [8, 4, 2, 1, 1, 0, 0, 0]);
    held.clear();
    assert_eq!((pool.held(), pool.organizations()), (0, 0));
}

#[test]
fn who_is_refused_is_told_whose_share_is_used_up() {
    let pool = CapacityPool::new(SMALL);
    let session = Claimant::session(
        "acme".parse().unwrap(),
        SessionId::from_uuid(uuid::Uuid::nil()),
    );
    let first = take_all(&pool, &session, 1);
    assert_eq!(first.len(), 4);
    let refused = pool.try_acquire(&session, 1).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "this session has its share of this instance's places already; end some, or try again when some have ended"
    );
    let mut acme = claimant(0, 0);
    acme.organization_id = "acme".parse().unwrap();
    let mut others = Vec::new();
    for holder in 0..8 {
        acme.holder = Holder::Service(holder.to_string());
        others.extend(take_all(&pool, &acme, 1));
    }
    acme.holder = Holder::Service("late".to_owned());
    let refused = pool.try_acquire(&acme, 1).unwrap_err();
    assert_eq!(refused.whose, Exhausted::Organization);
    let rest: Vec<_> = (0..8)
        .flat_map(|organization| take_all(&pool, &claimant(organization, 0), 1))
        .collect();
    assert_eq!(pool.held(), 16);
    let refused = pool.try_acquire(&claimant(9, 0), 1).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "all of this instance's places are taken; try again in a moment"
    );
    assert!(!refused.is_own_share());
    drop((first, others, rest));
    assert_eq!((pool.held(), pool.organizations()), (0, 0));
}

#[test]
fn a_permit_grows_and_shrinks_within_the_share() {
    let pool = CapacityPool::new(SMALL);
    let mut permit = pool.try_acquire(&claimant(0, 0), 1).unwrap();
    permit.grow(2).unwrap();
    let refused = permit.grow(2).unwrap_err();
    assert_eq!((refused.whose, permit.amount()), (Exhausted::Service, 3));
    permit.shrink_to(1);
    assert_eq!(pool.held(), 1);
    permit.grow(3).unwrap();
    drop(permit);
    assert_eq!((pool.held(), pool.organizations()), (0, 0));
}

#[test]
fn another_total_keeps_the_shares() {
    let one = SMALL.with_total(1);
    assert_eq!((one.per_organization, one.per_holder, one.floor), (1, 1, 1));
    let many = SMALL.with_total(160);
    assert_eq!((many.per_organization, many.per_holder), (80, 40));
}

/// What `docs/concepts/capacity.md` promises for each: three organizations that hold their maximum leave a fourth
/// enough to start.
#[test]
fn three_greedy_organizations_leave_room_for_a_fourth_in_every_pool() {
    for limits in limits::CAPACITIES {
        let what = limits.what;
        assert!(limits.floor >= 1, "{what}");
        assert!(limits.floor <= limits.per_holder, "{what}");
        assert!(limits.per_holder <= limits.per_organization, "{what}");
        assert!(limits.per_organization < limits.total, "{what}");
        let pool = CapacityPool::new(*limits);
        let step = (limits.floor / 4).max(1);
        let mut held = Vec::new();
        for round in 0..64 {
            for organization in 0..3 {
                held.extend(take_all(&pool, &claimant(organization, round), step));
            }
        }
        let newcomer = pool.try_acquire(&claimant(9, 0), limits.floor);
        assert!(newcomer.is_ok(), "{what}: {newcomer:?}");
    }
}

/// The notation of the table: bytes in MiB or GiB, other numbers with commas.
fn written(number: u64) -> String {
    const MIB: u64 = 1024 * 1024;
    match number {
        bytes if bytes >= 1024 * MIB => format!("{} GiB", bytes / MIB / 1024),
        bytes if bytes >= MIB => format!("{} MiB", bytes / MIB),
        number if number >= 1000 => format!("{},{:03}", number / 1000, number % 1000),
        number => number.to_string(),
    }
}

#[test]
fn the_page_says_what_the_limits_say() {
    let page = include_str!("../../../../docs/concepts/capacity.md");
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<&str> = rows.filter(|line| line.matches('|').count() == 7).collect();
    // Less the heading.
    assert_eq!(rows.len() - 1, limits::CAPACITIES.len());
    for of in limits::CAPACITIES {
        let numbers = [of.total, of.per_organization, of.per_holder, of.floor].map(written);
        let row = format!("| {} | {} | ", of.what, numbers.join(" | "));
        assert!(rows.iter().any(|line| line.starts_with(&row)), "{row}");
    }
}

/// An operation on a pool.
#[derive(Debug, Clone)]
enum Step {
    Take(usize, usize, u64),
    Grow(usize, u64),
    Shrink(usize, u64),
    Drop(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..4_usize, 0..3_usize, 0..6_u64).prop_map(|(a, b, n)| Step::Take(a, b, n)),
        2 => (any::<usize>(), 0..6_u64).prop_map(|(at, n)| Step::Grow(at, n)),
        1 => (any::<usize>(), 0..6_u64).prop_map(|(at, n)| Step::Shrink(at, n)),
        3 => any::<usize>().prop_map(Step::Drop),
    ];
    prop::collection::vec(step, 0..120)
}

fn some_limits() -> impl Strategy<Value = CapacityLimits> {
    (1..40_u64, 1..40_u64, 1..40_u64, 1..4_u64).prop_map(|(total, organization, holder, floor)| {
        let per_organization = organization.min(total).max(floor);
        CapacityLimits {
            what: "places",
            total: total.max(floor),
            per_organization,
            per_holder: holder.min(per_organization).max(floor),
            floor,
        }
    })
}

/// Checks every promise about one state.
fn holds(pool: &CapacityPool, limits: CapacityLimits, permits: &[CapacityPermit]) {
    let sum: u64 = permits.iter().map(CapacityPermit::amount).sum();
    assert_eq!(pool.held(), sum);
    assert!(sum <= limits.total);
    for organization in 0..4 {
        for holder in 0..3 {
            let who = claimant(organization, holder);
            let (of_organization, of_holder) = pool.ledger().held_by(&who);
            assert!(of_organization <= limits.per_organization, "{who:?}");
            assert!(of_holder <= limits.per_holder, "{who:?}");
        }
    }
    // A claimant that holds nothing is admitted, unless nothing is free.
    let newcomer = pool.try_acquire(&claimant(9, 0), limits.floor);
    assert_eq!(newcomer.is_ok(), sum + limits.floor <= limits.total);
}

proptest! {
    #[test]
    fn the_shares_hold_after_every_step(limits in some_limits(), steps in steps()) {
        let pool = CapacityPool::new(limits);
        let mut permits: Vec<CapacityPermit> = Vec::new();
        for step in steps {
            let count = permits.len().max(1);
            match step {
                Step::Take(organization, holder, amount) => {
                    permits.extend(pool.try_acquire(&claimant(organization, holder), amount));
                }
                Step::Grow(at, more) => {
                    if let Some(permit) = permits.get_mut(at % count) {
                        let _ = permit.grow(more);
                    }
                }
                Step::Shrink(at, amount) => {
                    if let Some(permit) = permits.get_mut(at % count) {
                        permit.shrink_to(amount);
                    }
                }
                Step::Drop(at) => {
                    if !permits.is_empty() {
                        permits.swap_remove(at % count);
                    }
                }
            }
            holds(&pool, limits, &permits);
        }
        permits.clear();
        prop_assert_eq!((pool.held(), pool.organizations()), (0, 0));
    }
}

/// Claimants that keep asking while permits are released end up with about the same amount.
#[test]
fn who_holds_more_does_not_get_what_comes_back() {
    let pool = CapacityPool::new(SMALL.with_total(160));
    let mut held: [Vec<CapacityPermit>; 3] = Default::default();
    for round in 0..400 {
        for (organization, of_one) in held.iter_mut().enumerate() {
            for holder in 0..8 {
                of_one.extend(take_all(&pool, &claimant(organization, holder), 1));
            }
        }
        if round == 0 {
            assert_eq!(held.each_ref().map(Vec::len), [80, 40, 20]);
        }
        // The permit acquired first is released first.
        for of_one in &mut held {
            of_one.remove(0);
        }
    }
    let counts = held.each_ref().map(Vec::len);
    let least = counts.iter().min().copied().unwrap_or(0);
    assert!(counts.iter().all(|count| count - least <= 4), "{counts:?}");
}

/// Many threads at once: no permit is lost or issued twice.
#[test]
fn permits_come_back_under_concurrency() {
    let pool = CapacityPool::new(SMALL);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let pool = pool.clone();
            scope.spawn(move || {
                for round in 0..500 {
                    let who = claimant(thread, round % 3);
                    let permits = take_all(&pool, &who, 1);
                    assert!(pool.held() <= SMALL.total);
                    drop(permits);
                }
            });
        }
    });
    assert_eq!((pool.held(), pool.organizations()), (0, 0));
}
