//! The values that cross to the window. camelCase; unions tagged `type`; `null` rather than missing; positions count
//! UTF-16 units, as the editor does; ids are strings; times end in `At`.

macro_rules! arguments {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {
        $($(#[$doc])* #[derive(Debug, Clone, PartialEq, Deserialize, TS)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $(pub $field: $type),* })*
    };
}

mod comparison;
mod findings;
mod inspection;
mod models;
mod options;
mod packages;
mod parts;
mod pushes;
mod runs;
mod settings;
mod sharing;
mod skills;
mod texts;

pub use comparison::{
    CardArgs, CardFormat, CardLoads, CardRow, CardSaveArgs, CardSeen, CardTextArgs, CellIs, CompareArgs,
    CompareSkillArgs, ComparedCell, ComparedColumn, ComparedHarness, ComparedRow, ComparedSkill, ComparedTable,
    Comparison, Presence, RehearseArgs, SkillCard, SkillVerdict,
};
pub use findings::{
    EditDto, EvidenceDto, FindingDto, FixDto, Fixed, FixedText, LintArgs, LintResult, ProjectSettings, RuleDto,
    RuleExampleFile, RuleProfileArgs, RuleSetArgs, SecurityDto, SkillCounts, StepDto, SwitchedOff,
};
pub use inspection::{
    CataloguePlace, CountArgs, HarnessChoice, HarnessInfo, InspectArgs, InspectSkillArgs, InspectedFile,
    InspectedRequest, InspectedSent, InspectedSkill, InspectedTokens, InspectedTool, Inspection, InspectionList,
    ListedSkill, ListedTokens, ListedTool, MarkedText, ProjectChoice, ProviderTokens, QuirkDto, TextMark, TextStart,
    VariantDto,
};
pub use models::{
    KeyArgs, KeyDeleteArgs, KeySetArgs, KeySource, KeyStanding, KeyState, ModelAddArgs, ModelAddress, ModelAddressArgs,
    ModelInfo, ModelList, ModelNamesArgs, ModelOffer, ModelRemoveArgs, ModelTestArgs, ModelTestStopArgs,
    ModelUpdateArgs, TestedCheck,
};
pub use options::{OptionChoiceDto, OptionDto, OptionEdit, OptionForm, OptionKindDto, OptionValue, OptionsArgs};
pub use packages::{
    PackageLeftOut, PackageLook, PackageOpenArgs, PackageSaveArgs, PackageSaved, PackagedFile, PackagedSkill,
};
pub use parts::{ProblemDto, TextPlace, TextRange, TierTokens, UnsavedText};
pub use pushes::{Data, FilesChanged, Push, RunUpdate};
pub use runs::{
    AlignArgs, AlignedRow, Alignment, CheckRunArgs, ContinueArgs, Counted, DecideArgs, DiffArgs, FilesKnown, ForkArgs,
    IndexArgs, NoteArgs, PageArgs, PinArgs, PlayAgainArgs, PruneArgs, PrunedRuns, RunArgs, RunCheck, RunDetail,
    RunFile, RunFileArgs, RunFileText, RunFiles, RunIndex, RunMeans, RunPage, RunRequest, RunTree, SaveFilesArgs,
    SavedFiles, ScreenplayInfo, SearchArgs, SettleArgs, SomeRunsArgs, StepArgs, TreeRun, Trial, TryArgs, TurnFiles,
    VerdictArgs,
};
pub use settings::{
    ApprovalArgs, ApprovalEntry, ApprovalSetArgs, BenchState, Folder, Language, NoArgs, OutsideEditor, PathArgs,
    Retention, SandboxState, Settings, SettingsArgs, Theme, TrustState,
};
pub use sharing::{
    ExportArgs, ImportArgs, ImportFileArgs, ImportProgress, ImportStopArgs, Imported, OtlpState, PrivateKind,
    PrivateText, PushArgs, Pushed, ReplayArgs, ReplayBody, ReplayContext, ReplaySaveArgs, ReplayTool, ReplayedRun,
    RunExport, SaveArgs, TraceSent, UnreadLine,
};
pub use skills::{
    AskedSkill, CollidingPair, CollidingSkill, CollisionArgs, Collisions, EagerLoad, NewSkill, SharedWord, SkillArgs,
    SkillCopyArgs, SkillDetail, SkillFileDto, SkillList, SkillSummary, TemplateInfo,
};
pub use texts::{
    ChangedLines, CheckArgs, CompleteArgs, CompletionItem, CompletionKindDto, DiffKind, DiffLine, DiffPiece, FieldDto,
    FieldEdit, FileHistory, FileMove, FileSave, FileText, FindArgs, FoundFile, FoundPlace, FoundTexts, GitHistory,
    GitRevision, LargeFile, LineDiff, Mention, MentionArgs, MergeArgs, MergeResult, OutlineEntry, SaveResult,
    SavedVersion, TextArgs, TextCheck, TextCompletions, TextDiffArgs, TrashArgs, Trashed, VersionArgs, VersionRef,
};
