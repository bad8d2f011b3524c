//! The weight of a finding in a page. The agent reads pages only if it needs them, and many were written for other
//! readers, or elsewhere: a mistake there is worth knowing, but not a reason to stop.

use camino::Utf8Path;

use crate::Finding;
use wording::Wording;

/// A finding outside of `SKILL.md` weighs one step less.
pub fn weigh(finding: &mut Finding, manifest: &Utf8Path) {
    if finding.path != *manifest {
        finding.weigh_less(IN_PAGE);
    }
}

const IN_PAGE: Wording = Wording::new("it is in a page, not in `SKILL.md`", "它在参考页面中，不在 `SKILL.md` 中");
