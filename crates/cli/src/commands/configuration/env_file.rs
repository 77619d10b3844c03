//! An env file as an option describes it: `PATH=KEY,KEY?`, where `?` marks a key that may be missing.

use wire::configuration::{EnvFile, EnvFileFormat, EnvFileKey, EnvFileMode};

pub(super) fn parse(text: &str) -> Result<EnvFile, String> {
    let (path, keys) = text
        .split_once('=')
        .ok_or("write PATH=KEY,KEY, such as `.env=DATABASE_URL,SENTRY_DSN?`")?;
    let key = |text: &str| EnvFileKey {
        key: text.strip_suffix('?').unwrap_or(text).to_owned(),
        required: !text.ends_with('?'),
    };
    Ok(EnvFile {
        workspace_path: ".".to_owned(),
        path: path.to_owned(),
        format: EnvFileFormat::Dotenv,
        mode: EnvFileMode::Secret,
        keys: keys.split(',').map(str::trim).map(key).collect(),
    })
}

pub(super) fn written(file: &EnvFile) -> String {
    let key = |key: &EnvFileKey| format!("{}{}", key.key, if key.required { "" } else { "?" });
    let keys: Vec<String> = file.keys.iter().map(key).collect();
    format!("{}={}", file.path, keys.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_the_way_it_is_read() {
        for text in [".env=A", "apps/web/.env=DATABASE_URL,SENTRY_DSN?"] {
            assert_eq!(written(&parse(text).unwrap()), text);
        }
        assert!(parse(".env").is_err());
        assert!(!parse(".env=A, B?").unwrap().keys[1].required);
    }
}
