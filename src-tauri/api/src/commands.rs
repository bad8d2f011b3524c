//! The table of commands. The shell's `#[tauri::command]`s and the window's types are both made from it, so a command
//! cannot be in one and not in the other. What a command changes stands in its row: the window fetches that again by this
//! table, wherever it shows it.

/// Calls `$then!` with every command as `name(Arguments) -> Result;` or `name(Arguments) -> Result, changes [Data];`. Each is
/// a method of [`super::Workbench`].
#[macro_export]
macro_rules! for_each_command {
    ($then:path) => {
        $then! {
            bench_state(NoArgs) -> BenchState;
            settings_set(SettingsArgs) -> Settings;
            folder_open(PathArgs) -> Vec<Folder>, changes [Skills];
            folder_close(PathArgs) -> Vec<Folder>, changes [Skills];
            trust_list(NoArgs) -> TrustState;
            trust_add(PathArgs) -> TrustState, changes [Skills];
            trust_remove(PathArgs) -> TrustState, changes [Skills];
            approval_list(NoArgs) -> Vec<ApprovalEntry>;
            approval_set(ApprovalSetArgs) -> Vec<ApprovalEntry>;
            approval_revoke(ApprovalArgs) -> Vec<ApprovalEntry>;
            sandbox_state(NoArgs) -> SandboxState;
            skill_list(NoArgs) -> SkillList;
            skill_get(SkillArgs) -> SkillDetail;
            skill_new(NewSkill) -> SkillSummary, changes [Skills];
            skill_copy(SkillCopyArgs) -> SkillSummary, changes [Skills];
            package_save(PackageSaveArgs) -> PackageSaved;
            package_look(PathArgs) -> PackageLook;
            package_open(PackageOpenArgs) -> Vec<SkillSummary>, changes [Skills];
            template_list(NoArgs) -> Vec<TemplateInfo>;
            file_read(PathArgs) -> FileText;
            file_save(FileSave) -> SaveResult, changes [Skills];
            file_create(PathArgs) -> FileText, changes [Skills];
            file_move(FileMove) -> (), changes [Skills];
            file_mentions(MentionArgs) -> Vec<Mention>;
            file_trash(PathArgs) -> (), changes [Skills];
            path_reveal(PathArgs) -> ();
            path_edit(PathArgs) -> ();
            editor_list(NoArgs) -> Vec<OutsideEditor>;
            file_history(PathArgs) -> FileHistory;
            file_version(VersionArgs) -> String;
            text_lines(TextDiffArgs) -> LineDiff;
            text_check(CheckArgs) -> TextCheck;
            text_complete(CompleteArgs) -> TextCompletions;
            text_fix(CheckArgs) -> Fixed;
            text_find(FindArgs) -> FoundTexts;
            lint_counts(NoArgs) -> Vec<SkillCounts>;
            rule_list(NoArgs) -> Vec<RuleDto>;
            rule_set(RuleSetArgs) -> Vec<RuleDto>, changes [Rules];
            rule_profile(NoArgs) -> Profile;
            rule_profile_set(RuleProfileArgs) -> Vec<RuleDto>, changes [Rules];
            text_preview(TextArgs) -> String;
            text_merge(MergeArgs) -> MergeResult;
            field_edit(FieldEdit) -> String;
            harness_list(NoArgs) -> Vec<HarnessInfo>;
            project_choice(NoArgs) -> ProjectChoice;
            harness_options(OptionsArgs) -> OptionForm;
            option_edit(OptionEdit) -> String;
            inspect(InspectArgs) -> Inspection;
            inspect_listed(InspectArgs) -> InspectionList;
            inspect_tokens(InspectArgs) -> ListedTokens;
            inspect_sent(InspectArgs) -> InspectedSent;
            inspect_quirks(InspectArgs) -> Vec<QuirkDto>;
            inspect_skill(InspectSkillArgs) -> InspectedSkill;
            inspect_request(InspectArgs) -> InspectedRequest;
            inspect_count(CountArgs) -> ProviderTokens;
            compare_table(CompareArgs) -> ComparedTable;
            compare_tokens(CompareArgs) -> Vec<InspectedTokens>;
            compare_sent(CompareArgs) -> Vec<InspectedSent>;
            compare_skill(CompareSkillArgs) -> Vec<SkillVerdict>;
            collisions(CollisionArgs) -> Collisions;
            skill_card(CardArgs) -> SkillCard;
            skill_card_text(CardTextArgs) -> String;
            skill_card_save(CardSaveArgs) -> ();
            text_diff(TextDiffArgs) -> Vec<DiffPiece>;
            model_list(NoArgs) -> ModelList;
            model_presets(NoArgs) -> Vec<ModelPreset>;
            model_offers(NoArgs) -> Vec<ModelOffer>;
            model_add(ModelAddArgs) -> ModelList, changes [Models];
            model_update(ModelUpdateArgs) -> ModelList, changes [Models];
            model_remove(ModelRemoveArgs) -> ModelList, changes [Models];
            model_address(ModelAddressArgs) -> ModelAddress;
            model_names(ModelNamesArgs) -> Vec<ListedModel>;
            model_test(ModelTestArgs) -> Vec<Check>;
            model_test_stop(ModelTestStopArgs) -> ();
            key_state(KeyArgs) -> KeyState;
            key_set(KeySetArgs) -> KeyState, changes [Models];
            key_delete(KeyDeleteArgs) -> KeyState, changes [Models];
            screenplay_list(NoArgs) -> Vec<ScreenplayInfo>;
            run_limits(NoArgs) -> RunLimits;
            run_start(RunRequest) -> RunId, changes [Runs];
            run_continue(ContinueArgs) -> RunId, changes [Runs];
            run_fork(ForkArgs) -> RunId, changes [Runs];
            run_tree(RunArgs) -> RunTree;
            rehearse(RehearseArgs) -> Vec<RunId>, changes [Runs];
            run_stop(RunArgs) -> ();
            run_decide(DecideArgs) -> ();
            run_try(TryArgs) -> Trial;
            run_settle(SettleArgs) -> ();
            run_index(IndexArgs) -> RunIndex;
            run_some(SomeRunsArgs) -> Vec<RunSummary>;
            run_search(SearchArgs) -> Found;
            run_review(RunArgs) -> Review;
            note_set(NoteArgs) -> Review;
            verdict_set(VerdictArgs) -> Review, changes [Runs];
            run_page(PageArgs) -> RunPage;
            run_columns(PageArgs) -> Columns;
            run_step(StepArgs) -> Step;
            run_delete(RunArgs) -> (), changes [Runs];
            run_pin(PinArgs) -> (), changes [Runs];
            run_prune(PruneArgs) -> PrunedRuns, changes [Runs];
            run_export(ExportArgs) -> String;
            run_save(SaveArgs) -> ();
            run_import(ImportArgs) -> RunId, changes [Runs];
            run_import_file(ImportFileArgs) -> Imported, changes [Runs];
            run_import_stop(ImportStopArgs) -> ();
            replay_private(RunArgs) -> Vec<PrivateText>;
            replay_save(ReplaySaveArgs) -> ();
            otlp_state(NoArgs) -> OtlpState;
            push_private(PushArgs) -> Vec<PrivateText>;
            run_push(PushArgs) -> Pushed;
            run_files(RunArgs) -> RunFiles;
            run_file(RunFileArgs) -> RunFileText;
            run_files_save(SaveFilesArgs) -> SavedFiles;
            run_diff(DiffArgs) -> RunDiff;
            run_check(CheckRunArgs) -> RunCheck;
            run_play_again(PlayAgainArgs) -> RunId, changes [Runs];
            run_align(AlignArgs) -> Alignment;
            step_context(StepArgs) -> ContextAtStep;
            run_eager(RunArgs) -> EagerLoad;
            sample_run(NoArgs) -> RunId, changes [Runs];
        }
    };
}

/// The types that the table names, to have in scope where it is used.
pub mod types {
    pub use crate::dto::*;
    pub use config::{ModelPreset, Profile, RunLimits};
    pub use model::check::Check;
    pub use model::http::ListedModel;
    pub use trace::columns::Columns;
    pub use trace::diff::RunDiff;
    pub use trace::review::Review;
    pub use trace::store::Found;
    pub use trace::{ContextAtStep, RunId, RunSummary, Step};
}
