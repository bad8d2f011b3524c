use crate::model::{ModelRequest, Sampling};

pub fn encode(_model: &str, _request: &ModelRequest, _streamed: bool, _defaults: &Sampling) -> String {
    String::new()
}
