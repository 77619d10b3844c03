//! Templates: images that have files of this machine on top of the image that everything begins with.

use bollard::{
    models::{ContainerConfig, HostConfig},
    query_parameters::{CommitContainerOptions, ListImagesOptions, UploadToContainerOptions},
};
use tokio_util::io::ReaderStream;

use super::{
    container_body::idle_container,
    engine::Engine,
    helper::USER,
    labels::{self, TEMPLATE},
    response::failed,
    template_archive::{fingerprint, pack},
};
use crate::{Error, Result, TemplateEntry, blocking::blocking};

const STEP: &str = "preparing the template";

pub(super) struct Templates {
    engine: Engine,
    /// One template is made at a time.
    building: tokio::sync::Mutex<()>,
}

impl Templates {
    pub(super) fn new(engine: Engine) -> Self {
        Self {
            engine,
            building: tokio::sync::Mutex::default(),
        }
    }

    /// Returns the image with these entries, and makes it if it is missing.
    pub(super) async fn image_with(&self, entries: &[TemplateEntry]) -> Result<String> {
        if entries.is_empty() {
            return Ok(self.engine.settings().image.clone());
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
        let base = &self.engine.settings().image;
        let base = self.engine.docker().inspect_image(base).await;
        let base = base.map_err(failed(STEP))?.id.unwrap_or_default();
        let listed = entries.to_vec();
        let key = blocking(move || {
            fingerprint(&base, &listed).map_err(|error| Error::failed(STEP, error))
        });
        let key = key.await?;
        let _building = self.building.lock().await;
        if let Some(known) = self.find(&key).await? {
            return Ok(known);
        }
        let name = format!("proliferate-builder-{}", self.engine.generate_name());
        let note = self.engine.notes().begin(&name)?;
        let built = self.build(&name, &key, entries.to_vec()).await;
        let removed = self.engine.remove_container(&name).await;
        if removed.is_ok() {
            note.remove();
        }
        let image = built?;
        removed?;
        Ok(image)
    }

    async fn find(&self, key: &str) -> Result<Option<String>> {
        let options = ListImagesOptions {
            all: true,
            filters: Some([("label".to_owned(), vec![format!("{TEMPLATE}={key}")])].into()),
            ..ListImagesOptions::default()
        };
        let images = self.engine.docker().list_images(Some(options)).await;
        let images = images.map_err(failed(STEP))?;
        // Snapshots of its sandboxes have the label too.
        let own = |labels: &labels::Labels| {
            labels::is_of_kind(labels, self.engine.settings(), "template")
        };
        let found = images.into_iter().find(|image| own(&image.labels));
        Ok(found.map(|image| image.id))
    }

    /// Fills a container that is never started, and keeps what it has become.
    async fn build(&self, name: &str, key: &str, entries: Vec<TemplateEntry>) -> Result<String> {
        let settings = self.engine.settings();
        let mut body = idle_container(&settings.image, labels::of_kind(settings, "builder"));
        body.user = Some(USER.to_owned());
        body.host_config = Some(HostConfig {
            network_mode: Some("none".to_owned()),
            ..HostConfig::default()
        });
        self.engine.create_container(name, body).await?;
        let tarball = blocking(move || pack(&entries).map_err(|error| Error::failed(STEP, error)));
        let tarball = tokio::fs::File::from_std(tarball.await?);
        let options = UploadToContainerOptions {
            path: "/".to_owned(),
            ..UploadToContainerOptions::default()
        };
        let body = bollard::body_try_stream(ReaderStream::with_capacity(tarball, 256 * 1024));
        let sent = self
            .engine
            .docker()
            .upload_to_container(name, Some(options), body)
            .await;
        sent.map_err(failed(STEP))?;
        let labels = labels::instructions(settings, "template", &[(TEMPLATE, key)]);
        let options = CommitContainerOptions {
            container: Some(name.to_owned()),
            repo: Some("localhost/proliferate-template".to_owned()),
            tag: Some(key.to_owned()),
            pause: false,
            changes: Some(labels),
            ..CommitContainerOptions::default()
        };
        let made = self
            .engine
            .docker()
            .commit_container(options, ContainerConfig::default())
            .await;
        Ok(made.map_err(failed(STEP))?.id)
    }
}
