//! Pages that were copied from a web site: we cannot know what its generator makes of headings, paths and samples, and
//! their author is not the skill's.

/// The page has marks of a site's generator, or says where it is from.
pub fn is_copied(text: &str) -> bool {
    let mut head = text.lines().take(SOURCE_LINES);
    SITE_MARKS.iter().any(|mark| text.contains(mark)) || head.any(names_source)
}

/// `> Source: [the guide](https://…)` near the top of a page says where it was copied from.
fn names_source(line: &str) -> bool {
    let line = line.trim_start_matches("<!--").trim_start_matches(['>', '*', '_', '-', ' ']).to_ascii_lowercase();
    let is_source = ["source:", "source**:", "original source:", "copied from", "source_url:"];
    is_source.iter().any(|words| line.starts_with(words)) && line.contains("http")
}

const SOURCE_LINES: usize = 10;

/// Of GitBook, Jekyll, Hugo, Docusaurus, VitePress, MkDocs and Nuxt Content, in pages and not in code about them.
const SITE_MARKS: [&str; 10] = [
    "\n{% hint",
    "\n{% tab",
    "\n{% content-ref",
    "\n{% include",
    "\n{{< ",
    "\n:::tip",
    "\n::: tip",
    "\n!!! note",
    "`{lang=\"",
    "\n<Tabs",
];
