//! The connection to the engine, what it supports, and the requests that several parts of the provider send.

use std::{collections::HashMap, sync::Arc};

use backon::Retryable as _;
use bollard::{
    Docker,
    models::{ContainerCreateBody, ContainerSummary},
    query_parameters::{CreateContainerOptions, ListContainersOptions, RemoveContainerOptions},
};
use domain::{
    clock::{Entropy, random_bytes},
    limits::SANDBOX_ENGINE_TIMEOUT,
};

use super::{
    labels::{self, OWNER},
    probe::probe_support,
    progress::ProgressNotes,
    response::{failed, retry_unreadable, settling_pauses, status_code},
    settings::{Settings, prepare_directory},
    support::EngineSupport,
};
use crate::{Result, SandboxId};

/// Cheap to clone.
#[derive(Clone)]
pub(super) struct Engine(Arc<Connection>);

struct Connection {
    docker: Docker,
    settings: Settings,
    support: EngineSupport,
    entropy: Arc<dyn Entropy>,
    notes: ProgressNotes,
}

impl Engine {
    /// Connects and finds out what the engine supports. The image must be there.
    pub(super) async fn connect(settings: Settings, entropy: Arc<dyn Entropy>) -> Result<Self> {
        labels::check_owner(&settings.owner)?;
        let directory = prepare_directory(&settings.directory)?;
        let settings = Settings {
            directory,
            ..settings
        };
        let socket = settings.socket.to_string_lossy();
        let seconds = SANDBOX_ENGINE_TIMEOUT.as_secs();
        let docker = Docker::connect_with_unix(&socket, seconds, bollard::API_DEFAULT_VERSION)
            .map_err(failed("talking to the container engine"))?
            .negotiate_version()
            .await
            .map_err(failed("talking to the container engine"))?;
        let notes = ProgressNotes::in_directory(&settings.directory);
        let support = probe_support(&docker, &settings, &notes, entropy.as_ref()).await?;
        Ok(Self(Arc::new(Connection {
            docker,
            settings,
            support,
            entropy,
            notes,
        })))
    }

    pub(super) fn docker(&self) -> &Docker {
        &self.0.docker
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(super) fn support(&self) -> EngineSupport {
        self.0.support
    }

    /// What is being made in this installation.
    pub(super) fn notes(&self) -> &ProgressNotes {
        &self.0.notes
    }

    pub(super) fn generate_id(&self) -> SandboxId {
        SandboxId::generate(self.0.entropy.as_ref())
    }

    pub(super) fn generate_name(&self) -> String {
        hex::encode(random_bytes::<8>(self.0.entropy.as_ref()))
    }

    /// Selects what belongs to this installation. By one label: with two, podman 4.3 finds no image at all.
    pub(super) fn owner_filter(&self) -> HashMap<String, Vec<String>> {
        let owner = format!("{OWNER}={}", self.0.settings.owner);
        [("label".to_owned(), vec![owner])].into()
    }

    /// Lists the containers of this installation and of this kind, whatever their state.
    pub(super) async fn list_containers(&self, kind: &str) -> Result<Vec<ContainerSummary>> {
        let options = ListContainersOptions {
            all: true,
            filters: Some(self.owner_filter()),
            ..ListContainersOptions::default()
        };
        let listed =
            retry_unreadable(|| self.docker().list_containers(Some(options.clone()))).await;
        let mut listed = listed.map_err(failed("looking for containers"))?;
        listed.retain(|one| {
            let labels = one.labels.as_ref();
            labels.is_some_and(|labels| labels::is_of_kind(labels, self.settings(), kind))
        });
        Ok(listed)
    }

    pub(super) async fn create_container(
        &self,
        name: &str,
        body: ContainerCreateBody,
    ) -> Result<()> {
        let options = CreateContainerOptions {
            name: Some(name.to_owned()),
            ..CreateContainerOptions::default()
        };
        let made = self.docker().create_container(Some(options), body).await;
        made.map(drop).map_err(failed("making the container"))
    }

    /// Removes a container whatever its state. A missing one is no error.
    pub(super) async fn remove_container(&self, name: &str) -> Result<()> {
        let options = RemoveContainerOptions {
            force: true,
            v: true,
            ..RemoveContainerOptions::default()
        };
        let remove = || self.docker().remove_container(name, Some(options.clone()));
        // Docker reports another removal under way: it is gone when it is not found.
        let removed = remove.retry(settling_pauses());
        match removed.when(|error| status_code(error) == Some(409)).await {
            Err(error) if status_code(&error) == Some(404) => Ok(()),
            other => other.map_err(failed("removing the container")),
        }
    }
}
