//! What `--harness` names: one harness, several, or all of them.

use api::dto::{HarnessChoice, HarnessInfo, NoArgs};
use api::{ApiError, Code, Workbench};

use crate::HarnessArgs;
use harness::Group;
use wording::message;

/// One is shown by itself, as commands that know only one show it; several are laid side by side.
pub enum Chosen {
    One(HarnessChoice),
    Several(Vec<HarnessChoice>),
}

impl HarnessArgs {
    /// For a command that takes one; without a name, the project's.
    pub async fn one(&self, bench: &Workbench) -> Result<HarnessChoice, ApiError> {
        match self.harness.as_slice() {
            [] => self.with_variant(first(bench).await?),
            _ => self.named(),
        }
    }

    fn named(&self) -> Result<HarnessChoice, ApiError> {
        match self.harness.as_slice() {
            [name] if !stands_for_many(name) => self.with_variant(HarnessChoice::named(name)),
            _ => Err(ApiError::new(
                Code::Invalid,
                message!("this command takes one framework", "此命令一次只接受一个框架"),
            )
            .hint(message!(
                "`skillbench inspect` and `skillbench run` take several",
                "`skillbench inspect` 和 `skillbench run` 可接受多个"
            ))),
        }
    }

    pub async fn chosen(&self, bench: &Workbench) -> Result<Chosen, ApiError> {
        match self.harness.as_slice() {
            [] => self.one(bench).await.map(Chosen::One),
            [name] if !stands_for_many(name) => self.named().map(Chosen::One),
            _ if self.variant.is_some() => Err(ApiError::new(
                Code::Invalid,
                message!("--variant cannot be used with several frameworks", "--variant 不能与多个框架一起使用"),
            )
            .hint(message!(
                "write the variant after its framework: agent-framework@python-1.23",
                "请把变体写在框架之后：agent-framework@python-1.23"
            ))),
            names => Ok(Chosen::Several(several(names, &bench.harness_list(NoArgs {}).await?))),
        }
    }

    /// As [`HarnessArgs::chosen`], for runs: names of many leave out what only presents skills.
    pub async fn to_run(&self, bench: &Workbench) -> Result<Chosen, ApiError> {
        Ok(match self.chosen(bench).await? {
            Chosen::Several(_) => {
                let mut known = bench.harness_list(NoArgs {}).await?;
                known.retain(|harness| harness.runs);
                Chosen::Several(several(&self.harness, &known))
            }
            one @ Chosen::One(_) => one,
        })
    }

    fn with_variant(&self, choice: HarnessChoice) -> Result<HarnessChoice, ApiError> {
        match (choice.variant, &self.variant) {
            (Some(variant), Some(_)) if !self.harness.is_empty() => Err(ApiError::new(
                Code::Invalid,
                message!(
                    "--harness names the variant {variant}, and so does --variant",
                    "--harness 已指定变体 {variant}，--variant 又指定了一次"
                ),
            )
            .hint(message!("keep one of them", "请只保留其一"))),
            // That of the project file is only what to begin with.
            (Some(_), Some(other)) => Ok(HarnessChoice { variant: Some(other.clone()), ..choice }),
            (variant, other) => Ok(HarnessChoice { variant: variant.or_else(|| other.clone()), ..choice }),
        }
    }
}

/// Each framework in its default variant. Clients are asked for by their own name.
const ALL: &str = "all";
/// The same.
const FRAMEWORKS: &str = "frameworks";
/// Each framework in every variant.
const EVERY: &str = "every";
/// Each client in its default variant.
const CLIENTS: &str = "clients";

/// The choices that the names mean, in their order, each once.
pub fn several(names: &[String], known: &[HarnessInfo]) -> Vec<HarnessChoice> {
    let of = |group: Group| known.iter().filter(move |harness| harness.group == group);
    let default = |harness: &HarnessInfo| HarnessChoice { harness: harness.id.clone(), variant: None };
    let variants = |harness: &HarnessInfo| -> Vec<HarnessChoice> {
        let choice = |variant: &String| HarnessChoice { harness: harness.id.clone(), variant: Some(variant.clone()) };
        harness.variants.iter().map(|variant| choice(&variant.id)).collect()
    };
    let mut chosen: Vec<HarnessChoice> = Vec::new();
    for name in names {
        let named = match name.as_str() {
            ALL | FRAMEWORKS => of(Group::Framework).map(default).collect(),
            EVERY => of(Group::Framework).flat_map(variants).collect(),
            CLIENTS => of(Group::Client).map(default).collect(),
            name => vec![HarnessChoice::named(name)],
        };
        for choice in named {
            if !chosen.contains(&choice) {
                chosen.push(choice);
            }
        }
    }
    chosen
}

/// What the project begins with, else the first framework there is.
async fn first(bench: &Workbench) -> Result<HarnessChoice, ApiError> {
    let of_project = bench.project_choice(NoArgs {}).await?.harness;
    Ok(of_project.unwrap_or_else(|| HarnessChoice::named(FIRST)))
}

const FIRST: &str = "agent-framework";

fn stands_for_many(name: &str) -> bool {
    [ALL, FRAMEWORKS, EVERY, CLIENTS].contains(&name)
}

#[cfg(test)]
mod tests {
    use api::dto::VariantDto;
    use wording::Message;

    use super::*;

    fn known(id: &str, group: Group, variants: &[&str]) -> HarnessInfo {
        let variant = |id: &&str| VariantDto {
            id: (*id).to_owned(),
            title: Message::default(),
            source: Message::default(),
            verified: true,
            iterations: None,
            failed_rounds: None,
        };
        let variants = variants.iter().map(variant).collect();
        HarnessInfo { id: id.into(), title: String::new(), group, runs: true, variants }
    }

    fn shown(names: &[&str]) -> Vec<String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let known = [
            known("a", Group::Framework, &["seed", "new"]),
            known("b", Group::Framework, &["seed"]),
            known("c", Group::Client, &["1"]),
        ];
        let show = |choice: HarnessChoice| format!("{} {}", choice.harness, choice.variant.as_deref().unwrap_or("-"));
        several(&names, &known).into_iter().map(show).collect()
    }

    #[test]
    fn a_name_may_carry_a_variant_and_two_words_stand_for_many() {
        assert_eq!(shown(&["b", "a@new"]), ["b -", "a new"]);
        assert_eq!(shown(&["all"]), ["a -", "b -"]);
        assert_eq!(shown(&["every"]), ["a seed", "a new", "b seed"]);
        assert_eq!(shown(&["b", "all", "b"]), ["b -", "a -"], "each once");
        assert_eq!(shown(&["frameworks"]), shown(&["all"]));
        assert_eq!(shown(&["clients", "b"]), ["c -", "b -"]);
    }

    #[test]
    fn a_variant_cannot_be_named_twice() {
        let args = |harness: &[&str], variant: Option<&str>| HarnessArgs {
            harness: harness.iter().map(|name| (*name).to_owned()).collect(),
            variant: variant.map(str::to_owned),
        };
        let named = HarnessChoice { harness: "a".into(), variant: Some("new".into()) };
        assert_eq!(args(&["a@new"], None).named(), Ok(named.clone()));
        assert_eq!(args(&["a"], Some("new")).named(), Ok(named));
        assert!(args(&["a@new"], Some("seed")).named().is_err());
        assert!(args(&["a", "b"], None).named().is_err());
        assert!(args(&["all"], None).named().is_err());
    }
}
