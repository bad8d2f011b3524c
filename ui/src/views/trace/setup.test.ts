import { render, screen } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";
import type { RunSetup, Step } from "../../generated/api";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import { step, summary } from "../../trace/sample";
import StepDetail from "./StepDetail.svelte";

beforeEach(() => setHost(fakeHost()));

const mine = summary().setup;
const theirs: RunSetup = {
    ...mine,
    harness: "claude-code",
    variant: "",
    model: "theirs",
    rehearsal: false,
    roots: [],
    skills: [],
    workingDirectory: "",
    appVersion: "",
    imported: "claude-code",
};

/** The facts of a prompt, by name. */
function facts(index: number, kind: Step["kind"]): Record<string, string> {
    const { unmount } = render(StepDetail, { step: step(index, 0, 0, kind), setup: theirs, ongo: () => undefined });
    const names = screen.queryAllByRole("term").map((name) => name.textContent);
    const values = screen.queryAllByRole("definition").map((value) => value.textContent);
    unmount();
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
}

test("what another program recorded shows the facts that it has", () => {
    expect(facts(0, { type: "prompt", text: "hi" })).toEqual({
        Framework: "claude-code",
        Model: "theirs",
        Tokenizer: mine.tokenizer,
    });
});

test("a turn under another framework than the run's shows who leads it", () => {
    const { harness, variant, model, rehearsal, roots, skills, workingDirectory, appVersion } = mine;
    const setup = { harness, variant, model, rehearsal, roots, skills, workingDirectory, appVersion };
    expect(facts(4, { type: "prompt", text: "and then?", setup })).toEqual({
        Framework: "agent-framework · seed",
        Model: "rehearsal — no model was asked",
        "Skills loaded": skills.join(", "),
        Folders: roots.join("\n"),
        "Working directory": workingDirectory,
        "Program version": appVersion,
    });
    expect(facts(4, { type: "prompt", text: "and then?" })).toEqual({});
});
