//! The user's permanent answers about what skills may run. They are kept in the user's own file, outside of any
//! project, and bound to the skill's contents: if a skill is edited or replaced by another of the same name, the user
//! is asked again. No project file, trace or link can add such an answer.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::dto::{ApprovalArgs, ApprovalEntry, ApprovalSetArgs, NoArgs};
use super::error::{ApiError, Code, Tried};
use super::{Places, Workbench, absolute, blocking};
use engine::standing::{Concern, Memory, SkillPrint};
use engine::tool::fingerprint;
use skill::manifest;
use trace::clock::{Clock, Millis};
use trace::{Program, Standing};
use wording::message;

/// Bytes of `approvals.json`, some 50,000 answers.
const BYTE_LIMIT: u64 = 16 << 20;

/// `approvals.json` in the user's configuration folder.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Approvals {
    skills: Vec<Entry>,
}

/// One answer for one kind of program of one skill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    /// As the skill was called then, for people.
    name: String,
    /// Where it really lay then.
    folder: Utf8PathBuf,
    /// SHA-256 of all that was in it.
    digest: Option<String>,
    program: Program,
    answer: Standing,
    at: Millis,
}

impl Approvals {
    fn read(places: &Places) -> Result<Self, ApiError> {
        let path = places.approvals();
        let text = match disk::read_text(&path, BYTE_LIMIT) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(ApiError::io(&path, Tried::Read, error)),
        };
        serde_json::from_str(&text).map_err(|error| {
            let why = wording::refusal(&error.to_string());
            ApiError::new(Code::Invalid, message!("{path}: {why}", "{path}：{why}"; why))
                .hint(message!(
                    "delete the file; you are then asked again about each skill",
                    "请删除该文件；之后会再次询问每个技能"
                ))
                .at(&path)
        })
    }

    /// One change, among all processes of this program.
    fn change<T>(places: &Places, change: impl FnOnce(&mut Self) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let path = places.approvals();
        let _turn = disk::turn(&path).map_err(|error| ApiError::io(&path, Tried::Change, error))?;
        let mut approvals = Self::read(places)?;
        let result = change(&mut approvals)?;
        let text =
            serde_json::to_vec_pretty(&approvals).map_err(|error| ApiError::io(&path, Tried::Write, error.into()))?;
        if text.len() as u64 > BYTE_LIMIT {
            // The file must stay small enough to be read again, or all refusals would be forgotten.
            return Err(ApiError::new(Code::Invalid, message!("{path} is full", "{path} 已满"))
                .hint(message!(
                    "revoke answers that are no longer needed: `skillbench approvals list` shows them, `skillbench approvals revoke` revokes one",
                    "请撤销不再需要的记录：`skillbench approvals list` 列出记录，`skillbench approvals revoke` 撤销"
                ))
                .at(&path));
        }
        disk::write_privately(&path, &text).map_err(|error| ApiError::io(&path, Tried::Write, error))?;
        Ok(result)
    }

    /// `Never` holds for the folder whatever is in it now, and for the same content in any folder. Permission to run
    /// holds only for exactly this content, and for a command only if every skill that it could reach is permitted.
    fn said(&self, concern: &Concern) -> Option<Standing> {
        let of = |answer: Standing| {
            self.skills.iter().filter(move |entry| entry.program == concern.program && entry.answer == answer)
        };
        let is_content = |entry: &Entry, skill: &SkillPrint| entry.digest.is_some() && entry.digest == skill.digest;
        let is_never = |skill: &SkillPrint| {
            of(Standing::Never).any(|entry| entry.folder == skill.folder || is_content(entry, skill))
        };
        let touches = |entry: &Entry| concern.places.iter().any(|place| place.starts_with(&entry.folder));
        if concern.skills.iter().any(is_never) || of(Standing::Never).any(touches) {
            return Some(Standing::Never);
        }
        let may = |skill: &SkillPrint| of(Standing::Sandbox).any(|entry| is_content(entry, skill));
        (concern.is_known() && concern.skills.iter().all(may)).then_some(Standing::Sandbox)
    }

    fn keep(&mut self, concern: &Concern, answer: Standing, at: Millis) {
        for skill in &concern.skills {
            self.skills.retain(|entry| entry.program != concern.program || entry.folder != skill.folder);
            self.skills.push(Entry {
                name: skill.name.clone(),
                folder: skill.folder.clone(),
                digest: skill.digest.clone(),
                program: concern.program,
                answer,
                at,
            });
        }
    }

    fn listed(self) -> Vec<ApprovalEntry> {
        let mut entries: Vec<_> = self.skills.into_iter().map(Entry::shown).collect();
        entries.sort_by(|a, b| (&a.folder, a.program).cmp(&(&b.folder, b.program)));
        entries
    }
}

impl Entry {
    fn shown(self) -> ApprovalEntry {
        let now = fingerprint::of_content(&self.folder);
        ApprovalEntry {
            holds: match self.answer {
                Standing::Never => true,
                Standing::Sandbox => now.is_some() && now == self.digest,
            },
            there: self.folder.is_dir(),
            name: self.name,
            folder: self.folder.into_string(),
            program: self.program,
            answer: self.answer,
            at: self.at,
        }
    }
}

impl Workbench {
    /// The user's permanent answers, by skill.
    pub async fn approval_list(&self, _: NoArgs) -> Result<Vec<ApprovalEntry>, ApiError> {
        let places = self.inner.places.clone();
        blocking(move || Ok(Approvals::read(&places)?.listed())).await
    }

    /// Sets the permanent answer for a skill as it is now.
    pub async fn approval_set(&self, args: ApprovalSetArgs) -> Result<Vec<ApprovalEntry>, ApiError> {
        let (places, at) = (self.inner.places.clone(), self.inner.clock.now());
        blocking(move || {
            let skill = skill_at(&args.folder)?;
            if args.answer == Standing::Sandbox && skill.digest.is_none() {
                let folder = &skill.folder;
                return Err(ApiError::new(
                    Code::Invalid,
                    message!(
                        "{folder} is too large, or cannot be read whole, so a change of it would not be noticed",
                        "{folder} 太大或无法完整读取，无法察觉其中的改动"
                    ),
                )
                .at(folder));
            }
            Approvals::change(&places, |approvals| {
                for program in args.program.map_or(Program::ALL.to_vec(), |program| vec![program]) {
                    let skills = vec![skill.clone()];
                    approvals.keep(&Concern { program, skills, places: Vec::new(), passing: false }, args.answer, at);
                }
                Ok(approvals.clone())
            })
            .map(Approvals::listed)
        })
        .await
    }

    /// Revokes the permanent answer for a skill: the user is asked again.
    pub async fn approval_revoke(&self, args: ApprovalArgs) -> Result<Vec<ApprovalEntry>, ApiError> {
        let places = self.inner.places.clone();
        blocking(move || {
            let path = absolute(Utf8Path::new(&args.folder));
            let spelled: Vec<_> = [Some(path.clone()), disk::real(&path)].into_iter().flatten().collect();
            Approvals::change(&places, |approvals| {
                let before = approvals.skills.len();
                approvals.skills.retain(|entry| {
                    !spelled.contains(&entry.folder) || args.program.is_some_and(|program| program != entry.program)
                });
                if approvals.skills.len() == before {
                    return Err(ApiError::new(
                        Code::NotFound,
                        message!("nothing is remembered about {path}", "没有关于 {path} 的记录"),
                    )
                    .hint(message!(
                        "`skillbench approvals list` shows what is remembered",
                        "`skillbench approvals list` 会列出已有的记录"
                    ))
                    .at(&path));
                }
                Ok(approvals.clone())
            })
            .map(Approvals::listed)
        })
        .await
    }

    /// The answers as runs use them; an error if the file cannot be read, since then the refusals are unknown.
    /// `ask_all`: the user is asked about everything, whatever they answered before; `Never` still holds.
    pub(super) async fn memory(&self, ask_all: bool) -> Result<Memory, ApiError> {
        let (places, clock) = (self.inner.places.clone(), self.inner.clock.clone());
        let readable = places.clone();
        blocking(move || Approvals::read(&readable)).await?;
        let own = places.clone();
        Ok(Memory {
            said: Arc::new(move |concern| {
                let said = said(&own, concern);
                said.filter(|standing| !ask_all || *standing == Standing::Never)
            }),
            keep: Arc::new(move |concern, answer| keep(&places, &clock, concern, answer)),
        })
    }
}

/// If the file cannot be read, the refusals are unknown, so nothing runs. Runs do not start then; this is for a file
/// that breaks during a run.
fn said(places: &Places, concern: &Concern) -> Option<Standing> {
    match Approvals::read(places) {
        Ok(approvals) => approvals.said(concern),
        Err(error) => {
            tracing::warn!(%error, "nothing runs");
            Some(Standing::Never)
        }
    }
}

fn keep(places: &Places, clock: &Clock, concern: &Concern, answer: Standing) -> Result<(), wording::Message> {
    Approvals::change(places, |approvals| {
        approvals.keep(concern, answer, clock.now());
        Ok(())
    })
    .map_err(|error| error.worded())
}

fn skill_at(folder: &str) -> Result<SkillPrint, ApiError> {
    let path = absolute(Utf8Path::new(folder));
    let folder = path.canonicalize_utf8().map_err(|error| ApiError::io(&path, Tried::Open, error))?;
    if !folder.join(manifest::FILE_NAME).is_file() {
        return Err(ApiError::new(Code::Invalid, message!("{folder} is not a skill", "{folder} 不是技能"))
            .hint(message!("name the folder that holds its SKILL.md", "请指定其 SKILL.md 所在的文件夹"))
            .at(&folder));
    }
    let name = folder.file_name().unwrap_or_default().to_owned();
    let digest = fingerprint::of_content(&folder);
    Ok(SkillPrint { name, folder, digest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(name: &str, digest: Option<&str>) -> SkillPrint {
        SkillPrint { name: name.into(), folder: format!("/skills/{name}").into(), digest: digest.map(str::to_owned) }
    }

    fn concern(program: Program, skills: &[SkillPrint]) -> Concern {
        Concern { program, skills: skills.to_vec(), places: Vec::new(), passing: false }
    }

    #[test]
    fn what_never_runs_does_not_run_by_any_path_and_a_passing_yes_holds_for_nothing() {
        let mut approvals = Approvals::default();
        approvals.keep(&concern(Program::Scripts, &[print("evil", Some("1"))]), Standing::Never, 0);
        let by = |places: &[&str]| Concern {
            places: places.iter().map(Utf8PathBuf::from).collect(),
            ..concern(Program::Scripts, &[])
        };
        assert_eq!(approvals.said(&by(&["/project/link.py", "/skills/evil/scripts/run.py"])), Some(Standing::Never));
        assert_eq!(approvals.said(&by(&["/skills/evil-too/run.py"])), None);
        approvals.keep(&concern(Program::Scripts, &[print("a", Some("2"))]), Standing::Sandbox, 0);
        let passing = Concern { passing: true, ..concern(Program::Scripts, &[print("a", Some("2"))]) };
        assert_eq!(approvals.said(&passing), None);
    }

    #[test]
    fn a_yes_holds_for_the_content_alone_and_a_no_for_the_folder_too() {
        let mut approvals = Approvals::default();
        let scripts = |name: &str, digest| concern(Program::Scripts, &[print(name, digest)]);
        approvals.keep(&scripts("a", Some("1")), Standing::Sandbox, 0);
        approvals.keep(&scripts("b", Some("2")), Standing::Never, 0);
        assert_eq!(approvals.said(&scripts("a", Some("1"))), Some(Standing::Sandbox));
        assert_eq!(approvals.said(&scripts("copy", Some("1"))), Some(Standing::Sandbox), "the same content elsewhere");
        assert_eq!(approvals.said(&scripts("a", Some("1 edited"))), None);
        assert_eq!(approvals.said(&scripts("a", None)), None, "nobody knows what it is");
        assert_eq!(approvals.said(&concern(Program::Commands, &[print("a", Some("1"))])), None, "another kind");
        assert_eq!(approvals.said(&scripts("b", Some("2 edited"))), Some(Standing::Never));
        assert_eq!(approvals.said(&scripts("copy", Some("2"))), Some(Standing::Never));
        assert_eq!(approvals.said(&concern(Program::Scripts, &[])), None);
    }

    #[test]
    fn a_command_runs_if_every_skill_may_run_commands_and_never_if_one_may_not() {
        let mut approvals = Approvals::default();
        let (a, b) = (print("a", Some("1")), print("b", Some("2")));
        approvals.keep(&concern(Program::Commands, std::slice::from_ref(&a)), Standing::Sandbox, 0);
        let both = concern(Program::Commands, &[a, b.clone()]);
        assert_eq!(approvals.said(&both), None);
        approvals.keep(&concern(Program::Commands, std::slice::from_ref(&b)), Standing::Sandbox, 0);
        assert_eq!(approvals.said(&both), Some(Standing::Sandbox));
        approvals.keep(&concern(Program::Commands, &[b]), Standing::Never, 0);
        assert_eq!(approvals.said(&both), Some(Standing::Never), "the last word counts");
    }

    #[test]
    fn the_file_is_for_its_owner_and_with_one_that_is_broken_nothing_runs() {
        let home = tempfile::tempdir().unwrap();
        let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), None);
        let scripts = concern(Program::Scripts, &[print("a", Some("1"))]);
        keep(&places, &Clock::system(), &scripts, Standing::Sandbox).unwrap();
        assert_eq!(said(&places, &scripts), Some(Standing::Sandbox));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(places.approvals()).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        std::fs::write(places.approvals(), "{\"skills\": 1}").unwrap();
        assert_eq!(said(&places, &scripts), Some(Standing::Never), "nobody knows what it refuses");
        assert!(keep(&places, &Clock::system(), &scripts, Standing::Sandbox).is_err(), "and is not written over");
    }
}
