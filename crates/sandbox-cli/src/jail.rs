//! Files below one directory, and none outside of it, whatever the paths and links say.
//!
//! INVARIANT: a path is resolved by the kernel beneath the root (`openat2`, `RESOLVE_BENEATH`), in the same
//! step that opens it; what was checked is what is used. A kernel without it gets the stricter rule that no
//! component is a link. A file that has a second name (a hard link) is not read: the other name may be
//! outside.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    os::fd::{AsFd as _, OwnedFd},
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags},
    io::Errno,
};

use crate::{limits::PATH_BYTES_MAX, system};

/// How often a resolution is tried again that was disturbed by a rename.
const RESOLVE_TRIES_MAX: usize = 16;

/// A directory that is not left.
#[derive(Debug)]
pub(crate) struct Jail {
    root: OwnedFd,
    path: PathBuf,
}

/// Why a path was not used.
#[derive(Debug)]
pub(crate) enum Escape {
    /// Absolute, with `..`, or through a link out of the root.
    Outside,
    NotFound,
    /// Not of the kind that was asked for.
    WrongKind(&'static str),
    TooLarge,
    /// For a reason of the machine.
    Io(io::Error),
}

impl Jail {
    pub(crate) fn new(root: &Path) -> io::Result<Self> {
        let path = root.canonicalize()?;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::openat(CWD, &path, flags, Mode::empty())?;
        Ok(Self { root, path })
    }

    /// The real path of the root.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A path below the root, as it is asked for: relative, or absolute with the root in front.
    pub(crate) fn relative(&self, asked: &str) -> Result<PathBuf, Escape> {
        if asked.len() > PATH_BYTES_MAX || asked.contains('\0') {
            return Err(Escape::Outside);
        }
        let asked = Path::new(asked);
        let asked = asked.strip_prefix(&self.path).unwrap_or(asked);
        let mut relative = PathBuf::new();
        for component in asked.components() {
            match component {
                Component::Normal(name) => relative.push(name),
                Component::CurDir => {}
                _ => return Err(Escape::Outside),
            }
        }
        Ok(relative)
    }

    /// The real path of a directory.
    pub(crate) fn directory(&self, asked: &str) -> Result<PathBuf, Escape> {
        let opened = self.open_directory(&self.relative(asked)?)?;
        real_path(&opened)
    }

    pub(crate) fn open_directory(&self, relative: &Path) -> Result<OwnedFd, Escape> {
        self.open(relative, OFlags::RDONLY | OFlags::DIRECTORY)
    }

    /// A regular file with one name. Never waits, whatever stands there.
    pub(crate) fn open_file(&self, relative: &Path) -> Result<File, Escape> {
        let opened = self.open(relative, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
        let stat = rustix::fs::fstat(&opened)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile if stat.st_nlink <= 1 => Ok(File::from(opened)),
            FileType::RegularFile => Err(Escape::WrongKind("it has a second name (hard link)")),
            FileType::Directory => Err(Escape::WrongKind("it is a directory")),
            _ => Err(Escape::WrongKind("it is not a regular file")),
        }
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, relative: &Path, bytes_max: u64) -> Result<Vec<u8>, Escape> {
        let file = self.open_file(relative)?;
        let mut bytes = Vec::new();
        file.take(bytes_max + 1).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > bytes_max {
            return Err(Escape::TooLarge);
        }
        Ok(bytes)
    }

    /// Makes a file hold these bytes: all of them or, if anything fails, what it held. Missing directories
    /// are made. A link in the last place is not followed but refused.
    pub(crate) fn write(&self, relative: &Path, bytes: &[u8], mode: Mode) -> Result<(), Escape> {
        let (directory, name) = self.place(relative, true)?;
        if let Ok(stat) = rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW)
            && FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile
        {
            return Err(Escape::WrongKind("it is not a regular file"));
        }
        replace(&directory, name, bytes, mode)?;
        Ok(())
    }

    /// Removes a file, if it is there.
    pub(crate) fn remove(&self, relative: &Path) -> Result<(), Escape> {
        let (directory, name) = self.place(relative, false)?;
        match rustix::fs::unlinkat(&directory, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn place<'a>(&self, relative: &'a Path, make: bool) -> Result<(OwnedFd, &'a Path), Escape> {
        let name = relative.file_name().ok_or(Escape::Outside)?;
        let parent = relative.parent().unwrap_or(Path::new(""));
        let directory = match self.open_directory(parent) {
            Err(Escape::NotFound) if make => self.make_directory(parent)?,
            other => other?,
        };
        Ok((directory, Path::new(name)))
    }

    fn make_directory(&self, relative: &Path) -> Result<OwnedFd, Escape> {
        let mut below = PathBuf::new();
        let mut directory = self.open_directory(&below)?;
        for name in relative {
            match rustix::fs::mkdirat(&directory, name, Mode::from_raw_mode(0o755)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            below.push(name);
            directory = self.open_directory(&below)?;
        }
        Ok(directory)
    }

    fn open(&self, relative: &Path, flags: OFlags) -> Result<OwnedFd, Escape> {
        let flags = flags | OFlags::CLOEXEC;
        let path = if relative.as_os_str().is_empty() {
            Path::new(".")
        } else {
            relative
        };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        for _ in 0..RESOLVE_TRIES_MAX {
            match rustix::fs::openat2(&self.root, path, flags, Mode::empty(), resolve) {
                Ok(opened) => return Ok(opened),
                Err(Errno::AGAIN) => {}
                Err(Errno::NOSYS | Errno::PERM) => return self.open_stepwise(path, flags),
                Err(error) => return Err(error.into()),
            }
        }
        Err(Escape::Io(io::ErrorKind::ResourceBusy.into()))
    }

    /// Without `openat2`: one component after the other, none of them a link.
    fn open_stepwise(&self, path: &Path, flags: OFlags) -> Result<OwnedFd, Escape> {
        let mut names: Vec<_> = path.components().collect();
        let last = names.pop();
        let mut at = self.root.try_clone()?;
        let step = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for name in names {
            at = rustix::fs::openat(&at, name.as_os_str(), step, Mode::empty())?;
        }
        let last = last.map_or(".".as_ref(), Component::as_os_str);
        Ok(rustix::fs::openat(
            &at,
            last,
            flags | OFlags::NOFOLLOW,
            Mode::empty(),
        )?)
    }
}

/// Where the kernel says that an opened directory is.
fn real_path(opened: &OwnedFd) -> Result<PathBuf, Escape> {
    use std::os::fd::AsRawFd as _;
    Ok(std::fs::read_link(format!(
        "/proc/self/fd/{}",
        opened.as_fd().as_raw_fd()
    ))?)
}

/// Puts a whole file in the place of another, or leaves the other.
pub(crate) fn replace(
    directory: &OwnedFd,
    name: &Path,
    bytes: &[u8],
    mode: Mode,
) -> io::Result<()> {
    let temporary = format!(".proliferate-{}.tmp", system::unique());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(directory, &temporary, flags, Mode::from_raw_mode(0o600))?;
    let mut file = File::from(opened);
    let written = file
        .write_all(bytes)
        .and_then(|()| Ok(rustix::fs::fchmod(&file, mode)?))
        .and_then(|()| file.sync_all())
        .and_then(|()| {
            Ok(rustix::fs::renameat(
                directory, &temporary, directory, name,
            )?)
        });
    if written.is_err() {
        let _ = rustix::fs::unlinkat(directory, &temporary, AtFlags::empty());
    }
    written
}

impl From<Errno> for Escape {
    fn from(error: Errno) -> Self {
        match error {
            Errno::NOENT | Errno::NOTDIR => Self::NotFound,
            Errno::XDEV | Errno::LOOP => Self::Outside,
            Errno::NXIO => Self::WrongKind("it is not a regular file"),
            error => Self::Io(error.into()),
        }
    }
}

impl From<io::Error> for Escape {
    fn from(error: io::Error) -> Self {
        match error.raw_os_error() {
            Some(number) => Errno::from_raw_os_error(number).into(),
            None => Self::Io(error),
        }
    }
}

impl std::fmt::Display for Escape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Outside => f.write_str("it is not below the workspace"),
            Self::NotFound => f.write_str("there is no such file or directory"),
            Self::WrongKind(why) => f.write_str(why),
            Self::TooLarge => f.write_str("it is too large"),
            Self::Io(error) => write!(f, "{}", error.kind()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    struct Place {
        jail: Jail,
        outer: tempfile::TempDir,
    }

    fn place() -> Place {
        let outer = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(outer.path().join("in/sub")).unwrap();
        std::fs::write(outer.path().join("secret"), "secret").unwrap();
        std::fs::write(outer.path().join("in/sub/own"), "own").unwrap();
        let jail = Jail::new(&outer.path().join("in")).unwrap();
        Place { jail, outer }
    }

    impl Place {
        fn read(&self, asked: &str) -> Result<Vec<u8>, Escape> {
            self.jail.read(&self.jail.relative(asked)?, 100)
        }
    }

    #[test]
    fn what_is_inside_is_read_also_through_links_that_stay_inside() {
        let place = place();
        symlink("sub/own", place.jail.path().join("link")).unwrap();
        let absolute = place.jail.path().join("sub/own");
        for asked in ["sub/own", "./sub//own", "link", absolute.to_str().unwrap()] {
            assert_eq!(place.read(asked).unwrap(), b"own", "{asked}");
        }
    }

    #[test]
    fn nothing_outside_is_reached_by_any_trick() {
        let place = place();
        let (inside, outside) = (place.jail.path(), place.outer.path());
        symlink(outside.join("secret"), inside.join("absolute")).unwrap();
        symlink("../secret", inside.join("relative")).unwrap();
        symlink("..", inside.join("up")).unwrap();
        symlink("/proc/self/root", inside.join("proc")).unwrap();
        symlink("loop", inside.join("loop")).unwrap();
        std::fs::hard_link(outside.join("secret"), inside.join("hard")).unwrap();
        for asked in [
            "../secret",
            "sub/../../secret",
            "..",
            "/etc/passwd",
            "absolute",
            "relative",
            "up/secret",
            "proc/etc/passwd",
            "loop",
            "hard",
            "sub/own\0x",
            "",
        ] {
            let read = place.read(asked);
            assert!(read.is_err(), "{asked}: {read:?}");
            let relative = place.jail.relative(asked);
            let written = relative.and_then(|path| place.jail.write(&path, b"x", Mode::RUSR));
            assert!(written.is_err() || asked == "hard", "{asked}");
        }
        // Writing to a second name makes a file of its own.
        assert_eq!(std::fs::read(outside.join("secret")).unwrap(), b"secret");
        assert!(place.jail.directory("up").is_err());
    }

    #[test]
    fn without_openat2_no_link_is_followed() {
        let place = place();
        symlink("sub", place.jail.path().join("link")).unwrap();
        symlink("../secret", place.jail.path().join("out")).unwrap();
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        assert!(
            place
                .jail
                .open_stepwise(Path::new("sub/own"), flags)
                .is_ok()
        );
        assert!(place.jail.open_stepwise(Path::new("."), flags).is_ok());
        for bad in ["link/own", "out", "sub/none"] {
            assert!(
                place.jail.open_stepwise(Path::new(bad), flags).is_err(),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_pipe_a_directory_and_a_large_file_are_refused_at_once() {
        let place = place();
        let pipe = place.jail.path().join("pipe");
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        std::fs::write(place.jail.path().join("large"), [0; 101]).unwrap();
        assert!(matches!(place.read("pipe"), Err(Escape::WrongKind(_))));
        assert!(matches!(place.read("sub"), Err(Escape::WrongKind(_))));
        assert!(matches!(place.read("large"), Err(Escape::TooLarge)));
    }

    #[test]
    fn a_write_makes_directories_sets_the_mode_and_leaves_nothing_else() {
        let place = place();
        let path = place.jail.relative("a/b/file").unwrap();
        for text in ["one", "two"] {
            place
                .jail
                .write(&path, text.as_bytes(), Mode::from_raw_mode(0o600))
                .unwrap();
        }
        let file = place.jail.path().join("a/b/file");
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(
            std::fs::read_dir(file.parent().unwrap()).unwrap().count(),
            1
        );
        place.jail.remove(&path).unwrap();
        place.jail.remove(&path).unwrap();
        assert!(!file.exists());
    }
}
