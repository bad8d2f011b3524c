/** Which commands the fake answers by hand. Recorded answers cannot disagree with the program, so this list should only shrink. */
import { expect, it } from "vitest";
import api from "../../generated/api.ts?raw";
import source from "./index.ts?raw";

const BY_HAND: Record<string, string> = {
    "what a test changes: folders, settings, files and their history":
        "bench_state settings_set folder_open folder_close file_read file_save file_create file_move file_trash trash_list trash_restore trash_remove file_history file_version",
    "what a test changes: trust, approvals, models and keys":
        "trust_list trust_add trust_remove approval_list approval_set approval_revoke project_choice " +
        "model_list model_offers model_names model_add model_update model_remove model_test model_test_stop key_state key_set key_delete",
    "what a test changes: runs, and what is said about them":
        "run_review note_set verdict_set run_pin run_prune run_delete run_import run_import_file run_import_stop sample_run",
    "what a test must time: runs that go on":
        "run_start run_continue run_play_again rehearse run_fork run_stop run_decide run_try run_settle",
    "what is read of the recorded runs": "run_index run_some run_tree run_page run_step",
    "what is there on no machine of the tests, or goes out of the window":
        "sandbox_state editor_list path_reveal path_edit package_save skill_card_text skill_card_save run_save run_export replay_private " +
        "replay_save otlp_state push_private run_push",
    "what no run of the sample does: it writes no files": "run_files run_file run_files_save",
};

/** Commands that give a recorded answer, or one that is made only of recorded ones. */
const RECORDED =
    /\b(alignedRows|asked|cardOf|checkOf|columnsOf|contextAt|eagerOf|HARNESSES|inspected|inspectionsOf|lookOf|runDiff|searchIn|tableOf|verdictsOf|disk\.(list|detail))\b/;

it("answers no other command by hand", () => {
    const [, handlers = ""] = /\n {4}return \{\n( {8}bench_state:[^]*?)\n {4}\};\n/.exec(source) ?? [];
    const answered = [...handlers.matchAll(/^ {8}(\w+):([^]*?)(?=^ {8}\w+:|$(?![^]))/gm)].map(([, name = "", body = ""]) => ({
        name,
        body,
    }));
    const commands = [...api.matchAll(/^ {2}(\w+): \{ args: /gm)].map(([, name]) => name);
    expect(answered.map(({ name }) => name).sort(), "each handler is found").toEqual(commands.sort());
    const byHand = answered.filter(({ body }) => !RECORDED.test(body)).map(({ name }) => name);
    expect(byHand.sort()).toEqual(Object.values(BY_HAND).join(" ").split(" ").sort());
});
