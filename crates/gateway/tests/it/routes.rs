//! Routes beside the document. The OpenAPI document has every route of the tables in `router.rs`, and
//! `authorization.table` a row for each of those. A route that is added by other means is in no document and in no table:
//! each such place is listed here, with what is reviewed instead.

use std::{collections::BTreeMap, fs, path::Path};

/// What adds a route that the document does not have, or hands requests to something that has routes of its own.
const ADDING: [&str; 9] = [
    ".route(",
    ".route_service(",
    ".nest(",
    ".nest_service(",
    ".fallback(",
    ".fallback_service(",
    ".method_not_allowed_fallback(",
    "Router::new()",
    "Router::with_openapi(",
];

/// File, line and why no row of the table is needed.
const REVIEWED: [(&str, &str, &str); 16] = [
    (
        "router.rs",
        ".fallback(not_found)",
        "a file of the dashboard, which is the same for all, or 404",
    ),
    (
        "router.rs",
        ".method_not_allowed_fallback(method_not_allowed);",
        "405 for all",
    ),
    // `foreign.rs` has a row for each of these by way of `PROXIED_PATHS`.
    (
        "router.rs",
        ".route(preview, on(except_get, r::live::preview))",
        "of PROXIED_PATHS",
    ),
    (
        "router.rs",
        ".route(below_preview, on(any, r::live::preview))",
        "of PROXIED_PATHS",
    ),
    (
        "router.rs",
        ".route(look, on(except_get, r::live::preview_look))",
        "of PROXIED_PATHS",
    ),
    (
        "router.rs",
        ".route(below_look, on(any, r::live::preview_look));",
        "of PROXIED_PATHS",
    ),
    // The listeners for clients and for sandboxes serve the tables: `listeners.rs` lists what the second serves.
    ("router.rs", ".fold(Router::new(), add)", "clients"),
    ("router.rs", ".fold(Router::new(), add)", "sandboxes"),
    (
        "router.rs",
        "router.route(route.path, route.handler)",
        "a row of a table",
    ),
    ("router.rs", ".fallback(no_route)", "404 for all"),
    (
        "router.rs",
        ".method_not_allowed_fallback(method_not_allowed);",
        "405 for all",
    ),
    // The listener for metrics.
    ("router.rs", "let router = Router::new()", "metrics"),
    (
        "router.rs",
        ".route(\"/metrics\", on(MethodFilter::GET, r::health::measurements))",
        "documented on the listener for clients",
    ),
    ("router.rs", ".fallback(no_route)", "404 for all"),
    (
        "router.rs",
        ".method_not_allowed_fallback(method_not_allowed);",
        "405 for all",
    ),
    (
        "router.rs",
        "let router = OpenApiRouter::with_openapi(Base::openapi());",
        "the document",
    ),
];

/// The same for the dashboard: pages and files that are the same for every caller; `dashboard.rs` has their tests.
const DASHBOARD: [&str; 3] = [
    "let mut router = Router::new().route(\"/assets/{*name}\", get(asset));",
    ".route(&format!(\"/{address}\"), get(page))",
    ".route(&format!(\"/{address}/{{*rest}}\"), get(page));",
];

/// How often each place is there.
type Places = BTreeMap<(String, String), usize>;

#[test]
fn a_route_beside_the_document_is_reviewed() {
    let mut reviewed = Places::new();
    let rows = REVIEWED.iter().map(|(file, line, _)| (*file, *line));
    let dashboard = DASHBOARD
        .iter()
        .map(|line| ("routes/dashboard/mod.rs", *line));
    for (file, line) in rows.chain(dashboard) {
        *reviewed.entry((file.into(), line.into())).or_default() += 1;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Places::new();
    collect(&source, &source, &mut found);
    assert_eq!(
        found, reviewed,
        "a route that no table covers: add it to a table of `router.rs`, or review it and list it here"
    );
}

fn collect(root: &Path, directory: &Path, found: &mut Places) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = path.strip_prefix(root).unwrap().display().to_string();
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(str::trim);
            for line in lines.filter(|line| ADDING.iter().any(|word| line.contains(word))) {
                *found.entry((file.clone(), line.to_owned())).or_default() += 1;
            }
        }
    }
}
