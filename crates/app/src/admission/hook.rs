//! Asks the operator's admission service: one signed `POST` for each session that is created or started.
//!
//! INVARIANT: it ends in time and holds no more than its share. A service that hangs delays the sessions that ask it, by
//! its timeout, and nothing else; one organization waits with at most its part of the places.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use domain::{
    capacity::{CapacityPool, Claimant, Holder},
    clock::{Clock, Entropy},
    id::{DeliveryId, UserId},
    limits::ADMISSIONS,
};
use reqwest::{Client, Url};
use secrecy::SecretString;
use serde_json::json;
use tools::egress::{EgressGuard, Route};

use super::{Admission, AdmissionDenied, AdmissionRequest, reply};
use crate::webhooks::signatures;

domain::text_enum! {
    /// What follows when the service does not decide.
    OnAdmissionFailure {
        Deny = "deny",
        Admit = "admit",
    }
}

/// What the hook is made from.
#[derive(Debug)]
pub struct AdmissionHookSettings {
    pub url: Url,
    pub secret: SecretString,
    pub timeout: Duration,
    pub on_failure: OnAdmissionFailure,
    /// Lets requests to the service pass, and to nothing else that is not public.
    pub guard: EgressGuard,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
}

/// The operator's admission service.
#[derive(Debug)]
pub struct AdmissionHook {
    settings: AdmissionHookSettings,
    capacity: CapacityPool,
    /// The connections to where the name of the service led last.
    connections: Mutex<Option<(Route, Client)>>,
}

const UNDECIDED: &str = "the service of the operator that admits sessions does not answer as it should; try again later, or \
     ask the operator of this installation";
const BUSY: &str = "too many sessions wait to be admitted; try again in a moment";

impl AdmissionHook {
    pub fn new(settings: AdmissionHookSettings) -> Self {
        Self {
            settings,
            capacity: CapacityPool::new(ADMISSIONS),
            connections: Mutex::default(),
        }
    }

    /// The decision of the service, or why there is none.
    async fn ask(
        &self,
        request: &AdmissionRequest,
    ) -> Result<Result<(), AdmissionDenied>, &'static str> {
        let settings = &self.settings;
        let client = self.client().await?;
        let now = settings.clock.now();
        let id = DeliveryId::generate(now, &*settings.entropy).uuid();
        let body = json!({
            "type": request.kind.as_str(),
            "timestamp": now.to_string(),
            "data": {
                "organizationId": request.organization_id.as_str(),
                "sessionId": request.session_id.to_string(),
                "userId": request.user_id.as_ref().map(UserId::as_str),
            },
        })
        .to_string();
        let seconds = now.unix_seconds();
        let secrets = std::slice::from_ref(&settings.secret);
        let sent = client
            .post(settings.url.clone())
            .header("content-type", "application/json")
            .header("user-agent", "proliferate-admission")
            .header("webhook-id", id.to_string())
            .header("webhook-timestamp", seconds.to_string())
            .header("webhook-signature", signatures(secrets, id, seconds, &body))
            .body(body)
            .send();
        match sent.await {
            Ok(response) => reply::read(response).await,
            Err(error) if error.is_timeout() => Err("it did not answer in time"),
            Err(error) if error.is_connect() => Err("it cannot be reached"),
            Err(_) => Err("the connection broke"),
        }
    }

    /// A client of the addresses that the name leads to now; the one before if they are the same.
    async fn client(&self) -> Result<Client, &'static str> {
        let route = self.settings.guard.check(self.settings.url.as_str()).await;
        let route =
            route.map_err(|_| "its address may not be connected to, or cannot be resolved")?;
        let kept = || {
            self.connections
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some((known, client)) = &*kept()
            && known.leads_as(&route)
        {
            return Ok(client.clone());
        }
        let client = route.client(self.settings.timeout);
        let client = client.map_err(|_| "no client could be made")?;
        *kept() = Some((route, client.clone()));
        Ok(client)
    }

    fn undecided(&self) -> Result<(), AdmissionDenied> {
        match self.settings.on_failure {
            OnAdmissionFailure::Admit => Ok(()),
            OnAdmissionFailure::Deny => Err(AdmissionDenied {
                reason: UNDECIDED.to_owned(),
                retryable: true,
            }),
        }
    }
}

#[async_trait]
impl Admission for AdmissionHook {
    async fn admit(&self, request: &AdmissionRequest) -> Result<(), AdmissionDenied> {
        let claimant = Claimant {
            organization_id: request.organization_id.clone(),
            holder: Holder::Session(request.session_id),
        };
        let Ok(_permit) = self.capacity.try_acquire(&claimant, 1) else {
            count("busy");
            // Also where failures admit: a flood of requests is no way in.
            return Err(AdmissionDenied {
                reason: BUSY.to_owned(),
                retryable: true,
            });
        };
        let asked = tokio::time::timeout(self.settings.timeout, self.ask(request));
        let decided = asked.await.unwrap_or(Err("it did not answer in time"));
        match decided {
            Ok(decision) => {
                count(if decision.is_ok() {
                    "admitted"
                } else {
                    "denied"
                });
                decision
            }
            Err(problem) => {
                count("failed");
                let admitted = self.settings.on_failure == OnAdmissionFailure::Admit;
                tracing::warn!(
                    problem, admitted, organization_id = %request.organization_id,
                    session_id = %request.session_id, "the admission service did not decide; check `admission.url`"
                );
                self.undecided()
            }
        }
    }
}

fn count(outcome: &'static str) {
    metrics::counter!("proliferate_admissions_total", "outcome" => outcome).increment(1);
}
