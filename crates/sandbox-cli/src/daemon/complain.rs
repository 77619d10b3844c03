//! Lines for readers of the daemon's stderr.

use crate::printer::Printer;

pub(super) fn complain(text: &str) {
    Printer::default().note(text);
}
