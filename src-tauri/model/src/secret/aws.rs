//! AWS credentials, found as AWS's own tools find them: environment variables, then the shared files `credentials` and
//! `config`. Ways that ask somebody first (single sign-on, roles, programs) are not used, and the error says so.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::{Message, message};

use super::{Keys, Secret};

/// The variables that hold secrets. The id of an access key is none.
pub const SECRET_VARIABLES: [&str; 4] =
    ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN", TOKEN_VARIABLE];

/// Holds a key of Amazon Bedrock, which is sent as it is.
const TOKEN_VARIABLE: &str = "AWS_BEARER_TOKEN_BEDROCK";

/// The credentials that sign requests.
#[derive(Debug, Clone)]
pub struct Credentials {
    pub id: String,
    pub secret: Secret,
    pub session: Option<Secret>,
}

/// The credentials of a profile.
#[derive(Debug, Clone)]
pub enum Found {
    Signs(Credentials),
    /// Is sent instead of a signature.
    Token(Secret),
}

/// Why there are no credentials. No secret is part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AwsError {
    /// Neither variables nor files.
    Nothing,
    /// No file has the profile.
    NoProfile {
        profile: String,
    },
    /// The profile says nothing of credentials.
    NoKeys {
        profile: String,
    },
    /// One of two that belong together, as the variable or the setting is called.
    Half {
        missing: String,
    },
    /// The profile takes its credentials from elsewhere.
    Elsewhere {
        profile: String,
        setting: String,
    },
    Unreadable {
        path: String,
        reason: Message,
    },
}

impl AwsError {
    /// What failed, without any part of a key.
    pub fn worded(&self) -> Message {
        match self {
            Self::Nothing => message!(
                "there are no AWS credentials: neither AWS_BEARER_TOKEN_BEDROCK nor AWS_ACCESS_KEY_ID is set, and there is \
                 no profile `default`",
                "没有 AWS 凭证：没有设置 AWS_BEARER_TOKEN_BEDROCK 或 AWS_ACCESS_KEY_ID，也没有配置文件 `default`"
            ),
            Self::NoProfile { profile } => {
                message!("there is no AWS profile `{profile}`", "没有 AWS 配置文件 `{profile}`")
            }
            Self::NoKeys { profile } => {
                message!("the AWS profile `{profile}` has no access key", "AWS 配置文件 `{profile}` 中没有访问密钥")
            }
            Self::Half { missing } => {
                message!("half of the AWS credentials is missing: {missing}", "AWS 凭证不完整：缺少 {missing}")
            }
            Self::Elsewhere { profile, setting } => message!(
                "the AWS profile `{profile}` uses `{setting}`, which is not supported; only access keys are",
                "AWS 配置文件 `{profile}` 使用了 `{setting}`，目前不支持；只支持访问密钥"
            ),
            Self::Unreadable { path, reason } => {
                message!("cannot read {path}: {reason}", "无法读取 {path}：{reason}"; reason)
            }
        }
    }

    /// The next step.
    pub fn hint(&self) -> Message {
        match self {
            Self::Elsewhere { profile, .. } => message!(
                "run `aws configure export-credentials --profile {profile} --format env`, set the variables that it prints, \
                 and start again",
                "请运行 `aws configure export-credentials --profile {profile} --format env`，设置它输出的变量，然后重新启动"
            ),
            Self::Nothing | Self::NoProfile { .. } | Self::NoKeys { .. } | Self::Half { .. } => message!(
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK, or add the access key with \
                 `aws configure`",
                "请设置 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY，或 AWS_BEARER_TOKEN_BEDROCK，或用 `aws configure` 添加访问密钥"
            ),
            Self::Unreadable { .. } => message!(
                "make the file readable, or set the credentials in environment variables",
                "请使该文件可读，或在环境变量中设置凭证"
            ),
        }
    }
}

/// The credentials of a profile; of the environment, else of its profile, if none is named.
pub fn find(profile: &str, keys: &dyn Keys) -> Result<Found, AwsError> {
    let env = |name: &str| variable(keys, name);
    if !profile.is_empty() {
        return of_profile(profile, keys).map(Found::Signs);
    }
    if let Some(token) = env(TOKEN_VARIABLE) {
        return Ok(Found::Token(Secret::new(token)));
    }
    let half = |missing: &str| AwsError::Half { missing: missing.to_owned() };
    match (env("AWS_ACCESS_KEY_ID"), env("AWS_SECRET_ACCESS_KEY")) {
        (Some(id), Some(secret)) => {
            let session = env("AWS_SESSION_TOKEN").or_else(|| env("AWS_SECURITY_TOKEN")).map(Secret::new);
            Ok(Found::Signs(Credentials { id, secret: Secret::new(secret), session }))
        }
        (Some(_), None) => Err(half("AWS_SECRET_ACCESS_KEY")),
        (None, Some(_)) => Err(half("AWS_ACCESS_KEY_ID")),
        (None, None) => {
            let named = chosen_profile(keys);
            let found = of_profile(named.as_deref().unwrap_or(DEFAULT), keys).map(Found::Signs);
            match found {
                Err(AwsError::NoProfile { .. }) if named.is_none() => Err(AwsError::Nothing),
                found => found,
            }
        }
    }
}

/// All that is secret in the shared files, whatever profile it belongs to: a program that reads one of them sees them all.
pub fn secrets(keys: &dyn Keys) -> Vec<Secret> {
    let Ok(Profiles { credentials, config }) = Profiles::read(keys) else { return Vec::new() };
    let settings = credentials.into_values().chain(config.into_values()).flatten();
    let secret = settings.filter(|(name, value)| SECRET_SETTINGS.contains(&name.as_str()) && !value.is_empty());
    secret.map(|(_, value)| Secret::new(value)).collect()
}

const SECRET_SETTINGS: [&str; 3] = ["aws_secret_access_key", "aws_session_token", "aws_security_token"];

/// The region that the environment names, or the profile's.
pub fn region(profile: &str, keys: &dyn Keys) -> Option<String> {
    let of_env = || variable(keys, "AWS_REGION").or_else(|| variable(keys, "AWS_DEFAULT_REGION"));
    let of_profile = |name: &str| Profiles::read(keys).ok()?.profile(name)?.remove("region");
    match profile {
        "" => of_env().or_else(|| of_profile(chosen_profile(keys).as_deref().unwrap_or(DEFAULT))),
        named => of_profile(named).or_else(of_env),
    }
}

const DEFAULT: &str = "default";

/// Far more than people keep in these files.
const FILE_LIMIT: u64 = 1 << 20;

/// Settings by which a profile takes its credentials from elsewhere, before its own access key counts and after it.
const BEFORE_KEYS: [&str; 6] =
    ["role_arn", "web_identity_token_file", "sso_session", "sso_start_url", "sso_account_id", "login_session"];
const BEHIND_KEYS: [&str; 2] = ["credential_process", "credential_source"];

fn chosen_profile(keys: &dyn Keys) -> Option<String> {
    variable(keys, "AWS_PROFILE").or_else(|| variable(keys, "AWS_DEFAULT_PROFILE"))
}

fn variable(keys: &dyn Keys, name: &str) -> Option<String> {
    keys.env(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

fn of_profile(name: &str, keys: &dyn Keys) -> Result<Credentials, AwsError> {
    let profile = || name.to_owned();
    let settings = Profiles::read(keys)?.profile(name).ok_or_else(|| AwsError::NoProfile { profile: profile() })?;
    let get = |name: &str| settings.get(name).filter(|value| !value.is_empty()).cloned();
    let elsewhere = |names: &[&str]| {
        let setting = names.iter().find(|name| settings.contains_key(**name))?;
        Some(AwsError::Elsewhere { profile: profile(), setting: (*setting).to_owned() })
    };
    if let Some(error) = elsewhere(&BEFORE_KEYS) {
        return Err(error);
    }
    match (get("aws_access_key_id"), get("aws_secret_access_key")) {
        (Some(id), Some(secret)) => {
            let session = get("aws_session_token").or_else(|| get("aws_security_token")).map(Secret::new);
            Ok(Credentials { id, secret: Secret::new(secret), session })
        }
        (Some(_), None) => Err(AwsError::Half { missing: "aws_secret_access_key".to_owned() }),
        (None, Some(_)) => Err(AwsError::Half { missing: "aws_access_key_id".to_owned() }),
        (None, None) => Err(elsewhere(&BEHIND_KEYS).unwrap_or_else(|| AwsError::NoKeys { profile: profile() })),
    }
}

type Sections = BTreeMap<String, BTreeMap<String, String>>;

/// The shared files. One that is not there is empty.
struct Profiles {
    credentials: Sections,
    config: Sections,
}

impl Profiles {
    fn read(keys: &dyn Keys) -> Result<Self, AwsError> {
        let home = variable(keys, "HOME").or_else(|| variable(keys, "USERPROFILE")).map(Utf8PathBuf::from);
        let file = |own: &str, name: &str| {
            let path = match (variable(keys, own), &home) {
                (Some(path), Some(home)) if path.starts_with("~/") => home.join(&path[2..]),
                (Some(path), _) => path.into(),
                (None, Some(home)) => home.join(".aws").join(name),
                (None, None) => return Ok(Sections::new()),
            };
            match disk::read_text(&path, FILE_LIMIT) {
                Ok(text) => Ok(sections(&text)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Sections::new()),
                Err(error) => Err(AwsError::Unreadable { path: path.into(), reason: wording::why(&error) }),
            }
        };
        Ok(Self {
            credentials: file("AWS_SHARED_CREDENTIALS_FILE", "credentials")?,
            config: file("AWS_CONFIG_FILE", "config")?,
        })
    }

    /// The settings of a profile in the files. An access key of `credentials` replaces one of `config`, and none is put
    /// together from both.
    fn profile(mut self, name: &str) -> Option<BTreeMap<String, String>> {
        let own = self.credentials.remove(name);
        let section = if name == DEFAULT { DEFAULT.to_owned() } else { format!("profile {name}") };
        let mut settings = self.config.remove(&section).or_else(|| own.as_ref().map(|_| BTreeMap::new()))?;
        if let Some(own) = own {
            if own.contains_key("aws_access_key_id") {
                settings.retain(|name, _| !name.starts_with("aws_s") && name != "aws_access_key_id");
            }
            settings.extend(own);
        }
        Some(settings)
    }
}

/// The sections of a file, their names without quotes. Settings below settings, which are indented, are left out.
fn sections(text: &str) -> Sections {
    let mut sections = Sections::new();
    let mut current = None;
    for line in text.trim_start_matches('\u{feff}').lines() {
        if line.trim().is_empty() || line.starts_with(['#', ';', ' ', '\t']) {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            let name = name.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect::<Vec<_>>().join(" ");
            sections.entry(name.clone()).or_default();
            current = Some(name);
            continue;
        }
        let section = current.as_ref().and_then(|name| sections.get_mut(name));
        if let (Some(section), Some((name, value))) = (section, line.split_once('=')) {
            section.insert(name.trim().to_lowercase(), value.trim().to_owned());
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A home with these files, and these variables.
    struct Machine {
        home: tempfile::TempDir,
        variables: Vec<(&'static str, &'static str)>,
    }

    impl Machine {
        fn new(credentials: &str, config: &str) -> Self {
            let home = tempfile::tempdir().unwrap();
            fs::create_dir(home.path().join(".aws")).unwrap();
            fs::write(home.path().join(".aws/credentials"), credentials).unwrap();
            fs::write(home.path().join(".aws/config"), config).unwrap();
            Self { home, variables: Vec::new() }
        }

        fn with(self, variables: &[(&'static str, &'static str)]) -> Self {
            Self { variables: variables.to_vec(), ..self }
        }

        fn ask<T>(&self, ask: impl FnOnce(&dyn Keys) -> T) -> T {
            let home = self.home.path().to_str().unwrap().to_owned();
            let variables = self.variables.clone();
            ask(&move |name: &str| match name {
                "HOME" => Some(home.clone()),
                name => variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()),
            })
        }

        fn find(&self, profile: &str) -> Result<String, AwsError> {
            let found = self.ask(|keys| find(profile, keys))?;
            Ok(match found {
                Found::Token(token) => token.reveal().to_owned(),
                Found::Signs(Credentials { id, secret, session }) => {
                    let session = session.map(|session| format!(" {}", session.reveal())).unwrap_or_default();
                    format!("{id} {}{session}", secret.reveal())
                }
            })
        }

        fn region(&self, profile: &str) -> Option<String> {
            self.ask(|keys| region(profile, keys))
        }
    }

    const CREDENTIALS: &str = "\u{feff}# mine\n[default]\naws_access_key_id = D\nAWS_SECRET_ACCESS_KEY=d/+=\n\n[work]\r\n\
        aws_access_key_id=W\r\naws_secret_access_key=w\r\naws_session_token = t==\r\n[half]\naws_access_key_id = H\n";
    const CONFIG: &str = "[default]\nregion = eu-west-1\n[profile work]\nregion=us-west-2\naws_access_key_id = X\n\
        s3 =\n  aws_access_key_id = Y\n[profile \"own\"]\naws_access_key_id = O\naws_secret_access_key = o\n\
        [profile sso]\nsso_session = me\nregion = x\n[profile process]\ncredential_process = /bin/id\n\
        [profile role]\nrole_arn = arn\nsource_profile = default\n[profile empty]\noutput = json\n";

    #[test]
    fn reads_variables_before_files_and_a_named_profile_before_both() {
        let files = || Machine::new(CREDENTIALS, CONFIG);
        let variables = [("AWS_ACCESS_KEY_ID", " E "), ("AWS_SECRET_ACCESS_KEY", "e"), ("AWS_SESSION_TOKEN", "s")];
        assert_eq!(files().find(""), Ok("D d/+=".to_owned()));
        assert_eq!(files().with(&variables).find(""), Ok("E e s".to_owned()));
        assert_eq!(files().with(&variables).find("work"), Ok("W w t==".to_owned()));
        assert_eq!(files().with(&[("AWS_PROFILE", "own")]).find(""), Ok("O o".to_owned()));
        assert_eq!(
            files().with(&[("AWS_BEARER_TOKEN_BEDROCK", "b"), variables[0], variables[1]]).find(""),
            Ok("b".into())
        );
    }

    #[test]
    fn names_the_secrets_of_all_profiles() {
        let found = Machine::new(CREDENTIALS, CONFIG).ask(secrets);
        let mut found: Vec<_> = found.iter().map(|secret| secret.reveal().to_owned()).collect();
        found.sort();
        assert_eq!(found, ["d/+=", "o", "t==", "w"]);
    }

    #[test]
    fn names_the_region_of_the_environment_or_the_profile() {
        let files = || Machine::new(CREDENTIALS, CONFIG);
        assert_eq!(files().region("").as_deref(), Some("eu-west-1"));
        assert_eq!(files().with(&[("AWS_PROFILE", "work")]).region("").as_deref(), Some("us-west-2"));
        let variables = [("AWS_DEFAULT_REGION", "b"), ("AWS_REGION", "a")];
        assert_eq!(files().with(&variables[..1]).region("").as_deref(), Some("b"));
        assert_eq!(files().with(&variables).region("").as_deref(), Some("a"));
        assert_eq!(files().with(&variables).region("work").as_deref(), Some("us-west-2"));
        assert_eq!(files().with(&variables).region("own").as_deref(), Some("a"));
        assert_eq!(Machine::new("", "").region(""), None);
    }

    #[test]
    fn says_what_is_missing_or_not_supported() {
        let files = || Machine::new(CREDENTIALS, CONFIG);
        let profile = |name: &str| files().find(name).unwrap_err();
        let elsewhere =
            |profile: &str, setting: &str| AwsError::Elsewhere { profile: profile.into(), setting: setting.into() };
        assert_eq!(profile("sso"), elsewhere("sso", "sso_session"));
        assert_eq!(profile("process"), elsewhere("process", "credential_process"));
        assert_eq!(profile("role"), elsewhere("role", "role_arn"));
        assert_eq!(profile("empty"), AwsError::NoKeys { profile: "empty".into() });
        assert_eq!(profile("none"), AwsError::NoProfile { profile: "none".into() });
        assert_eq!(profile("half"), AwsError::Half { missing: "aws_secret_access_key".into() });
        assert_eq!(Machine::new("", "").find(""), Err(AwsError::Nothing));
        let half = files().with(&[("AWS_SECRET_ACCESS_KEY", "e")]);
        assert_eq!(half.find(""), Err(AwsError::Half { missing: "AWS_ACCESS_KEY_ID".into() }));
        let told = profile("sso");
        assert_eq!(
            (told.worded().en.as_str(), told.hint().en.as_str()),
            (
                "the AWS profile `sso` uses `sso_session`, which is not supported; only access keys are",
                "run `aws configure export-credentials --profile sso --format env`, set the variables that it prints, and start again"
            )
        );
    }
}
