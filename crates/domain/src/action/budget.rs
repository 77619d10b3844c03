//! How often a grant may be used. The store repeats these rules inside its conditional update, so that
//! two concurrent callers cannot both spend the last call.

use std::num::NonZeroU32;

use crate::{invalid::Invalid, limits::GRANT_CALLS_MAX};

/// The number of calls a grant allows, and how many were used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantBudget {
    /// `None` for no limit.
    pub max_calls: Option<NonZeroU32>,
    pub used_calls: u32,
}

impl GrantBudget {
    pub const fn new(max_calls: Option<NonZeroU32>) -> Self {
        Self {
            max_calls,
            used_calls: 0,
        }
    }

    /// Calls left; `None` for no limit.
    pub fn left(self) -> Option<u32> {
        self.max_calls
            .map(|max| max.get().saturating_sub(self.used_calls))
    }

    pub fn is_exhausted(self) -> bool {
        self.left() == Some(0)
    }

    /// With one more call used; `None` if there is none left.
    #[must_use]
    pub fn spend(self) -> Option<Self> {
        (!self.is_exhausted()).then_some(Self {
            used_calls: self.used_calls.saturating_add(1),
            ..self
        })
    }

    /// With a call given back that was refused after it was spent and before it ran.
    #[must_use]
    pub fn give_back(self) -> Self {
        Self {
            used_calls: self.used_calls.saturating_sub(1),
            ..self
        }
    }
}

/// Checks a requested number of calls.
pub fn check_max_calls(field: &str, max_calls: Option<i64>) -> Result<Option<NonZeroU32>, Invalid> {
    let Some(asked) = max_calls else {
        return Ok(None);
    };
    let calls = u32::try_from(asked).ok().and_then(NonZeroU32::new);
    match calls {
        Some(calls) if calls.get() <= GRANT_CALLS_MAX => Ok(Some(calls)),
        _ => Err(Invalid::new(
            field,
            format!("must be between 1 and {GRANT_CALLS_MAX}, or null for no limit"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_number_of_calls_is_at_least_one() {
        assert_eq!(check_max_calls("maxCalls", None), Ok(None));
        assert_eq!(check_max_calls("maxCalls", Some(1)), Ok(NonZeroU32::new(1)));
        for bad in [0, -1, i64::MIN, i64::MAX, i64::from(GRANT_CALLS_MAX) + 1] {
            assert_eq!(
                check_max_calls("maxCalls", Some(bad)).unwrap_err().field,
                "maxCalls"
            );
        }
    }

    #[test]
    fn a_row_that_was_overspent_is_exhausted_and_not_unlimited() {
        let overspent = GrantBudget {
            max_calls: NonZeroU32::new(2),
            used_calls: 3,
        };
        assert_eq!((overspent.left(), overspent.spend()), (Some(0), None));
    }

    proptest! {
        /// Any order of spending and giving back: never above the limit, never below zero, and exactly as
        /// many used as were spent and not given back.
        #[test]
        fn case_30_a_budget_is_exact(
            max in proptest::option::of(1_u32..20),
            steps in proptest::collection::vec(any::<bool>(), 0..200),
        ) {
            let mut budget = GrantBudget::new(max.and_then(NonZeroU32::new));
            let mut held = 0_u32;
            for spend in steps {
                if spend {
                    let allowed = max.is_none_or(|max| held < max);
                    prop_assert_eq!(budget.spend().is_some(), allowed);
                    if let Some(spent) = budget.spend() {
                        budget = spent;
                        held += 1;
                    }
                } else {
                    budget = budget.give_back();
                    held = held.saturating_sub(1);
                }
                prop_assert_eq!(budget.used_calls, held);
                prop_assert!(max.is_none_or(|max| budget.used_calls <= max));
                prop_assert_eq!(budget.left(), max.map(|max| max - held));
            }
        }
    }
}
