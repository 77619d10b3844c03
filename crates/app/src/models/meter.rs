//! Writes down what one request used. Counts grow as an answer goes on; each time only what is new is added.

use std::time::Duration;

use backon::Retryable as _;
use domain::{
    model::Model,
    model_usage::{Tokens, Usage},
};

use super::budget::budget_in_force;
use crate::{
    access::{GatewayActor, ModelUser},
    audit,
    context::App,
    error::Result,
    organization_limits::{publish_notices, record_notices},
};

/// Pauses before a count that could not be written is tried again: a database that was restarted is back.
const RETRY_AFTER: [Duration; 3] = [
    Duration::from_millis(50),
    Duration::from_millis(500),
    Duration::from_secs(5),
];

/// The account of one request.
#[derive(Debug)]
pub(super) struct Meter {
    app: App,
    user: ModelUser,
    model: Model,
    written: Usage,
}

/// How sure the numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Certainty {
    /// The provider has said so.
    Reported,
    /// The answer was cut off before that.
    Estimated,
}

impl Meter {
    pub(super) fn new(app: App, user: ModelUser, model: Model) -> Self {
        Self {
            app,
            user,
            model,
            written: Usage::default(),
        }
    }

    /// Brings what is written down up to this. What cannot be written is told to the operator.
    pub(super) async fn settle(&mut self, tokens: Tokens, certainty: Certainty) {
        let all = Usage {
            requests: 1,
            estimated: i64::from(certainty == Certainty::Estimated),
            tokens,
            cost_micro_usd: self.model.spec().price.cost(tokens),
        };
        let more = all.beyond(self.written);
        if more == Usage::default() {
            return;
        }
        let write = || self.write(more);
        let outcome = write.retry(RETRY_AFTER.into_iter()).await;
        match outcome {
            Ok(()) => self.written = all,
            Err(error) => tracing::error!(
                %error, session_id = %self.user.session_id(), ?more,
                "what a request to the model used could not be written down and is lost"
            ),
        }
        count(self.model, more);
    }

    async fn write(&self, more: Usage) -> Result<()> {
        let (app, session_id) = (&self.app, self.user.session_id());
        let organization_id = self.user.organization_id();
        let mut tx = app.db.write().await?;
        let model = self.model.spec().canonical;
        let spending = store::model_usage_add(
            &mut tx,
            organization_id,
            session_id,
            model,
            &more,
            app.now(),
        )
        .await?;
        let before = spending.spent_micro_usd - more.cost_micro_usd;
        let reached = budget_in_force(app, &spending).is_reached_by(before, more.cost_micro_usd);
        if reached {
            let itself = GatewayActor(organization_id.clone());
            let id = Some(session_id.uuid());
            audit::record_operation(&mut tx, app, &itself, "session_budget_reach", id).await?;
        }
        let notices = spending.organization.noticed_by(more.cost_micro_usd);
        let is_noticed = record_notices(&mut tx, app, organization_id, &notices).await?;
        tx.commit().await?;
        if is_noticed {
            publish_notices(app, organization_id);
        }
        if reached {
            tracing::info!(%session_id, "the session has spent its budget for the model");
        }
        Ok(())
    }
}

fn count(model: Model, more: Usage) {
    let model = model.spec().canonical;
    let tokens = more.tokens;
    let kinds = [
        ("input", tokens.input),
        ("output", tokens.output),
        ("cache_read", tokens.cache_read),
        ("cache_write", tokens.cache_write),
    ];
    for (kind, count) in kinds {
        let count = u64::try_from(count).unwrap_or(0);
        metrics::counter!("proliferate_model_tokens_total", "model" => model, "kind" => kind)
            .increment(count);
    }
}
