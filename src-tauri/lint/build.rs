//! Lists the rules of each group: every file in `src/rules/GROUP` that holds one. So a rule that is there looks, and one
//! whose `mod` line is missing does not compile.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/rules");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    for entry in fs::read_dir("src/rules")? {
        let group = entry?;
        if !group.file_type()?.is_dir() {
            continue;
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(group.path())? {
            let path = entry?.path();
            let is_rust = path.extension().is_some_and(|ending| ending == "rs");
            if is_rust && fs::read_to_string(&path)?.contains("\npub static RULE: Rule = ") {
                names.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_owned));
            }
        }
        names.sort_unstable();
        let list: String = names.iter().map(|name| format!("    &{name}::RULE,\n")).collect();
        let mut file = out.join(group.file_name());
        file.set_extension("rs");
        fs::write(file, format!("&[\n{list}]\n"))?;
    }
    Ok(())
}
