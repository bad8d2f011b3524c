//! Lists the rules of each group: every file in `src/rules/GROUP` that holds one. So every rule file is used, and one
//! without a `mod` line does not compile.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/rules");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    for entry in fs::read_dir("src/rules")? {
        let folder = entry?;
        if !folder.file_type()?.is_dir() {
            continue;
        }
        let group = folder.file_name().into_string().expect("a module's name is text");
        let mut names = Vec::new();
        for entry in fs::read_dir(folder.path())? {
            let path = entry?.path();
            let is_rust = path.extension().is_some_and(|ending| ending == "rs");
            if is_rust && fs::read_to_string(&path)?.contains("\npub static RULE: Rule = ") {
                names.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_owned));
            }
        }
        names.sort_unstable();
        let list: String = names.iter().map(|name| format!("    &{group}::{name}::RULE,\n")).collect();
        fs::write(out.join(format!("{group}.rs")), format!("&[\n{list}]\n"))?;
    }
    Ok(())
}
