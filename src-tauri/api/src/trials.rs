//! Asking a model's server what it has and whether it can be used, before any run depends on it.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::BoxStream;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::dto::{ModelAddress, ModelAddressArgs, ModelNamesArgs, ModelTestArgs, ModelTestStopArgs, Push, TestedCheck};
use super::error::ApiError;
use super::{Workbench, blocking, lock};
use config::{ModelPreset, Models};
use model::address;
use model::check::{Check, check};
use model::entry::Network;
use model::http::{Http, ListedModel, list_models};
use model::secret::OwnKeys;

impl Workbench {
    /// Where a model's requests go, and the provider of that address.
    pub async fn model_address(&self, args: ModelAddressArgs) -> Result<ModelAddress, ApiError> {
        let ModelAddressArgs { provider, base_url } = args;
        let preset = ModelPreset::of(provider, &base_url).map(|preset| preset.id.clone());
        Ok(ModelAddress { url: address::shown(&provider.url(&base_url, "MODEL", true)), preset })
    }

    /// The models that the server of an entry lists. The entry need not be saved, nor name a model.
    pub async fn model_names(&self, args: ModelNamesArgs) -> Result<Vec<ListedModel>, ApiError> {
        let entry = super::models::entry(&args.entry)?;
        Ok(list_models(&entry, self.reached().await, Arc::new(OwnKeys)).await?)
    }

    /// Checks whether a model can be used, saved or not. Each check is pushed as it ends; a test that was stopped gives
    /// those that had ended.
    pub async fn model_test(&self, args: ModelTestArgs) -> Result<Vec<Check>, ApiError> {
        let mut checks = self.model_checks(&args.entry).await?;
        let stop = CancellationToken::new();
        lock(&self.inner.trials).insert(args.test.clone(), stop.clone());
        let mut ended = Vec::new();
        while let Some(Some(check)) = stop.run_until_cancelled(checks.next()).await {
            (self.inner.push)(Push::ModelCheck(TestedCheck { test: args.test.clone(), check: check.clone() }));
            ended.push(check);
        }
        lock(&self.inner.trials).remove(&args.test);
        Ok(ended)
    }

    /// The checks of a model, each as it ends. Dropping them ends the test and closes its connections.
    pub async fn model_checks(&self, entry: &Value) -> Result<BoxStream<'static, Check>, ApiError> {
        let entry = super::models::entry(entry)?;
        Ok(check(&entry, self.reached().await, Arc::new(OwnKeys)))
    }

    /// Ends a test and closes its connections. Does nothing to one that is over.
    pub async fn model_test_stop(&self, args: ModelTestStopArgs) -> Result<(), ApiError> {
        if let Some(stop) = lock(&self.inner.trials).get(&args.test) {
            stop.cancel();
        }
        Ok(())
    }

    /// Connections with the settings of `models.yaml`; with the system's if it cannot be read.
    async fn reached(&self) -> Http {
        let path = self.inner.places.models();
        let network = blocking(move || Models::load(&path)).await.map_or_else(|_| Network::default(), |it| it.network);
        self.http().through(&network)
    }
}
