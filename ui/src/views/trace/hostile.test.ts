import { render } from "@testing-library/svelte";
import { test } from "vitest";
import type { Step } from "../../generated/api";
import { runs } from "../../state/runs.svelte";
import { expectMarked, HOSTILE } from "../../test-marked";
import { answer, step, summary, tool } from "../../trace/sample";
import StepCell from "../compare/StepCell.svelte";
import ConversationItem from "../run/ConversationItem.svelte";
import RunHeader from "./RunHeader.svelte";
import RunTable from "./RunTable.svelte";
import StepDetail from "./StepDetail.svelte";
import StepRow from "./StepRow.svelte";

const call = { id: `id${HOSTILE}`, name: HOSTILE, arguments: JSON.stringify({ [HOSTILE]: HOSTILE }) };
const file = { path: HOSTILE, size: 1 };

function steps(): Step[] {
    const served = tool(call, { type: "resource", skill: HOSTILE, resource: HOSTILE }, HOSTILE);
    const full: Step["kind"] =
        served.type === "tool"
            ? {
                  ...served,
                  files: [file],
                  wire: `${HOSTILE}wire`,
                  decision: { type: "deny", reason: HOSTILE },
                  output: { stdout: HOSTILE, stderr: HOSTILE, exitCode: 1, timedOut: false, truncated: false, took: 1 },
              }
            : served;
    return [
        step(0, 1, 1, { type: "prompt", text: HOSTILE }, null),
        step(1, 1, 2, answer(HOSTILE, [call]), 0),
        step(2, 1, 3, full, 0),
        step(3, 1, 4, { type: "end", status: "failed", error: HOSTILE, zh: null, why: null, reached: null }, null),
    ];
}

const setup = {
    ...summary().setup,
    prompt: HOSTILE,
    model: HOSTILE,
    rehearsal: false,
    harness: HOSTILE,
    variant: HOSTILE,
    skills: [HOSTILE],
    roots: [HOSTILE],
    workingDirectory: HOSTILE,
    neutral: [{ shown: HOSTILE, real: HOSTILE }],
};
const run = summary({ setup });

test("a run says nothing unseen where it is listed", () => {
    const nothing = () => undefined;
    const does = { onopen: nothing, oncheck: nothing, onpin: nothing, onexport: nothing, onsave: nothing, ondelete: nothing };
    runs.list = [run];
    expectMarked(render(RunTable, { ids: [run.id], ...does }).container);
});

test("a run says nothing unseen where it is walked", () => {
    expectMarked(render(RunHeader, { run, onback: () => undefined }).container);
});

test("a step says nothing unseen", () => {
    for (const each of steps()) {
        const { container, unmount } = render(StepDetail, { step: each, setup, ongo: () => undefined });
        expectMarked(container);
        unmount();
    }
});

test("a step in a row, a cell or the conversation says nothing unseen", () => {
    for (const [at, each] of steps().slice(0, 3).entries()) {
        const nothing = () => undefined;
        const row = { at, depth: 0, folds: null, inner: 0 };
        for (const shown of [
            render(StepRow, {
                row,
                step: each,
                id: "x",
                selected: false,
                folded: false,
                note: null,
                posinset: 1,
                setsize: 1,
                onselect: nothing,
                onfold: nothing,
            }),
            render(StepCell, { step: each, harness: "eino", onopen: nothing }),
            render(ConversationItem, {
                row,
                step: each,
                turn: 1,
                folded: false,
                isAnswered: () => false,
                ondecide: nothing,
                ontry: () => Promise.reject(new Error("nothing is edited")),
                onsettle: nothing,
                onfold: nothing,
            }),
        ]) {
            expectMarked(shown.container);
            shown.unmount();
        }
    }
});
