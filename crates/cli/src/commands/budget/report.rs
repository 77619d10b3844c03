//! The budget in one line.

use domain::model_usage::dollars;
use wire::model_usage::OrganizationBudgetView;

use crate::context::Context;

pub(super) const PATH: &str = "/v1/organization/budget";

pub(super) fn report(context: &Context, budget: &OrganizationBudgetView) {
    context.printer.result(budget, |budget| {
        let in_force = budget.in_force_micro_usd.map(dollars);
        let in_force = in_force.unwrap_or_else(|| "no limit".to_owned());
        let whose = match budget.budget_micro_usd {
            Some(_) => "of the organization",
            None => "the gateway's setting",
        };
        format!("{in_force} for each session, {whose}")
    });
}
