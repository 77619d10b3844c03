//! The data directory, the room on its disk, and the secrets.

use config::DatabaseUrl;
use rustix::fs::{Access, access, statvfs};

use super::check::Check;
use crate::{data_dir::DataDir, load::Loaded};

/// Below this a few sandboxes fill the disk, and a full disk stops SQLite.
const FREE_BYTES_MIN: u64 = 1_000_000_000;

pub(super) fn secrets(loaded: &Loaded) -> Check {
    const NAME: &str = "secrets";
    let missing = loaded.settings.missing_secrets();
    if missing.is_empty() {
        return Check::ok(NAME, "all are set");
    }
    let names: Vec<&str> = missing
        .iter()
        .filter_map(|secret| secret.value.env.first())
        .map(|variable| variable.name)
        .collect();
    let detail = format!("not set: {}", names.join(", "));
    let fix = "`proliferate dev` makes them; for `proliferate serve` set these variables, or the \
               same with _FILE to name files";
    // With a file as its database this may be a machine where `dev` has not run yet.
    match loaded.settings.database.url {
        DatabaseUrl::Sqlite(_) => Check::warn(NAME, detail, fix),
        DatabaseUrl::Postgres(_) => Check::fail(NAME, detail, fix),
    }
}

pub(super) fn data_dir(data_dir: &DataDir) -> Check {
    const NAME: &str = "data dir";
    let path = data_dir.path();
    let shown = path.display();
    if !path.exists() {
        return Check::warn(
            NAME,
            format!("{shown} does not exist yet"),
            "`proliferate dev` makes it",
        );
    }
    if access(path, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).is_err() {
        return Check::fail(
            NAME,
            format!("{shown} is not writable for this user"),
            "give this user the directory, or name another one with `--data-dir`",
        );
    }
    match data_dir.is_open_to_others() {
        Ok(false) => Check::ok(NAME, format!("{shown}, for its owner alone")),
        Ok(true) => Check::warn(
            NAME,
            format!("{shown} is open to others on this machine"),
            format!("chmod 700 {shown}"),
        ),
        Err(error) => Check::fail(
            NAME,
            format!("{shown}: {error}"),
            "name a directory that this user may use with `--data-dir`",
        ),
    }
}

/// The room where the data directory is or will be; nothing if that cannot be told.
pub(super) fn disk(data_dir: &DataDir) -> Option<Check> {
    let existing = data_dir.path().ancestors().find(|path| path.exists())?;
    let stat = statvfs(existing).ok()?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    let detail = format!("{} free", gigabytes(free));
    Some(if free < FREE_BYTES_MIN {
        Check::warn(
            "disk",
            detail,
            "make room, or name a directory on another disk with `--data-dir`",
        )
    } else {
        Check::ok("disk", detail)
    })
}

fn gigabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000_000;
    format!("{}.{} GB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_shown_in_gigabytes() {
        assert_eq!(gigabytes(999_999_999), "0.9 GB");
        assert_eq!(gigabytes(12_345_678_901), "12.3 GB");
    }
}
