//! Single files of the library, with the tests in them. They are taken in here because a test binary of the library alone
//! would have all of it compiled once more, for a minute and more.

#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "the library uses the rest"
)]

#[path = "../../src/routes/body_stream.rs"]
mod body_stream;
#[path = "../../src/routes/connect_cookie.rs"]
mod connect_cookie;
#[path = "../../src/connections/mod.rs"]
mod connections;
#[path = "../../src/extract/cookie.rs"]
pub(crate) mod cookie;
#[path = "../../src/extract/csrf.rs"]
mod csrf;
#[path = "../../src/extract/decode_error.rs"]
mod decode_error;
#[path = "../../src/error.rs"]
pub(crate) mod error;
#[path = "../../src/routes/mcp/message.rs"]
mod message;
#[path = "../../src/routes/mcp/names.rs"]
mod names;
#[path = "../../src/extract/origin.rs"]
mod origin;
#[path = "../../src/extract/own_url.rs"]
pub(crate) mod own_url;
#[path = "../../src/extract/pace.rs"]
mod pace;
#[path = "../../src/routes/live/preview_head.rs"]
mod preview_head;
#[path = "../../src/readiness.rs"]
mod readiness;
#[path = "../../src/rejections/subject.rs"]
mod subject;
#[path = "../../src/routes/mcp/wait.rs"]
mod wait;
