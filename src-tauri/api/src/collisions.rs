//! Which skills compete for the same request, by the words that they share.

use super::drafts::as_texts;
use super::dto::{AskedSkill, CollidingPair, CollidingSkill, CollisionArgs, Collisions, SharedWord};
use super::error::ApiError;
use super::skills::description;
use super::{Workbench, blocking};
use lint::analysis::likeness::LARGE;
use lint::analysis::rivals::{Rivals, Shared, Words};
use lint::{Disk, Overlay};
use skill::{Drafts, Skill};

impl Workbench {
    pub async fn collisions(&self, args: CollisionArgs) -> Result<Collisions, ApiError> {
        let loaded = self.loaded().await;
        Ok(blocking(move || {
            let texts = as_texts(&args.unsaved);
            let set = skill::drafted(&loaded.set, &Drafts::new(texts.clone())).into_owned();
            let mut skills = skill::skills(&set);
            skills.retain(|skill| !args.without.iter().any(|name| name == skill.name()));
            let words = Words::of(&skills);
            let found = words.rivals(&Overlay { below: &Disk, texts });
            let asked = args.request.as_deref().map(|request| words.asked(request)).unwrap_or_default();
            Collisions {
                skills: u32::try_from(skills.len()).unwrap_or(u32::MAX),
                more: found.len() > MOST,
                pairs: found.into_iter().take(MOST).map(|pair| colliding(&skills, pair)).collect(),
                asked: asked
                    .into_iter()
                    .take(MOST)
                    .map(|found| AskedSkill { skill: named(&skills[found.skill]), words: shared(found.words) })
                    .collect(),
            }
        })
        .await)
    }
}

/// Pairs, or skills, that are listed.
const MOST: usize = 500;

fn colliding(skills: &[Skill], pair: Rivals) -> CollidingPair {
    CollidingPair {
        a: named(&skills[pair.first]),
        b: named(&skills[pair.second]),
        share: pair.share,
        close: pair.share >= LARGE,
        words: shared(pair.words),
        queries: pair.queries,
    }
}

fn named(skill: &Skill) -> CollidingSkill {
    CollidingSkill {
        id: skill.path.to_string(),
        name: skill.name().to_owned(),
        description: description(&skill.manifest).to_owned(),
    }
}

fn shared(words: Vec<Shared>) -> Vec<SharedWord> {
    let one = |Shared { word, skills }| SharedWord { word, skills: u32::try_from(skills).unwrap_or(u32::MAX) };
    words.into_iter().map(one).collect()
}
