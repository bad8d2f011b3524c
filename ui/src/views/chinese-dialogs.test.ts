/** Dialogs, bars and messages in Chinese: files and skills, what other programs change, models, options, and what is remembered. */
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { FakeHost } from "../host/fake";
import { app } from "../state/app.svelte";
import { approvals } from "../state/approvals.svelte";
import { collisions } from "../state/collisions.svelte";
import { deleted } from "../state/deleted.svelte";
import { editor } from "../state/editor.svelte";
import { extract } from "../state/extract.svelte";
import { fileActions } from "../state/file-actions.svelte";
import { find } from "../state/find.svelte";
import { history } from "../state/history.svelte";
import { models } from "../state/models.svelte";
import { options } from "../state/options.svelte";
import { outside } from "../state/outside.svelte";
import { packages } from "../state/packages.svelte";
import { skills } from "../state/skills.svelte";
import { toasts } from "../state/toasts.svelte";
import { trust } from "../state/trust.svelte";
import { click, closeWindow, found, look, openWindow, settled, type, type Sight } from "../test-chinese";

const SKILL = "/opt/skill-workbench/skills/unit-converter";
const OWN = "/home/ada/work/skills/log-analyzer";
const TEXT = `${OWN}/SKILL.md`;
const TABLE = { path: `${SKILL}/references/conversion-table.md`, name: "conversion-table.md", skill: SKILL, isSkill: false };
const FOLDER = { path: OWN, name: "log-analyzer", skill: OWN, isSkill: true };
const MERGED = "a\n<<<<<<< mine\nB1\n=======\nB2\n>>>>>>> theirs\n";

let fake: FakeHost;

beforeEach(async () => {
    fake = await openWindow();
});

afterEach(() => {
    fileActions.cancel();
    extract.cancel();
    outside.cancel();
    history.close();
    while (packages.incoming !== null) {
        packages.close();
    }
    editor.ledOut = null;
    options.open = false;
    skills.newOpen = app.helpOpen = find.open = collisions.open = trust.open = approvals.open = models.open = deleted.open = false;
    closeWindow();
});

/** Opens a file in the editor. */
async function edit(path = TEXT) {
    await editor.open(path);
    await screen.findByTestId("editor-content");
    if (editor.active === null) {
        throw new Error("nothing is open");
    }
    return editor.active;
}

/** Somebody else changes the file that is edited; `null`: deletes it. */
async function changeBehind(text: string | null): Promise<void> {
    const file = await edit();
    file.write("mine\n");
    if (text === null) {
        fake.disk.files.delete(TEXT);
    } else {
        fake.disk.files.set(TEXT, text);
    }
    await editor.save(file);
}

async function rename(name: string): Promise<void> {
    const path = `${SKILL}/SKILL.md`;
    await fake.call("text_check", { path, text: fake.disk.files.get(path) ?? "", unsaved: [] });
    await skills.fetch(SKILL);
    fileActions.ask("rename", TABLE);
    await type("name-input", name);
}

/** A model's form: a new one from a preset, or the one that is so many rows down. */
async function preset(name: string): Promise<void> {
    await models.show();
    await click("model-add");
    look("presets");
    const presets = screen.getAllByTestId("model-preset");
    await click(
        "model-preset",
        presets.findIndex((each) => each.dataset["preset"] === name),
    );
}

const SIGHTS: Sight[] = [
    ["a new file", "name-dialog", async () => (fileActions.ask("newFile", FOLDER), await type("name-input", "../notes.md"))],
    [
        "a file that exists already",
        "name-dialog",
        async () => {
            await skills.fetch(OWN);
            fileActions.ask("newFile", FOLDER);
            await type("name-input", "scripts/window.py");
        },
    ],
    ["a name that others mention", "rename-mention", () => rename("factors.md")],
    [
        "a file with another name",
        "toast-action",
        async () => {
            await rename("factors.md");
            await screen.findByTestId("rename-mention");
            await click("name-submit");
        },
    ],
    ["a copy of a skill", "name-dialog", async () => (fileActions.ask("duplicate", FOLDER), await type("name-input", "Log Reader"))],
    ["another name for a skill", "name-dialog", () => fileActions.ask("rename", FOLDER)],
    ["a file before it is deleted", "delete-dialog", () => fileActions.ask("delete", TABLE)],
    ["a file that was deleted", "toast-action", () => fileActions.trash(TABLE)],
    [
        "what was deleted",
        "deleted-row",
        async (fake) => {
            fake.disk.trash(TABLE.path);
            await deleted.show();
            await screen.findByTestId("deleted-row");
            look("what can be put back");
            await click("deleted-remove");
        },
    ],
    ["no deleted files", "deleted-none", () => deleted.show()],
    ["a skill before it is deleted", "delete-dialog", () => fileActions.ask("delete", FOLDER)],
    [
        "a new skill with mistakes",
        "new-skill-dialog",
        async () => {
            skills.newOpen = true;
            for (const name of ["", "Log Reader", "-log", "x".repeat(65)]) {
                await type("new-skill-name", name);
                await fireEvent.submit(document.querySelector("#new-skill-form") ?? document.body);
                await settled();
                look(`the name ${name}`);
            }
        },
    ],
    [
        "a package before it is imported",
        "package-renames",
        async () => {
            packages.open("/home/ada/Downloads/two.skill");
            await screen.findAllByTestId("package-skill");
            await type("package-name", "words");
        },
    ],
    ["a file that is dragged over the window", "drop-overlay", () => fake.drag({ type: "over" })],
    [
        "the menu of a skill",
        "tree-menu",
        async () => fireEvent.contextMenu((await screen.findAllByTestId("skill-row"))[0] ?? document.body),
    ],
    ["the card of a skill", "card-row", async () => (await edit(), await click("card-open"))],
    [
        "lines that are extracted",
        "extract-dialog",
        async () => {
            const file = await edit(`${SKILL}/SKILL.md`);
            await skills.fetch(SKILL);
            extract.ask();
            file.selected = { from: file.text.indexOf("## Steps"), to: file.text.indexOf("2. Run") };
            extract.ask();
            await type("extract-name", "references/how.txt");
        },
    ],
    [
        "what can be done about a problem",
        "ignore-popover",
        async () => {
            await edit(`${SKILL}/SKILL.md`);
            editor.active?.write("no frontmatter\n");
            await click("problem-ignore");
        },
    ],
    ["a text that somebody else changed", "outside-bar", () => changeBehind("theirs\n")],
    ["a text that somebody else deleted", "outside-bar", () => changeBehind(null)],
    [
        "a merge with conflicts",
        "conflict-bar",
        async () => {
            fake.on("text_merge", () => ({ text: MERGED, conflicts: 1 }));
            await changeBehind("theirs\n");
            await click("merge");
        },
    ],
    [
        "a link out of the folders",
        "linked-file",
        async () => {
            fake.disk.files.set(`${SKILL}/out.md`, "# Secret");
            fake.disk.links.set(`${SKILL}/out.md`, "/home/me/secret.md");
            await editor.open(`${SKILL}/out.md`);
        },
    ],
    [
        "earlier texts of a file",
        "history-restore",
        async () => {
            const file = await edit();
            file.write(`${file.text}more\n`);
            await editor.save(file);
            void history.open(file);
            await screen.findByTestId("history-restore");
            file.write(`${file.text}and more\n`);
        },
    ],
    ["a file that is closed unsaved", "close-file-dialog", async () => ((await edit()).write("mine\n"), await click("tab-close"))],
    ["a window that is closed unsaved", "close-dialog", async () => ((await edit()).write("mine\n"), void fake.close())],
    ["a search in all skills", "found-place", async () => (find.show(), await type("find-text", "kilograms |"))],
    [
        "skills that a request is for",
        "collision-asked",
        async () => {
            for (const [name, says] of [
                ["pdf-tables", "PDF invoices"],
                ["invoice-tables", "invoices"],
            ] as const) {
                const head = `---\nname: ${name}\ndescription: Extract tables from ${says}.\n---\n`;
                fake.disk.files.set(`/home/ada/work/skills/${name}/SKILL.md`, head);
            }
            await collisions.show();
            await settled();
            look("skills that compete");
            await type("collisions-request", "tables of a PDF");
        },
    ],
    [
        "folders that projects ask for",
        "trust-trusted",
        async () => {
            fake.disk.trust = { trusted: ["/shared/skills"], waiting: ["/home/me/private"] };
            await trust.show();
        },
    ],
    ["what is remembered", "approval-entry", () => approvals.show()],
    ["the choice of an editor", "outside-found", () => outside.edit(TEXT)],
    [
        "messages and errors",
        "toast",
        () => {
            const codes = ["notFound", "changed", "exists", "invalid", "io", "store", "unknown", "model", "untrusted"] as const;
            codes.forEach((code) =>
                toasts.error({ code, message: "no", messageZh: "不行", hint: "go", hintZh: "继续", path: null, why: null }),
            );
        },
    ],
    [
        "keys that are changed",
        "key-add",
        async () => {
            app.helpOpen = true;
            await click("keys-change");
            await click("key-add");
            await fireEvent.keyDown(screen.getAllByTestId("key-add")[0] ?? document.body, { key: "s", ctrlKey: true });
        },
    ],
    [
        "what counts tokens",
        "tokenizer-cl100k_base",
        async () => fireEvent.keyDown(await screen.findByTestId("tokenizer"), { key: "Enter" }),
    ],
    [
        "the options of a framework",
        "option-reset",
        async () => {
            await skills.load();
            app.go("inspect");
            await click("inspect-options");
            look("options");
            const row = (await screen.findAllByTestId("option")).find((each) => each.dataset["option"] === "scriptApproval");
            await fireEvent.click(row?.querySelector("[data-testid=option-value]") ?? document.body);
        },
    ],
    ["a model with notes", "model-notes", () => preset("azure-openai")],
    [
        "a model with mistakes",
        "model-form",
        async () => {
            fake.on("model_address", ({ baseUrl }) => ({ url: baseUrl, preset: null }));
            await preset("");
            for (const source of ["env", "keyring", "aws", "command", "none"]) {
                await click(`key-source-${source}`);
                look(`a key from ${source}`);
            }
            for (const [field, value] of Object.entries({
                id: "rehearsal",
                address: "x",
                headers: "x",
                body: "x",
                inputPrice: "-1",
                retries: "99",
            })) {
                await type(`model-${field}`, value);
            }
            await fireEvent.submit(screen.getByTestId("model-form"));
            await settled();
        },
    ],
    [
        "a model that fails its test, and one that passes with a warning",
        "trial",
        async () => {
            await models.show();
            for (const [row, verdict] of ["failed", "warned"].entries()) {
                await click("model-row", row);
                await click("trial-start");
                await waitFor(() => expect(screen.getByTestId("trial").dataset["verdict"]).toBe(verdict));
                look(`a test: ${verdict}`);
            }
            await click("model-ask");
            await click("model-remove");
        },
    ],
];

it.each(SIGHTS)("has no English in %s", async (name, testid, open) => {
    await open(fake);
    await screen.findAllByTestId(testid);
    await settled();
    look(name);
    expect(found()).toEqual({});
});
