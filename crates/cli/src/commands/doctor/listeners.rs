//! How the settings of listeners go together.

use config::Settings;

use super::check::Check;

const LISTENERS: &str = "listeners";

pub(super) fn check(settings: &Settings) -> Vec<Check> {
    let cautions = settings.cautions().into_iter();
    let shown = cautions.map(|caution| {
        let detail = format!("`{}` {}", caution.setting, caution.message);
        Check::warn(LISTENERS, detail, caution.hint)
    });
    shown.collect()
}
