//! Token counts of requests by a model's server. It is asked only on the user's request, and answers are kept by the
//! content of the question, so that nothing is asked twice.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::dto::{CountArgs, ProviderTokens};
use super::error::{ApiError, Code};
use super::inspect::{Stage, begun, first_request, texts_of_files};
use super::{Workbench, blocking, trust};
use config::{RECORDED, REHEARSAL};
use model::http::{Counting, HttpModel};
use model::{Message, ModelError, ModelRequest};
use trace::clock::Millis;
use wording::message;

/// Sent as the prompt if there is none: no server accepts a request without one.
const STAND_IN: &str = "Hello";

/// Bytes of text in one question, which is less than the context of any model that is in use.
const PIECE: usize = 400_000;
/// Pieces of the texts of files that are asked about; more is not counted.
const PIECES: usize = 40;

/// Statuses of a server that does not know the question.
const UNKNOWN: [u16; 3] = [404, 405, 501];

impl Workbench {
    /// How many tokens the first request has, as the server of a model counts them. The request contains the texts of
    /// the skills, so the same rules apply as for a run.
    pub async fn inspect_count(&self, args: CountArgs) -> Result<ProviderTokens, ApiError> {
        let CountArgs { of, model: id } = args;
        if id == REHEARSAL || id.starts_with(RECORDED) {
            let message = message!("`{id}` has no tokens of its own", "`{id}` 没有自己的 token");
            return Err(ApiError::new(Code::Invalid, message)
                .hint(message!("name a model of models.yaml", "请指定 models.yaml 中的一个模型")));
        }
        let (model, _) = self.http_model(&id)?;
        let prompt = of.prompt.clone().filter(|prompt| !prompt.is_empty());
        let said = prompt.clone().unwrap_or_else(|| STAND_IN.to_owned());
        let stage = self.staged(of).await?;
        trust::check(&stage.untrusted)?;
        self.check_for_key(&stage, &id, &said, &[]).await?;
        // Texts that a run would read are searched for keys there, too.
        let guard = self.guard().await;
        let model = Arc::new(model);
        let asking = model.clone();
        let found = blocking(move || {
            questions(&stage, &said, &|text| guard.scrubber().text(text), &|request| asking.counting(request))
        });
        let Questions { request, without_tools, prompt: alone, skills, files } = found.await?.ok_or_else(|| {
            let message = message!(
                "the protocol of model `{id}` has no request that counts tokens",
                "模型 `{id}` 所用的协议无法查询 token 数"
            );
            ApiError::new(Code::Invalid, message).hint(message!(
                "models of Anthropic, of OpenAI by Responses (`--preset openai`) and of Amazon Bedrock can be asked",
                "可以查询的有：Anthropic 的模型、经 Responses 协议的 OpenAI 模型（`--preset openai`）以及 Amazon Bedrock 的模型"
            ))
        })?;
        let kept = self.inner.places.counts();
        let file = kept.clone();
        let known = blocking(move || file.as_deref().map(Kept::read).unwrap_or_default()).await;
        let mut counter = Counter { model: &model, kept, known, now: self.inner.clock.now(), asked: 0 };
        let server = request.server();
        let whole = counter.count(&request).await?;
        let without_tools = counter.count(&without_tools).await?;
        let alone = counter.count(&alone).await?;
        let skills = counter.more_than(alone, &skills).await?;
        let files = match files {
            Some(files) => Some(counter.more_than(alone, &files).await?),
            None => None,
        };
        Ok(ProviderTokens {
            named: model.model().to_owned(),
            model: id,
            server,
            request: whole,
            prompt: alone,
            stand_in: prompt.is_none(),
            instructions: without_tools.saturating_sub(alone),
            tools: whole.saturating_sub(without_tools),
            skills,
            files,
            asked: counter.asked,
        })
    }
}

/// What there is to ask about.
struct Questions {
    request: Counting,
    without_tools: Counting,
    /// The prompt alone.
    prompt: Counting,
    /// The prompt, and behind it what all skills give when they are loaded.
    skills: Vec<Counting>,
    /// The same of their files; `None`: too much.
    files: Option<Vec<Counting>>,
}

/// `None`: the model's protocol has no such request.
fn questions(
    stage: &Stage,
    prompt: &str,
    hushed: &dyn Fn(&str) -> String,
    of: &dyn Fn(&ModelRequest) -> Option<Counting>,
) -> Result<Option<Questions>, ApiError> {
    let Stage { harness, catalog, session, .. } = stage;
    if let Some(refused) = &catalog.refused {
        let title = harness.profile().title;
        return Err(ApiError::new(
            Code::Invalid,
            message!("{title} does not start with these skills: {refused}", "{title} 无法以这些技能启动：{refused}"),
        )
        .hint(message!("correct what it names", "请更正它所指出的问题")));
    }
    let shown = harness.present(catalog, session);
    let (history, _) = begun(*harness, catalog, session, Some(prompt));
    let dialect = harness.dialect(catalog);
    let request = first_request(&shown, dialect, history);
    let alone = |text: String| ModelRequest { messages: vec![Message::user(text)], dialect, ..ModelRequest::default() };
    let without_tools = ModelRequest { tools: Vec::new(), tool_choice: None, ..request.clone() };
    let after_prompt = |texts: Vec<String>| -> Option<Vec<Counting>> {
        pieces(texts).into_iter().map(|piece| of(&alone(format!("{prompt}\n{piece}")))).collect()
    };
    let texts: Vec<String> = texts_of_files(stage).iter().map(|text| hushed(text)).collect();
    let fits = texts.iter().map(String::len).sum::<usize>() <= PIECE * PIECES;
    let asked = || {
        Some(Questions {
            request: of(&request)?,
            without_tools: of(&without_tools)?,
            prompt: of(&alone(prompt.to_owned()))?,
            skills: after_prompt(catalog.skills.iter().map(|skill| skill.content.clone()).collect())?,
            files: if fits { Some(after_prompt(texts)?) } else { None },
        })
    };
    Ok(asked())
}

/// The texts, one behind the other, in pieces that a request has room for.
fn pieces(texts: Vec<String>) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for text in texts {
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let room = match pieces.last() {
                Some(last) if last.len() < PIECE => PIECE - last.len(),
                _ => {
                    pieces.push(String::new());
                    PIECE
                }
            };
            let end = if rest.len() <= room { rest.len() } else { rest.floor_char_boundary(room) };
            // A character that no longer fits begins the next piece.
            if end == 0 {
                pieces.push(String::new());
                continue;
            }
            if let Some(last) = pieces.last_mut() {
                last.push_str(&rest[..end]);
            }
            rest = &rest[end..];
        }
    }
    pieces
}

struct Counter<'a> {
    model: &'a HttpModel,
    kept: Option<Utf8PathBuf>,
    /// The contents of the file, and counts made since.
    known: Kept,
    now: Millis,
    asked: u32,
}

impl Counter<'_> {
    async fn count(&mut self, question: &Counting) -> Result<u32, ApiError> {
        let sum = disk::digest(format!("{}\n{}", question.url, question.body));
        if let Some(known) = self.known.known(&sum, self.now) {
            return Ok(known);
        }
        let tokens = self.model.count(question).await.map_err(|error| refused(error, question))?;
        self.asked += 1;
        let count = Count { sum, tokens, at: self.now };
        self.known = std::mem::take(&mut self.known).with(count.clone());
        if let Some(file) = self.kept.clone() {
            blocking(move || keep(&file, count)).await;
        }
        Ok(tokens)
    }

    /// How many tokens more than `alone` the questions have, all together.
    async fn more_than(&mut self, alone: u32, questions: &[Counting]) -> Result<u32, ApiError> {
        let mut sum: u32 = 0;
        for question in questions {
            sum = sum.saturating_add(self.count(question).await?.saturating_sub(alone));
        }
        Ok(sum)
    }
}

/// A server that does not support this request answers with an error about paths.
fn refused(error: ModelError, question: &Counting) -> ApiError {
    let status = match &error {
        ModelError::Refused { status, .. } => *status,
        _ => None,
    };
    let Some(status) = status.filter(|status| UNKNOWN.contains(status)) else { return error.into() };
    let (server, why) = (question.server(), error.worded());
    let message = message!(
        "{server} does not count tokens of this model ({status}): {why}",
        "{server} 不能统计该模型的 token 数（{status}）：{why}";
        why
    );
    ApiError::new(Code::Model, message).hint(message!(
        "not every server and model of this protocol can; check the address and the name, or count with a tokenizer",
        "并非每个服务器和模型都支持；请检查地址和名称，或改用分词器计数"
    ))
}

/// The servers' answers, the oldest first.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Kept(Vec<Count>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Count {
    /// Of the address and the body.
    sum: String,
    tokens: u32,
    at: Millis,
}

/// Counts that are kept.
const MOST: usize = 2000;
/// How long: the name of a model may come to mean another one.
const DAYS_KEPT: Millis = 30 * 24 * 60 * 60 * 1000;
/// Bytes of the file.
const LIMIT: u64 = 1 << 20;

impl Kept {
    /// A file that is not there or is broken is as good as none.
    fn read(file: &Utf8Path) -> Self {
        disk::read_text(file, LIMIT).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    fn known(&self, sum: &str, now: Millis) -> Option<u32> {
        let holds = |count: &&Count| count.sum == sum && (0..=DAYS_KEPT).contains(&(now - count.at));
        self.0.iter().rev().find(holds).map(|count| count.tokens)
    }

    fn with(mut self, count: Count) -> Self {
        self.0.retain(|known| known.sum != count.sum);
        self.0.push(count);
        let too_many = self.0.len().saturating_sub(MOST);
        self.0.drain(..too_many);
        self
    }
}

/// Without it the same is asked again.
fn keep(file: &Utf8Path, count: Count) {
    let written = || {
        if let Some(folder) = file.parent() {
            disk::make_private_folder(folder)?;
        }
        let _turn = disk::turn(file)?;
        let text = serde_json::to_vec(&Kept::read(file).with(count))?;
        disk::write_privately(file, &text)
    };
    if let Err(error) = written() {
        tracing::warn!(%error, "a count of tokens is not kept");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(sum: &str, tokens: u32, at: Millis) -> Count {
        Count { sum: sum.to_owned(), tokens, at }
    }

    #[test]
    fn counts_are_kept_by_their_question_for_a_month() {
        let folder = tempfile::tempdir().unwrap();
        let file = Utf8Path::from_path(folder.path()).unwrap().join("cache/counts.json");
        keep(&file, count("a", 1, 0));
        keep(&file, count("b", 2, 5));
        keep(&file, count("a", 3, 6));
        let kept = Kept::read(&file);
        assert_eq!(kept, Kept(vec![count("b", 2, 5), count("a", 3, 6)]));
        assert_eq!([kept.known("a", 6), kept.known("c", 6)], [Some(3), None]);
        assert_eq!([kept.known("b", DAYS_KEPT + 5), kept.known("b", DAYS_KEPT + 6)], [Some(2), None]);
        assert_eq!(kept.known("b", 4), None, "the clock went back: nobody knows how old it is");
        std::fs::write(&file, "[{").unwrap();
        assert_eq!(Kept::read(&file), Kept::default());
    }

    #[test]
    fn the_oldest_counts_go() {
        let many = (0..MOST + 1).fold(Kept::default(), |kept, at| kept.with(count(&at.to_string(), 1, 0)));
        assert_eq!((many.0.len(), many.0[0].sum.as_str()), (MOST, "1"));
    }

    #[test]
    fn long_texts_are_asked_about_in_pieces_of_whole_letters() {
        let lengths = |texts: &[&str]| -> Vec<usize> {
            pieces(texts.iter().map(|text| (*text).to_owned()).collect()).iter().map(String::len).collect()
        };
        assert_eq!(lengths(&[]), Vec::<usize>::new());
        assert_eq!(lengths(&["", "ab", "c"]), [3]);
        assert_eq!(lengths(&[&"a".repeat(PIECE), "b"]), [PIECE, 1]);
        let (first, letter) = ("a".repeat(PIECE - 1), "磅");
        assert_eq!(lengths(&[&first, letter]), [PIECE - 1, letter.len()]);
        let long = "磅".repeat(PIECE / 2);
        let cut = pieces(vec![long.clone()]);
        assert_eq!((cut.len(), cut.concat()), (2, long));
    }
}
