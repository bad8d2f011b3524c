//! Skills whose descriptions have much the same words.

use std::collections::{BTreeSet, HashMap};

use crate::lint::rules::description::words::content;
use crate::skill::Skill;

/// Two skills, by their numbers, and how many of all words of both are in both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    pub first: usize,
    pub second: usize,
    pub share: f64,
}

/// Smaller shares are no overlap.
pub const LEAST: f64 = 0.5;
/// With fewer words two descriptions are alike by chance.
const FEWEST_WORDS: usize = 4;
/// Of descriptions with a rare word in common the last ones are compared; with more of them the word is not rare.
const MOST_COMPARED: usize = 16;

/// For each skill the earlier one of another name that is most like it. Two sets of words with a large share in common
/// have one of their rarest words in common, so only those are compared.
pub fn pairs(skills: &[Skill]) -> Vec<Pair> {
    let words: Vec<BTreeSet<String>> = skills.iter().map(words).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in words.iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let mut with_rare: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (first, own) in words.iter().enumerate() {
        if own.len() < FEWEST_WORDS {
            continue;
        }
        let mut by_rarity: Vec<&str> = own.iter().map(String::as_str).collect();
        by_rarity.sort_by_key(|word| (counts.get(word).copied().unwrap_or_default(), *word));
        // A share of a half can miss half of the words, and no more.
        let rare = &by_rarity[..own.len() / 2 + 1];
        let candidates: BTreeSet<usize> = rare
            .iter()
            .filter_map(|word| with_rare.get(word))
            .flat_map(|list| list.iter().rev().take(MOST_COMPARED).copied())
            .filter(|second| skills[*second].name() != skills[first].name())
            .collect();
        let shares = candidates.into_iter().map(|second| Pair { first, second, share: share(own, &words[second]) });
        let most = shares.filter(|pair| pair.share >= LEAST).max_by(|a, b| a.share.total_cmp(&b.share));
        pairs.extend(most);
        for word in rare {
            with_rare.entry(word).or_default().push(first);
        }
    }
    pairs
}

fn words(skill: &Skill) -> BTreeSet<String> {
    let description = skill.manifest.field("description").and_then(|field| field.value.as_str()).unwrap_or_default();
    content(&description[..description.floor_char_boundary(4096)])
}

fn share(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let both = a.intersection(b).count();
    both as f64 / (a.len() + b.len() - both) as f64
}
