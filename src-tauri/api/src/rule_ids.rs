//! The ids of rules and groups, as settings and the command line name them.

use super::error::{ApiError, Code};
use lint::Group;
use wording::message;

/// Whether it is the id of a rule or of a group.
pub(super) fn known(id: &str) -> bool {
    lint::find(id).is_some() || Group::ALL.iter().any(|group| group.id() == id)
}

pub(super) fn unknown(id: &str) -> ApiError {
    let near = nearest(id).map(|near| message!("did you mean `{near}`? ", "是否想写 `{near}`？")).unwrap_or_default();
    ApiError::new(Code::Invalid, message!("there is no rule or group `{id}`", "没有规则或规则组 `{id}`"))
        .hint(message!("{near}`skillbench rules` lists them", "{near}`skillbench rules` 会列出全部"; near))
}

/// The id that was probably meant, if one is similar.
fn nearest(id: &str) -> Option<&'static str> {
    let ids = || lint::rules().map(|rule| rule.id).chain(Group::ALL.iter().map(|group| group.id()));
    let near = ids().map(|known| (strsim::damerau_levenshtein(id, known), known)).min()?;
    if near.0 <= 1 + id.len() / 4 {
        return Some(near.1);
    }
    // Half a word of it.
    let alike = ids().map(|known| (strsim::jaro_winkler(id, known), known)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (alike.0 > 0.9).then_some(alike.1)
}
