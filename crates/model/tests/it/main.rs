//! The scripted model as an agent sees it: over HTTP, stream and whole.

mod faults;
mod scripts;
mod stream;
mod support;
