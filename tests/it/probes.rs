//! The bundled scripts, asked for help.

use lint::probe::{End, Probe};
use needed::require_or_skip;

use crate::examples::{Bench, skills};

#[tokio::test(flavor = "multi_thread")]
async fn every_bundled_script_helps_and_does_nothing_else() {
    let bench = Bench::on(&skills()).await.bench;
    let Some(probes) = require_or_skip(bench.probe(|_| {}).await) else { return };
    assert!(!probes.is_empty(), "some interpreter is installed");
    for (script, probe) in probes {
        assert!((1..10_000).contains(&probe.printed), "{script} prints {} characters", probe.printed);
        let fine =
            Probe { end: End::Exit(0), printed: probe.printed, errors: String::new(), wrote: vec![], asked: false };
        assert_eq!(probe, fine, "{script}");
    }
}
