//! What those who watch are told, in its order. Pure: `coalesce` joins the pieces of a text, `entry` gives each
//! message its place and its bytes, `window` keeps the last of them for clients that come back, `transcript`
//! makes the conversation of them for clients that come new and `picture` the rest, `once` knows what must not come
//! twice, and `kept` how much of it the database is to keep. Writing them down is the hub's, by `store`.

mod call_args;
mod coalesce;
mod entry;
mod kept;
mod once;
mod picture;
mod transcript;
mod window;

pub use coalesce::Coalescer;
pub use entry::{Entry, EntryError};
pub use kept::Kept;
pub use once::{Once, Taken, digest};
pub use picture::Picture;
pub use transcript::{ToldMessage, ToldPart, Transcript};
pub use window::{Resume, Window, gap};
