//! Reads the user's files from disk.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Models, Project, Screenplay, weight};
use model::Image;
use model::entry::ModelEntry;
use model::image::{IMAGE_BYTES, IMAGES, Unfit};
use model::secret::recognise;
use skill::source::SourceText;
use wording::{Message, message};

/// Next to the skills.
pub const PROJECT_FILE: &str = "workbench.yaml";
/// Below a folder of skills.
pub const SCREENPLAY_FOLDER: &str = ".workbench/screenplays";

/// Screenplays of one folder of skills that are read, in the order of their names.
const SCREENPLAY_LIMIT: usize = 200;

/// Why a file of the user's is not taken.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.worded().en)]
pub enum ConfigError {
    Read {
        path: Utf8PathBuf,
        source: io::Error,
    },
    /// Line and column count from 1.
    Invalid {
        path: Utf8PathBuf,
        line: usize,
        column: usize,
        reason: Message,
    },
    /// Wrong as a whole.
    Unusable {
        path: Utf8PathBuf,
        reason: Message,
    },
}

impl ConfigError {
    /// What failed, with the file.
    pub fn worded(&self) -> Message {
        match self {
            Self::Read { path, source } => {
                let why = wording::why(source);
                message!("cannot read {path}: {why}", "无法读取 {path}：{why}"; why)
            }
            Self::Invalid { path, line, column, reason } => {
                message!("{path}:{line}:{column}: {reason}", "{path}:{line}:{column}：{reason}"; reason)
            }
            Self::Unusable { path, reason } => message!("{path}: {reason}", "{path}：{reason}"; reason),
        }
    }

    /// The file that the error is about.
    pub fn path(&self) -> &Utf8Path {
        match self {
            Self::Read { path, .. } | Self::Invalid { path, .. } | Self::Unusable { path, .. } => path,
        }
    }
}

impl Project {
    /// The project file of a folder of skills, or `None` if there is none.
    pub fn load(root: &Utf8Path) -> Result<Option<Self>, ConfigError> {
        let path = root.join(PROJECT_FILE);
        stays_within(&path, root)?;
        read(&path)?.map(|text| Self::parse(&path, &text)).transpose()
    }

    /// `path` is for errors only.
    pub fn parse(path: &Utf8Path, text: &str) -> Result<Self, ConfigError> {
        Ok(parse(path, text)?.unwrap_or_default())
    }
}

impl Models {
    /// The models in `models.yaml`; none if there is no such file. Certificates have their whole path.
    pub fn load(path: &Utf8Path) -> Result<Self, ConfigError> {
        let Some(text) = read(path)? else { return Ok(Self::default()) };
        let mut models = Self::parse(path, &text)?;
        if let (Some(folder), Some(certificates)) = (path.parent(), &mut models.network.certificates) {
            *certificates = folder.join(&*certificates);
        }
        Ok(models)
    }

    /// Refuses a text with keys in it. `path` is for errors only.
    pub fn parse(path: &Utf8Path, text: &str) -> Result<Self, ConfigError> {
        if let Some(key) = recognise::find(text) {
            let before = &text[..key.start];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            let reason = message!(
                "this looks like a key, and keys are not written here: set an environment variable to it and name that, \
                 e.g. `key: {{ env: OPENAI_API_KEY }}`, or keep it in the system's keyring with `skillbench models key set`",
                "这看起来是一个密钥，而密钥不写在这里：请把它设为环境变量并写出变量名，例如 `key: {{ env: OPENAI_API_KEY }}`，\
                 或用 `skillbench models key set` 存入系统的密钥环"
            );
            return Err(ConfigError::Invalid { path: path.to_owned(), line, column, reason });
        }
        Ok(parse(path, text)?.unwrap_or_default())
    }
}

/// `fields` as an entry of `models.yaml`, or what is wrong with them.
pub fn checked_model(fields: &Value) -> Result<ModelEntry, Message> {
    let unreadable = |error: serde_yaml::Error| wording::refusal(&error.to_string());
    let text = serde_yaml::to_string(&serde_json::json!({ "models": [fields] })).map_err(unreadable)?;
    match Models::parse("models.yaml".into(), &text) {
        Ok(Models { mut models, .. }) => models.pop().ok_or_else(|| message!("there is no model", "没有模型")),
        Err(ConfigError::Invalid { mut reason, .. }) => {
            reason.each(|text| {
                let inner = text.strip_prefix("models[0]").and_then(|rest| rest.strip_prefix(['.', ':', '：']));
                let inner = inner.or_else(|| text.strip_prefix("models: ")).or_else(|| text.strip_prefix("models："));
                *text = inner.unwrap_or(text).trim_start().to_owned();
            });
            Err(reason)
        }
        Err(error) => Err(error.worded()),
    }
}

impl Screenplay {
    /// `path` is for errors only.
    pub fn parse(path: &Utf8Path, text: &str) -> Result<Self, ConfigError> {
        let empty = || ConfigError::Unusable {
            path: path.to_owned(),
            reason: message!("the file is empty", "文件是空的"),
        };
        parse(path, text)?.ok_or_else(empty)
    }

    /// The pictures of a prompt in the screenplay at `path`, by what it calls them. They are sent to a model, so a file
    /// must be in the folder of skills that the screenplay belongs to, or next to or below a screenplay that belongs to
    /// none.
    pub fn pictures(path: &Utf8Path, names: &[String]) -> Result<Vec<Image>, ConfigError> {
        let wrong = |reason: Message| ConfigError::Unusable { path: path.to_owned(), reason };
        if names.len() > IMAGES {
            return Err(wrong(message!(
                "a prompt can have at most {IMAGES} images",
                "一条提示词最多可带 {IMAGES} 张图片"
            )));
        }
        let folder = path.parent().unwrap_or(Utf8Path::new(""));
        let root = match folder.ends_with(SCREENPLAY_FOLDER) {
            true => folder.ancestors().nth(2).unwrap_or(folder),
            false => folder,
        };
        let root = if root.as_str().is_empty() { Utf8Path::new(".") } else { root };
        let mut images = Vec::new();
        for (number, name) in names.iter().enumerate() {
            if name.starts_with("data:") {
                let image = Image::of_data_url(name).ok_or(Unfit::NoImage).and_then(Image::checked);
                images.push(image.map_err(|unfit| {
                    let (why, number) = (unfit.worded(), number + 1);
                    wrong(message!("image {number}: {why}", "第 {number} 张图片：{why}"; why))
                })?);
                continue;
            }
            let file = folder.join(name);
            if !disk::is_below(&file, &disk::real(root).into_iter().collect::<Vec<_>>()) {
                let reason = message!(
                    "it is not in the folder of skills that the screenplay belongs to, so it is not read",
                    "它不在剧本所属的技能文件夹中，因此没有读取"
                );
                return Err(ConfigError::Unusable { path: file, reason });
            }
            let image = match disk::read(&file, IMAGE_BYTES as u64) {
                Ok(bytes) => Image::of(&bytes),
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Err(Unfit::TooLong),
                Err(source) => return Err(ConfigError::Read { path: file, source }),
            };
            images.push(image.map_err(|unfit| ConfigError::Unusable { path: file, reason: unfit.worded() })?);
        }
        Ok(images)
    }
}

/// The screenplays of a folder of skills, by file name. A folder that cannot be listed is there as an error.
pub fn screenplays(root: &Utf8Path) -> Vec<(Utf8PathBuf, Result<Screenplay, ConfigError>)> {
    let folder = root.join(SCREENPLAY_FOLDER);
    if let Err(error) = stays_within(&folder, root) {
        return vec![(folder, Err(error))];
    }
    let listed = folder.read_dir_utf8().and_then(|entries| {
        let paths = entries.map(|entry| Ok(entry?.into_path()));
        paths.collect::<io::Result<Vec<_>>>()
    });
    let mut paths = match listed {
        Ok(paths) => paths,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Vec::new();
        }
        Err(source) => return vec![(folder.clone(), Err(ConfigError::Read { path: folder, source }))],
    };
    paths.retain(|path| matches!(path.extension(), Some("yaml" | "yml")));
    paths.sort();
    let many = (paths.len() > SCREENPLAY_LIMIT).then(|| {
        let count = paths.len();
        let reason = message!(
            "it holds {count} screenplays, and only the first {SCREENPLAY_LIMIT} are read; remove some",
            "其中有 {count} 个脚本，只读取前 {SCREENPLAY_LIMIT} 个；请删去一些"
        );
        (folder.clone(), Err(ConfigError::Unusable { path: folder, reason }))
    });
    paths.truncate(SCREENPLAY_LIMIT);
    let load = |path: Utf8PathBuf| {
        let source = || io::Error::from(io::ErrorKind::NotFound);
        let screenplay = match stays_within(&path, root).and_then(|()| read(&path)) {
            Ok(Some(text)) => Screenplay::parse(&path, &text),
            Ok(None) => Err(ConfigError::Read { path: path.clone(), source: source() }),
            Err(error) => Err(error),
        };
        (path, screenplay)
    };
    paths.into_iter().map(load).chain(many).collect()
}

/// Refuses a project file that is a link to somewhere else: messages would show parts of the linked file.
fn stays_within(path: &Utf8Path, root: &Utf8Path) -> Result<(), ConfigError> {
    let is_missing = std::fs::symlink_metadata(path).is_err();
    let within = || disk::is_below(path, &disk::real(root).into_iter().collect::<Vec<_>>());
    if is_missing || within() {
        return Ok(());
    }
    let reason = message!(
        "it is a link that leads out of the project's folder, so it is not read",
        "它是指向项目文件夹之外的链接，因此没有读取"
    );
    Err(ConfigError::Unusable { path: path.to_owned(), reason })
}

/// `None` if there is no such file.
fn read(path: &Utf8Path) -> Result<Option<String>, ConfigError> {
    let unusable = |reason: Message| Err(ConfigError::Unusable { path: path.to_owned(), reason });
    match SourceText::read(path) {
        Ok(SourceText { truncated_from: Some(size), .. }) => Err(too_long(path, size)),
        Ok(SourceText { invalid_at: Some(offset), .. }) => {
            unusable(message!("byte {offset} is not valid UTF-8", "偏移 {offset} 处的字节不是有效的 UTF-8"))
        }
        Ok(source) => Ok(Some(source.text)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(source) => Err(ConfigError::Read { path: path.to_owned(), source }),
    }
}

/// `None` if the text holds no value.
fn parse<T: DeserializeOwned>(path: &Utf8Path, text: &str) -> Result<Option<T>, ConfigError> {
    if text.len() > BYTE_LIMIT {
        return Err(too_long(path, u64::try_from(text.len()).unwrap_or(u64::MAX)));
    }
    if let Some(line) = too_deep(text) {
        let reason =
            message!("more than {DEPTH_LIMIT} brackets are open here", "此处未闭合的括号超过 {DEPTH_LIMIT} 个");
        return Err(ConfigError::Invalid { path: path.to_owned(), line, column: 1, reason });
    }
    let read = match weight::check(text) {
        Ok(()) => serde_yaml::from_str(text),
        Err(error) => Err(error),
    };
    read.map_err(|error| {
        let path = path.to_owned();
        let reason = error.to_string();
        match error.location() {
            Some(at) => {
                let (line, column) = (at.line(), at.column());
                let place = format!(" at line {line} column {column}");
                let whole = reason.strip_suffix(&place).map(str::to_owned);
                // After this, the parser says what it was reading and where that began.
                let reason = whole.unwrap_or_else(|| reason.replacen(&format!("{place}, "), ", ", 1));
                let reason = wording::refusal(&reason);
                ConfigError::Invalid { path, line, column, reason }
            }
            None => ConfigError::Unusable { path, reason: wording::refusal(&reason) },
        }
    })
}

fn too_long(path: &Utf8Path, size: u64) -> ConfigError {
    let limit = BYTE_LIMIT >> 10;
    let reason = message!(
        "it has {size} bytes, and at most {limit} KiB are read; shorten it",
        "它有 {size} 字节，而最多读取 {limit} KiB；请缩短它"
    );
    ConfigError::Unusable { path: path.to_owned(), reason }
}

/// Bytes of a file that anybody writes by hand.
pub const BYTE_LIMIT: usize = 256 << 10;
/// The parser's time grows with the square of the brackets inside each other.
const DEPTH_LIMIT: usize = 1000;

/// The line on which too many `[` and `{` are open.
fn too_deep(text: &str) -> Option<usize> {
    let mut open = 0usize;
    text.lines()
        .position(|line| {
            line.bytes().any(|byte| {
                match byte {
                    b'[' | b'{' => open += 1,
                    b']' | b'}' => open = open.saturating_sub(1),
                    _ => {}
                }
                open > DEPTH_LIMIT
            })
        })
        .map(|line| line + 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::options::{AgentFrameworkOptions, SkillSource};
    use crate::*;
    use model::Sampling;
    use model::entry::{KeyScheme, Network, Otlp, Prices};
    use model::protocol::Protocol;
    use model::reasoning::Reasoning;
    use model::secret::KeyRef;

    const FILE: &str = "file.yaml";

    fn project_error(text: &str) -> String {
        Project::parse(FILE.into(), text).unwrap_err().to_string()
    }

    fn screenplay_error(step: &str) -> String {
        Screenplay::parse(FILE.into(), &format!("prompt: p\nsteps:\n{step}")).unwrap_err().to_string()
    }

    #[cfg(unix)]
    #[test]
    fn files_of_a_project_that_are_links_to_elsewhere_are_not_read() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(guard.path()).unwrap();
        let root = base.join("project");
        fs::create_dir_all(root.join(SCREENPLAY_FOLDER)).unwrap();
        fs::write(base.join("secret"), "TOPSECRET").unwrap();
        std::os::unix::fs::symlink("../secret", root.join(PROJECT_FILE)).unwrap();
        let link = root.join(SCREENPLAY_FOLDER).join("a.yaml");
        std::os::unix::fs::symlink("../../../secret", &link).unwrap();
        let reason = "it is a link that leads out of the project's folder, so it is not read";
        let project = Project::load(&root).unwrap_err().to_string();
        assert_eq!(project, format!("{}: {reason}", root.join(PROJECT_FILE)));
        let [(_, Err(screenplay))] = &screenplays(&root)[..] else { panic!("one, and it is refused") };
        assert_eq!(screenplay.to_string(), format!("{link}: {reason}"));
        fs::remove_dir_all(root.join(".workbench")).unwrap();
        std::os::unix::fs::symlink("..", root.join(".workbench")).unwrap();
        fs::create_dir(base.join("screenplays")).unwrap();
        assert!(matches!(&screenplays(&root)[..], [(_, Err(ConfigError::Unusable { .. }))]), "a folder as well");
    }

    #[test]
    fn a_key_that_was_written_out_is_not_repeated() {
        let model = "- {id: m, provider: openAi, baseUrl: \"http://x\", model: q, key: ";
        for key in ["sk-secret", "12345", "[sk-secret]"] {
            let error = Models::parse(FILE.into(), &format!("models:\n{model}{key}}}\n")).unwrap_err().to_string();
            assert!(
                error.contains("OPENAI_API_KEY") && !error.contains("secret") && !error.contains("12345"),
                "{error}"
            );
        }
    }

    #[test]
    fn the_built_in_model_keeps_its_id() {
        let text = "models:\n- {id: rehearsal, provider: openAi, baseUrl: \"http://x\", model: q}\n";
        let error = Models::parse(FILE.into(), text).unwrap_err().to_string();
        assert_eq!(error, "file.yaml:2:1: models: `rehearsal` is the built-in model; choose another id");
    }

    #[test]
    fn ids_of_recorded_runs_name_no_other_model() {
        let text = "models:\n- {id: \"recorded:last\", provider: openAi, baseUrl: \"http://x\", model: q}\n";
        let error = Models::parse(FILE.into(), text).unwrap_err().to_string();
        assert_eq!(
            error,
            "file.yaml:2:1: models: ids that begin with `recorded:` are those of recorded runs; choose another id"
        );
    }

    #[test]
    fn responses_keep_nothing_on_the_server() {
        let entry = |provider: &str, field: &str| {
            let text = format!(
                "models:\n- {{id: a, provider: {provider}, baseUrl: 'http://x', model: m, body: {{{field}: true}}}}\n"
            );
            Models::parse(FILE.into(), &text).map_err(|error| error.to_string())
        };
        for field in ["store", "previous_response_id", "conversation", "background"] {
            let reason = format!(
                "file.yaml:2:1: models: `{field}` cannot be in `body` of `a`: the whole conversation is sent each time, \
                 and nothing of it is kept on the server"
            );
            assert_eq!(entry("openAiResponses", field), Err(reason));
        }
        assert!(entry("openAi", "store").is_ok(), "chat completions know it too, and it changes nothing there");
    }

    #[test]
    fn refuses_brackets_without_end_at_once() {
        let text = format!("roots: []\nharnesses: {}", "[".repeat(100_000));
        assert_eq!(project_error(&text), "file.yaml:2:1: more than 1000 brackets are open here");
    }

    #[test]
    fn a_file_that_nobody_writes_by_hand_is_refused() {
        let text = |length: usize| format!("roots: [] #{}", "x".repeat(length - 11));
        assert!(Project::parse(FILE.into(), &text(BYTE_LIMIT)).is_ok());
        let reason = "file.yaml: it has 262145 bytes, and at most 256 KiB are read; shorten it";
        assert_eq!(project_error(&text(BYTE_LIMIT + 1)), reason);
        assert_eq!(models_error(&text(BYTE_LIMIT + 1)), reason);
        assert_eq!(Screenplay::parse(FILE.into(), &text(BYTE_LIMIT + 1)).unwrap_err().to_string(), reason);
    }

    #[test]
    fn long_lists_are_refused_where_each_item_costs_much() {
        let list = |field: &str, item: &str, count: usize| format!("{field}: [{}]\n", vec![item; count].join(", "));
        let skill = "{name: a, description: b, instructions: c}";
        let group = "{skill: a, tools: []}";
        for (field, item) in [("roots", "a"), ("inlineSkills", skill), ("toolGroups", group)] {
            assert!(Project::parse(FILE.into(), &list(field, item, 200)).is_ok(), "{field}");
            assert_eq!(
                project_error(&list(field, item, 201)),
                format!("file.yaml:1:{}: {field}: a list here has at most 200 items; remove some", field.len() + 3),
            );
        }
        let clients = format!("lint:\n  {}", list("clients", "a", 201));
        assert_eq!(
            project_error(&clients),
            "file.yaml:2:12: lint.clients: a list here has at most 200 items; remove some"
        );
    }

    #[test]
    fn a_folder_of_very_many_screenplays_says_that_it_is_not_read_whole() {
        let guard = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(guard.path()).unwrap();
        let folder = root.join(SCREENPLAY_FOLDER);
        fs::create_dir_all(&folder).unwrap();
        for number in 0..=SCREENPLAY_LIMIT {
            fs::write(folder.join(format!("{number:04}.yaml")), "prompt: p\nsteps: []\n").unwrap();
        }
        let read = screenplays(root);
        let errors: Vec<String> = read.iter().filter_map(|(_, read)| Some(read.as_ref().err()?.to_string())).collect();
        let reason = "it holds 201 screenplays, and only the first 200 are read; remove some";
        assert_eq!((read.len(), errors), (SCREENPLAY_LIMIT + 1, vec![format!("{folder}: {reason}")]));
    }

    #[test]
    fn a_file_in_the_place_of_a_folder_has_no_project() {
        let folder = tempfile::tempdir().unwrap();
        let file = Utf8PathBuf::try_from(folder.path().join("file")).unwrap();
        fs::write(&file, "text").unwrap();
        assert_eq!(Project::load(&file).unwrap(), None);
        assert_eq!(screenplays(&file).len(), 0);
    }

    fn models_error(text: &str) -> String {
        Models::parse(FILE.into(), text).unwrap_err().to_string()
    }

    #[test]
    fn reads_a_whole_project() {
        let text = r#"
roots: [../more-skills]
agentInstructions: You are brief.
model: local
harness: agent-framework
harnesses:
  agent-framework:
    skillsInstructionPrompt: "Skills:\n{skills}"
    scriptApproval: true
    disableCaching: true
    allowedResourceExtensions: [.md]
    allowedScriptExtensions: [.py, .sh]
    filter: [unit-converter]
    jsonEncodedResults: false
    includeDetailedErrors: true
    sources: [inline, files]
inlineSkills:
  - name: greeter
    description: Greets.
    instructions: Say hello.
    allowedTools: none
    metadata: {version: "1.0", tags: [a]}
    resources:
      - {name: tone, value: Friendly.}
    scripts:
      - {name: hello, description: Says it., result: hello}
      - {name: now, file: scripts/now.py}
toolGroups:
  - skill: data-analysis
    tools:
      - name: load
        description: Loads.
        parameters: {type: object, properties: {}}
        script: scripts/load.py
limits: {turns: 5, scriptSeconds: 10}
sandbox: {mode: require, limits: {memoryMb: 512}}
neutralPaths: true
lint:
  profile: all
  rules: {todo-left: off, budget: hint, security: error}
  clients: [claude-code]
"#;
        let expected = Project {
            roots: vec!["../more-skills".into()],
            agent_instructions: Some("You are brief.".into()),
            model: Some("local".into()),
            harness: Some("agent-framework".into()),
            harnesses: HarnessOptions {
                agent_framework: AgentFrameworkOptions {
                    skills_instruction_prompt: Some("Skills:\n{skills}".into()),
                    script_approval: true,
                    disable_caching: true,
                    allowed_resource_extensions: Some(vec![".md".into()]),
                    allowed_script_extensions: Some(vec![".py".into(), ".sh".into()]),
                    filter: Some(vec!["unit-converter".into()]),
                    json_encoded_results: false,
                    include_detailed_errors: true,
                    sources: vec![SkillSource::Inline, SkillSource::Files],
                    ..AgentFrameworkOptions::default()
                },
                ..HarnessOptions::default()
            },
            inline_skills: vec![InlineSkill {
                kind: Default::default(),
                name: "greeter".into(),
                description: "Greets.".into(),
                instructions: "Say hello.".into(),
                license: None,
                compatibility: None,
                allowed_tools: Some("none".into()),
                metadata: BTreeMap::from([("version".into(), json!("1.0")), ("tags".into(), json!(["a"]))]),
                resources: vec![InlineResource {
                    name: "tone".into(),
                    description: None,
                    body: InlineResourceBody::Value("Friendly.".into()),
                }],
                scripts: vec![
                    InlineScript {
                        name: "hello".into(),
                        description: Some("Says it.".into()),
                        parameters: None,
                        body: InlineScriptBody::Result("hello".into()),
                    },
                    InlineScript {
                        name: "now".into(),
                        description: None,
                        parameters: None,
                        body: InlineScriptBody::File("scripts/now.py".into()),
                    },
                ],
            }],
            tool_groups: vec![ToolGroup {
                skill: "data-analysis".into(),
                tools: vec![GroupTool {
                    name: "load".into(),
                    description: "Loads.".into(),
                    parameters: json!({"type": "object", "properties": {}}),
                    script: Some("scripts/load.py".into()),
                    result: None,
                }],
            }],
            limits: RunLimits { turns: 5, script_seconds: 10, ..RunLimits::default() },
            sandbox: Policy {
                mode: SandboxMode::Require,
                limits: ProcessLimits { memory_mb: 512, ..ProcessLimits::default() },
                ..Policy::default()
            },
            neutral_paths: true,
            lint: LintSettings {
                profile: Profile::All,
                rules: BTreeMap::from([
                    ("todo-left".into(), Setting::Off),
                    ("budget".into(), Setting::Info),
                    ("security".into(), Setting::Error),
                ]),
                clients: vec!["claude-code".into()],
            },
        };
        let parsed = Project::parse(FILE.into(), text).unwrap();
        assert_eq!(parsed, expected);
        let written = serde_yaml::to_string(&expected).unwrap();
        assert_eq!(Project::parse(FILE.into(), &written).unwrap(), expected, "what is written is read back");
    }

    #[test]
    fn an_empty_file_sets_nothing() {
        for text in ["", "# only a comment\n", "---\n"] {
            assert_eq!(Project::parse(FILE.into(), text).unwrap(), Project::default());
            assert_eq!(Models::parse(FILE.into(), text).unwrap(), Models::default());
        }
        assert_eq!(Screenplay::parse(FILE.into(), "").unwrap_err().to_string(), "file.yaml: the file is empty");
    }

    #[test]
    fn project_errors_say_where_and_what_is_allowed() {
        assert_eq!(
            project_error("roots: []\nlimit: 1\n"),
            "file.yaml:2:1: unknown field `limit`, expected one of `roots`, `agentInstructions`, `model`, `harness`, \
             `harnesses`, `inlineSkills`, `toolGroups`, `limits`, `sandbox`, `neutralPaths`, `lint`; did you mean \
             `limits`?"
        );
        assert_eq!(
            project_error("roots: here\n"),
            "file.yaml:1:8: roots: invalid type: string \"here\", expected a sequence"
        );
        for models in
            ["models:\n- key: {command: [sh, -c, evil]}\n", "network: {proxy: none}\n", "key: {command: [sh]}\n"]
        {
            assert!(project_error(models).contains("unknown field"), "a project brings no models, proxies or keys");
        }
        let model = project_error("model: {key: {command: [sh]}}\n");
        assert!(model.contains("model: invalid type: map"), "{model}");
        assert_eq!(
            project_error("sandbox:\n  network: true\n"),
            "file.yaml:2:3: sandbox: unknown field `network`, expected one of `mode`, `limits`, `venv`"
        );
        assert_eq!(
            project_error("limits:\n  turns: 0\n"),
            "file.yaml:2:10: limits.turns: invalid value: integer `0`, expected a whole number from 1 to 1000"
        );
        assert_eq!(
            project_error("limits:\n  scriptSeconds: 3601\n"),
            "file.yaml:2:18: limits.scriptSeconds: invalid value: integer `3601`, expected a whole number from 1 to 3600"
        );
        assert_eq!(
            project_error("limits:\n  outputBytes: 4194305\n"),
            "file.yaml:2:16: limits.outputBytes: invalid value: integer `4194305`, expected a whole number up to \
             4194304 (4 MiB)"
        );
        assert_eq!(
            project_error("sandbox:\n  mode: maybe\n"),
            "file.yaml:2:9: sandbox.mode: unknown variant `maybe`, expected one of `off`, `prefer`, `require`"
        );
        assert_eq!(
            project_error("sandbox:\n  mode: off\n"),
            "file.yaml:2:3: sandbox: `off` is for one run, as `--sandbox off`, and not for a project, which may come from \
             anybody"
        );
        assert_eq!(
            project_error("harnesses:\n  agent-framework:\n    sources: [web]\n"),
            "file.yaml:3:15: harnesses.agent-framework.sources[0]: unknown variant `web`, expected `files` or `inline`"
        );
    }

    /// Else the author of the file could let a script use as much of the machine as it likes.
    #[test]
    fn a_project_asks_for_no_more_than_a_script_can_need() {
        let most = [
            "processes: 4096",
            "memoryMb: 16384",
            "fileMb: 8192",
            "cpuSeconds: 3600",
            "openFiles: 4096",
            "folderMb: 16384",
        ];
        for limit in most {
            let text = |limit: &str| format!("sandbox: {{limits: {{{limit}}}}}\n");
            assert!(Project::parse("file.yaml".into(), &text(limit)).is_ok(), "{limit}");
            let (name, number) = limit.split_once(": ").unwrap();
            let more = number.parse::<u64>().unwrap() + 1;
            for number in [more, 0, u64::from(u32::MAX), u64::MAX] {
                let error = project_error(&text(&format!("{name}: {number}")));
                assert!(error.contains(&format!("sandbox.limits.{name}: ")), "{error}");
                assert!(error.ends_with(&format!("expected a whole number from 1 to {}", more - 1)), "{error}");
            }
        }
    }

    #[test]
    fn a_script_or_tool_has_exactly_one_body() {
        let script = |rest: &str| {
            project_error(&format!(
                "inlineSkills:\n- name: a\n  description: b\n  instructions: c\n  scripts:\n  - name: s\n{rest}"
            ))
        };
        let place = "inlineSkills[0].scripts[0]: ";
        assert_eq!(script(""), format!("file.yaml:6:5: {place}script `s` needs either `result` or `file`"));
        assert_eq!(
            script("    file: x\n    result: y\n"),
            format!("file.yaml:6:5: {place}script `s` has both `result` and `file`; keep one")
        );
        assert_eq!(
            script("    path: x\n"),
            "file.yaml:7:5: inlineSkills[0].scripts[0]: unknown field `path`, expected one of `name`, `description`, \
             `parameters`, `result`, `file`"
        );
        let tool = "toolGroups:\n- skill: a\n  tools:\n  - name: t\n    description: d\n    parameters: {}\n";
        assert_eq!(
            project_error(tool),
            "file.yaml:4:5: toolGroups[0].tools[0]: tool `t` needs either `script` or `result`"
        );
    }

    #[test]
    fn reads_a_whole_screenplay() {
        let text = "prompt: How many pounds is 1 kilogram?\nsteps:\n- activate: unit-converter\n\
                    - read: references/conversion-table.md\n- run: scripts/convert.py\n  \
                    with: {value: 1, factor: 2.20462}\n- run: scripts/plain.py\n- say: 1 kg is about **2.20462 lb**.\n";
        let expected = Screenplay {
            prompt: "How many pounds is 1 kilogram?".into(),
            images: Vec::new(),
            title: None,
            steps: vec![
                ScreenplayStep::Activate { activate: "unit-converter".into() },
                ScreenplayStep::Read { read: "references/conversion-table.md".into() },
                ScreenplayStep::Run {
                    run: "scripts/convert.py".into(),
                    with: Some(json!({"value": 1, "factor": 2.20462})),
                },
                ScreenplayStep::Run { run: "scripts/plain.py".into(), with: None },
                ScreenplayStep::Say { say: "1 kg is about **2.20462 lb**.".into() },
            ],
        };
        assert_eq!(Screenplay::parse(FILE.into(), text).unwrap(), expected);
        let written = serde_yaml::to_string(&expected).unwrap();
        assert_eq!(Screenplay::parse(FILE.into(), &written).unwrap(), expected, "what is written is read back");
    }

    /// The head of a PNG of one pixel.
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0";

    #[test]
    fn a_prompt_says_with_which_pictures() {
        let address = Image::of(PNG).unwrap().data_url();
        let text = format!(
            "prompt: What is this?\nimages: [a.png]\nsteps:\n- say: A dot.\n- prompt: And these?\n  images:\n  - b.png\n  \
             - {address}\n- prompt: Thanks\n"
        );
        let screenplay = Screenplay::parse(FILE.into(), &text).unwrap();
        let said: Vec<(&str, &[String])> =
            screenplay.turns().into_iter().map(|turn| (turn.prompt, turn.images)).collect();
        let expected: [(&str, &[String]); 3] =
            [("What is this?", &["a.png".into()]), ("And these?", &["b.png".into(), address]), ("Thanks", &[])];
        assert_eq!(said, expected);
        let written = serde_yaml::to_string(&screenplay).unwrap();
        assert_eq!(Screenplay::parse(FILE.into(), &written).unwrap(), screenplay, "what is written is read back");
        assert_eq!(
            screenplay_error("- say: a\n  images: [a.png]\n"),
            "file.yaml:3:3: steps[0]: `images` belongs to `prompt`, which is not in this step"
        );
    }

    #[test]
    fn pictures_of_a_screenplay_come_from_its_folder_of_skills() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        let folder = base.join("skills").join(SCREENPLAY_FOLDER);
        fs::create_dir_all(base.join("skills/chart/assets")).unwrap();
        fs::create_dir_all(&folder).unwrap();
        for place in ["skills/chart/assets/logo.png", "skills/.workbench/screenplays/a.png", "secret.png", "b.png"] {
            fs::write(base.join(place), PNG).unwrap();
        }
        fs::write(folder.join("text.png"), "text").unwrap();
        fs::write(folder.join("long.png"), [PNG, &vec![0; IMAGE_BYTES]].concat()).unwrap();
        let scene = folder.join("scene.yaml");
        let read = |scene: &Utf8Path, name: &str| {
            Screenplay::pictures(scene, &[name.to_owned()]).map_err(|error| error.to_string())
        };
        let image = Image::of(PNG).unwrap();
        for name in ["a.png", "../../chart/assets/logo.png", &image.data_url()] {
            assert_eq!(read(&scene, name), Ok(vec![image.clone()]), "{name}");
        }
        let elsewhere = "it is not in the folder of skills that the screenplay belongs to, so it is not read";
        for name in ["../../../secret.png", base.join("secret.png").as_str()] {
            assert_eq!(read(&scene, name), Err(format!("{}: {elsewhere}", folder.join(name))));
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../../../secret.png", folder.join("link.png")).unwrap();
            assert_eq!(read(&scene, "link.png"), Err(format!("{}: {elsewhere}", folder.join("link.png"))));
        }
        let alone = base.join("alone.yaml");
        assert_eq!(read(&alone, "b.png"), Ok(vec![image]), "next to a screenplay in any folder");
        assert_eq!(read(&alone, "skills/chart/assets/logo.png").map(|images| images.len()), Ok(1), "and below it");
        let no_image = "it is not a PNG, JPEG, GIF or WebP image";
        assert_eq!(read(&scene, "text.png"), Err(format!("{}: {no_image}", folder.join("text.png"))));
        assert_eq!(read(&scene, "data:image/png;base64,AAAA"), Err(format!("{scene}: image 1: {no_image}")));
        let none = read(&scene, "none.png").unwrap_err();
        assert!(none.starts_with(&format!("cannot read {}: ", folder.join("none.png"))), "{none}");
        let too_long = format!("{}: it has more than 3750 kB", folder.join("long.png"));
        assert_eq!(read(&scene, "long.png"), Err(too_long));
        let many = Screenplay::pictures(&scene, &vec!["a.png".to_owned(); IMAGES + 1]).unwrap_err().to_string();
        assert_eq!(many, format!("{scene}: a prompt can have at most 20 images"));
    }

    #[test]
    fn a_step_has_exactly_one_verb() {
        let verbs = "`activate`, `read`, `run`, `call`, `say` and `prompt`";
        assert_eq!(
            screenplay_error("- say: a\n- {}\n"),
            format!("file.yaml:4:3: steps[1]: a step needs one of {verbs}")
        );
        assert_eq!(
            screenplay_error("- say: a\n  activate: b\n"),
            format!("file.yaml:3:3: steps[0]: a step has only one of {verbs}; this one has `activate` and `say`")
        );
        assert_eq!(
            screenplay_error("- say: a\n  with: {b: 1}\n"),
            "file.yaml:3:3: steps[0]: `with` belongs to `run` or `call`, and neither is in this step"
        );
        assert_eq!(
            screenplay_error("- load: a\n"),
            "file.yaml:3:3: steps[0]: unknown field `load`, expected one of `activate`, `read`, `run`, `with`, `call`, `say`, `prompt`, \
             `images`"
        );
        assert_eq!(
            screenplay_error("- activate\n"),
            "file.yaml:3:3: steps[0]: invalid type: string \"activate\", expected a step, such as `say: Hello`"
        );
    }

    #[test]
    fn reads_where_runs_are_sent_and_takes_no_key_there() {
        let parsed = |text: &str| Models::parse(FILE.into(), text).map(|models| models.otlp);
        let text = "otlp:\n  endpoint: https://traces.example/otel\n  key: {env: TRACES_KEY}\n  keyScheme: Basic\n  live: true\n";
        let expected = Otlp {
            key: Some(KeyRef::Env("TRACES_KEY".into())),
            key_scheme: KeyScheme::Basic,
            live: true,
            ..Otlp::new("https://traces.example/otel")
        };
        assert_eq!(parsed(text).unwrap(), Some(expected));
        assert_eq!(parsed("models: []\n").unwrap(), None);
        assert_eq!(
            models_error("otlp: {endpoint: traces.example}\n"),
            "file.yaml:1:18: otlp.endpoint: endpoint must be an http or https address such as \
             `http://localhost:8080/v1`, not `traces.example`"
        );
        let header = models_error("otlp:\n  endpoint: http://a.example\n  headers: {authorization: Basic x}\n");
        assert!(header.contains("the header `authorization` carries a key"), "{header}");
        assert!(models_error("otlp: {live: true}\n").contains("missing field `endpoint`"));
    }

    #[test]
    fn reads_models_and_checks_their_addresses() {
        let entry = |url: &str| format!("models:\n- id: local\n  provider: openAi\n  model: m\n  baseUrl: {url}\n");
        let text = entry("http://localhost:8080/v1") + "  key: {env: LOCAL_KEY}\n  parameters: {temperature: 0.5}\n";
        let expected = Models {
            models: vec![ModelEntry {
                key: Some(KeyRef::Env("LOCAL_KEY".into())),
                parameters: Sampling { temperature: Some(0.5), max_tokens: None },
                ..ModelEntry::new("local", Protocol::OpenAi, "http://localhost:8080/v1", "m")
            }],
            network: Network::default(),
            otlp: None,
        };
        assert_eq!(Models::parse(FILE.into(), &text).unwrap(), expected);
        for wrong in ["localhost:8080", "ftp://a.example", "/v1"] {
            assert_eq!(
                models_error(&entry(wrong)),
                format!(
                    "file.yaml:5:12: models[0].baseUrl: baseUrl must be an http or https address such as \
                     `http://localhost:8080/v1`, not `{wrong}`"
                )
            );
        }
        assert_eq!(
            models_error(&entry("https://me:secret@a.example/v1")),
            "file.yaml:5:12: models[0].baseUrl: baseUrl must not hold a user name or password; name where the \
             key is under `key`"
        );
        let twice = format!("{0}{1}", entry("http://a.example"), &entry("http://a.example")["models:\n".len()..]);
        assert_eq!(models_error(&twice), "file.yaml:2:1: models: two models have the id `local`");
    }

    /// The error of an entry with one more field, at line 2 of a file.
    fn field_error(field: &str) -> String {
        models_error(&format!("models:\n- {field}\n  id: a\n  provider: openAi\n  baseUrl: http://x\n  model: m\n"))
    }

    #[test]
    fn a_key_is_refused_wherever_it_stands_and_not_repeated() {
        let key = "sk-proj-0123456789abcdef";
        for (text, place) in [
            (format!("# old: {key}\n"), "1:8"),
            (format!("models:\n- key: {{env: {key}}}\n"), "2:14"),
            (format!("models:\n- headers: {{X-Ключ: {key}}}\n"), "2:21"),
            (format!("models: [\n'{key}"), "2:2"),
        ] {
            let error = models_error(&text);
            assert!(error.starts_with(&format!("file.yaml:{place}: this looks like a key")), "{error}");
            assert!(error.contains("OPENAI_API_KEY") && !error.contains("0123"), "{error}");
        }
        for text in ["baseUrl: me:secret@x/v1", "baseUrl: 'https://x/v1?api_key=secret'", "key: {env: not-secret}"] {
            let error = models_error(&format!("models:\n- {text}\n"));
            assert!(error.starts_with("file.yaml:2:") && !error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn headers_carry_no_keys_and_nothing_that_the_workbench_writes() {
        let next = "carries a key, and keys are not written here: name where the key is under `key`, e.g. `key: { env: \
                    OPENAI_API_KEY }`, and the header under `keyHeader`";
        for name in ["Authorization", "x-api-key", "api-key", "Cookie", "Proxy-Authorization"] {
            assert_eq!(
                field_error(&format!("headers: {{A: b, {name}: some-words}}")),
                format!("file.yaml:2:19: models[0].headers: the header `{name}` {next}")
            );
        }
        assert_eq!(
            field_error("headers: {Content-Type: text/plain}"),
            "file.yaml:2:13: models[0].headers: the workbench writes the header `Content-Type` itself; leave it out"
        );
        assert_eq!(
            field_error("headers: {a b: c}"),
            "file.yaml:2:13: models[0].headers: a header's name has letters, digits and `-`, e.g. `api-key`"
        );
        assert_eq!(
            field_error("headers: {A: \"b\\nc\"}"),
            "file.yaml:2:16: models[0].headers.A: a header's text is one line"
        );
        assert_eq!(
            field_error("keyHeader: 'api key'"),
            "file.yaml:2:14: models[0].keyHeader: a header's name has letters, digits and `-`, e.g. `api-key`"
        );
    }

    #[test]
    fn a_body_holds_nothing_that_the_workbench_writes() {
        let cases = [
            ("model", "write it under `model`, next to `body`"),
            ("messages", "it is what a run says"),
            ("input", "it is what a run says"),
            ("system", "it is what a run says"),
            ("tools", "a run has its own; `tools: false` next to `body` leaves tools out"),
            ("tool_choice", "a run has its own; `tools: false` next to `body` leaves tools out"),
            ("stream", "write `stream: true` or `stream: false` next to `body`"),
            ("stream_options", "write `stream: true` or `stream: false` next to `body`"),
            ("temperature", "write it as `parameters: { temperature: … }` next to `body`"),
            ("max_tokens", "write it as `parameters: { maxTokens: … }` next to `body`"),
            ("api_key", "keys are not written here: name where it is under `key`"),
        ];
        for (name, instead) in cases {
            assert_eq!(
                field_error(&format!("body: {{top_p: 1, {name}: 1}}")),
                format!("file.yaml:2:20: models[0].body: `{name}` cannot be in `body`: {instead}")
            );
        }
        let text = "models:\n- {id: a, provider: openAi, baseUrl: 'http://x', model: m, body: {max_completion_tokens: 9, a: {b: [1, null]}}}\n";
        let body = json!({"max_completion_tokens": 9, "a": {"b": [1, null]}});
        assert_eq!(json!(Models::parse(FILE.into(), text).unwrap().models[0].body), body);
    }

    #[test]
    fn chat_completions_has_no_word_for_showing_thoughts() {
        let entry = |provider: &str| {
            format!(
                "models:\n- {{id: a, provider: {provider}, baseUrl: 'http://x', model: m, reasoning: {{shown: true}}}}\n"
            )
        };
        let error = models_error(&entry("openAi"));
        assert!(error.contains("`reasoning: { shown: … }` of `a` has no meaning in chat completions"), "{error}");
        let read = Models::parse(FILE.into(), &entry("anthropic")).unwrap().models[0].reasoning;
        assert_eq!(read, Reasoning { effort: None, shown: Some(true) });
        let unknown = field_error("reasoning: {effort: huge}");
        assert!(unknown.contains("unknown variant `huge`, expected one of `none`, `minimal`"), "{unknown}");
    }

    #[test]
    fn retries_are_few_and_wait_a_while() {
        let retries = |written: &str| field_error(&format!("retries: {{{written}}}"));
        let count = "retries.count: invalid value: integer `11`, expected a whole number from 0 to 10";
        assert!(retries("count: 11").ends_with(count), "{}", retries("count: 11"));
        assert!(retries("longestWait: 0").contains("expected a whole number from 1"));
    }

    #[test]
    fn prices_proxies_and_certificates_are_checked() {
        for price in ["-1", ".inf", ".nan", "-0.5"] {
            let error = field_error(&format!("prices: {{input: {price}, output: 1}}"));
            assert!(error.starts_with("file.yaml:2:19: models[0].prices.input: invalid value: "), "{error}");
            assert!(error.ends_with("expected US dollars for a million tokens, from 0"), "{error}");
        }
        let network = |field: &str| models_error(&format!("network:\n  {field}\n"));
        assert_eq!(
            network("proxy: http://me:secret@proxy:3128"),
            "file.yaml:2:10: network.proxy: proxy must not hold a user name or password; leave it out and set \
             HTTPS_PROXY in the environment"
        );
        assert_eq!(
            network("proxy: proxy:3128"),
            "file.yaml:2:10: network.proxy: proxy must be an http, https or socks5 address such as \
             `http://proxy:3128`, or `none`"
        );
        assert_eq!(
            network("certificates: https://x/ca.pem"),
            "file.yaml:2:17: network.certificates: certificates is the path of a PEM file on this machine, e.g. \
             `/etc/ssl/own-ca.pem`"
        );
        let text = "network: {proxy: none, certificates: null}\nmodels: [{id: a, provider: openAi, baseUrl: 'http://x', model: m, prices: {input: 0, output: 1.5, cached: null}}]\n";
        let read = Models::parse(FILE.into(), text).unwrap();
        assert_eq!(read.network, Network { proxy: Some("none".into()), certificates: None });
        let free = Prices { input: 0.0, output: 1.5, cached: None, cache_written: None };
        assert_eq!(read.models[0].prices, Some(free));
        assert_eq!(
            field_error("context: 0"),
            "file.yaml:2:12: models[0].context: invalid value: integer `0`, expected a whole number from 1"
        );
    }

    #[test]
    fn certificates_are_found_from_the_folder_of_the_file() {
        let guard = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(guard.path()).unwrap().join("models.yaml");
        let read = |certificates: &str| {
            fs::write(&path, format!("network: {{certificates: {certificates}}}\n")).unwrap();
            Models::load(&path).unwrap().network.certificates.unwrap()
        };
        assert_eq!(read("own/ca.pem"), path.with_file_name("own/ca.pem"));
        assert_eq!(read("/etc/ssl/ca.pem"), "/etc/ssl/ca.pem");
    }

    #[test]
    fn a_placeholder_that_was_left_is_named() {
        assert_eq!(
            models_error("models:\n- baseUrl: 'https://{resource}.openai.azure.com/openai/v1'\n"),
            "file.yaml:2:12: models[0].baseUrl: baseUrl holds a placeholder: write your own instead of \
             `{resource}`"
        );
    }

    #[test]
    fn loads_from_disk_what_is_there() {
        let guard = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(guard.path()).unwrap();
        assert_eq!(Project::load(root).unwrap(), None);
        assert_eq!(Models::load(&root.join("models.yaml")).unwrap(), Models::default());
        assert!(screenplays(root).is_empty());

        fs::write(root.join(PROJECT_FILE), "\u{feff}model: local\r\n").unwrap();
        let expected = Project { model: Some("local".into()), ..Project::default() };
        assert_eq!(Project::load(root).unwrap(), Some(expected));
        fs::write(root.join(PROJECT_FILE), b"model: \xff\n").unwrap();
        let error = Project::load(root).unwrap_err();
        assert_eq!(error.to_string(), format!("{}: byte 7 is not valid UTF-8", root.join(PROJECT_FILE)));

        let folder = root.join(SCREENPLAY_FOLDER);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("b.yaml"), "prompt: p\nsteps: []\n").unwrap();
        fs::write(folder.join("a.yml"), "prompt: p\n").unwrap();
        fs::write(folder.join("notes.txt"), "").unwrap();
        let found: Vec<_> = screenplays(root)
            .into_iter()
            .map(|(path, play)| (path.file_name().unwrap().to_owned(), play.map_err(|error| error.to_string())))
            .collect();
        let expected = [
            ("a.yml".to_owned(), Err(format!("{}:1:1: missing field `steps`", folder.join("a.yml")))),
            (
                "b.yaml".to_owned(),
                Ok(Screenplay { prompt: "p".into(), images: Vec::new(), title: None, steps: Vec::new() }),
            ),
        ];
        assert_eq!(found, expected);
    }
}
