//! Images: the one that everything begins with, and templates, which have files of this machine on top.

use std::{
    fs::{self, Metadata},
    io::{self, Seek as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use aws_lc_rs::digest::{Context, SHA256};
use bollard::{
    Docker,
    models::{ContainerConfig, ContainerCreateBody, HostConfig},
    query_parameters::{
        CommitContainerOptions, CreateContainerOptions, ListImagesOptions, RemoveContainerOptions,
        UploadToContainerOptions,
    },
};
use domain::clock::{Entropy, random_bytes};
use tokio_util::io::ReaderStream;

use super::{
    Container, EngineSupport, Settings, blocking,
    create::plain,
    failed,
    inside::USER,
    labels::{self, TEMPLATE},
    making::Making,
    status,
};
use crate::{Error, HOME, Result, TemplateEntry};

const STEP: &str = "preparing the template";
/// Of everything in a home directory.
const OWNER: u64 = 1000;

/// Asks the engine what it supports, and tries to create a container with a bounded disk.
pub(super) async fn engine_support(
    docker: &Docker,
    settings: &Settings,
    making: &Making,
    entropy: &dyn Entropy,
) -> Result<EngineSupport> {
    let info = docker.info().await;
    let info = info.map_err(failed("asking the container engine"))?;
    let seen = docker.inspect_image(&settings.image).await;
    if let Err(error) = seen {
        return Err(match status(&error) {
            Some(404) => Error::failed(
                "looking for the image of sandboxes",
                format!("there is no {}; make it first", settings.image),
            ),
            _ => failed("looking for the image of sandboxes")(error),
        });
    }
    let options = info.security_options.unwrap_or_default();
    let rootless = options.iter().any(|option| option.contains("rootless"));
    let old_groups = info
        .cgroup_version
        .is_some_and(|version| version.to_string() == "1");
    // Without root the first version of control groups cannot be used at all.
    let groups = !(rootless && old_groups);
    let bounds = [info.memory_limit, info.pids_limit, info.cpu_cfs_quota];
    Ok(EngineSupport {
        pause: groups,
        resource_limits: groups && bounds.iter().all(|bound| *bound == Some(true)),
        disk_limit: bounds_disks(docker, settings, making, entropy).await?,
    })
}

/// Whether the engine takes a container with a bounded disk.
async fn bounds_disks(
    docker: &Docker,
    settings: &Settings,
    making: &Making,
    entropy: &dyn Entropy,
) -> Result<bool> {
    let name = format!(
        "proliferate-probe-{}",
        hex::encode(random_bytes::<6>(entropy))
    );
    let mark = making.begin(&name)?;
    let host = HostConfig {
        storage_opt: Some([("size".to_owned(), "1g".to_owned())].into()),
        network_mode: Some("none".to_owned()),
        ..HostConfig::default()
    };
    let body = ContainerCreateBody {
        host_config: Some(host),
        ..plain(&settings.image, labels::kind(settings, "builder"))
    };
    let options = CreateContainerOptions {
        name: Some(name.clone()),
        ..CreateContainerOptions::default()
    };
    let taken = docker.create_container(Some(options), body).await.is_ok();
    let options = RemoveContainerOptions {
        force: true,
        v: true,
        ..RemoveContainerOptions::default()
    };
    let removed = docker.remove_container(&name, Some(options)).await;
    if !taken || removed.is_ok() {
        mark.done();
    }
    Ok(taken)
}

impl Container {
    /// The image with these entries, made if it is not there.
    pub(super) async fn template(&self, entries: &[TemplateEntry]) -> Result<String> {
        if entries.is_empty() {
            return Ok(self.0.settings.image.clone());
        }
        for entry in entries {
            if entry.target.is_home() || !entry.source.is_absolute() {
                return Err(Error::invalid("a template entry needs two whole paths"));
            }
            if !entry.source.exists() {
                let what = entry.source.display().to_string();
                return Err(Error::NotFound { what });
            }
        }
        let base = self.docker().inspect_image(&self.0.settings.image).await;
        let base = base.map_err(failed(STEP))?.id.unwrap_or_default();
        let listed = entries.to_vec();
        let key =
            blocking(move || looks_of(&base, &listed).map_err(|error| Error::failed(STEP, error)));
        let key = key.await?;
        let _one = self.0.building.lock().await;
        if let Some(known) = self.find_template(&key).await? {
            return Ok(known);
        }
        let name = format!("proliferate-builder-{}", self.random());
        let mark = self.0.making.begin(&name)?;
        let built = self.build(&name, &key, entries.to_vec()).await;
        let removed = self.remove_container(&name).await;
        if removed.is_ok() {
            mark.done();
        }
        let image = built?;
        removed?;
        Ok(image)
    }

    async fn find_template(&self, key: &str) -> Result<Option<String>> {
        let options = ListImagesOptions {
            all: true,
            filters: Some([("label".to_owned(), vec![format!("{TEMPLATE}={key}")])].into()),
            ..ListImagesOptions::default()
        };
        let images = self.docker().list_images(Some(options)).await;
        let images = images.map_err(failed(STEP))?;
        // Snapshots of its sandboxes have the label too.
        let own = |labels: &labels::Labels| labels::is(labels, &self.0.settings, "template");
        let found = images.into_iter().find(|image| own(&image.labels));
        Ok(found.map(|image| image.id))
    }

    /// Fills a container that is never started, and keeps what it has become.
    async fn build(&self, name: &str, key: &str, entries: Vec<TemplateEntry>) -> Result<String> {
        let mut body = plain(
            &self.0.settings.image,
            labels::kind(&self.0.settings, "builder"),
        );
        body.user = Some(USER.to_owned());
        body.host_config = Some(HostConfig {
            network_mode: Some("none".to_owned()),
            ..HostConfig::default()
        });
        self.create_container(name, body).await?;
        let tarball = blocking(move || pack(&entries).map_err(|error| Error::failed(STEP, error)));
        let tarball = tokio::fs::File::from_std(tarball.await?);
        let options = UploadToContainerOptions {
            path: "/".to_owned(),
            ..UploadToContainerOptions::default()
        };
        let body = bollard::body_try_stream(ReaderStream::with_capacity(tarball, 256 * 1024));
        let sent = self
            .docker()
            .upload_to_container(name, Some(options), body)
            .await;
        sent.map_err(failed(STEP))?;
        let marks = labels::instructions(&self.0.settings, "template", &[(TEMPLATE, key)]);
        let options = CommitContainerOptions {
            container: Some(name.to_owned()),
            repo: Some("localhost/proliferate-template".to_owned()),
            tag: Some(key.to_owned()),
            pause: false,
            changes: Some(marks),
            ..CommitContainerOptions::default()
        };
        let made = self
            .docker()
            .commit_container(options, ContainerConfig::default())
            .await;
        Ok(made.map_err(failed(STEP))?.id)
    }
}

/// The entries where they belong, owned by the user of a container. Links stay links.
fn pack(entries: &[TemplateEntry]) -> io::Result<fs::File> {
    let mut to = tar::Builder::new(tempfile::tempfile()?);
    to.follow_symlinks(false);
    let home = Path::new(HOME.trim_start_matches('/'));
    let mut made = std::collections::BTreeSet::new();
    for entry in entries {
        let target = home.join(entry.target.relative());
        let above: Vec<&Path> = target.ancestors().skip(1).collect();
        for dir in above.into_iter().rev() {
            if dir.starts_with(home) && dir != home && made.insert(dir.to_owned()) {
                let mut header = tar::Header::new_gnu();
                header.set_entry_type(tar::EntryType::Directory);
                header.set_mode(0o755);
                give(&mut header);
                header.set_size(0);
                to.append_data(&mut header, dir, io::empty())?;
            }
        }
        let source = fs::canonicalize(&entry.source)?;
        for path in tree(&source)? {
            let below = path.strip_prefix(&source).unwrap_or(Path::new(""));
            let name = if below.as_os_str().is_empty() {
                target.clone()
            } else {
                target.join(below)
            };
            add(&mut to, &path, &name)?;
        }
    }
    let mut file = to.into_inner()?;
    file.rewind()?;
    Ok(file)
}

fn add(to: &mut tar::Builder<fs::File>, path: &Path, name: &Path) -> io::Result<()> {
    let meta = path.symlink_metadata()?;
    let mut header = tar::Header::new_gnu();
    header.set_metadata(&meta);
    give(&mut header);
    if meta.is_symlink() {
        header.set_size(0);
        to.append_link(&mut header, name, fs::read_link(path)?)
    } else if meta.is_dir() {
        header.set_size(0);
        to.append_data(&mut header, name, io::empty())
    } else if meta.is_file() {
        to.append_data(&mut header, name, fs::File::open(path)?)
    } else {
        // A socket or a pipe is nothing that a copy has.
        Ok(())
    }
}

fn give(header: &mut tar::Header) {
    header.set_uid(OWNER);
    header.set_gid(OWNER);
}

/// The path itself and everything below, directories before what they hold.
fn tree(source: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![source.to_owned()];
    let mut at = 0;
    while let Some(path) = found.get(at) {
        if path.symlink_metadata()?.is_dir() {
            let names = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
            let mut names = names.collect::<io::Result<Vec<_>>>()?;
            names.sort();
            found.extend(names);
        }
        at += 1;
    }
    Ok(found)
}

/// A digest of the image below, and of names, sizes and times of all sources and of where they go.
fn looks_of(base: &str, entries: &[TemplateEntry]) -> io::Result<String> {
    let mut hash = Context::new(&SHA256);
    hash.update(base.as_bytes());
    let mut add = |path: &Path, meta: &Metadata| {
        hash.update(&[0]);
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update(&[0]);
        for number in [
            meta.len(),
            u64::from(meta.mode()),
            meta.ino(),
            meta.mtime().unsigned_abs(),
            meta.mtime_nsec().unsigned_abs(),
        ] {
            hash.update(&number.to_le_bytes());
        }
    };
    for entry in entries {
        let source = fs::canonicalize(&entry.source)?;
        add(entry.target.relative(), &source.metadata()?);
        for path in tree(&source)? {
            add(&path, &path.symlink_metadata()?);
        }
    }
    Ok(hex::encode(hash.finish()))
}
