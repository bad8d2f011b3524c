/** Headings go down one level at a time, in each place and dialog, so that a reader's list of them has no gaps. */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import App from "../App.svelte";
import { setHost } from "../host";
import { fakeHost } from "../host/fake";
import { app } from "../state/app.svelte";
import { approvals } from "../state/approvals.svelte";
import { editor } from "../state/editor.svelte";
import { models } from "../state/models.svelte";
import { retention } from "../state/retention.svelte";
import { trust } from "../state/trust.svelte";
// What the window fetches when it is first shown is fetched here, so that no wait is for that.
import "./compare/ComparePlace.svelte";
import "./editor/codemirror/text-view";
import "./inspect/InspectPlace.svelte";
import "./models/ModelsView.svelte";
import "./run/RunPlace.svelte";
import "./trace/TracePlace.svelte";

const FILE = "/home/ada/work/skills/log-analyzer/SKILL.md";

beforeEach(async () => {
    setHost(fakeHost());
    app.go("skills");
    render(App);
    await screen.findByTestId("welcome");
});

afterEach(() => {
    app.helpOpen = trust.open = approvals.open = models.open = retention.open = false;
    editor.files.forEach((file) => editor.drop(file));
    cleanup();
});

const click = async (testid: string) => fireEvent.click((await screen.findAllByTestId(testid))[0] ?? document.body);

async function openRun(): Promise<void> {
    app.go("traces");
    const [row] = await screen.findAllByTestId("run-row");
    await fireEvent.click(row?.querySelector("button") ?? document.body);
    await click("step-row");
}

/** A heading that is more than one level below the one before it, with both. */
function gaps(root: ParentNode, above: number): string[] {
    const all = [...root.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")].filter((each) => !each.closest("[role=presentation]"));
    let level = above;
    return all.flatMap((heading) => {
        const own = Number(heading.getAttribute("aria-level") ?? heading.tagName.slice(1));
        const said = own > level + 1 ? [`${String(level)} → ${String(own)}: ${heading.textContent.trim()}`] : [];
        level = own;
        return said;
    });
}

/** `level`: of the heading above what is looked at. */
it.each<[string, string, number, () => unknown]>([
    ["first steps", "welcome", 0, () => undefined],
    ["editor", "editor", 0, () => editor.open(FILE)],
    ["inspect", "inspect-tokens", 0, () => app.go("inspect")],
    ["compare", "compare-table", 0, () => app.go("compare")],
    ["run", "run-button", 0, () => app.go("run")],
    ["traces", "step-detail", 0, openRun],
    ["models", "model-form", 1, () => models.show()],
    ["presets", "model-preset", 1, async () => (await models.show(), await click("model-add"))],
    ["help", "help", 1, () => (app.helpOpen = true)],
    ["trust", "trust", 1, () => trust.show()],
    ["retention", "retention", 1, () => retention.show()],
    ["approvals", "approvals", 1, () => approvals.show()],
])("%s", async (_, testid, level, open) => {
    await open();
    const shown = await screen.findAllByTestId(testid);
    const dialog = document.querySelector(".dialog");
    await waitFor(() => expect(document.querySelector("h1, h2")).not.toBeNull());
    const root = level === 0 ? document.body : dialog;
    expect([shown.length > 0, root === null ? ["no dialog"] : gaps(root, level)]).toEqual([true, []]);
});
