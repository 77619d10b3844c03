//! Use cases: a folder per noun, a file per verb.
