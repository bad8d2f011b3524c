//! The models in `models.yaml`, and the state of their keys.

use std::sync::Arc;
use std::time::Duration;

use super::dto::{KeyInfo, KeySource, KeyState, ModelInfo, ModelList, NoArgs};
use super::error::{ApiError, Code};
use super::{Workbench, blocking};
use crate::config::{ModelEntry, Models, REHEARSAL};
use crate::model::http::{Http, HttpModel};
use crate::model::{ChatModel, ModelError};
use crate::secret::{KeyError, KeyRef, Keys, OwnKeys};

/// For the state of a key to be found out. A keyring that is locked asks the user, and lists wait for nobody.
const KEY_STATE_TIMEOUT: Duration = Duration::from_secs(3);

impl Workbench {
    /// The models that a run can be asked of, and why `models.yaml` cannot be used where that is so.
    pub async fn model_list(&self, _: NoArgs) -> Result<ModelList, ApiError> {
        let path = self.inner.places.models();
        let (configured, error) = match Models::load(&path) {
            Ok(models) => (models.models, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let mut models = vec![rehearsal()];
        for entry in configured {
            let key = match &entry.key {
                Some(key) => Some(key_info(key.clone(), Arc::new(OwnKeys)).await),
                None => None,
            };
            models.push(model_info(entry, key));
        }
        Ok(ModelList { models, path: path.to_string(), error })
    }

    pub(super) fn model(&self, id: &str) -> Result<Arc<dyn ChatModel>, ApiError> {
        let entry = self.model_entry(id)?;
        Ok(Arc::new(HttpModel::new(&entry, self.http(), Arc::new(OwnKeys))))
    }

    /// The connections all models share, made when first needed.
    fn http(&self) -> Http {
        self.inner.http.get_or_init(Http::new).clone()
    }

    fn model_entry(&self, id: &str) -> Result<ModelEntry, ApiError> {
        let path = self.inner.places.models();
        let models = Models::load(&path)?;
        models.models.into_iter().find(|model| model.id == id).ok_or_else(|| {
            ApiError::new(Code::Unknown, format!("there is no model `{id}`"))
                .hint(format!("`rehearsal` needs no set-up; add others to {path}"))
                .at(&path)
        })
    }
}

impl From<ModelError> for ApiError {
    fn from(error: ModelError) -> Self {
        ApiError::new(Code::Model, error.to_string())
    }
}

fn rehearsal() -> ModelInfo {
    ModelInfo {
        id: REHEARSAL.to_owned(),
        title: "Rehearsal: plays a screenplay".to_owned(),
        rehearsal: true,
        base_url: None,
        key: None,
        ready: true,
        context: None,
        entry: None,
    }
}

fn model_info(entry: ModelEntry, key: Option<KeyInfo>) -> ModelInfo {
    ModelInfo {
        id: entry.id.clone(),
        title: entry.model.clone(),
        rehearsal: false,
        base_url: Some(entry.base_url.clone()),
        ready: key.as_ref().is_none_or(|key| key.state == KeyState::Set),
        key,
        context: entry.context,
        entry: Some(entry),
    }
}

/// Where the key is and whether it is there. The key itself is looked at and dropped.
async fn key_info(key: KeyRef, keys: Arc<dyn Keys>) -> KeyInfo {
    let found = {
        let key = key.clone();
        tokio::time::timeout(KEY_STATE_TIMEOUT, blocking(move || key.resolve(&*keys).map(drop))).await
    };
    let (state, reason, hint) = match found {
        Ok(Ok(())) => (KeyState::Set, None, None),
        Ok(Err(error @ KeyError::Missing { .. })) => (KeyState::Missing, Some(error.to_string()), Some(error.hint())),
        Ok(Err(error)) => (KeyState::Unusable, Some(error.to_string()), Some(error.hint())),
        Err(_) => (
            KeyState::Unusable,
            Some(format!("the keyring did not answer within {} s", KEY_STATE_TIMEOUT.as_secs())),
            Some("it may be locked: unlock it and try again".to_owned()),
        ),
    };
    let source = match &key {
        KeyRef::Env(_) => KeySource::Env,
        KeyRef::Keyring(_) => KeySource::Keyring,
    };
    KeyInfo { source, name: key.name().to_owned(), state, reason, hint }
}
