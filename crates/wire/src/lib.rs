//! Shapes on the wire: requests, answers, the error envelope.
