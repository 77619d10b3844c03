//! Settings: sections, environment variables, the TOML file.
