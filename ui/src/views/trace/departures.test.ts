import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import type { Decision, Effect, Origin, Step } from "../../generated/api";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import { pairing } from "../../state/pair.svelte";
import { reading } from "../../state/reading.svelte";
import { runs } from "../../state/runs.svelte";
import { toasts } from "../../state/toasts.svelte";
import { rows } from "../../trace/nested";
import { answer, call, detail, step, summary, tool } from "../../trace/sample";
import ConversationItem from "../run/ConversationItem.svelte";
import MarkedText from "./text/MarkedText.svelte";
import RunTable from "./RunTable.svelte";
import StepDetail from "./StepDetail.svelte";
import StepRow from "./StepRow.svelte";

const nothing = () => undefined;
const convert = call("run_skill_script", '{"value":1}');

/** A script with these arguments. */
const script = (value: string): Effect => ({
    type: "runScript",
    skill: "unit-converter",
    script: "convert.py",
    path: "/s/convert.py",
    interpreter: "python3",
    arguments: ["--value", value],
    approval: true,
    workingDirectory: null,
});

function decided(decision: Decision | null, effects: { asked?: Effect; ran?: Effect } = {}): Step {
    const served = tool(convert, { type: "none" }, "2");
    return step(0, 1, 1, served.type === "tool" ? { ...served, decision, ...effects } : served);
}

/** The call in Run, and as a row and a detail of Traces. */
function views(of: Step): HTMLElement[] {
    const [row] = rows([of], new Set()).slice();
    if (row === undefined) {
        throw new Error("there is no row");
    }
    const does = { isAnswered: () => false, ondecide: nothing, ontry: vi.fn(), onsettle: nothing, onfold: nothing };
    return [
        render(ConversationItem, { row, step: of, turn: 1, folded: false, ...does }),
        render(StepRow, {
            row,
            step: of,
            id: "x",
            selected: false,
            folded: false,
            note: null,
            posinset: 1,
            setsize: 1,
            onselect: nothing,
            onfold: nothing,
        }),
        render(StepDetail, { step: of, setup: summary().setup, ongo: nothing }),
    ].map(({ container }) => container);
}

beforeEach(() => setHost(fakeHost()));

test.each<[string, Decision]>([
    ["denied", { type: "deny", reason: null }],
    ["stubbed", { type: "stub", text: "2" }],
    ["edited", { type: "allow", arguments: '{"value":7}', forRun: false }],
])("a call that was %s says so wherever it is shown", (how, decision) => {
    for (const view of views(decided(decision))) {
        expect(within(view).getByTestId("departure").dataset["departure"]).toBe(how);
    }
});

test("a call that did what the model asked for has no chip", () => {
    for (const decision of [null, { type: "allow", arguments: null, forRun: true } as const]) {
        for (const view of views(decided(decision))) {
            expect(within(view).queryByTestId("departure")).toBeNull();
        }
    }
});

test("what was asked and what ran stand side by side", () => {
    const effects = { asked: script("1"), ran: script("7") };
    const [inRun, , inTraces] = views(decided({ type: "allow", arguments: '{"value":7}', forRun: false }, effects));
    for (const view of [inRun, inTraces]) {
        const both = within(view ?? document.body).getByTestId("asked-and-ran");
        expect(within(both).getByTestId("call-arguments").textContent).toContain('"value": 1');
        expect(within(both).getByTestId("ran-arguments").textContent).toContain('"value": 7');
        expect(within(both).getByTestId("call-effect").textContent).toContain("python3 /s/convert.py --value 1");
        expect(within(both).getByTestId("ran-effect").textContent).toContain("python3 /s/convert.py --value 7");
        expect(view?.textContent.match(/--value 1/g)).toHaveLength(1);
    }
});

test("the list of runs says how many calls departed, and how", () => {
    const run = summary({ departures: { denied: 2, stubbed: 0, edited: 1 } });
    const does = { onopen: nothing, oncheck: nothing, onpin: nothing, onexport: nothing, onsave: nothing, ondelete: nothing };
    runs.list = [run];
    render(RunTable, { ids: [run.id], ...does });
    expect(screen.getAllByTestId("departure").map((chip) => chip.textContent.replace(/\s+/g, " ").trim())).toEqual([
        "⊘ denied ×2",
        "± edited",
    ]);
});

test("an answer is drawn, and shown letter by letter if one asks for it", async () => {
    reading.exact = false;
    render(StepDetail, { step: step(0, 1, 1, answer("about **2.2** lb", [])), setup: summary().setup, ongo: nothing });
    expect(screen.getByTestId("answer-text").textContent).toBe("about 2.2 lb");
    await fireEvent.click(screen.getByTestId("answer-exact"));
    expect(screen.getByTestId("answer-text").textContent.trim()).toBe("about **2.2** lb");
    reading.exact = false;
});

test("the note that asks for a second run goes once there is one", () => {
    toasts.list = [];
    pairing.first = null;
    pairing.choose(detail().summary.id);
    expect(toasts.list).toHaveLength(1);
    pairing.choose(`${detail().summary.id}-b`);
    expect(toasts.list).toEqual([]);
    pairing.shown = null;
});

test("keys walk who wrote which piece, and a click leaves the keys to the place around", async () => {
    const onpoint = vi.fn<(origin: Origin | null) => void>();
    const onpick = vi.fn();
    const skill = { type: "skill", skill: "units", field: "name" } as const;
    const marks = [
        { from: 0, to: 4, origin: { type: "framework" } as const },
        { from: 4, to: 9, origin: skill },
    ];
    render(MarkedText, { text: "Use: units", marks, label: "x", testid: "text", onpoint, onpick });
    const text = screen.getByTestId("text");
    await fireEvent.pointerDown(text);
    text.focus();
    await fireEvent.keyDown(text, { key: "ArrowRight" });
    expect(onpoint).not.toHaveBeenCalled();
    text.blur();
    await fireEvent.pointerUp(text);
    onpoint.mockClear();
    text.focus();
    await fireEvent.keyDown(text, { key: "ArrowRight" });
    await fireEvent.keyDown(text, { key: "ArrowRight" });
    expect(onpoint.mock.calls.map(([origin]) => origin)).toEqual([{ type: "framework" }, skill]);
    await fireEvent.keyDown(text, { key: "Enter" });
    expect(onpick).toHaveBeenCalledWith(skill);
});
