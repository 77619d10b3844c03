//! Actions: what an agent asks to have done in an outside service.

pub mod risk;

pub use risk::Risk;
