// Generated from src-tauri/api/src by `cargo xtask generate`. Do not edit.

export type Advice = { "type": "useHttps" } | { "type": "chooseModel", models: Array<string>, } | { "type": "streamMayDo" } | { "type": "doNotStream" } | { "type": "leaveKeyOut" } | { "type": "askProvider" } | { "type": "runAndSee" };

export type Agent = { name: string, description: string | null, };

export type AlignArgs = { runs: Array<RunId>, };

export type AlignedRow = { 
/**
 * For each run the index of its step; `null`: it has none here.
 */
steps: Array<number | null>, };

export type Alignment = { runs: Array<RunDetail>, rows: Array<AlignedRow>, };

export type ApiError = { code: Code, 
/**
 * Lower case, what failed and with which thing.
 */
message: string, 
/**
 * The same in Chinese.
 */
messageZh: string, 
/**
 * What to do next.
 */
hint: string | null, 
/**
 * The same in Chinese.
 */
hintZh: string | null, path: string | null, 
/**
 * What the message says of a model, to be said in other words.
 */
why: ModelError | null, };

export type Applicability = "safe" | "unsafe";

export type ApprovalArgs = { folder: string, program: Program | null, };

export type ApprovalEntry = { 
/**
 * As the skill was called then.
 */
name: string, 
/**
 * Where it really lay then.
 */
folder: string, program: Program, answer: Standing, 
/**
 * `false`: the skill is another than then, so it is asked about again.
 */
holds: boolean, 
/**
 * The folder is there.
 */
there: boolean, 
/**
 * Milliseconds since the epoch.
 */
at: number, };

export type ApprovalSetArgs = { folder: string, program: Program | null, answer: Standing, };

export type AskedSkill = { skill: CollidingSkill, words: Array<SharedWord>, };

export type AwsError = { "type": "nothing" } | { "type": "noProfile", profile: string, } | { "type": "noKeys", profile: string, } | { "type": "half", missing: string, } | { "type": "elsewhere", profile: string, setting: string, } | { "type": "unreadable", path: string, reason: Worded, };

export type BenchState = { version: string, 
/**
 * The open folders, the bundled one first where it is open.
 */
folders: Array<Folder>, recent: Array<string>, settings: Settings, 
/**
 * Where keys, traces and settings live, for "show in folder" and for support.
 */
stateDirectory: string, configDirectory: string, 
/**
 * Those that the settings can name.
 */
tokenizers: Array<Tokenizer>, };

export type Bound = "wire" | "payload" | "text" | "arguments" | "answer" | "calls" | "parts" | "depth" | "models";

export type CardArgs = { skill: string, };

export type CardFormat = "markdown" | "markdownChinese" | "svg" | "svgChinese";

export type CardLoads = { 
/**
 * The tool that the model loads the skill with, or what the user types if only they may; `null`: nothing loads it.
 */
tool: string | null, 
/**
 * Tokens.
 */
instructions: number, files: number, 
/**
 * Tokens of the files.
 */
resources: number, };

export type CardRow = { harness: string, title: string, 
/**
 * The variant's title.
 */
variant: Worded, group: HarnessGroup, verified: boolean, seen: CardSeen, 
/**
 * The lines of the catalogue that are about it, exactly as they are sent; `null`: there are none.
 */
line: string | null, 
/**
 * What is cut of it.
 */
cut: Array<Worded>, 
/**
 * What follows once it is activated; `null`: nothing can be.
 */
loads: CardLoads | null, 
/**
 * What the user is asked.
 */
asks: Array<Worded>, 
/**
 * Why it is left out, and what else happens to it.
 */
why: Array<Worded>, };

export type CardSaveArgs = { skill: string, format: CardFormat, path: string, };

export type CardSeen = "listed" | "notListed" | "leftOut" | "unseen" | "refused";

export type CardTextArgs = { skill: string, format: CardFormat, };

export type CataloguePlace = { "type": "instructions" } | { "type": "developerMessage" } | { "type": "firstMessage" } | { "type": "toolDescription", tool: string, } | { "type": "toolParameter", tool: string, };

export type CellIs = { "type": "loaded", 
/**
 * The first column that loads it reads another one.
 */
otherName: boolean, otherDescription: boolean, } | { "type": "skipped", reason: number, } | { "type": "unseen" };

export type Change = "created" | "changed" | "deleted";

export type ChangedLines = { added: number, removed: number, };

export type Check = { kind: CheckKind, state: CheckState, found: Finding, advice: Advice | null, 
/**
 * What was found, in a sentence.
 */
text: string, 
/**
 * What to do about it: the advice, or the next step of the error that was found.
 */
hint: string | null, 
/**
 * What the server said, capped and without the key.
 */
raw: string | null, 
/**
 * Milliseconds; `null` where another check told.
 */
took: number | null, };

export type CheckArgs = { path: string, text: string, unsaved: Array<UnsavedText>, };

export type CheckKind = "reach" | "tls" | "key" | "model" | "answer" | "stream" | "tool";

export type CheckRunArgs = { run: RunId, roots: Array<string> | null, played: RunId | null, };

export type CheckState = "passed" | "warned" | "failed" | "skipped";

export type Checked = { "type": "same" } | { "type": "changed", recorded: string, now: string, } | { "type": "unresolved", recorded: string, now: string, } | { "type": "notRun", 
/**
 * Whether all that it could reach of its skill is, to the byte, what it was; `null`: the record does not say.
 */
unchanged: boolean | null, } | { "type": "refused" } | { "type": "unchecked", reason: Worded, };

export type CheckedCall = { 
/**
 * Of the recorded run.
 */
step: number, tool: string, 
/**
 * As the call was served: those that the user wrote, if the user edited them.
 */
arguments: string, result: Checked, };

export type Code = "notFound" | "changed" | "exists" | "invalid" | "io" | "store" | "unknown" | "model" | "untrusted";

export type CollidingPair = { a: CollidingSkill, b: CollidingSkill, 
/**
 * How many of all words of both descriptions are in both, from 0 to 1.
 */
share: number, 
/**
 * A linter finds them too alike.
 */
close: boolean, 
/**
 * The rarest first.
 */
words: Array<SharedWord>, 
/**
 * Queries of their trigger sets that should trigger both.
 */
queries: Array<string>, };

export type CollidingSkill = { 
/**
 * Its folder.
 */
id: string, name: string, description: string, };

export type CollisionArgs = { request: string | null, unsaved: Array<UnsavedText>, without: Array<string>, };

export type Collisions = { 
/**
 * How many skills were compared.
 */
skills: number, 
/**
 * The closest first.
 */
pairs: Array<CollidingPair>, 
/**
 * There are more than those.
 */
more: boolean, 
/**
 * Skills with words of the request, the likeliest first.
 */
asked: Array<AskedSkill>, };

export type Columns = { 
/**
 * What a step is: its kind (0 prompt, 1 answer, 2 call, 3 note, 4 end), and added to it 8 if it disclosed
 * instructions (a prompt: that it named), 16 a resource, 24 a script; 32 if something went wrong; 64 while it goes on.
 */
marks: Array<number>, 
/**
 * Milliseconds since the step before began; of the first one since the epoch.
 */
since: number[], 
/**
 * Milliseconds; -1 while it goes on.
 */
took: number[], 
/**
 * Tokens that it adds to the context, and in the context then.
 */
added: Array<number>, context: Array<number>, 
/**
 * The number of the event that began it.
 */
event: Array<number>, 
/**
 * The model request that it belongs to; -1: none.
 */
turn: number[], 
/**
 * The conversation that it belongs to, by its place in `conversations`, from 1; 0: the run's own.
 */
within: Array<number>, 
/**
 * Those of these steps.
 */
conversations: Array<string>, 
/**
 * Calls among these steps that began a conversation of the run: places of steps in the run, and the call's id.
 */
begins: Array<[number, string]>, };

export type CommandError = { "type": "notStarted", reason: Worded, } | { "type": "slow", seconds: number, said: string, } | { "type": "failed", status: number | null, said: string, };

export type CompareArgs = { roots: Array<string> | null, of: Array<HarnessChoice>, prompt: string | null, cwd: string | null, neutralPaths: boolean | null, unsaved: Array<UnsavedText>, without: Array<string>, };

export type CompareSkillArgs = { of: CompareArgs, skill: string, };

export type ComparedCell = { is: CellIs, 
/**
 * How many quirks the skill meets here.
 */
quirks: number, 
/**
 * One of them is more than something to know.
 */
warns: boolean, };

export type ComparedColumn = { harness: string, variant: string, 
/**
 * The framework's name.
 */
title: string, 
/**
 * How many skills it loads.
 */
loaded: number, catalogue: Array<CataloguePlace>, 
/**
 * By name.
 */
tools: Array<string>, 
/**
 * How many there are.
 */
quirks: number, refused: string | null, };

export type ComparedRow = { name: string, 
/**
 * The folder; `null` for inline skills.
 */
path: string | null, 
/**
 * One for each column; `null`: it loads the skill as the first one that does, and there is nothing to say of it.
 */
cells: Array<ComparedCell | null>, };

export type ComparedTable = { columns: Array<ComparedColumn>, 
/**
 * As in [`Comparison`].
 */
skills: Array<ComparedRow>, 
/**
 * Why skills are left out; cells name them by their place here.
 */
reasons: Array<Worded>, neutral: Array<NeutralPath>, };

export type CompleteArgs = { path: string, text: string, at: number, unsaved: Array<UnsavedText>, };

export type CompletionItem = { kind: CompletionKindDto, label: string, 
/**
 * What is put there, if that is not the label.
 */
insert: string | null, detail: Worded | null, };

export type CompletionKindDto = "field" | "value" | "tool" | "file" | "skill";

export type ContextAtStep = { step: number, 
/**
 * The recorded request body; `null` before the first request.
 */
body: string | null, 
/**
 * `false`: messages after the recorded request were put together here and marked `reconstructed`.
 */
exact: boolean, tools: Array<ContextTool>, 
/**
 * The framework's groups of tools. Those of a group that is not active are not among `tools`.
 */
groups: Array<GroupState>, messages: Array<ContextMessage>, 
/**
 * The skills whose instructions this conversation was given, in the order in which they came.
 */
skills: Array<SkillInContext>, tokens: number, };

export type ContextMessage = { role: Role, 
/**
 * As sent.
 */
text: string, images?: Array<Image>, documents?: Array<Document>, calls: Array<ToolCall>, callId: string | null, 
/**
 * In UTF-16 units of `text`.
 */
marks: Array<OriginMark>, tokens: number, 
/**
 * Not there at the step before.
 */
added: boolean, 
/**
 * The provider may cache the request up to here.
 */
cachePoint: boolean, 
/**
 * Not in a recorded request yet.
 */
reconstructed: boolean, };

export type ContextTool = { name: string, 
/**
 * The definition as sent, indented.
 */
json: string, 
/**
 * Not there at the step before.
 */
added: boolean, 
/**
 * The provider may cache the definitions up to here.
 */
cachePoint: boolean, };

export type ContinueArgs = { run: RunId, 
/**
 * `null`: all open folders.
 */
roots: Array<string> | null, 
/**
 * `null`: the one that it has. Only a run that another program recorded can go on under another one.
 */
harness?: string, 
/**
 * `null`: the one that answered last.
 */
model: string | null, prompt: string, images?: Array<Image>, means: RunMeans, };

export type CountArgs = { of: InspectArgs, model: string, };

export type Counted = { kind: string, count: number, };

export type CutChoice = "keep" | "askAgain" | "end";

export type Data = "skills" | "rules" | "models" | "runs";

export type DecideArgs = { run: RunId, question: number, decision: Decision, remember: Standing | null, };

export type Decision = { "type": "allow", arguments: string | null, forRun: boolean, } | { "type": "deny", reason: string | null, } | { "type": "stub", text: string, };

export type Delegation = { 
/**
 * The agent's name; `None`: the framework's default.
 */
agent: string | null, 
/**
 * By the project's name for it; `None`: the model of the run.
 */
model: string | null, 
/**
 * The conversation so far, up to and with the answer that called, comes before `messages`, but behind the system
 * messages that those begin with: the sub-agent's instructions, which nobody presents otherwise.
 */
withHistory: boolean, messages: unknown, 
/**
 * Their calls are served by the same harness, in a session of its own with [`super::Session::delegated`] set.
 */
tools: Array<ToolDef>, 
/**
 * Model requests; `None`: the harness's cap.
 */
iterations: number | null, maxTokens: number | null, };

export type Departures = { denied: number, 
/**
 * The user gave the result by hand.
 */
stubbed: number, 
/**
 * The user edited the arguments.
 */
edited: number, };

export type DiffArgs = { a: RunId, b: RunId, };

export type DiffKind = "same" | "removed" | "added";

export type DiffLine = { kind: DiffKind, 
/**
 * Without its end.
 */
text: string, 
/**
 * Its number in the first text, from 1.
 */
before: number | null, 
/**
 * Its number in the second.
 */
after: number | null, };

export type DiffPiece = { kind: DiffKind, text: string, };

export type Disclosure = { "type": "instructions", skill: string, } | { "type": "resource", skill: string, resource: string, } | { "type": "script", skill: string, script: string, } | { "type": "none" };

export type Document = { 
/**
 * Without an ending.
 */
name: string, 
/**
 * `pdf`, `csv` and so on, as who handed it over calls it; empty where a request does not say it.
 */
format: string, 
/**
 * Base64, as it goes over the wire.
 */
data: string, };

export type EagerLoad = { 
/**
 * Of every `SKILL.md`, as the skills are now.
 */
instructions: number, 
/**
 * Of every other text of theirs.
 */
resources: number, 
/**
 * How many skills were counted.
 */
skills: number, 
/**
 * Skills of the run that are in no open folder; they are not counted.
 */
missing: Array<string>, };

export type EditDto = { path: string, range: TextRange, text: string, };

export type Effect = { "type": "disclose", skill: string, 
/**
 * `None`: the skill's instructions.
 */
resource: string | null, } | { "type": "readFile", path: string, 
/**
 * The framework itself asks first.
 */
approval: boolean, } | { "type": "runScript", skill: string, script: string, path: string, 
/**
 * The program, e.g. `python3`.
 */
interpreter: string, 
/**
 * After the script's path.
 */
arguments: Array<string>, 
/**
 * The framework itself asks first.
 */
approval: boolean, 
/**
 * `None`: the working directory of the run.
 */
workingDirectory: string | null, } | { "type": "shell", command: string, 
/**
 * `None`: the working directory of the run.
 */
workingDirectory: string | null, 
/**
 * The framework's own time limit in seconds; the run's limit holds besides.
 */
timeout: number | null, } | { "type": "shells", commands: Array<string>, 
/**
 * `None`: the working directory of the run.
 */
workingDirectory: string | null, 
/**
 * The framework's own time limit for each, in seconds; the run's limit holds besides.
 */
timeout: number | null, 
/**
 * Once one has failed, no other one begins.
 */
untilFailure: boolean, } | { "type": "writeFile", path: string, text: string, } | { "type": "writeFiles", files: Array<{ path: string, text: string }>, } | { "type": "fileHistory", path: string, 
/**
 * So many at most; `None`: what the disk says.
 */
revisions: number | null, } | { "type": "listFolder", path: string, 
/**
 * Levels below the folder: 1 is its own entries.
 */
depth: number, } | { "type": "findFiles", path: string, pattern: string, } | { "type": "searchFiles", path: string, pattern: string, 
/**
 * Only files whose name matches this glob.
 */
files: string | null, ignoreCase: boolean, 
/**
 * `.` matches line ends, and a match may span lines.
 */
multiline: boolean, } | { "type": "askModel", 
/**
 * Its label.
 */
model: string, } | { "type": "delegate" } & Delegation | { "type": "summarise", messages: unknown, maxTokens: number | null, };

export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

export type Enforcement = { 
/**
 * `null`: it runs with the user's rights.
 */
layer: Layer | null, inForce: Array<Measure>, missing: Array<Measure>, 
/**
 * Why something is missing.
 */
reason: Reason | null, 
/**
 * The program that runs it, where that is known.
 */
interpreter: string | null, };

export type EvidenceDto = { finding: FindingDto, 
/**
 * It is also among the findings. If not, it is weak by itself, or the profile is without its rule.
 */
listed: boolean, };

export type ExcerptPiece = { text: string, 
/**
 * It is one of the words that were looked for.
 */
found: boolean, };

export type ExportArgs = { run: RunId, format: RunExport, };

export type FailedRounds = { "type": "endAfter", "rounds": number } | { "type": "answerAfter", "rounds": number };

export type FieldDto = { key: string, 
/**
 * `null` for lists and maps.
 */
value: string | null, 
/**
 * YAML source of the value.
 */
source: string, range: TextRange, };

export type FieldEdit = { path: string, text: string, key: string, value: string | null, };

export type FileHistory = { 
/**
 * What was saved here, the newest first.
 */
saved: Array<SavedVersion>, git: GitHistory, };

export type FileKind = "manifest" | "reference" | "script" | "asset" | "other";

export type FileMove = { from: string, to: string, };

export type FileSave = { path: string, text: string, base: string | null, force: boolean, };

export type FileText = { path: string, text: string, 
/**
 * Hash of the bytes on disk; pass it back when saving.
 */
version: string, bom: boolean, newline: Newline, 
/**
 * Why it cannot be edited: not UTF-8, too large, no permission.
 */
readOnly: ProblemDto | null, };

export type FilesChanged = { 
/**
 * Absolute paths, as far as they are known.
 */
paths: Array<string>, };

export type FilesKnown = "recorded" | "nothing" | "found" | "reported";

export type FindArgs = { text: string, matchCase: boolean, wholeWords: boolean, regex: boolean, unsaved: Array<UnsavedText>, after: string | null, };

export type Finding = { "type": "connects", host: string, port: number, } | { "type": "reachedByProxy" } | { "type": "onThisMachine" } | { "type": "unencrypted", key: boolean, } | { "type": "certificateHolds" } | { "type": "keyAccepted" } | { "type": "keyShort", length: number, } | { "type": "noKeyAsked" } | { "type": "modelsListed" } | { "type": "nothingToTellBy" } | { "type": "listed", model: string, count: number, } | { "type": "answersFor", model: string, } | { "type": "notListed", model: string, } | { "type": "answered", said: Said, } | { "type": "perhapsCut", said: Said, } | { "type": "calledTool", tool: string, arguments: string, } | { "type": "calledNone", said: Said, } | { "type": "cutShort", tokens: number, said: Said, } | { "type": "notAfterResult", tool: string, arguments: string, error: ModelError, } | { "type": "refused", said: Said, } | { "type": "calledWrongly", tool: string, arguments: string, } | { "type": "switchedOff", setting: string, } | { "type": "notChecked", after: CheckKind, } | { "type": "failed", error: ModelError, };

export type FindingDto = { 
/**
 * The rule's id.
 */
rule: string, severity: Severity, 
/**
 * With the names and figures of this case.
 */
message: string, messageZh: string, 
/**
 * Where reading the skill found it: the window has its own words for these.
 */
problem: ProblemKind | null, path: string, 
/**
 * `null`: it is about the file, or the folder, as a whole.
 */
range: TextRange | null, fix: FixDto | null, 
/**
 * The way of private data, from where it is read to where it is sent; empty for other findings.
 */
steps: Array<StepDto>, 
/**
 * The same as long as the rule finds the same on the same line, wherever the line moves to in the file.
 */
fingerprint: string, };

export type FinishReason = { "type": "stop" } | { "type": "toolCalls" } | { "type": "length" } | { "type": "filtered" } | { "type": "paused" } | { "type": "unsaid" } | { "type": "perhapsCut" } | { "type": "other", reason: string, };

export type FixDto = { 
/**
 * What it does, as a button says it.
 */
title: string, titleZh: string, applicability: Applicability, 
/**
 * Places before the fix, in the files' texts as an editor has them; none overlaps another.
 */
edits: Array<EditDto>, };

export type Fixed = { texts: Array<FixedText>, fixes: number, };

export type FixedText = { path: string, text: string, };

export type Folder = { path: string, 
/**
 * The last part of the path.
 */
name: string, 
/**
 * Ships with the program.
 */
bundled: boolean, watched: boolean, };

export type Foreign = "openai-chat" | "openai-responses" | "anthropic-messages" | "claude-code" | "codex" | "otlp" | "inspect";

export type ForkArgs = { run: RunId, 
/**
 * Index of the step that is done again, or otherwise.
 */
step: number, 
/**
 * `null`: all open folders.
 */
roots: Array<string> | null, 
/**
 * What the user says in place of a prompt, or behind any other step.
 */
prompt: string | null, 
/**
 * What the user says it with; `null`: a prompt keeps its pictures, and what is said behind another step has none.
 */
images: Array<Image> | null, 
/**
 * The result of the call that the step is.
 */
result: string | null, 
/**
 * The text of the answer that the step is; the calls in it are made. With it, `prompt` is what the user says after
 * that answer, if it calls nothing.
 */
answer: string | null, harness: string | null, variant: string | null, model: string | null, 
/**
 * `null`: the screenplay whose first prompt is that of the run, else the fixed walk.
 */
screenplay: string | null, means: RunMeans, };

export type ForkedFrom = { run: RunId, 
/**
 * From 0.
 */
step: number, };

export type Found = { runs: Array<FoundRun>, 
/**
 * There are further runs, which are not listed, or were not looked through.
 */
more: boolean, 
/**
 * Runs that are not indexed yet: what matches in them is not listed.
 */
waiting: number, 
/**
 * Runs that go on, which are looked through once they have ended.
 */
running: number, };

export type FoundFile = { 
/**
 * The skill's id.
 */
skill: string, skillName: string, 
/**
 * Absolute.
 */
path: string, 
/**
 * Relative to the skill's folder, with `/`.
 */
name: string, 
/**
 * It was found in a text that is not saved.
 */
unsaved: boolean, places: Array<FoundPlace>, 
/**
 * There are more in this file.
 */
more: boolean, };

export type FoundPlace = { range: TextRange, before: string, text: string, after: string, };

export type FoundRun = { run: RunId, 
/**
 * The first steps that match; empty: the query is about runs alone, or about a skill that the run had and did not use.
 */
steps: Array<FoundStep>, 
/**
 * There are further steps, which are not listed.
 */
more: boolean, };

export type FoundStep = { 
/**
 * From 0.
 */
step: number, kind: KindOfStep, 
/**
 * `null`: the step is no call.
 */
tool: string | null, excerpt: Array<ExcerptPiece>, };

export type FoundTexts = { 
/**
 * By path.
 */
files: Array<FoundFile>, 
/**
 * How many files were looked through, with those of the answers before.
 */
looked: number, of: number, 
/**
 * Texts that were not looked through: they are larger than `textLimit`.
 */
tooLarge: Array<LargeFile>, 
/**
 * Bytes.
 */
textLimit: number, 
/**
 * What `after` of the next question says; `null`: that is all.
 */
next: string | null, };

export type GitHistory = { "type": "revisions", 
/**
 * The newest first. Empty: the file is not in the repository yet.
 */
revisions: Array<GitRevision>, 
/**
 * There may be older ones.
 */
more: boolean, } | { "type": "none" } | { "type": "missing" } | { "type": "failed", said: string, untrusted: boolean, };

export type GitRevision = { id: string, committedAt: number, author: string, subject: string, };

export type GoingRun = { run: RunId, 
/**
 * The beginning of it.
 */
prompt: string, 
/**
 * When it ended, or came here.
 */
at: number, 
/**
 * About what is free once it is gone.
 */
bytes: number, why: GoingWhy, };

export type GoingWhy = "old" | "room";

export type Group = "form" | "description" | "budget" | "instructions" | "links" | "scripts" | "security" | "clients" | "sets" | "evals";

export type GroupState = { name: string, isActive: boolean, tools: Array<string>, };

export type HarnessChoice = { harness: string, 
/**
 * `null`: the default.
 */
variant: string | null, };

export type HarnessGroup = "framework" | "client";

export type HarnessInfo = { id: string, title: string, group: HarnessGroup, 
/**
 * `false`: it only presents skills, and cannot be run.
 */
runs: boolean, variants: Array<VariantDto>, };

export type Image = { mediaType: ImageKind, 
/**
 * Base64, as it goes over the wire.
 */
data: string, };

export type ImageKind = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export type ImportArgs = { text: string, };

export type ImportFileArgs = { path: string, from: Foreign | null, import: string, };

export type ImportProgress = { 
/**
 * As `run_import_file` named it.
 */
import: string, 
/**
 * Bytes.
 */
read: number, size: number, 
/**
 * Percent of a long run that is in the store; `null`: it is still being read.
 */
stored: number | null, };

export type ImportStopArgs = { import: string, };

export type Imported = { runs: Array<RunId>, 
/**
 * What recorded them; `null`: this program.
 */
format: Foreign | null, 
/**
 * Events of an export of our own that cannot be read: in their place are notes.
 */
unreadable: number, 
/**
 * Lines that cannot be read, the first of them.
 */
unread: Array<UnreadLine>, 
/**
 * How many there are.
 */
unreadCount: number, 
/**
 * What is kept with the runs and is no step.
 */
unknown: Array<Counted>, 
/**
 * Keys that were taken out.
 */
keys: number, 
/**
 * The user wanted no more; what was imported by then is here.
 */
stopped: boolean, };

export type IndexArgs = { 
/**
 * Words that are all in a run's prompt or in the names of its framework and model; empty: all runs.
 */
words: string, 
/**
 * Runs that are described; all are named.
 */
most: number, 
/**
 * Only runs that are over and have answers of their own, so that these can be given again in another run.
 */
answering: boolean, };

export type InspectArgs = { roots: Array<string> | null, harness: string, variant: string | null, prompt: string | null, cwd: string | null, neutralPaths: boolean | null, unsaved: Array<UnsavedText>, without: Array<string>, };

export type InspectSkillArgs = { of: InspectArgs, skill: string, };

export type InspectedFile = { name: string, path: string | null, tokens: number | null, };

export type InspectedRequest = { body: string, curl: string, };

export type InspectedSent = { instructions: MarkedText | null, tools: Array<InspectedTool>, };

export type InspectedSkill = { 
/**
 * What tool calls use to name it.
 */
id: string, name: string, description: string, 
/**
 * `null` for inline skills.
 */
path: string | null, 
/**
 * What activating it gives the model.
 */
content: string, 
/**
 * The tool that the model loads it with, or what the user types if only they may; `null`: nothing loads it.
 */
loadedWith: string | null, resources: Array<InspectedFile>, scripts: Array<InspectedFile>, 
/**
 * What else the framework keeps of it, e.g. `license`.
 */
kept: Record<string, unknown>, tokens: TierTokens, };

export type InspectedTokens = { instructions: number, tools: number, 
/**
 * Tier 1, 2 and 3 over all skills.
 */
tiers: TierTokens, tokenizer: Tokenizer, };

export type InspectedTool = { name: string, description: string, 
/**
 * Of the description.
 */
marks: Array<TextMark>, parameters: unknown, 
/**
 * The framework itself asks before each call.
 */
asks: boolean, 
/**
 * `false`: one of a client's own tools, not compared with the client's.
 */
compared: boolean, tokens: number, };

export type Inspection = { harness: string, variant: string, 
/**
 * `false`: derived from source, never compared with a run.
 */
verified: boolean, 
/**
 * Who the application says that its agent is; `null`: nobody.
 */
agent: Agent | null, 
/**
 * What the first request says before the prompt: its system messages, and what is put into the user's; where these are
 * several, with an empty line between them.
 */
instructions: MarkedText | null, 
/**
 * Where the model finds the skills' descriptions.
 */
catalogue: Array<CataloguePlace>, tools: Array<InspectedTool>, 
/**
 * Groups of tools, with those that the model is not told of yet.
 */
groups: Array<GroupState>, skills: Array<InspectedSkill>, skipped: Array<Skipped>, log: Array<string>, 
/**
 * Where the framework's real behaviour hurts an author.
 */
quirks: Array<QuirkDto>, 
/**
 * The framework's own error where it refuses to start with these skills or options.
 */
refused: string | null, tokens: InspectedTokens, 
/**
 * The body of the first request, exactly as sent for an empty conversation and the prompt given.
 */
request: string, curl: string, 
/**
 * Folders that the texts show at another place than their own; the paths of skills and files here are real.
 */
neutral: Array<NeutralPath>, };

export type InspectionList = { harness: string, variant: string, verified: boolean, agent: Agent | null, instructions: TextStart | null, catalogue: Array<CataloguePlace>, tools: Array<ListedTool>, groups: Array<GroupState>, skills: Array<ListedSkill>, skipped: Array<Skipped>, log: Array<string>, quirks: Array<QuirkDto>, refused: string | null, 
/**
 * `null`: there are many skills, and counting takes longer than all the rest. `inspect_tokens` counts.
 */
tokens: ListedTokens | null, neutral: Array<NeutralPath>, };

export type Judged = "pass" | "fail" | "unsure";

export type KeyArgs = { 
/**
 * Read by the method itself, as above.
 */
key: KeyRef | null, };

export type KeyDeleteArgs = { 
/**
 * Of the keyring's entry.
 */
name: string, };

export type KeyError = { "type": "missing", key: KeyRef, } | { "type": "empty", key: KeyRef, } | { "type": "unusable", key: KeyRef, } | { "type": "keyring", key: KeyRef, why: KeyringError, } | { "type": "aws", key: KeyRef, why: AwsError, } | { "type": "command", key: KeyRef, why: CommandError, } | { "type": "slow", key: KeyRef, seconds: number, };

export type KeyRef = { env: string } | { keyring: string } | { aws: string } | { command: string[]; lifetime?: number };

export type KeySetArgs = { 
/**
 * Of the keyring's entry.
 */
name: string, secret: Secret, };

export type KeySource = "none" | "env" | "keyring" | "aws" | "command";

export type KeyStanding = "unneeded" | "set" | "printed" | "missing" | "unusable";

export type KeyState = { source: KeySource, 
/**
 * Of the environment variable, of the keyring's entry, of the AWS profile, or of the program that prints it.
 */
name: string | null, state: KeyStanding, 
/**
 * Why it is not there, or not usable.
 */
reason: string | null, 
/**
 * What to do about it.
 */
hint: string | null, 
/**
 * What the reason says, to be said in other words.
 */
why: KeyError | null, };

export type KeyringError = { "type": "absent", reason: Worded, } | { "type": "locked", reason: Worded, } | { "type": "failed", reason: Worded, };

export type KindOfStep = "prompt" | "answer" | "tool" | "note" | "end" | "system";

export type Language = "system" | "en" | "zh-CN";

export type LargeFile = { skillName: string, path: string, name: string, };

export type Layer = "bubblewrap" | "landlock" | "seatbelt";

export type LeftSkill = { name: string, 
/**
 * `null`: it is too large, or cannot be read, so nobody knows.
 */
same: boolean | null, };

export type LineDiff = { added: number, removed: number, 
/**
 * Changed places, each with a few lines around it.
 */
places: Array<Array<DiffLine>>, };

export type ListedModel = { 
/**
 * The provider's name of it.
 */
id: string, 
/**
 * For people, where it is another name.
 */
title: string | null, 
/**
 * Context window in tokens.
 */
context: number | null, 
/**
 * Tokens that an answer may have, thoughts included.
 */
maxOutput: number | null, prices: Prices | null, };

export type ListedSkill = { 
/**
 * What tool calls use to name it.
 */
id: string, name: string, };

export type ListedTokens = { all: InspectedTokens, tools: Array<number>, 
/**
 * Of all tiers.
 */
skills: Array<number>, };

export type ListedTool = { name: string, 
/**
 * Its beginning.
 */
description: string, 
/**
 * Of the description.
 */
marks: Array<TextMark>, 
/**
 * UTF-16 units of the whole description.
 */
units: number, parameters: unknown, 
/**
 * The framework itself asks before each call.
 */
asks: boolean, 
/**
 * `false`: one of a client's own tools, not compared with the client's.
 */
compared: boolean, };

export type MarkedText = { text: string, marks: Array<TextMark>, };

export type Measure = "files" | "temporary" | "network" | "processes" | "systemCalls" | "rules" | "environment" | "time" | "processor" | "memory" | "processCount" | "fileSize" | "openFiles" | "output";

export type Mention = { path: string, place: FoundPlace, text: string, };

export type MentionArgs = { from: string, to: string, unsaved: Array<UnsavedText>, };

export type MergeArgs = { base: string, mine: string, theirs: string, };

export type MergeResult = { text: string, 
/**
 * Places both sides changed; each stands in `text` between conflict markers.
 */
conflicts: number, };

export type ModelAddArgs = { 
/**
 * Read by the method itself, so that what is wrong with it is reported like any other error.
 */
entry: ModelEntry, 
/**
 * Of the list that it was made from; `null`: whatever stands in the file now.
 */
version: string | null, };

export type ModelAddress = { 
/**
 * Where requests go.
 */
url: string, 
/**
 * The preset whose address it is.
 */
preset: string | null, };

export type ModelAddressArgs = { provider: Protocol, baseUrl: string, };

export type ModelEntry = { 
/**
 * What `--model` and the window call it.
 */
id: string, provider: Protocol, 
/**
 * An http or https address, up to and without what the protocol adds, e.g. `/chat/completions`.
 */
baseUrl: string, 
/**
 * The provider's name of the model.
 */
model: string, 
/**
 * `null`: the server needs no key.
 */
key: KeyRef | null, 
/**
 * The header that carries the key and nothing else; `null`: as the protocol wants, which is `x-api-key` for
 * Anthropic and `Authorization: Bearer …` for the others.
 */
keyHeader: string | null, 
/**
 * Sent with each request. Not for keys.
 */
headers: { [key in string]: string }, stream: boolean, parameters: Sampling, 
/**
 * Of a model that reasons. What `body` says of the same counts.
 */
reasoning: Reasoning, 
/**
 * Put into the body of each request as it stands, e.g. `top_p: 0.9`. What the workbench itself writes
 * cannot be replaced.
 */
body: Record<string, unknown>, 
/**
 * `false`: the model knows no tools, and is told of none.
 */
tools: boolean, 
/**
 * `false`: the model takes no pictures, and a line says what was left out.
 */
images: boolean, 
/**
 * Context window in tokens, for the gauge.
 */
context: number | null, 
/**
 * `null`: not known, so runs have no price.
 */
prices: Prices | null, timeouts: Timeouts, retries: Retries, };

export type ModelError = { "type": "unreachable", url: string, 
/**
 * The proxy by which it was tried.
 */
proxy?: string, reason: Worded, } | { "type": "certificate", url: string, reason: string, } | { "type": "timeout", url: string, wait: Wait, seconds: number, } | { "type": "refused", url: string, status: number | null, refusal: Refusal, reason: Worded, } | { "type": "broken", reason: Worded, } | { "type": "malformed", reason: Worded, } | { "type": "tooMuch", bound: Bound, 
/**
 * MiB, or a number of things.
 */
most: number, } | { "type": "silent" } | { "type": "key", why: KeyError, } | { "type": "setting", setting: string, reason: Worded, } | { "type": "recorded", reason: Worded, };

export type ModelInfo = { id: string, title: string, 
/**
 * Plays a screenplay; nobody's model.
 */
rehearsal: boolean, baseUrl: string | null, key: KeyState, 
/**
 * `false`: its key cannot be read.
 */
ready: boolean, context: number | null, 
/**
 * Its server can be asked how many tokens a request has.
 */
counts: boolean, 
/**
 * The preset whose address it has.
 */
preset: string | null, 
/**
 * As `models.yaml` has it; `null` for the rehearsal model.
 */
entry: ModelEntry | null, };

export type ModelList = { models: Array<ModelInfo>, 
/**
 * `models.yaml`.
 */
path: string, 
/**
 * Of the file's bytes; pass it back with a change. `null`: there is no file yet.
 */
version: string | null, 
/**
 * Why `models.yaml` could not be used.
 */
error: string | null, 
/**
 * The same in Chinese.
 */
errorZh: string | null, };

export type ModelNamesArgs = { entry: ModelEntry, };

export type ModelOffer = { 
/**
 * Id of the preset that a model of it begins with.
 */
preset: string, 
/**
 * The variable in which its key is; `null`: its server answers on this machine.
 */
keyEnv: string | null, };

export type ModelPreset = { id: string, title: string, 
/**
 * `null`: the title is a name, which is the same in every language.
 */
titleZh: string | null, provider: Protocol, 
/**
 * With `{name}` for each of the placeholders.
 */
baseUrl: string, placeholders: Array<Placeholder>, 
/**
 * `null`: as the protocol wants.
 */
keyHeader: string | null, headers: { [key in string]: string }, 
/**
 * The environment variable that people keep the key in.
 */
keyEnv: string | null, 
/**
 * Where one gets a key.
 */
keyUrl: string | null, needsKey: boolean, 
/**
 * A server that one runs oneself.
 */
local: boolean, 
/**
 * Where the provider says more.
 */
docs: string | null, 
/**
 * The month in which names, limits and prices of `models` held; `null`: there are none.
 */
asOf: string | null, 
/**
 * Where they were read.
 */
source: string | null, 
/**
 * Some of those there are.
 */
models: Array<PresetModel>, 
/**
 * What to know before using it.
 */
note: string | null, noteZh: string | null, };

export type ModelRemoveArgs = { id: string, version: string | null, };

export type ModelTestArgs = { 
/**
 * A name for the test, by which it is pushed and stopped.
 */
test: string, entry: ModelEntry, };

export type ModelTestStopArgs = { test: string, };

export type ModelUpdateArgs = { id: string, 
/**
 * May have another id.
 */
entry: ModelEntry, version: string | null, };

export type NeutralPath = { shown: string, real: string, };

export type NewSkill = { folder: string, name: string, description: string, template: string, };

export type Newline = "lf" | "crLf" | "mixed";

export type NoArgs = Record<symbol, never>;

export type NoteArgs = { run: RunId, event: number, text: string, bookmark: boolean, };

export type OptionChoiceDto = { value: string, help: Worded | null, };

export type OptionDto = { 
/**
 * With a dot before what is within another option.
 */
name: string, kind: OptionKindDto, 
/**
 * It may also be `null`.
 */
nullable: boolean, 
/**
 * For `other`: as YAML.
 */
default: unknown, 
/**
 * What counts, which is the default where the file does not say it.
 */
value: unknown, 
/**
 * The file says it.
 */
set: boolean, help: Worded, };

export type OptionEdit = { path: string, text: string, harness: string, option: string, value: OptionValue, };

export type OptionForm = { 
/**
 * The project file, which need not be there yet.
 */
path: string, exists: boolean, 
/**
 * Project files of other open folders that say something of this harness, which does not count.
 */
shadowed: Array<string>, options: Array<OptionDto>, };

export type OptionKindDto = { "type": "flag" } | { "type": "choice", choices: Array<OptionChoiceDto>, } | { "type": "whole" } | { "type": "number" } | { "type": "text" } | { "type": "texts" } | { "type": "other" };

export type OptionValue = { "type": "default" } | { "type": "value", value: unknown, } | { "type": "yaml", text: string, };

export type OptionsArgs = { harness: string, unsaved: Array<UnsavedText>, };

export type Origin = { "type": "framework" } | { "type": "skill", skill: string, field: string, } | { "type": "user" } | { "type": "tool", tool: string, } | { "type": "withheld", 
/**
 * Whose text it is.
 */
client: string, 
/**
 * How long it is; `null`: that was not recorded.
 */
characters: number | null, };

export type OriginMark = { span: Span, origin: Origin, };

export type OtlpState = { 
/**
 * Without what may be a key; `null`: none is set up.
 */
endpoint: string | null, 
/**
 * Runs are sent while they go on.
 */
live: boolean, contents: boolean, skills: boolean, 
/**
 * Of `models.yaml`.
 */
path: string, };

export type OutlineEntry = { level: number, text: string, range: TextRange, };

export type OutsideEditor = { title: string, 
/**
 * As the settings take it.
 */
command: string, };

export type PackageLeftOut = { name: string, why: Worded, };

export type PackageLook = { 
/**
 * Of the archive's bytes.
 */
version: string, skills: Array<PackagedSkill>, leftOut: Array<PackageLeftOut>, };

export type PackageOpenArgs = { path: string, version: string | null, folder: string, names: { [key in string]: string }, renamed: Array<string>, };

export type PackageSaveArgs = { skill: string, path: string, };

export type PackageSaved = { path: string, files: number, 
/**
 * Of the archive.
 */
bytes: number, leftOut: Array<PackageLeftOut>, };

export type PackagedFile = { 
/**
 * Relative to the skill's folder, with `/`.
 */
name: string, size: number, };

export type PackagedSkill = { 
/**
 * The name of its folder.
 */
folder: string, name: string, description: string, 
/**
 * `SKILL.md` first.
 */
files: Array<PackagedFile>, tokens: TierTokens, 
/**
 * Paths are those in the archive; no settings and no comments of the archive count.
 */
findings: Array<FindingDto>, 
/**
 * Findings of rules of security, those included that are not among the findings because they are weak by themselves.
 */
securityErrors: number, securityWarnings: number, securityHints: number, 
/**
 * Paths are those in the archive.
 */
security: SecurityDto | null, };

export type PageArgs = { run: RunId, 
/**
 * Index of the first.
 */
from: number, 
/**
 * So many, or fewer if their texts are long.
 */
most: number, };

export type PathArgs = { path: string, };

export type PinArgs = { run: RunId, pinned: boolean, };

export type Placeholder = { name: string, what: string, whatZh: string, example: string, };

export type PlayAgainArgs = { run: RunId, roots: Array<string> | null, sandbox: SandboxMode | null, askAll: boolean, };

export type Presence = { "type": "loaded", 
/**
 * What tool calls use to name it.
 */
id: string, name: string, description: string, tokens: TierTokens, 
/**
 * The first column that loads it reads another name or description.
 */
differs: boolean, } | { "type": "skipped", reason: Worded, } | { "type": "unseen" };

export type PresetModel = { 
/**
 * The provider's name of it.
 */
id: string, 
/**
 * For people, where it is another name.
 */
title: string | null, 
/**
 * Tokens; `null`: not certain.
 */
context: number | null, 
/**
 * Tokens that an answer may have, thoughts included; `null`: not certain.
 */
maxOutput: number | null, prices: Prices | null, };

export type Prices = { input: number, output: number, 
/**
 * For input read from the provider's cache; `null`: as other input.
 */
cached: number | null, 
/**
 * For input put into the provider's cache; `null`: as other input.
 */
cacheWritten: number | null, };

export type PrivateKind = "key" | "home" | "email";

export type PrivateText = { kind: PrivateKind, text: string, count: number, };

export type ProblemDto = { kind: ProblemKind, severity: Severity, 
/**
 * English; the window shows its own words for `kind`.
 */
message: string, path: string, };

export type ProblemKind = { "type": "rootMissing" } | { "type": "rootNotFolder" } | { "type": "rootOutside", root: string, } | { "type": "folderUnreadable", reason: Worded, } | { "type": "fileUnreadable", reason: Worded, } | { "type": "vanished" } | { "type": "linkBroken", target: string, } | { "type": "linkLoop" } | { "type": "linkOutside", target: string, } | { "type": "notEntered", target: string, } | { "type": "nameNotUtf8", shown: string, } | { "type": "tooDeep", limit: number, } | { "type": "tooMany", limit: number, } | { "type": "tooLarge", size: bigint, limit: bigint, } | { "type": "notUtf8", offset: number, } | { "type": "bom" } | { "type": "mixedNewlines" } | { "type": "empty" } | { "type": "frontmatterMissing" } | { "type": "frontmatterUnclosed" } | { "type": "yamlInvalid", reason: Worded, } | { "type": "yamlNotMap" } | { "type": "keyDuplicate", key: string, } | { "type": "keyMissing", key: string, } | { "type": "keyNotText", key: string, } | { "type": "keyEmpty", key: string, } | { "type": "keyTooLong", key: string, length: number, limit: number, } | { "type": "nameInvalid" } | { "type": "nameNotFolder", name: string, folder: string, } | { "type": "bodyEmpty" } | { "type": "nameTaken", name: string, other: string, } | { "type": "manifestMiscased", found: string, } | { "type": "noSkills" };

export type Profile = "spec" | "recommended" | "security" | "all";

export type Program = "scripts" | "commands";

export type ProjectChoice = { harness: HarnessChoice | null, 
/**
 * A model's id.
 */
model: string | null, };

export type Protocol = "openAi" | "openAiResponses" | "anthropic" | "bedrock";

export type ProviderTokens = { 
/**
 * The model's id, and the provider's name of it.
 */
model: string, named: string, 
/**
 * Who counted: the host of its address.
 */
server: string, 
/**
 * Of the whole request, with the prompt.
 */
request: number, 
/**
 * Of the request with the prompt alone.
 */
prompt: number, 
/**
 * No prompt was given, so a short one was sent: there is no request without one.
 */
standIn: boolean, instructions: number, tools: number, 
/**
 * Of what all skills give when they are loaded.
 */
skills: number, 
/**
 * Of the texts of their files; `null`: they are too long to be asked about.
 */
files: number | null, 
/**
 * How many questions were sent for it; what was counted before is known.
 */
asked: number, };

export type PruneArgs = { retention: Retention | null, dryRun: boolean, };

export type PrunedRuns = { 
/**
 * Those that go or are gone, the oldest first.
 */
runs: Array<GoingRun>, 
/**
 * Bytes that all runs took.
 */
bytes: number, 
/**
 * Bytes that are given back to the disk.
 */
freed: number, 
/**
 * Bytes in the store that later runs will use.
 */
reusable: number, 
/**
 * Runs that would go if they were not pinned, and if nothing was said about them.
 */
pinned: number, reviewed: number, };

export type Push = { "type": "filesChanged" } & FilesChanged | { "type": "runUpdate" } & RunUpdate | { "type": "modelCheck" } & TestedCheck | { "type": "importProgress" } & ImportProgress | { "type": "traceSent" } & TraceSent | { "type": "runsChanged" };

export type PushArgs = { run: RunId, to: string | null, contents: boolean | null, skills: boolean | null, redact: Array<PrivateText> | null, };

export type Pushed = { 
/**
 * Without what may be a key.
 */
url: string, spans: number, 
/**
 * Of them, those that the back end did not take.
 */
rejected: number, 
/**
 * Why it did not take them.
 */
reason: string | null, };

export type QuirkDto = { kind: QuirkKind, 
/**
 * Harness and kind, as linters name their rules, e.g. `eino/lost-before-tab`.
 */
code: string, 
/**
 * A warning, or something to know; no quirk is an error of the author's.
 */
severity: Severity, 
/**
 * English; the window shows its own words for `kind`.
 */
message: string, 
/**
 * Id of the skill, where it is about one.
 */
skill: string | null, path: string | null, range: TextRange | null, 
/**
 * What is lost, changed or hidden there; may be empty.
 */
detail: string, };

export type QuirkKind = "lostBeforeTab" | "cutAtDashes" | "readDifferently" | "oneBadSkillFailsAll" | "missingManifestRemovesTool" | "onlyFirstLoadOfATurn" | "listedNameDoesNotLoad" | "hiddenByDuplicate" | "offeredWithoutFrontmatter" | "notEscaped" | "catalogueNotClosed" | "cutsCatalogue" | "fileNotOffered" | "byteOrderMark" | "linkLeavesSkill" | "pathNotChecked" | "cutWhenLong" | "orderedByHash" | "orderedByChance" | "valueIgnored" | "hubEntryMissing" | "scriptsCannotRun" | "scriptRunByPython" | "commandBlocked" | "describedByBody" | "descriptionCut" | "descriptionLeftOut" | "descriptionShortened" | "noRoomInList" | "notByMention" | "notListed" | "asksBeforeLoad" | "replacedOnLoad" | "instructionsLost" | "filesLeftOut" | "chosenByChance" | "toolNotOffered" | "noInstructions";

export type Reached = { "type": "requests", requests: number, } | { "type": "frameworkRequests", requests: number, framework: string, } | { "type": "seconds", seconds: number, } | { "type": "tokens", used: number, coming: number, limit: number, } | { "type": "cost", spent: number, coming: number, limit: number, };

export type Reason = { en: string, zh: string, };

export type Reasoning = { effort: Effort | null, 
/**
 * Whether an answer has a summary of the thoughts. Chat completions has no field for it.
 */
shown: boolean | null, };

export type Refusal = "tooLong" | "key" | "model" | "quota" | "busy" | "tools" | "address" | "notEnabled" | "profile" | "expired" | "clock" | "region" | "other";

export type RehearseArgs = { roots: Array<string> | null, of: Array<HarnessChoice>, prompt: string, screenplay: string | null, without: Array<string> | null, sandbox: SandboxMode | null, neutralPaths: boolean | null, network: boolean | null, fidelity: boolean | null, askAll: boolean | null, };

export type ReplayBody = { head: number, text: string, tail: number, };

export type ReplayContext = { 
/**
 * A place among the bodies.
 */
body: number | null, exact: boolean, 
/**
 * Places among the lists of tools, of groups and of skills.
 */
tools: number, groups: number, skills: number, 
/**
 * So many messages at its head are those of the context before.
 */
same: number, 
/**
 * The places of the further ones among all messages.
 */
further: Array<number>, 
/**
 * Which of its messages are new there: from one to before another.
 */
added: Array<[number, number]>, tokens: number, };

export type ReplaySaveArgs = { path: string, run: RunId, chinese: boolean, redact: Array<PrivateText>, };

export type ReplayTool = { tool: number, added: boolean, };

export type ReplayedRun = { detail: RunDetail, review: Review, chinese: boolean, 
/**
 * For each step.
 */
contexts: Array<ReplayContext>, messages: Array<ContextMessage>, tools: Array<ContextTool>, toolLists: Array<Array<ReplayTool>>, groups: Array<Array<GroupState>>, skills: Array<Array<SkillInContext>>, bodies: Array<ReplayBody>, };

export type Retention = { 
/**
 * Those of the last so many days.
 */
days: number | null, 
/**
 * The latest ones that take no more than this, with the files that they wrote.
 */
gigabytes: number | null, 
/**
 * Runs with a verdict, a note or a bookmark go like others.
 */
reviewedToo: boolean, };

export type Retried = { 
/**
 * What came of the attempt before.
 */
why: ModelError, 
/**
 * Milliseconds that are waited first.
 */
pause: number, 
/**
 * From 1.
 */
attempt: number, 
/**
 * Attempts at most.
 */
of: number, };

export type Retries = { 
/**
 * How often at most.
 */
count: number, 
/**
 * Seconds that a server may make us wait. One that asks for more is not asked again.
 */
longestWait: number, };

export type Review = { verdict: Verdict | null, 
/**
 * In the order of the run.
 */
notes: Array<StepNote>, };

export type Role = "system" | "user" | "assistant" | "tool";

export type RuleDto = { id: string, group: Group, 
/**
 * What its findings weigh unless the project says otherwise.
 */
severity: Severity, 
/**
 * `false`: it looks only where it is asked to.
 */
on: boolean, 
/**
 * What the project says of it.
 */
setting: Setting | null, title: string, titleZh: string, what: string, whatZh: string, why: string, whyZh: string, source: string, fix: Applicability | null, bad: Array<RuleExampleFile>, good: Array<RuleExampleFile>, };

export type RuleExampleFile = { path: string, text: string, };

export type RuleProfileArgs = { profile: Profile, };

export type RuleSetArgs = { rule: string, setting: Setting | null, };

export type RunArgs = { run: RunId, };

export type RunCheck = { run: RunId, 
/**
 * The run that they are compared with; `null`: they were served again, and nothing was run.
 */
played: RunId | null, harness: string, variant: string, 
/**
 * The folders of skills that were read.
 */
roots: Array<string>, 
/**
 * Calls that come to something else, or no longer resolve.
 */
bad: number, 
/**
 * Calls that were to run again, and that nobody allowed.
 */
refused: number, calls: Array<CheckedCall>, };

export type RunDetail = { summary: RunSummary, steps: Array<Step>, };

export type RunDiff = { pairs: Array<StepPair>, 
/**
 * Index of the first pair that is not `same`; `null`: the runs went the same way.
 */
firstDivergence: number | null, };

export type RunExport = "jsonl" | "screenplay" | "openai" | "anthropic" | "inspect" | "markdown" | "markdownChinese" | "source";

export type RunFile = { 
/**
 * Below the run's folder.
 */
path: string, change: Change, 
/**
 * Bytes; of a deleted file those it had.
 */
size: number, 
/**
 * Why its text is not kept; `null`: it is.
 */
unkept: Unkept | null, 
/**
 * It can be saved elsewhere.
 */
saveable: boolean, };

export type RunFileArgs = { run: RunId, turn: number, path: string, };

export type RunFileText = { change: Change, before: string | null, after: string | null, 
/**
 * Why one of the texts is not there; then there are no pieces.
 */
unkept: Unkept | null, pieces: Array<DiffPiece>, };

export type RunFiles = { 
/**
 * What the user said, each with what came of it on disk.
 */
turns: Array<TurnFiles>, 
/**
 * The run's folder; `null`: it is no longer there.
 */
folder: string | null, 
/**
 * What file tools wrote outside of it, with a yes for each.
 */
outside: Array<WrittenFile>, };

export type RunId = string;

export type RunIndex = { 
/**
 * The one started last first.
 */
ids: Array<RunId>, 
/**
 * The first of them.
 */
runs: Array<RunSummary>, 
/**
 * What these runs can be told apart by.
 */
harnesses: Array<string>, models: Array<string>, skills: Array<string>, 
/**
 * Those of which the store holds something that makes no sense.
 */
unreadable: Array<UnreadableRun>, };

export type RunLimits = { 
/**
 * Model requests.
 */
turns: number, 
/**
 * Seconds for one script.
 */
scriptSeconds: number, 
/**
 * Bytes of a script's stdout and of its stderr that are kept; at most [`RunLimits::OUTPUT_BYTES`].
 */
outputBytes: number, 
/**
 * Tokens of all requests and answers together, as the provider counts them, else estimated.
 */
tokens: number | null, 
/**
 * Seconds for the whole run, without the time it waits for the user.
 */
seconds: number | null, 
/**
 * US dollars, by the prices of the model.
 */
cost: number | null, };

export type RunMeans = { 
/**
 * Model requests of the whole run; `null`: the project's cap.
 */
turns: number | null, 
/**
 * Tokens of all requests and answers together; `null`: the project's limit.
 */
tokens: number | null, 
/**
 * For the whole run, without the time it waits for the user; `null`: the project's limit.
 */
seconds: number | null, 
/**
 * US dollars; `null`: the project's limit.
 */
cost: number | null, 
/**
 * Milliseconds between the pieces of a rehearsed or recorded answer, so that a room can follow; `null`: none.
 */
pace: number | null, 
/**
 * `null`: as the project has it.
 */
sandbox: SandboxMode | null, 
/**
 * What runs may use the network. No project can say so.
 */
network: boolean, 
/**
 * A framework that looks outside of the open folders is answered as it would be. No project can say so. `null`: as the
 * run has it that goes on or is forked, if it was recorded here; else no.
 */
fidelity: boolean | null, 
/**
 * Asks about everything, also what the user allowed for good.
 */
askAll: boolean, };

export type RunPage = { summary: RunSummary, 
/**
 * Steps of the run.
 */
all: number, 
/**
 * So many events were taken in: updates up to this number are in the steps.
 */
events: number, steps: Array<Step>, };

export type RunRequest = { 
/**
 * `null`: all open folders.
 */
roots: Array<string> | null, harness: string, variant: string | null, 
/**
 * An id of `models.yaml`, `rehearsal`, or `recorded:` and the id of a run: its answers are given again.
 */
model: string, prompt: string, 
/**
 * What the user says it with.
 */
images?: Array<Image>, 
/**
 * `null`: the screenplay whose prompt is this one, else the fixed walk.
 */
screenplay: string | null, 
/**
 * Names of skills to leave out.
 */
without: Array<string>, 
/**
 * Skills are shown at `/skills` and the run's folder at `/workspace`; `null`: as the project has it.
 */
neutralPaths: boolean | null, means: RunMeans, };

export type RunSetup = { harness: string, variant: string, 
/**
 * Id of the model, `rehearsal` for the rehearsal model.
 */
model: string, 
/**
 * Of that model, when the run began; `null`: not known.
 */
prices?: Prices | null, 
/**
 * Rehearsal or recorded: nobody's model answered.
 */
rehearsal: boolean, prompt: string, roots: string[], 
/**
 * Names of the skills the harness loaded, in its order.
 */
skills: Array<string>, 
/**
 * Where scripts ran and files were written.
 */
workingDirectory: string, 
/**
 * Folders that the run shows at neutral paths; empty: all are shown where they are. Every other path here, and all that
 * the model reads, names folders as they are shown.
 */
neutral?: Array<NeutralPath>, 
/**
 * A framework that looks outside of the open folders is answered as it would be.
 */
fidelity?: boolean, 
/**
 * The tokenizer that counted, e.g. `o200k_base`.
 */
tokenizer: string, 
/**
 * Tokens of the instructions and tool definitions: tier 1.
 */
catalogueTokens: number, appVersion: string, 
/**
 * What recorded it, if that was not this program: then `harness` names it too, and requests are not as they were sent.
 */
imported?: Foreign, 
/**
 * The run that this one was forked off: what is before this setup was recorded there.
 */
forked?: ForkedFrom, };

export type RunStatus = "running" | "done" | "failed" | "stopped" | "limited" | "interrupted";

export type RunSummary = { id: RunId, setup: RunSetup, status: RunStatus, error: string | null, 
/**
 * Milliseconds since the epoch.
 */
startedAt: number, endedAt: number | null, steps: number, 
/**
 * Messages of the user.
 */
prompts: number, 
/**
 * Tokens of the last request.
 */
contextTokens: number, 
/**
 * All answers together, those of sub-agents too.
 */
spent: Spent, departures: Departures, 
/**
 * Shipped with the program.
 */
bundled: boolean, 
/**
 * What a person says about it.
 */
verdict: Judged | null, 
/**
 * Stays whatever the settings say about old runs.
 */
pinned: boolean, 
/**
 * Why the store does not hold all of it, so that it is gone with this process unless it is saved; `null`: it does.
 */
unsaved: Worded | null, };

export type RunTree = { 
/**
 * Each before the runs that were forked off it, those by the step at which they were.
 */
runs: Array<TreeRun>, };

export type RunUpdate = { run: RunId, 
/**
 * The event's number, from 1.
 */
event: number, status: RunStatus, 
/**
 * So far.
 */
spent: Spent, 
/**
 * Steps that began, or whose content changed.
 */
steps: Array<Step>, 
/**
 * Of other steps, what changed.
 */
changes: Array<StepChange>, };

export type Said = { "type": "text", text: string, } | { "type": "call", tool: string, } | { "type": "nothing" };

export type Sampling = { temperature: number | null, maxTokens: number | null, };

export type SandboxMode = "off" | "prefer" | "require";

export type SandboxState = { 
/**
 * What this machine has; `null`: nothing.
 */
layer: Layer | null, 
/**
 * Why there is nothing.
 */
reason: Reason | null, 
/**
 * What the open projects ask for.
 */
mode: SandboxMode, 
/**
 * What the run's folder may hold, in MiB.
 */
folderMb: number, 
/**
 * The Python environment that the project names.
 */
venv: string | null, 
/**
 * Whether the project shows folders at neutral paths.
 */
neutralPaths: boolean, 
/**
 * Why nothing runs at neutral paths on this machine; `null`: it can.
 */
notNeutral: Reason | null, };

export type SaveArgs = { path: string, run: RunId, format: RunExport, };

export type SaveFilesArgs = { run: RunId, turn: number | null, paths: Array<string>, folder: string, replace: boolean, };

export type SaveResult = { "type": "saved", version: string, } | { "type": "changed", theirs: FileText, } | { "type": "gone" };

export type SavedFiles = { 
/**
 * Where they are now.
 */
saved: Array<string>, 
/**
 * What is there already: nothing was written.
 */
existing: Array<string>, 
/**
 * Links, and files that neither the record nor the run's folder has any more.
 */
leftOut: Array<string>, };

export type SavedVersion = { id: string, savedAt: number, 
/**
 * In bytes.
 */
size: number, 
/**
 * Against the version before; `null`: nobody knows.
 */
changed: ChangedLines | null, };

export type Screenplay = { prompt: string, 
/**
 * The pictures that the user says it with: files, by their paths from the screenplay's folder, or `data:` addresses.
 */
images?: Array<string>, title: string | null, steps: Array<ScreenplayStep>, };

export type ScreenplayInfo = { path: string, 
/**
 * File name without its ending.
 */
name: string, screenplay: Screenplay, 
/**
 * Why the file could not be used; `screenplay` is then empty.
 */
error: Worded | null, };

export type ScreenplayStep = { activate: string, } | { read: string, } | { run: string, with: unknown, } | { call: string, with: unknown, } | { say: string, } | { prompt: string, 
/**
 * As those of [`Screenplay`].
 */
images?: Array<string>, };

export type ScriptOutput = { stdout: string, stderr: string, 
/**
 * `None` where a signal or the time limit ended it.
 */
exitCode: number | null, timedOut: boolean, 
/**
 * Output past the cap was dropped.
 */
truncated: boolean, 
/**
 * Milliseconds.
 */
took: number, };

export type SearchArgs = { query: string, };

export type Secret = string;

export type SecurityDto = { 
/**
 * Its folder.
 */
skill: string, verdict: SecurityVerdict, 
/**
 * The strongest first.
 */
evidence: Array<EvidenceDto>, };

export type SecurityVerdict = "clear" | "hints" | "look" | "dangerous";

export type Setting = "off" | "info" | "warning" | "error";

export type Settings = { theme: Theme, language: Language, 
/**
 * Percent.
 */
zoom: number, showPreview: boolean, 
/**
 * Keys that the user gave a command, by its name; `|` between several, empty: none.
 */
keys: { [key in string]: string }, retention: Retention, 
/**
 * The command that opens a path in an outside editor, with `{path}` where the path goes; empty: none yet.
 */
editor: string, 
/**
 * What the tokens of skills are counted with. Rules and recorded runs have one of their own, so that they say the same
 * for everybody.
 */
tokenizer: Tokenizer, };

export type SettingsArgs = { settings: Settings, };

export type SettleArgs = { run: RunId, question: number, choice: CutChoice, };

export type Severity = "info" | "warning" | "error";

export type SharedWord = { word: string, 
/**
 * How many descriptions have it.
 */
skills: number, };

export type SkillArgs = { id: string, };

export type SkillCard = { 
/**
 * The folder's, relative to its root.
 */
name: string, 
/**
 * Every framework and client in its default variant, in their order.
 */
rows: Array<CardRow>, 
/**
 * What its tokens are counted with.
 */
tokenizer: Tokenizer, };

export type SkillCopyArgs = { skill: string, name: string, };

export type SkillCounts = { skill: string, errors: number, warnings: number, infos: number, 
/**
 * On its security. `null`: the project wants none.
 */
verdict: SecurityVerdict | null, };

export type SkillDetail = { summary: SkillSummary, 
/**
 * `SKILL.md` first, then by path.
 */
files: Array<SkillFileDto>, findings: Array<FindingDto>, 
/**
 * `null`: the project wants no verdict.
 */
security: SecurityDto | null, 
/**
 * Tokens of name and description, of `SKILL.md`, and of everything else that is text.
 */
tokens: TierTokens, };

export type SkillFileDto = { 
/**
 * Absolute.
 */
path: string, 
/**
 * Relative to the skill's folder, with `/`.
 */
name: string, kind: FileKind, size: number, 
/**
 * `null`: not text, or too large to count.
 */
tokens: number | null, 
/**
 * It can be opened: it is text, or nobody looked because it lies outside.
 */
text: boolean, 
/**
 * Where it really lies, if a link leads there; `null`: no link does, or nobody can tell where.
 */
leadsTo: string | null, 
/**
 * A link leads out of the folders that are open or trusted: the api neither reads nor writes it.
 */
outside: boolean, };

export type SkillInContext = { skill: string, 
/**
 * The step that brought the instructions that are in the context now; of those that went, the last one.
 */
since: number, 
/**
 * What that step added to the context.
 */
tokens: number, 
/**
 * The framework has since replaced them by something shorter: the model no longer sees them.
 */
compacted: boolean, };

export type SkillList = { folders: Array<Folder>, skills: Array<SkillSummary>, 
/**
 * Problems of the folders themselves: missing, unreadable, too many files.
 */
problems: Array<ProblemDto>, };

export type SkillSummary = { 
/**
 * The skill folder's path.
 */
id: string, name: string, description: string, 
/**
 * The open folder it lies in.
 */
folder: string, 
/**
 * Path below that folder, with `/`.
 */
relative: string, };

export type SkillVerdict = { harness: string, 
/**
 * The framework's name, and the variant's.
 */
title: string, variantTitle: Worded, refused: string | null, presence: Presence, quirks: Array<QuirkDto>, };

export type Skipped = { path: string, 
/**
 * The framework's own words are the same in every language.
 */
reason: Worded, };

export type SomeRunsArgs = { runs: Array<RunId>, };

export type Span = { start: number, end: number, };

export type Spent = { input: number, output: number, 
/**
 * Read from the provider's cache; among `input`.
 */
cached: number, 
/**
 * Put into the provider's cache; among `input`.
 */
cacheWritten: number, 
/**
 * US dollars; `null`: the prices of a model that was asked are not known.
 */
cost: number | null, 
/**
 * A provider did not count all of it; its own count may differ by a tenth or more.
 */
estimated: boolean, };

export type Standing = "sandbox" | "never";

export type Step = { 
/**
 * From 0.
 */
index: number, 
/**
 * The number of the event that began it, by which notes know it.
 */
event: number, at: number, 
/**
 * Milliseconds; `null` while it goes on.
 */
took: number | null, 
/**
 * The conversation it belongs to: that of the sub-agent which the call of this id started, or a request of the
 * framework's own, `summary-1`; `null`: the run's own conversation.
 */
within: string | null, 
/**
 * The model request this belongs to, from 0 in each conversation; prompts have `null`.
 */
turn: number | null, state: StepState, 
/**
 * The number of the question that it waits for, which an answer names: that of the event that asked. `null`: it does
 * not wait.
 */
question: number | null, kind: StepKind, 
/**
 * Tokens this step adds to the context of its conversation.
 */
addedTokens: number, 
/**
 * Tokens in that context once this step is in it.
 */
contextTokens: number, 
/**
 * Of its long texts only the beginnings are here, as in the list of a long run. What is asked for by its number is whole.
 */
brief?: boolean, };

export type StepArgs = { run: RunId, step: number, };

export type StepChange = { "type": "streamed", index: number, text: string, reasoning: string, firstToken: number | null, } | { "type": "counted", index: number, state: StepState, took: number | null, question: number | null, addedTokens: number, contextTokens: number, };

export type StepDto = { path: string, range: TextRange | null, 
/**
 * What happens there.
 */
message: string, messageZh: string, };

export type StepKind = { "type": "prompt", text: string, 
/**
 * Said with it.
 */
images?: Array<Image>, 
/**
 * Who leads this turn, if not who began the run; absent: as the run began.
 */
setup?: TurnSetup, 
/**
 * Skills that it named (`$name`, `/name`), whose instructions went to the model with it.
 */
skills?: Array<string>, } | { "type": "answer", text: string, reasoning: string, 
/**
 * The calls it asked for, which are steps of their own.
 */
calls: Array<ToolCall>, usage: Usage | null, 
/**
 * `null` while it goes on, and where nothing came.
 */
spent: Spent | null, finish: FinishReason | null, 
/**
 * The model that was asked, where it is not the run's own.
 */
model: string | null, 
/**
 * Names of the agents from the run's own down to the one that answered; empty where it has no name.
 */
agents: Array<string>, 
/**
 * What was done with an answer that may be cut off; `null`: it is not, or nothing yet.
 */
cut: CutChoice | null, 
/**
 * Milliseconds to the first token.
 */
firstToken: number | null, error: string | null, 
/**
 * What to do about the error.
 */
hint: string | null, raw: string | null, 
/**
 * What the error says, to be said in other words; `null` in runs that were recorded before it was kept.
 */
why: ModelError | null, 
/**
 * The user wrote its text in place of the model's, where the run was forked off.
 */
edited?: boolean, } | { "type": "tool", call: ToolCall, 
/**
 * What the call discloses if it succeeds.
 */
disclosure: Disclosure, 
/**
 * What it did disclose: nothing where there is no reply, or one that is an error, was denied or given by hand.
 */
disclosed: Disclosure, 
/**
 * What the call wants to do, if that needed approval.
 */
asked: Effect | null, 
/**
 * What it did instead, if the user edited the arguments; `null` also in runs that were recorded before
 * it was kept.
 */
ran: Effect | null, 
/**
 * Where the path in it really led when it was asked, if that is another place than it says.
 */
leadsTo: string | null, 
/**
 * SHA-256 of what would run when it was asked: the same words may be about something else the next time.
 */
digest: string | null, 
/**
 * What confines what runs, or will; `null` if nothing runs, and in runs that were recorded before it was kept.
 */
enforcement: Enforcement | null, 
/**
 * The skills for which an answer to the question can be remembered; empty: it cannot.
 */
skills: Array<string>, decision: Decision | null, 
/**
 * What the user had said for good, if that decided and nobody was asked.
 */
standing: Standing | null, output: ScriptOutput | null, files: Array<WrittenFile>, 
/**
 * What the tool returned.
 */
reply: string | null, 
/**
 * What it returned as pictures.
 */
images?: Array<Image>, 
/**
 * What it returned as files.
 */
documents?: Array<Document>, 
/**
 * What went over the wire, where that differs.
 */
wire: string | null, } | { "type": "note", text: string, 
/**
 * The text in Chinese; `null` in runs that were recorded before it was kept.
 */
zh: string | null, 
/**
 * What the text says, to be said in other words, where a request was made again.
 */
retried: Retried | null, } | { "type": "end", status: RunStatus, error: string | null, 
/**
 * The error in Chinese; `null` in runs that were recorded before it was kept.
 */
zh: string | null, 
/**
 * What the error says, to be said in other words, where a model failed.
 */
why: ModelError | null, 
/**
 * The limit that ended it; `null` in runs that were recorded before it was kept.
 */
reached: Reached | null, };

export type StepNote = { 
/**
 * The event that began the step. Positions of steps may differ in other versions of the program; events do not.
 */
event: number, 
/**
 * Empty: a bookmark alone.
 */
text: string, bookmark: boolean, changedAt: number, };

export type StepPair = { "type": "same", a: number, b: number, } | { "type": "changed", a: number, b: number, 
/**
 * The requests of both have different instructions, or different tools, which no pair before had.
 */
instructions: boolean, tools: boolean, } | { "type": "onlyA", a: number, } | { "type": "onlyB", b: number, };

export type StepState = "running" | "waiting" | "done" | "failed" | "stopped";

export type TemplateInfo = { id: string, title: string, summary: string, files: Array<string>, };

export type TestedCheck = { 
/**
 * As `model_test` named it.
 */
test: string, check: Check, };

export type TextArgs = { path: string, text: string, };

export type TextCheck = { 
/**
 * Of the whole skill, as it would be with the texts that are not saved yet.
 */
findings: Array<FindingDto>, 
/**
 * `null`: the text is of no skill, or the project wants no verdict.
 */
security: SecurityDto | null, 
/**
 * The other skills were not looked at yet: what rules find in several skills together is missing.
 */
alone: boolean, outline: Array<OutlineEntry>, 
/**
 * `null` for files that are not a `SKILL.md`, or have no readable frontmatter.
 */
fields: Array<FieldDto> | null, tokens: number, tiers: TierTokens | null, };

export type TextCompletions = { 
/**
 * What is replaced.
 */
from: number, to: number, items: Array<CompletionItem>, };

export type TextDiffArgs = { a: string, b: string, };

export type TextMark = { from: number, to: number, origin: Origin, };

export type TextRange = { from: number, to: number, line: number, column: number, };

export type TextStart = { text: string, marks: Array<TextMark>, 
/**
 * UTF-16 units of the whole.
 */
units: number, };

export type Theme = "system" | "light" | "dark" | "contrast";

export type TierTokens = { catalogue: number, instructions: number, resources: number, };

export type Timeouts = { 
/**
 * For a connection to be made.
 */
connect: number, 
/**
 * Between two pieces of an answer, and from a request to the first.
 */
idle: number, 
/**
 * From a request to the end of its answer.
 */
total: number, };

export type Tokenizer = "o200k_base" | "cl100k_base";

export type ToolCall = { id: string, name: string, 
/**
 * JSON exactly as the model wrote it, which may not parse.
 */
arguments: string, 
/**
 * What the provider sent with the call (`extra_content`) and wants back with it. Other protocols than chat
 * completions leave it out.
 */
extra?: unknown, };

export type ToolDef = { name: string, description: string, parameters: unknown, };

export type TraceSent = { run: RunId, 
/**
 * Without what may be a key.
 */
url: string, spans: number, 
/**
 * Of them, those that the back end did not take.
 */
rejected: number, 
/**
 * Why the rest was not sent; `null`: all of it was.
 */
error: ApiError | null, };

export type TrashArgs = { id: string, };

export type Trashed = { id: string, 
/**
 * Where it was.
 */
path: string, deletedAt: number, isFolder: boolean, };

export type TreeRun = { run: RunId, 
/**
 * 0: the one from which all others come.
 */
depth: number, 
/**
 * Where it was forked off; `null`: nowhere, or it is not known.
 */
from: ForkedFrom | null, 
/**
 * `null`: it is not here.
 */
summary: RunSummary | null, };

export type Trial = { "type": "does", effect: Effect, 
/**
 * Where the path in it really leads, if that is another place than it says.
 */
leadsTo: string | null, 
/**
 * What will confine what runs; `null` if nothing does.
 */
enforcement: Enforcement | null, } | { "type": "replies", text: string, isError: boolean, } | { "type": "refused", why: Worded, };

export type TrustState = { trusted: Array<string>, 
/**
 * Those that project files name, or that links lead to, and that are not trusted.
 */
waiting: Array<string>, };

export type TryArgs = { run: RunId, question: number, arguments: string, };

export type TurnFiles = { known: FilesKnown, files: Array<RunFile>, 
/**
 * Further files that are not listed.
 */
more: number, 
/**
 * Something of the folder was not looked at.
 */
partial: boolean, 
/**
 * Whether the skills are as they were before; none where that is not known, or where nothing could change them.
 */
skills: Array<LeftSkill>, };

export type TurnSetup = { harness: string, variant: string, model: string, rehearsal: boolean, roots: string[], skills: Array<string>, workingDirectory: string, appVersion: string, };

export type Unkept = "binary" | "large" | "full" | "secret" | "link" | "passing" | "unreadable";

export type UnreadLine = { 
/**
 * From 1.
 */
line: number, reason: Worded, };

export type UnreadableRun = { 
/**
 * As the store has it, which need not be an id.
 */
id: string, reason: Worded, };

export type UnsavedText = { path: string, text: string, };

export type Usage = { input: number, output: number, 
/**
 * Read from the provider's cache.
 */
cached: number, 
/**
 * Put into the provider's cache.
 */
cacheWritten: number, };

export type VariantDto = { id: string, title: Worded, 
/**
 * Where the behaviour was taken from.
 */
source: Worded, 
/**
 * `false`: derived from source, never compared with a run.
 */
verified: boolean, 
/**
 * The framework's own cap on model requests in one run; `null`: none.
 */
iterations: number | null, 
/**
 * What it does about tools that keep failing; `null`: nothing.
 */
failedRounds: FailedRounds | null, };

export type Verdict = { judged: Judged, 
/**
 * Why, in a line; empty: not said.
 */
line: string, changedAt: number, };

export type VerdictArgs = { run: RunId, judged: Judged | null, line: string, };

export type VersionArgs = { path: string, of: VersionRef, };

export type VersionRef = { "type": "saved", id: string, } | { "type": "revision", id: string, };

export type Wait = "connect" | "idle" | "total";

export type Worded = { en: string, zh: string, };

export type WrittenFile = { 
/**
 * Relative to the working directory; absolute where it lies outside.
 */
path: string, 
/**
 * Bytes.
 */
size: number, };

/** Every command: what it takes and what it gives. */
export interface Commands {
  bench_state: { args: NoArgs; result: BenchState };
  settings_set: { args: SettingsArgs; result: Settings };
  folder_open: { args: PathArgs; result: Array<Folder> };
  folder_close: { args: PathArgs; result: Array<Folder> };
  trust_list: { args: NoArgs; result: TrustState };
  trust_add: { args: PathArgs; result: TrustState };
  trust_remove: { args: PathArgs; result: TrustState };
  approval_list: { args: NoArgs; result: Array<ApprovalEntry> };
  approval_set: { args: ApprovalSetArgs; result: Array<ApprovalEntry> };
  approval_revoke: { args: ApprovalArgs; result: Array<ApprovalEntry> };
  sandbox_state: { args: NoArgs; result: SandboxState };
  skill_list: { args: NoArgs; result: SkillList };
  skill_get: { args: SkillArgs; result: SkillDetail };
  skill_new: { args: NewSkill; result: SkillSummary };
  skill_copy: { args: SkillCopyArgs; result: SkillSummary };
  package_save: { args: PackageSaveArgs; result: PackageSaved };
  package_look: { args: PathArgs; result: PackageLook };
  package_open: { args: PackageOpenArgs; result: Array<SkillSummary> };
  template_list: { args: NoArgs; result: Array<TemplateInfo> };
  file_read: { args: PathArgs; result: FileText };
  file_save: { args: FileSave; result: SaveResult };
  file_create: { args: PathArgs; result: FileText };
  file_move: { args: FileMove; result: null };
  file_mentions: { args: MentionArgs; result: Array<Mention> };
  file_trash: { args: PathArgs; result: Trashed };
  trash_list: { args: NoArgs; result: Array<Trashed> };
  trash_restore: { args: TrashArgs; result: Trashed };
  trash_remove: { args: TrashArgs; result: Array<Trashed> };
  path_reveal: { args: PathArgs; result: null };
  path_edit: { args: PathArgs; result: null };
  editor_list: { args: NoArgs; result: Array<OutsideEditor> };
  file_history: { args: PathArgs; result: FileHistory };
  file_version: { args: VersionArgs; result: string };
  text_lines: { args: TextDiffArgs; result: LineDiff };
  text_check: { args: CheckArgs; result: TextCheck };
  text_complete: { args: CompleteArgs; result: TextCompletions };
  text_fix: { args: CheckArgs; result: Fixed };
  text_find: { args: FindArgs; result: FoundTexts };
  lint_counts: { args: NoArgs; result: Array<SkillCounts> };
  rule_list: { args: NoArgs; result: Array<RuleDto> };
  rule_set: { args: RuleSetArgs; result: Array<RuleDto> };
  rule_profile: { args: NoArgs; result: Profile };
  rule_profile_set: { args: RuleProfileArgs; result: Array<RuleDto> };
  text_preview: { args: TextArgs; result: string };
  text_merge: { args: MergeArgs; result: MergeResult };
  field_edit: { args: FieldEdit; result: string };
  harness_list: { args: NoArgs; result: Array<HarnessInfo> };
  project_choice: { args: NoArgs; result: ProjectChoice };
  harness_options: { args: OptionsArgs; result: OptionForm };
  option_edit: { args: OptionEdit; result: string };
  inspect: { args: InspectArgs; result: Inspection };
  inspect_listed: { args: InspectArgs; result: InspectionList };
  inspect_tokens: { args: InspectArgs; result: ListedTokens };
  inspect_sent: { args: InspectArgs; result: InspectedSent };
  inspect_quirks: { args: InspectArgs; result: Array<QuirkDto> };
  inspect_skill: { args: InspectSkillArgs; result: InspectedSkill };
  inspect_request: { args: InspectArgs; result: InspectedRequest };
  inspect_count: { args: CountArgs; result: ProviderTokens };
  compare_table: { args: CompareArgs; result: ComparedTable };
  compare_tokens: { args: CompareArgs; result: Array<InspectedTokens> };
  compare_sent: { args: CompareArgs; result: Array<InspectedSent> };
  compare_skill: { args: CompareSkillArgs; result: Array<SkillVerdict> };
  collisions: { args: CollisionArgs; result: Collisions };
  skill_card: { args: CardArgs; result: SkillCard };
  skill_card_text: { args: CardTextArgs; result: string };
  skill_card_save: { args: CardSaveArgs; result: null };
  text_diff: { args: TextDiffArgs; result: Array<DiffPiece> };
  model_list: { args: NoArgs; result: ModelList };
  model_presets: { args: NoArgs; result: Array<ModelPreset> };
  model_offers: { args: NoArgs; result: Array<ModelOffer> };
  model_add: { args: ModelAddArgs; result: ModelList };
  model_update: { args: ModelUpdateArgs; result: ModelList };
  model_remove: { args: ModelRemoveArgs; result: ModelList };
  model_address: { args: ModelAddressArgs; result: ModelAddress };
  model_names: { args: ModelNamesArgs; result: Array<ListedModel> };
  model_test: { args: ModelTestArgs; result: Array<Check> };
  model_test_stop: { args: ModelTestStopArgs; result: null };
  key_state: { args: KeyArgs; result: KeyState };
  key_set: { args: KeySetArgs; result: KeyState };
  key_delete: { args: KeyDeleteArgs; result: KeyState };
  screenplay_list: { args: NoArgs; result: Array<ScreenplayInfo> };
  run_limits: { args: NoArgs; result: RunLimits };
  run_start: { args: RunRequest; result: RunId };
  run_continue: { args: ContinueArgs; result: RunId };
  run_fork: { args: ForkArgs; result: RunId };
  run_tree: { args: RunArgs; result: RunTree };
  rehearse: { args: RehearseArgs; result: Array<RunId> };
  run_stop: { args: RunArgs; result: null };
  run_decide: { args: DecideArgs; result: null };
  run_try: { args: TryArgs; result: Trial };
  run_settle: { args: SettleArgs; result: null };
  run_index: { args: IndexArgs; result: RunIndex };
  run_some: { args: SomeRunsArgs; result: Array<RunSummary> };
  run_search: { args: SearchArgs; result: Found };
  run_review: { args: RunArgs; result: Review };
  note_set: { args: NoteArgs; result: Review };
  verdict_set: { args: VerdictArgs; result: Review };
  run_page: { args: PageArgs; result: RunPage };
  run_columns: { args: PageArgs; result: Columns };
  run_step: { args: StepArgs; result: Step };
  run_delete: { args: RunArgs; result: null };
  run_pin: { args: PinArgs; result: null };
  run_prune: { args: PruneArgs; result: PrunedRuns };
  run_export: { args: ExportArgs; result: string };
  run_save: { args: SaveArgs; result: null };
  run_import: { args: ImportArgs; result: RunId };
  run_import_file: { args: ImportFileArgs; result: Imported };
  run_import_stop: { args: ImportStopArgs; result: null };
  replay_private: { args: RunArgs; result: Array<PrivateText> };
  replay_save: { args: ReplaySaveArgs; result: null };
  otlp_state: { args: NoArgs; result: OtlpState };
  push_private: { args: PushArgs; result: Array<PrivateText> };
  run_push: { args: PushArgs; result: Pushed };
  run_files: { args: RunArgs; result: RunFiles };
  run_file: { args: RunFileArgs; result: RunFileText };
  run_files_save: { args: SaveFilesArgs; result: SavedFiles };
  run_diff: { args: DiffArgs; result: RunDiff };
  run_check: { args: CheckRunArgs; result: RunCheck };
  run_play_again: { args: PlayAgainArgs; result: RunId };
  run_align: { args: AlignArgs; result: Alignment };
  step_context: { args: StepArgs; result: ContextAtStep };
  run_eager: { args: RunArgs; result: EagerLoad };
  sample_run: { args: NoArgs; result: RunId };
}

/** What is another one after a command. */
export const CHANGES: { readonly [K in keyof Commands]?: readonly Data[] } = {
  folder_open: ["skills"],
  folder_close: ["skills"],
  trust_add: ["skills"],
  trust_remove: ["skills"],
  skill_new: ["skills"],
  skill_copy: ["skills"],
  package_open: ["skills"],
  file_save: ["skills"],
  file_create: ["skills"],
  file_move: ["skills"],
  file_trash: ["skills"],
  trash_restore: ["skills"],
  rule_set: ["rules"],
  rule_profile_set: ["rules"],
  model_add: ["models"],
  model_update: ["models"],
  model_remove: ["models"],
  key_set: ["models"],
  key_delete: ["models"],
  run_start: ["runs"],
  run_continue: ["runs"],
  run_fork: ["runs"],
  rehearse: ["runs"],
  verdict_set: ["runs"],
  run_delete: ["runs"],
  run_pin: ["runs"],
  run_prune: ["runs"],
  run_import: ["runs"],
  run_import_file: ["runs"],
  run_play_again: ["runs"],
  sample_run: ["runs"],
};

/** In the order in which they are offered. */
export const PROTOCOLS: readonly Protocol[] = ["openAi", "openAiResponses", "anthropic", "bedrock"];
