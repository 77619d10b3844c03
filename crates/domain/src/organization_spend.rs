//! What an organization spends on its models in a day and a month (UTC), and when it is noticed that a limit comes near.

use chrono::{Datelike as _, Days, Months, NaiveTime};

use crate::{
    clock::Timestamp,
    limits::SPEND_NOTICE_PERCENTS,
    model_usage::dollars,
    organization_limits::{LimitInForce, LimitKind, OrganizationLimits},
};

crate::text_enum! {
    /// What a spend limit is for.
    SpendPeriod {
        Day = "day",
        Month = "month",
    }
}

/// What was spent in the current periods, and the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OrganizationSpend {
    pub day_micro_usd: i64,
    pub month_micro_usd: i64,
    pub limits: OrganizationLimits,
}

/// A spend limit that is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpendLimitReached {
    pub period: SpendPeriod,
    pub spent_micro_usd: i64,
    pub limit: LimitInForce,
}

/// A share of a spend limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpendNotice {
    pub period: SpendPeriod,
    pub percent: i64,
    pub spent_micro_usd: i64,
    pub limit_micro_usd: i64,
}

impl SpendPeriod {
    pub const fn limit_kind(self) -> LimitKind {
        match self {
            Self::Day => LimitKind::SpendDay,
            Self::Month => LimitKind::SpendMonth,
        }
    }

    /// The first day of the period that this moment is in, as `YYYY-MM-DD`.
    pub fn begins(self, now: Timestamp) -> String {
        let now = now.datetime();
        match self {
            Self::Day => now.format("%Y-%m-%d").to_string(),
            Self::Month => now.format("%Y-%m-01").to_string(),
        }
    }

    /// When the period after this moment's begins.
    pub fn next(self, now: Timestamp) -> Timestamp {
        let today = now.datetime().date_naive();
        let next = match self {
            Self::Day => today.checked_add_days(Days::new(1)),
            Self::Month => today
                .with_day(1)
                .and_then(|first| first.checked_add_months(Months::new(1))),
        };
        let next = next.unwrap_or(today).and_time(NaiveTime::MIN).and_utc();
        Timestamp::from_datetime(next)
    }
}

impl OrganizationSpend {
    pub const fn spent(&self, period: SpendPeriod) -> i64 {
        match period {
            SpendPeriod::Day => self.day_micro_usd,
            SpendPeriod::Month => self.month_micro_usd,
        }
    }

    /// The limit that is used up; the month's if both are, because it lasts longer.
    pub fn reached(&self) -> Option<SpendLimitReached> {
        let reached = |period: SpendPeriod| {
            let limit = self.limits.in_force(period.limit_kind())?;
            let spent_micro_usd = self.spent(period);
            limit
                .is_reached(spent_micro_usd)
                .then_some(SpendLimitReached {
                    period,
                    spent_micro_usd,
                    limit,
                })
        };
        reached(SpendPeriod::Month).or_else(|| reached(SpendPeriod::Day))
    }

    /// The shares of the limits that are reached by `more`, the last part of what was spent.
    pub fn noticed_by(&self, more: i64) -> Vec<SpendNotice> {
        self.notices(|spent, share| spent - more < share && share <= spent)
    }

    /// The shares of the limits that are reached now.
    pub fn noticed(&self) -> Vec<SpendNotice> {
        self.notices(|spent, share| share <= spent)
    }

    fn notices(&self, is_reached: impl Fn(i64, i64) -> bool) -> Vec<SpendNotice> {
        let mut found = Vec::new();
        for period in SpendPeriod::ALL.iter().copied() {
            let Some(limit) = self.limits.in_force(period.limit_kind()) else {
                continue;
            };
            let spent = self.spent(period);
            for percent in SPEND_NOTICE_PERCENTS {
                // Rounded up; at most a million dollars, so that it cannot overflow.
                let share = (limit.value * percent + 99) / 100;
                if limit.value > 0 && is_reached(spent, share) {
                    found.push(SpendNotice {
                        period,
                        percent,
                        spent_micro_usd: spent,
                        limit_micro_usd: limit.value,
                    });
                }
            }
        }
        found
    }
}

/// The reason that sessions are paused with.
impl std::fmt::Display for SpendLimitReached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (this, next) = match self.period {
            SpendPeriod::Day => ("today", "day"),
            SpendPeriod::Month => ("this month", "month"),
        };
        let (spent, limit) = (dollars(self.spent_micro_usd), dollars(self.limit.value));
        let remedy = self.limit.remedy();
        write!(
            f,
            "the organization has spent {spent} of {limit} on its models {this}; its sessions go on when the next {next} \
             begins (UTC), and {remedy}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::organization_limits::LimitSettings;

    fn at(text: &str) -> Timestamp {
        Timestamp::from_datetime(text.parse().unwrap())
    }

    #[test]
    fn days_and_months_are_those_of_utc() {
        let table = [
            (
                "2026-01-31T23:59:59Z",
                "2026-01-31",
                "2026-02-01T00:00:00Z",
                "2026-01-01",
                "2026-02-01T00:00:00Z",
            ),
            (
                "2026-12-05T00:00:00Z",
                "2026-12-05",
                "2026-12-06T00:00:00Z",
                "2026-12-01",
                "2027-01-01T00:00:00Z",
            ),
            (
                "2028-02-28T12:00:00Z",
                "2028-02-28",
                "2028-02-29T00:00:00Z",
                "2028-02-01",
                "2028-03-01T00:00:00Z",
            ),
        ];
        for (now, day, tomorrow, month, next_month) in table {
            let now = at(now);
            assert_eq!(SpendPeriod::Day.begins(now), day);
            assert_eq!(SpendPeriod::Day.next(now), at(tomorrow));
            assert_eq!(SpendPeriod::Month.begins(now), month);
            assert_eq!(SpendPeriod::Month.next(now), at(next_month));
        }
    }

    fn spend(day: i64, month: i64, limits: [Option<i64>; 2]) -> OrganizationSpend {
        OrganizationSpend {
            day_micro_usd: day,
            month_micro_usd: month,
            limits: OrganizationLimits {
                organization: LimitSettings {
                    spend_day_micro_usd: limits[0],
                    spend_month_micro_usd: limits[1],
                    ..LimitSettings::default()
                },
                ..OrganizationLimits::default()
            },
        }
    }

    #[test]
    fn what_is_used_up_stops_and_the_month_lasts_longer() {
        let period = |spend: OrganizationSpend| spend.reached().map(|reached| reached.period);
        assert_eq!(period(spend(9, 9, [None, None])), None);
        assert_eq!(period(spend(9, 9, [Some(10), Some(10)])), None);
        assert_eq!(
            period(spend(10, 10, [Some(10), None])),
            Some(SpendPeriod::Day)
        );
        assert_eq!(
            period(spend(10, 10, [Some(10), Some(10)])),
            Some(SpendPeriod::Month)
        );
        assert_eq!(period(spend(0, 0, [Some(0), None])), Some(SpendPeriod::Day));
    }

    #[test]
    fn each_share_is_reached_once() {
        use SpendPeriod::{Day, Month};
        let shares = |spend: OrganizationSpend, more| {
            let found = spend.noticed_by(more).into_iter();
            found
                .map(|one| (one.period, one.percent))
                .collect::<Vec<_>>()
        };
        let limits = [Some(100), Some(1000)];
        assert_eq!(shares(spend(79, 79, limits), 79), []);
        assert_eq!(shares(spend(80, 80, limits), 1), [(Day, 80)]);
        assert_eq!(shares(spend(99, 99, limits), 19), []);
        assert_eq!(
            shares(spend(100, 800, limits), 1),
            [(Day, 100), (Month, 80)]
        );
        assert_eq!(
            shares(spend(300, 300, limits), 300),
            [(Day, 80), (Day, 100)]
        );
        // A limit that was lowered below what was spent.
        assert_eq!(spend(300, 300, limits).noticed().len(), 2);
        assert_eq!(spend(300, 300, [Some(0), None]).noticed(), []);
    }
}
