//! A live session in the terminal: what is shown of it, and what a line that somebody types means.

mod line;
mod questions;
mod view;
mod watch;

pub(crate) use line::Line;
pub(crate) use questions::{Question, Questions, Typed};
pub(crate) use view::View;
pub(crate) use watch::{Answers, Until, Watch, send};
