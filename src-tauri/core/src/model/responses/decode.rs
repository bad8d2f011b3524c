use crate::model::protocol::Decode;
use crate::model::{ModelError, ModelEvent};

pub fn decode(_body: &str) -> Result<Vec<ModelEvent>, ModelError> {
    Ok(Vec::new())
}

#[derive(Debug, Default)]
pub struct Decoder {}

impl Decode for Decoder {
    fn push(&mut self, _payload: &str) -> Result<Vec<ModelEvent>, ModelError> {
        Ok(Vec::new())
    }

    fn has_finished(&self) -> bool {
        false
    }

    fn is_done(&self) -> bool {
        false
    }

    fn end(self: Box<Self>) -> Result<Vec<ModelEvent>, ModelError> {
        Ok(Vec::new())
    }
}
