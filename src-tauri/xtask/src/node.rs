//! Programs of others from npm, installed below `target` by their first use. Their scripts are not run.

use std::fs;
use std::path::PathBuf;

use crate::{command, must, root, stamp, target};

/// What a `package-lock.json` pins.
pub struct Packages {
    /// The folder that `node_modules` is in.
    pub home: PathBuf,
}

impl Packages {
    /// `name` is its folder below `target`; `pinned`, below the workspace's folder, has `package.json` and `package-lock.json`.
    pub fn install(name: &str, pinned: &str) -> Result<Self, String> {
        let packages = Self { home: target().join(name) };
        let listed = ["package.json", "package-lock.json"].map(|file| root().join(pinned).join(file));
        if packages.home.join("node_modules").is_dir() && !stamp::is_stale(name, &listed) {
            return Ok(packages);
        }
        println!("\nInstalling {name} from npm.");
        let failed = |error: std::io::Error| format!("cannot fill {}: {error}", packages.home.display());
        fs::create_dir_all(&packages.home).map_err(failed)?;
        for file in &listed {
            fs::copy(file, packages.home.join(file.file_name().unwrap_or_default())).map_err(failed)?;
        }
        let mut npm = command("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
        npm.current_dir(&packages.home);
        must(npm)?;
        stamp::write(name, &listed)?;
        Ok(packages)
    }
}
