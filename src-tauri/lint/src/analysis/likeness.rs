//! Skills whose descriptions have much the same words.

use std::collections::{BTreeSet, HashMap};

use super::language::content;
use skill::Skill;

/// Two skills, by their numbers, and how many of all words of both are in both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    pub first: usize,
    pub second: usize,
    pub share: f64,
}

/// Smaller shares do not count as an overlap.
pub const LEAST: f64 = 0.5;
/// From this share on two descriptions are the same in other words.
pub const LARGE: f64 = 0.7;
/// With fewer words two descriptions are alike by chance.
const FEWEST_WORDS: usize = 4;
/// Of descriptions with a rare word in common the last ones are compared; with more of them the word is not rare.
const MOST_COMPARED: usize = 16;

/// For each skill the earlier one of another name that is most like it. Two sets of words with a large share in common
/// have one of their rarest words in common, so only those are compared.
pub fn pairs(skills: &[Skill]) -> Vec<Pair> {
    let words = numbered(skills);
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for word in words.iter().flatten() {
        *counts.entry(*word).or_default() += 1;
    }
    let mut with_rare: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (first, own) in words.iter().enumerate() {
        if own.len() < FEWEST_WORDS {
            continue;
        }
        let mut by_rarity = own.clone();
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
            with_rare.entry(*word).or_default().push(first);
        }
    }
    pairs
}

/// The words of each description, by their numbers in the order of all words; each once, and sorted.
fn numbered(skills: &[Skill]) -> Vec<Vec<u32>> {
    let mut met: HashMap<String, u32> = HashMap::new();
    let mut number = |word: String| {
        let next = u32::try_from(met.len()).unwrap_or(u32::MAX);
        *met.entry(word).or_insert(next)
    };
    let mut numbered: Vec<Vec<u32>> =
        skills.iter().map(|skill| words(skill).into_iter().map(&mut number).collect()).collect();
    let mut sorted: Vec<(String, u32)> = met.into_iter().collect();
    sorted.sort_unstable();
    let mut places = vec![0; sorted.len()];
    for (place, (_, number)) in sorted.iter().enumerate() {
        places[*number as usize] = u32::try_from(place).unwrap_or(u32::MAX);
    }
    for words in &mut numbered {
        words.iter_mut().for_each(|word| *word = places[*word as usize]);
        words.sort_unstable();
    }
    numbered
}

fn words(skill: &Skill) -> BTreeSet<String> {
    let description = skill.manifest.field("description").and_then(|field| field.value.as_str()).unwrap_or_default();
    content(&description[..description.floor_char_boundary(4096)])
}

fn share(a: &[u32], b: &[u32]) -> f64 {
    let both = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    both as f64 / (a.len() + b.len() - both) as f64
}
