//! The window's half of the api: every type that is exchanged, and the map of commands, as one TypeScript module.
//! `cargo xtask generate` writes it to `ui/src/generated/api.ts`; a test fails if the file is stale.

use std::any::TypeId;
use std::collections::BTreeMap;

use serde::Serialize;
use ts_rs::{Config, TS, TypeVisitor};

use super::dto::*;
use super::error::ApiError;
use config::{ModelPreset, Profile, RunLimits};
use model::check::Check;
use model::http::ListedModel;
use model::protocol::Protocol;
use trace::columns::Columns;
use trace::diff::RunDiff;
use trace::review::Review;
use trace::store::Found;
use trace::{ContextAtStep, RunId, RunSummary, Step};

/// The whole module's text.
pub fn module() -> String {
    let config = Config::default();
    let mut types = Types { config: &config, declarations: BTreeMap::new(), seen: Vec::new() };
    let mut commands = String::new();
    let mut changes = String::new();

    macro_rules! collect {
        ($($name:ident($arguments:ty) -> $result:ty $(, changes [$($data:ident),*])?;)*) => {$(
            types.add::<$arguments>();
            types.add::<$result>();
            commands.push_str(&format!(
                "  {}: {{ args: {}; result: {} }};\n",
                stringify!($name), <$arguments>::name(&config), <$result>::name(&config),
            ));
            $(row(&mut changes, stringify!($name), &[$(Data::$data),*]);)?
        )*};
    }
    crate::for_each_command!(collect);
    types.add::<ApiError>();
    types.add::<Push>();
    types.add::<Data>();
    types.add::<ReplayedRun>();

    let mut out = String::from("// Generated from src-tauri/api/src by `cargo xtask generate`. Do not edit.\n\n");
    for declaration in types.declarations.values() {
        out.push_str("export ");
        out.push_str(declaration);
        out.push_str("\n\n");
    }
    out.push_str("/** Every command: what it takes and what it gives. */\nexport interface Commands {\n");
    out.push_str(&commands);
    out.push_str("}\n\n/** What is another one after a command. */\n");
    out.push_str("export const CHANGES: { readonly [K in keyof Commands]?: readonly Data[] } = {\n");
    out.push_str(&changes);
    out.push_str("};\n\n/** In the order in which they are offered. */\n");
    out.push_str(&format!("export const PROTOCOLS: readonly Protocol[] = {};\n", names(&Protocol::ALL)));
    out
}

fn row(changes: &mut String, command: &str, changed: &[Data]) {
    changes.push_str(&format!("  {command}: {},\n", names(changed)));
}

fn names(values: &[impl Serialize]) -> String {
    serde_json::to_string(values).unwrap_or_default().replace(',', ", ")
}

/// Walks types and their parts.
struct Types<'a> {
    config: &'a Config,
    declarations: BTreeMap<String, String>,
    seen: Vec<TypeId>,
}

impl Types<'_> {
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        if self.seen.contains(&TypeId::of::<T>()) {
            return;
        }
        self.seen.push(TypeId::of::<T>());
        if T::output_path().is_some() {
            self.declarations.insert(T::ident(self.config), T::decl(self.config));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

impl TypeVisitor for Types<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generated_file_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/generated/api.ts");
        if std::env::var_os("SKILLBENCH_GENERATE").is_some() {
            std::fs::create_dir_all(std::path::Path::new(path).parent().expect("it has a folder")).expect("writable");
            std::fs::write(path, module()).expect("writable");
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(found.replace("\r\n", "\n"), module(), "run `cargo xtask generate` and review the difference");
    }
}
