//! The table of commands. The shell's `#[tauri::command]`s and the window's types are both made from it, so a command
//! cannot be in one and not in the other.

/// Calls `$then!` with every command as `name(Arguments) -> Result;`. Each is a method of [`super::Workbench`].
#[macro_export]
macro_rules! for_each_command {
    ($then:path) => {
        $then! {
            bench_state(NoArgs) -> BenchState;
            settings_set(SettingsArgs) -> Settings;
            folder_open(PathArgs) -> Vec<Folder>;
            folder_close(PathArgs) -> Vec<Folder>;
            trust_list(NoArgs) -> TrustState;
            trust_add(PathArgs) -> TrustState;
            trust_remove(PathArgs) -> TrustState;
            approval_list(NoArgs) -> Vec<ApprovalEntry>;
            approval_set(ApprovalSetArgs) -> Vec<ApprovalEntry>;
            approval_revoke(ApprovalArgs) -> Vec<ApprovalEntry>;
            sandbox_state(NoArgs) -> SandboxState;
            skill_list(NoArgs) -> SkillList;
            skill_get(SkillArgs) -> SkillDetail;
            skill_new(NewSkill) -> SkillSummary;
            skill_copy(SkillCopyArgs) -> SkillSummary;
            package_save(PackageSaveArgs) -> PackageSaved;
            package_look(PathArgs) -> PackageLook;
            package_open(PackageOpenArgs) -> Vec<SkillSummary>;
            template_list(NoArgs) -> Vec<TemplateInfo>;
            file_read(PathArgs) -> FileText;
            file_save(FileSave) -> SaveResult;
            file_create(PathArgs) -> FileText;
            file_move(FileMove) -> ();
            file_mentions(MentionArgs) -> Vec<Mention>;
            file_trash(PathArgs) -> ();
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
            rule_set(RuleSetArgs) -> Vec<RuleDto>;
            rule_profile(NoArgs) -> Profile;
            rule_profile_set(RuleProfileArgs) -> Vec<RuleDto>;
            text_preview(TextArgs) -> String;
            text_merge(MergeArgs) -> MergeResult;
            field_edit(FieldEdit) -> String;
            harness_list(NoArgs) -> Vec<HarnessInfo>;
            project_choice(NoArgs) -> ProjectChoice;
            harness_options(OptionsArgs) -> OptionForm;
            option_edit(OptionEdit) -> String;
            inspect(InspectArgs) -> Inspection;
            inspect_listed(InspectArgs) -> InspectionList;
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
            model_add(ModelAddArgs) -> ModelList;
            model_update(ModelUpdateArgs) -> ModelList;
            model_remove(ModelRemoveArgs) -> ModelList;
            model_address(ModelAddressArgs) -> ModelAddress;
            model_names(ModelNamesArgs) -> Vec<ListedModel>;
            model_test(ModelTestArgs) -> Vec<Check>;
            model_test_stop(ModelTestStopArgs) -> ();
            key_state(KeyArgs) -> KeyState;
            key_set(KeySetArgs) -> KeyState;
            key_delete(KeyDeleteArgs) -> KeyState;
            screenplay_list(NoArgs) -> Vec<ScreenplayInfo>;
            run_limits(NoArgs) -> RunLimits;
            run_start(RunRequest) -> RunId;
            run_continue(ContinueArgs) -> RunId;
            run_fork(ForkArgs) -> RunId;
            run_tree(RunArgs) -> RunTree;
            rehearse(RehearseArgs) -> Vec<RunId>;
            run_stop(RunArgs) -> ();
            run_decide(DecideArgs) -> ();
            run_try(TryArgs) -> Trial;
            run_settle(SettleArgs) -> ();
            run_list(NoArgs) -> RunList;
            run_search(SearchArgs) -> Found;
            run_review(RunArgs) -> Review;
            note_set(NoteArgs) -> Review;
            verdict_set(VerdictArgs) -> Review;
            run_page(PageArgs) -> RunPage;
            run_step(StepArgs) -> Step;
            run_delete(RunArgs) -> ();
            run_pin(PinArgs) -> ();
            run_prune(PruneArgs) -> PrunedRuns;
            run_export(ExportArgs) -> String;
            run_save(SaveArgs) -> ();
            run_import(ImportArgs) -> RunId;
            run_import_file(ImportFileArgs) -> Imported;
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
            run_play_again(PlayAgainArgs) -> RunId;
            run_align(AlignArgs) -> Alignment;
            step_context(StepArgs) -> ContextAtStep;
            run_eager(RunArgs) -> EagerLoad;
            sample_run(NoArgs) -> RunId;
        }
    };
}

/// The types that the table names, to have in scope where it is used.
pub mod types {
    pub use crate::dto::*;
    pub use config::{ModelPreset, Profile, RunLimits};
    pub use model::check::Check;
    pub use model::http::ListedModel;
    pub use trace::diff::RunDiff;
    pub use trace::review::Review;
    pub use trace::store::Found;
    pub use trace::{ContextAtStep, RunId, RunList, Step};
}
