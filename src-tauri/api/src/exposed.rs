//! A key that stands in what a run is about to send. It would go to the server as text, and into the record of the run.

use camino::Utf8PathBuf;

use super::error::{ApiError, Code};
use super::inspect::Stage;
use super::{Workbench, blocking};
use config::{RECORDED, REHEARSAL};
use harness::CatalogSkill;
use model::http::KEY_TIMEOUT;
use model::secret::{DISTINCT, OwnKeys, Secret};
use skill::manifest::FILE_NAME;
use skill::source::SourceText;
use wording::{Message, message};

/// From this length on a word without digits is taken for a key too. Servers on one's own machine ask for any word, and
/// texts have that word anyway.
const TELLING: usize = 16;

impl Workbench {
    /// Refuses a run whose prompt or skills hold the key of its model.
    pub(super) async fn check_for_key(&self, stage: &Stage, model: &str, prompt: &str) -> Result<(), ApiError> {
        if model == REHEARSAL || model.starts_with(RECORDED) {
            return Ok(());
        }
        // A missing model or key is an error later, when the run asks for it.
        let Some(key) = self.model_key(model) else { return Ok(()) };
        let skills: Vec<CatalogSkill> = stage.catalog.skills.clone();
        let (model, prompt) = (model.to_owned(), prompt.to_owned());
        let look = blocking(move || match key.resolve(&OwnKeys) {
            Ok(key) => refuse(&key, &model, &prompt, &skills),
            Err(_) => Ok(()),
        });
        // A keyring may wait for its user; then the request does too, and says so.
        tokio::time::timeout(KEY_TIMEOUT, look).await.unwrap_or(Ok(()))
    }
}

fn refuse(key: &Secret, model: &str, prompt: &str, skills: &[CatalogSkill]) -> Result<(), ApiError> {
    let key = key.reveal();
    let is_telling = key.len() >= TELLING || (key.len() >= DISTINCT && key.bytes().any(|byte| byte.is_ascii_digit()));
    if !is_telling {
        return Ok(());
    }
    let error = |place: Message| {
        let message = message!(
            "the key of model `{model}` is in {place}; it would be sent as text and stored with the run",
            "{place}里有模型 `{model}` 的密钥；它会作为文本发送，并随运行保存";
            place
        );
        ApiError::new(Code::Invalid, message).hint(message!(
            "remove it, and have the key revoked if others could read it there",
            "请将其删除；如果他人可能在那里读到它，请吊销该密钥"
        ))
    };
    if let Some(line) = line_of(key, prompt) {
        return Err(error(message!("the prompt, line {line}", "提示词第 {line} 行")));
    }
    for skill in skills {
        let file = skill.path.as_ref().map(|folder| folder.join(FILE_NAME));
        if let Some((path, line)) = file.and_then(|path| in_file(key, path)) {
            return Err(error(message!("{path}, line {line}", "{path} 第 {line} 行")).at(&path));
        }
        if [&skill.content, &skill.name, &skill.description].into_iter().any(|text| text.contains(key)) {
            return Err(error(message!("the text of a skill in a project file", "项目文件中某个技能的文本")));
        }
    }
    Ok(())
}

fn in_file(key: &str, path: Utf8PathBuf) -> Option<(Utf8PathBuf, usize)> {
    let line = line_of(key, &SourceText::read(&path).ok()?.text)?;
    Some((path, line))
}

fn line_of(key: &str, text: &str) -> Option<usize> {
    let at = text.find(key)?;
    Some(text[..at].matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(key: &str, prompt: &str) -> Option<String> {
        refuse(&Secret::new(key.to_owned()), "m", prompt, &[]).err().map(|error| error.message)
    }

    #[test]
    fn names_the_line_of_a_key_and_no_key() {
        let told = |line: usize| {
            Some(format!(
                "the key of model `m` is in the prompt, line {line}; it would be sent as text and stored with the run"
            ))
        };
        assert_eq!(refused("sk-canary-5d2f9c", "use sk-canary-5d2f9c"), told(1));
        assert_eq!(refused("sk-canary-5d2f9c", "one\ntwo\n(sk-canary-5d2f9c)\n"), told(3));
        assert_eq!(refused("sk-canary-5d2f9c", "use sk-canary"), None);
    }

    #[test]
    fn a_word_that_texts_have_anyway_is_no_key() {
        for word in ["test", "lm-studio", "ollama1"] {
            assert_eq!(refused(word, &format!("ask {word}")), None, "{word}");
        }
    }
}
