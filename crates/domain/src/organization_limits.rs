//! The limits of an organization. The operator sets a ceiling, an admin of the organization chooses below it, and the
//! smaller of the two is in force. A limit that neither sets does not exist.

use std::time::Duration;

use crate::{
    clock::Timestamp,
    id::OrganizationId,
    invalid::Invalid,
    limits::{
        LIMIT_SESSIONS_MAX, LIMIT_STORAGE_BYTES_MAX, MODEL_BUDGET_MICRO_USD_MAX, PENDING_LIFE_MAX,
    },
    model_usage::dollars,
};

crate::text_enum! {
    /// Who sets a limit.
    LimitLevel {
        Operator = "operator",
        Organization = "organization",
    }
}

crate::text_enum! {
    /// What is limited, by the name of its column.
    LimitKind {
        LiveSessions = "live_sessions",
        Sandboxes = "sandboxes",
        StorageBytes = "storage_bytes",
        SpendDay = "spend_day_micro_usd",
        SpendMonth = "spend_month_micro_usd",
        ApprovalSeconds = "approval_seconds",
    }
}

/// The limits that one level sets; `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LimitSettings {
    pub live_sessions: Option<i64>,
    pub sandboxes: Option<i64>,
    pub storage_bytes: Option<i64>,
    pub spend_day_micro_usd: Option<i64>,
    pub spend_month_micro_usd: Option<i64>,
    /// How long an action waits for an approval.
    pub approval_seconds: Option<i64>,
}

/// The limits of both levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OrganizationLimits {
    pub operator: LimitSettings,
    pub organization: LimitSettings,
}

/// The limits of an organization and their use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitsInUse {
    pub organization_id: OrganizationId,
    pub limits: OrganizationLimits,
    pub used: LimitsUsed,
    /// The largest share of the day's and of the month's spend limit that was noticed in this period; zero if none was.
    pub day_noticed_percent: i64,
    pub month_noticed_percent: i64,
}

/// What an organization uses now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LimitsUsed {
    pub live_sessions: i64,
    pub sandboxes: i64,
    pub storage_bytes: i64,
    /// When the stored rows were last counted; `None` if that is still to be done.
    pub storage_counted_at: Option<Timestamp>,
    pub spend_day_micro_usd: i64,
    pub spend_month_micro_usd: i64,
}

impl LimitsUsed {
    /// `None` for the time of approvals, which is not used up.
    pub const fn of(&self, kind: LimitKind) -> Option<i64> {
        match kind {
            LimitKind::LiveSessions => Some(self.live_sessions),
            LimitKind::Sandboxes => Some(self.sandboxes),
            LimitKind::StorageBytes => Some(self.storage_bytes),
            LimitKind::SpendDay => Some(self.spend_day_micro_usd),
            LimitKind::SpendMonth => Some(self.spend_month_micro_usd),
            LimitKind::ApprovalSeconds => None,
        }
    }
}

/// A limit that is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitInForce {
    pub kind: LimitKind,
    pub value: i64,
    /// Who may raise it.
    pub set_by: LimitLevel,
    /// What the operator lets the organization choose, if that is bounded.
    pub ceiling: Option<i64>,
}

/// Something was not begun because of a limit. The sentence is for the person who asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct LimitExceeded {
    pub limit: LimitInForce,
    /// What the organization uses already.
    pub used: i64,
}

impl LimitKind {
    /// As requests and answers name it.
    pub const fn field(self) -> &'static str {
        match self {
            Self::LiveSessions => "liveSessions",
            Self::Sandboxes => "sandboxes",
            Self::StorageBytes => "storageBytes",
            Self::SpendDay => "spendDayMicroUsd",
            Self::SpendMonth => "spendMonthMicroUsd",
            Self::ApprovalSeconds => "approvalSeconds",
        }
    }

    /// What it may be set to.
    const fn bounds(self) -> (i64, i64) {
        match self {
            Self::LiveSessions | Self::Sandboxes => (0, LIMIT_SESSIONS_MAX),
            Self::StorageBytes => (0, LIMIT_STORAGE_BYTES_MAX),
            Self::SpendDay | Self::SpendMonth => (0, MODEL_BUDGET_MICRO_USD_MAX),
            Self::ApprovalSeconds => (1, PENDING_LIFE_MAX.as_secs().cast_signed()),
        }
    }

    /// An amount of it, for people.
    pub fn amount(self, value: i64) -> String {
        match self {
            Self::LiveSessions => counted(value, "live session"),
            Self::Sandboxes => match value {
                1 => "1 sandbox".to_owned(),
                _ => format!("{value} sandboxes"),
            },
            Self::StorageBytes => format!("{value} bytes of storage"),
            Self::SpendDay | Self::SpendMonth => dollars(value),
            Self::ApprovalSeconds => counted(value, "second"),
        }
    }
}

fn counted(value: i64, unit: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{value} {unit}{plural}")
}

impl LimitSettings {
    pub const fn get(&self, kind: LimitKind) -> Option<i64> {
        match kind {
            LimitKind::LiveSessions => self.live_sessions,
            LimitKind::Sandboxes => self.sandboxes,
            LimitKind::StorageBytes => self.storage_bytes,
            LimitKind::SpendDay => self.spend_day_micro_usd,
            LimitKind::SpendMonth => self.spend_month_micro_usd,
            LimitKind::ApprovalSeconds => self.approval_seconds,
        }
    }

    /// Rejects implausible values.
    pub fn validate(&self) -> Result<(), Vec<Invalid>> {
        self.check(|kind, value| {
            let (least, most) = kind.bounds();
            let message = format!("must be from {least} to {most}, or null for no limit");
            (!(least..=most).contains(&value)).then_some(message)
        })
    }

    /// Rejects values above the operator's.
    pub fn check_ceiling(&self, ceiling: &Self) -> Result<(), Vec<Invalid>> {
        self.check(|kind, value| {
            let most = ceiling.get(kind).filter(|most| value > *most)?;
            let (most, named) = (most, kind.amount(most));
            Some(format!(
                "must be at most {most} ({named}), the ceiling that the operator of this installation set"
            ))
        })
    }

    fn check(
        &self,
        problem: impl Fn(LimitKind, i64) -> Option<String>,
    ) -> Result<(), Vec<Invalid>> {
        let invalid = |kind: &LimitKind| {
            let message = problem(*kind, self.get(*kind)?)?;
            Some(Invalid::new(kind.field(), message))
        };
        let found: Vec<_> = LimitKind::ALL.iter().filter_map(invalid).collect();
        if found.is_empty() { Ok(()) } else { Err(found) }
    }
}

impl OrganizationLimits {
    /// The smaller of both levels; `None` where neither sets one.
    pub fn in_force(&self, kind: LimitKind) -> Option<LimitInForce> {
        let (ceiling, own) = (self.operator.get(kind), self.organization.get(kind));
        let (value, set_by) = match (ceiling, own) {
            (None, None) => return None,
            (Some(ceiling), None) => (ceiling, LimitLevel::Operator),
            (Some(ceiling), Some(own)) if ceiling <= own => (ceiling, LimitLevel::Operator),
            (_, Some(own)) => (own, LimitLevel::Organization),
        };
        Some(LimitInForce {
            kind,
            value,
            set_by,
            ceiling,
        })
    }

    /// The limits that are in force.
    pub fn all_in_force(&self) -> LimitSettings {
        let value = |kind| self.in_force(kind).map(|limit| limit.value);
        LimitSettings {
            live_sessions: value(LimitKind::LiveSessions),
            sandboxes: value(LimitKind::Sandboxes),
            storage_bytes: value(LimitKind::StorageBytes),
            spend_day_micro_usd: value(LimitKind::SpendDay),
            spend_month_micro_usd: value(LimitKind::SpendMonth),
            approval_seconds: value(LimitKind::ApprovalSeconds),
        }
    }

    /// How long an action of a lane waits for an approval: what the organization chose, else the lane's own time, and
    /// never longer than the lane and the operator allow.
    pub fn approval_time(&self, lane_time: Duration, lane_ceiling: Duration) -> Duration {
        let seconds = |value: i64| Duration::from_secs(value.unsigned_abs());
        let chosen = self
            .organization
            .approval_seconds
            .map_or(lane_time, seconds);
        let ceiling = self.operator.approval_seconds.map(seconds);
        let ceiling = ceiling.map_or(lane_ceiling, |own| own.min(lane_ceiling));
        chosen.min(ceiling)
    }
}

impl LimitInForce {
    /// Whether `used`, with what is asked for, goes beyond it.
    pub fn check(self, used: i64, more: i64) -> Result<(), LimitExceeded> {
        if used.saturating_add(more) <= self.value {
            return Ok(());
        }
        Err(LimitExceeded { limit: self, used })
    }

    /// Whether it is used up.
    pub const fn is_reached(self, used: i64) -> bool {
        used >= self.value
    }

    /// Who can raise it, as the end of a sentence.
    pub fn remedy(self) -> String {
        match (self.set_by, self.ceiling) {
            (LimitLevel::Operator, _) => {
                "the operator of this installation can raise it (proliferate org-limits set)"
                    .to_owned()
            }
            (LimitLevel::Organization, None) => {
                "an admin of the organization can raise it".to_owned()
            }
            (LimitLevel::Organization, Some(ceiling)) => format!(
                "an admin of the organization can raise it, up to the operator's {}",
                self.kind.amount(ceiling)
            ),
        }
    }
}

impl LimitExceeded {
    fn sentence(self) -> String {
        let (limit, kind) = (self.limit, self.limit.kind);
        let used = match kind {
            LimitKind::StorageBytes => format!("uses {}", kind.amount(self.used)),
            _ => format!("has {}", kind.amount(self.used)),
        };
        let remedy = limit.remedy();
        format!(
            "the organization {used} and may have at most {}: {remedy}",
            kind.amount(limit.value)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(live_sessions: Option<i64>) -> LimitSettings {
        LimitSettings {
            live_sessions,
            ..LimitSettings::default()
        }
    }

    #[test]
    fn the_smaller_of_both_levels_is_in_force() {
        use LimitLevel::{Operator, Organization};
        let table = [
            (None, None, None),
            (Some(3), None, Some((3, Operator))),
            (None, Some(2), Some((2, Organization))),
            (Some(3), Some(2), Some((2, Organization))),
            // The operator lowered it afterwards.
            (Some(3), Some(5), Some((3, Operator))),
            (Some(3), Some(3), Some((3, Operator))),
            (Some(0), Some(0), Some((0, Operator))),
        ];
        for (ceiling, own, expected) in table {
            let limits = OrganizationLimits {
                operator: sessions(ceiling),
                organization: sessions(own),
            };
            let found = limits.in_force(LimitKind::LiveSessions);
            let found = found.map(|limit| (limit.value, limit.set_by));
            assert_eq!(found, expected, "{ceiling:?} {own:?}");
        }
    }

    #[test]
    fn a_refusal_says_what_how_much_and_who_can_raise_it() {
        let refusal = |ceiling, own| {
            let limits = OrganizationLimits {
                operator: sessions(ceiling),
                organization: sessions(own),
            };
            let limit = limits.in_force(LimitKind::LiveSessions).unwrap();
            assert_eq!(limit.check(limit.value - 1, 1), Ok(()));
            limit.check(limit.value, 1).unwrap_err().to_string()
        };
        assert_eq!(
            refusal(None, Some(1)),
            "the organization has 1 live session and may have at most 1 live session: an admin of the organization can \
             raise it"
        );
        assert_eq!(
            refusal(Some(4), Some(2)),
            "the organization has 2 live sessions and may have at most 2 live sessions: an admin of the organization can \
             raise it, up to the operator's 4 live sessions"
        );
        assert!(refusal(Some(2), None).contains("the operator of this installation can raise it"));
    }

    #[test]
    fn a_value_above_the_ceiling_names_the_field_and_the_ceiling() {
        let own = LimitSettings {
            sandboxes: Some(9),
            spend_day_micro_usd: Some(2_500_000),
            ..sessions(Some(3))
        };
        let ceiling = LimitSettings {
            sandboxes: Some(9),
            spend_day_micro_usd: Some(1_500_000),
            ..sessions(Some(2))
        };
        let found = own.check_ceiling(&ceiling).unwrap_err();
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        let end = "the ceiling that the operator of this installation set";
        assert_eq!(
            found,
            [
                format!("liveSessions: must be at most 2 (2 live sessions), {end}"),
                format!("spendDayMicroUsd: must be at most 1500000 ($1.50), {end}"),
            ]
        );
        assert_eq!(own.check_ceiling(&LimitSettings::default()), Ok(()));
    }

    #[test]
    fn implausible_values_are_refused_by_name() {
        let wrong = LimitSettings {
            live_sessions: Some(-1),
            storage_bytes: Some(i64::MAX),
            approval_seconds: Some(0),
            ..LimitSettings::default()
        };
        let found = wrong.validate().unwrap_err();
        let fields: Vec<_> = found.iter().map(|one| one.field.as_str()).collect();
        assert_eq!(fields, ["liveSessions", "storageBytes", "approvalSeconds"]);
        let most = LimitSettings {
            approval_seconds: Some(86_400),
            ..sessions(Some(0))
        };
        assert_eq!(most.validate(), Ok(()));
    }

    #[test]
    fn the_time_of_an_approval_is_chosen_below_the_lanes_and_the_operators() {
        let limits = |operator, organization| OrganizationLimits {
            operator: LimitSettings {
                approval_seconds: operator,
                ..LimitSettings::default()
            },
            organization: LimitSettings {
                approval_seconds: organization,
                ..LimitSettings::default()
            },
        };
        // lane's time, lane's ceiling, operator, organization, in force
        let table = [
            (300, 86_400, None, None, 300),
            (300, 86_400, None, Some(3600), 3600),
            (300, 86_400, Some(1800), Some(3600), 1800),
            (300, 86_400, Some(60), None, 60),
            (300, 300, None, Some(3600), 300),
            (300, 300, None, Some(60), 60),
            (3600, 3600, None, None, 3600),
        ];
        for (time, ceiling, operator, organization, expected) in table {
            let found = limits(operator, organization)
                .approval_time(Duration::from_secs(time), Duration::from_secs(ceiling));
            assert_eq!(found.as_secs(), expected, "{operator:?} {organization:?}");
        }
    }
}
