//! The run: request, answer, tool calls, replies, until the model is done, a cap is reached or the user stops it.
//! The engine performs the effects that harnesses return and records everything as events.
