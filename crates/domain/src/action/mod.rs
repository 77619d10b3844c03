//! Actions: what an agent wants done at an outside service.

mod risk;

pub use risk::Risk;
