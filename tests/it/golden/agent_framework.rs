//! Microsoft Agent Framework against recorded behaviour.

mod conversations;
mod errors;
mod fixtures;
mod play;

use config::options::AgentFrameworkOptions;
use harness::{Catalog, Harness, Options};
use serde_json::Value;
use skill::SkillSet;
use skillbench_tests::conformance::Suite;

const SEED: &str = "maf-dotnet-seed000-derived";
const DOT_NET: &str = "maf-dotnet-1.17.0";
const PYTHON_113: &str = "maf-python-1.13.0";
const PYTHON_123: &str = "maf-python-1.23.0";

pub fn compare(suite: &mut Suite) {
    fixtures::compare(suite);
    errors::compare(suite);
    conversations::compare(suite);
}

fn agent_framework() -> &'static dyn Harness {
    harness::find("agent-framework").unwrap()
}

fn select(variant: &str, found: &SkillSet, set: impl FnOnce(&mut AgentFrameworkOptions)) -> Catalog {
    let mut options = Options { variant: Some(variant.into()), ..Options::default() };
    set(&mut options.settings.agent_framework);
    agent_framework().select(found, &options)
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}
