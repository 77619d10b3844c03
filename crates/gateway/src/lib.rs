//! HTTP: routes, callers, the error mapping.
