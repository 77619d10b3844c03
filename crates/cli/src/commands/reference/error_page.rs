//! The page of all error codes.

use std::fmt::Write as _;

use wire::problem::Code;

pub(super) fn render() -> String {
    let mut page = String::from(
        "# Error codes\n\n\
         Generated from `crates/wire/src/problem/code.rs`; do not edit. Every error answer is a \
         problem document (RFC 9457) with one of these codes. Retryable: the same request may \
         succeed later without being changed.\n\n\
         | Code | Status | Retryable | Title |\n|---|---|---|---|\n",
    );
    for code in Code::ALL {
        let retryable = if code.retryable() { "yes" } else { "no" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "| [`{code}`](../errors/{code}.md) | {} | {retryable} | {} |",
            code.status(),
            code.title()
        );
    }
    page
}
