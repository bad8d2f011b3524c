//! Finds a key in the texts that a run is about to send. It would be sent to the server as text, and be recorded.

use camino::Utf8PathBuf;

use super::error::{ApiError, Code};
use super::inspect::Stage;
use super::{Workbench, blocking};
use config::{PROJECT_FILE, RECORDED, REHEARSAL};
use harness::CatalogSkill;
use model::http::KEY_TIMEOUT;
use model::secret::{DISTINCT, OwnKeys, Secret};
use skill::manifest::FILE_NAME;
use skill::source::SourceText;
use trace::Event;
use wording::{Message, message};

/// From this length on a word without digits is taken for a key too. Servers on one's own machine ask for any word, and
/// texts have that word anyway.
const TELLING: usize = 16;

impl Workbench {
    /// Refuses a run whose prompt, skills or project files contain the key of its model. In a run that goes on, the
    /// messages so far are checked as well.
    pub(super) async fn check_for_key(
        &self,
        stage: &Stage,
        model: &str,
        prompt: &str,
        past: &[Event],
    ) -> Result<(), ApiError> {
        if model == REHEARSAL || model.starts_with(RECORDED) {
            return Ok(());
        }
        // A missing model or key is an error later, when the run asks for it.
        let Some(key) = self.model_key(model) else { return Ok(()) };
        let really = |skill: &CatalogSkill| skill.path.as_ref().and_then(|path| stage.paths.real(path));
        let skills = stage.catalog.skills.iter().map(|skill| CatalogSkill { path: really(skill), ..skill.clone() });
        let skills: Vec<CatalogSkill> = skills.collect();
        let projects: Vec<Utf8PathBuf> = stage.roots.iter().map(|root| root.join(PROJECT_FILE)).collect();
        let (model, prompt, past) = (model.to_owned(), prompt.to_owned(), past.to_vec());
        let look = blocking(move || match key.resolve(&OwnKeys) {
            Ok(key) => {
                refuse(&key, &model, &Sent { prompt: &prompt, skills: &skills, projects: &projects, past: &past })
            }
            Err(_) => Ok(()),
        });
        // A keyring may wait for its user; then the request waits too, and reports that.
        tokio::time::timeout(KEY_TIMEOUT, look).await.unwrap_or(Ok(()))
    }
}

/// The sources of texts that a model may get.
struct Sent<'a> {
    prompt: &'a str,
    skills: &'a [CatalogSkill],
    /// Instructions, options, and what inline skills answer.
    projects: &'a [Utf8PathBuf],
    past: &'a [Event],
}

fn refuse(key: &Secret, model: &str, sent: &Sent<'_>) -> Result<(), ApiError> {
    let Sent { prompt, skills, projects, past } = *sent;
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
    for path in projects {
        if let Some((path, line)) = in_file(key, path.clone()) {
            return Err(error(message!("{path}, line {line}", "{path} 第 {line} 行")).at(&path));
        }
    }
    // As JSON writes it.
    let written = serde_json::to_string(key).unwrap_or_default();
    let written = written.trim_matches('"');
    let said = |event: &&Event| serde_json::to_string(event).is_ok_and(|event| holds(&event, written));
    if let Some(event) = past.iter().find(said) {
        let number = event.seq;
        return Err(error(message!("event {number} of the run that is to go on", "要继续的运行的事件 {number}")));
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

/// Also if a body is JSON within JSON.
fn holds(text: &str, written: &str) -> bool {
    text.contains(written) || (written.contains('\\') && text.contains(&written.replace('\\', "\\\\")))
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
    use trace::EventKind;

    fn refused(key: &str, prompt: &str) -> Option<String> {
        let sent = Sent { prompt, skills: &[], projects: &[], past: &[] };
        refuse(&Secret::new(key.to_owned()), "m", &sent).err().map(|error| error.message)
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
    fn names_the_project_file_or_the_event_that_holds_a_key() {
        let folder = tempfile::tempdir().unwrap();
        let project = Utf8PathBuf::try_from(folder.path().join(PROJECT_FILE)).unwrap();
        std::fs::write(&project, "harness: eino\nagentInstructions: use sk-canary-5d2f9c\n").unwrap();
        let note = |text: &str| Event {
            seq: 7,
            at: 0,
            within: None,
            kind: EventKind::Noted { text: text.into(), zh: None, retried: None },
        };
        let key = Secret::new("sk-canary-5d2f9c".to_owned());
        let told = |projects: &[Utf8PathBuf], past: &[Event]| {
            let sent = Sent { prompt: "hi", skills: &[], projects, past };
            refuse(&key, "m", &sent).err().map(|error| error.message)
        };
        let begin = "the key of model `m` is in ";
        assert!(told(std::slice::from_ref(&project), &[]).unwrap().starts_with(&format!("{begin}{project}, line 2;")));
        assert!(told(&[], &[note("a sk-canary-5d2f9c b")]).unwrap().starts_with(&format!("{begin}event 7 of the run")));
        assert_eq!(told(&[folder.path().join("none").try_into().unwrap()], &[note("sk-other")]), None);
    }

    #[test]
    fn a_word_that_texts_have_anyway_is_no_key() {
        for word in ["test", "lm-studio", "ollama1"] {
            assert_eq!(refused(word, &format!("ask {word}")), None, "{word}");
        }
    }
}
