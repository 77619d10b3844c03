//! The limits as a table: what is in force, what is used, and who set it.

use domain::model_usage::dollars;
use wire::organization_limits::{LimitSettingsView, OrganizationLimitsView};

use crate::{context::Context, printer::Output};

pub(super) const PATH: &str = "/v1/organization/limits";

/// A limit by the name of its flag.
struct Row {
    name: &'static str,
    of: fn(&LimitSettingsView) -> Option<i64>,
    used: fn(&OrganizationLimitsView) -> Option<i64>,
    shown: fn(i64) -> String,
}

const ROWS: [Row; 6] = [
    Row {
        name: "live sessions",
        of: |limits| limits.live_sessions,
        used: |view| Some(view.used.live_sessions),
        shown: |value| value.to_string(),
    },
    Row {
        name: "sandboxes",
        of: |limits| limits.sandboxes,
        used: |view| Some(view.used.sandboxes),
        shown: |value| value.to_string(),
    },
    Row {
        name: "storage",
        of: |limits| limits.storage_bytes,
        used: |view| Some(view.used.storage_bytes),
        shown: size,
    },
    Row {
        name: "spend in a day",
        of: |limits| limits.spend_day_micro_usd,
        used: |view| Some(view.used.spend_day_micro_usd),
        shown: dollars,
    },
    Row {
        name: "spend in a month",
        of: |limits| limits.spend_month_micro_usd,
        used: |view| Some(view.used.spend_month_micro_usd),
        shown: dollars,
    },
    Row {
        name: "approval",
        of: |limits| limits.approval_seconds,
        used: |_| None,
        shown: |value| format!("{value}s"),
    },
];

pub(crate) fn report(context: &Context, view: &OrganizationLimitsView) {
    let printer = context.printer;
    if printer.output == Output::Json {
        return printer.json(view);
    }
    let rows: Vec<Vec<String>> = ROWS.iter().map(|row| cells(row, view)).collect();
    let headings = ["LIMIT", "IN FORCE", "USED", "CHOSEN", "CEILING"];
    printer.table(&headings, &rows, "no limits");
}

fn cells(row: &Row, view: &OrganizationLimitsView) -> Vec<String> {
    let shown = |value: Option<i64>| value.map_or_else(|| "-".to_owned(), row.shown);
    let in_force = (row.of)(&view.in_force);
    let none = if row.name == "approval" {
        "lane's"
    } else {
        "none"
    };
    vec![
        row.name.to_owned(),
        in_force.map_or_else(|| none.to_owned(), row.shown),
        shown((row.used)(view)),
        shown((row.of)(&view.organization)),
        shown((row.of)(&view.operator)),
    ]
}

/// In the largest unit that leaves a whole number before the point.
fn size(bytes: i64) -> String {
    let units = [
        (1_000_000_000_000, "TB"),
        (1_000_000_000, "GB"),
        (1_000_000, "MB"),
        (1_000, "KB"),
    ];
    for (factor, unit) in units {
        if bytes >= factor {
            let (whole, tenth) = (bytes / factor, bytes % factor * 10 / factor);
            return match tenth {
                0 => format!("{whole} {unit}"),
                _ => format!("{whole}.{tenth} {unit}"),
            };
        }
    }
    format!("{bytes} B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_500, "1.5 KB"),
            (20_000_000_000, "20 GB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
