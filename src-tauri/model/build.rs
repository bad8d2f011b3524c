//! Lays the vocabularies of the tokenizers out as `model::vocabulary` reads them: tables of four-byte numbers, which need
//! no loading. Tokens are numbered in the order of their bytes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use tiktoken_rs::{CoreBPE, cl100k_base, o200k_base};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    for (name, tokenizer) in [("o200k_base", o200k_base()), ("cl100k_base", cl100k_base())] {
        let folder = folder.join(name);
        fs::create_dir_all(&folder).expect("the folder is writable");
        lay_out(&folder, &ranks(&tokenizer.expect("the vocabulary comes with the crate")));
    }
}

fn lay_out(folder: &Path, ranks: &HashMap<Vec<u8>, usize>) {
    let mut tokens: Vec<&[u8]> = ranks.keys().map(Vec::as_slice).collect();
    tokens.sort_unstable();
    let numbers: HashMap<&[u8], usize> = tokens.iter().enumerate().map(|(number, token)| (*token, number)).collect();
    let halves: Vec<(usize, usize)> = tokens
        .iter()
        .map(|token| {
            let (left, right) = halves(token, ranks);
            (numbers[left], numbers[right])
        })
        .collect();
    let starts = tokens.iter().scan(0, |end, token| Some(std::mem::replace(end, *end + token.len())));
    let size = tokens.iter().map(|token| token.len()).sum();
    // By their left half, then by their right one: longer tokens come in the order of what they add.
    let mut merged: Vec<usize> = (0..tokens.len()).filter(|number| tokens[*number].len() > 1).collect();
    merged.sort_unstable_by_key(|number| halves[*number]);
    let firsts = (0..=tokens.len()).map(|number| merged.partition_point(|merged| halves[*merged].0 < number));
    let two = |number: usize| [(number >> 8) as u8, number as u8];
    let buckets = (0..1 << 16).map(|number| tokens.partition_point(|token| **token < two(number)[..]));
    fs::write(folder.join("bytes"), tokens.concat()).expect("the folder is writable");
    write(folder, "starts", starts.chain([size]));
    write(folder, "buckets", buckets.chain([tokens.len()]));
    write(folder, "ranks", tokens.iter().map(|token| ranks[*token]));
    write(folder, "prefixes", prefixes(&tokens));
    write(folder, "lefts", halves.iter().map(|(left, _)| *left));
    write(folder, "rights", halves.iter().map(|(_, right)| *right));
    write(folder, "firsts", firsts);
    write(folder, "merged", merged.iter().copied());
    write(folder, "seconds", merged.iter().map(|number| halves[*number].1));
}

/// All tokens that are text, each with its rank: the lower it is, the earlier it is merged.
fn ranks(tokenizer: &CoreBPE) -> HashMap<Vec<u8>, usize> {
    (0..).map_while(|rank| Some((tokenizer.decode_bytes(&[rank]).ok()?, rank as usize))).collect()
}

/// The two tokens that a token is merged from; of a single byte, itself twice.
fn halves<'a>(token: &'a [u8], ranks: &HashMap<Vec<u8>, usize>) -> (&'a [u8], &'a [u8]) {
    if token.len() == 1 {
        return (token, token);
    }
    // The ends of the parts that the token is merged from so far.
    let mut ends: Vec<usize> = (0..=token.len()).collect();
    while ends.len() > 3 {
        let rank = |place: &usize| ranks.get(&token[ends[*place]..ends[place + 2]]).copied().unwrap_or(usize::MAX);
        let lowest = (0..ends.len() - 2).min_by_key(rank).expect("there are three parts");
        ends.remove(lowest + 1);
    }
    token.split_at(ends[1])
}

/// Of each token the longest other one that it begins with; of a single byte, itself.
fn prefixes(tokens: &[&[u8]]) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut prefixes = Vec::with_capacity(tokens.len());
    for (number, token) in tokens.iter().enumerate() {
        while open.pop_if(|other| !token.starts_with(tokens[*other])).is_some() {}
        prefixes.push(open.last().copied().unwrap_or(number));
        open.push(number);
    }
    prefixes
}

fn write(folder: &Path, name: &str, numbers: impl IntoIterator<Item = usize>) {
    let bytes: Vec<u8> = numbers
        .into_iter()
        .flat_map(|number| u32::try_from(number).expect("it is a small number").to_le_bytes())
        .collect();
    fs::write(folder.join(name), bytes).expect("the folder is writable");
}
