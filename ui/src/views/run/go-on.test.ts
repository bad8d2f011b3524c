import { fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import type { HarnessInfo, ModelInfo } from "../../generated/api";
import { t } from "../../i18n";
import { summary } from "../../trace/sample";
import GoOn from "./GoOn.svelte";

const EINO: HarnessInfo = { id: "eino", title: "Eino", group: "framework", runs: true, variants: [] };
const STRANDS: HarnessInfo = { ...EINO, id: "strands", title: "Strands Agents" };

function model(id: string, change: Partial<ModelInfo> = {}): ModelInfo {
    return {
        id,
        title: id,
        rehearsal: false,
        baseUrl: null,
        key: { source: "none", name: null, state: "unneeded", reason: null, hint: null, why: null },
        ready: true,
        context: null,
        counts: false,
        preset: null,
        entry: null,
        ...change,
    };
}

function foreign() {
    const { setup } = summary();
    return summary({
        setup: { ...setup, harness: "anthropic-messages", model: "theirs", rehearsal: false, imported: "anthropic-messages" },
    });
}

async function say(): Promise<void> {
    await fireEvent.input(screen.getByTestId("go-on-box"), { target: { value: "And then?" } });
    await fireEvent.click(screen.getByTestId("go-on-button"));
}

describe("a run that another program recorded", () => {
    it("goes on under a framework and with a model of the user's own", async () => {
        const onsay = vi.fn(() => Promise.resolve(true));
        const models = [model("rehearsal", { rehearsal: true }), model("without key", { ready: false }), model("mine"), model("other")];
        render(GoOn, { run: foreign(), models, onsay, frameworks: [EINO, STRANDS], framework: "eino" });
        const options = (id: string) => [...screen.getByTestId(id).querySelectorAll("option")].map((option) => option.value);
        expect(options("go-on-framework")).toEqual(["eino", "strands"]);
        expect(options("go-on-model")).toEqual(["mine", "other"]);
        await say();
        expect(onsay).toHaveBeenLastCalledWith("And then?", "mine", []);
        await fireEvent.change(screen.getByTestId("go-on-model"), { target: { value: "other" } });
        await say();
        expect(onsay).toHaveBeenLastCalledWith("And then?", "other", []);
    });

    it("says that it needs a model where there is none", async () => {
        const onsay = vi.fn(() => Promise.resolve(true));
        render(GoOn, { run: foreign(), models: [model("rehearsal", { rehearsal: true })], onsay, frameworks: [EINO], framework: "eino" });
        expect(screen.getByTestId("go-on-no-model").textContent).toBe(t("run.goOnNoModel"));
        await say();
        expect(onsay).not.toHaveBeenCalled();
    });
});

it("a run of this program keeps its framework, and its model unless another one is chosen", async () => {
    const onsay = vi.fn(() => Promise.resolve(true));
    const { setup } = summary();
    const run = summary({ setup: { ...setup, model: "mine", rehearsal: false } });
    render(GoOn, { run, models: [model("mine"), model("other")], onsay });
    expect(screen.queryByTestId("go-on-framework")).toBeNull();
    await say();
    expect(onsay).toHaveBeenLastCalledWith("And then?", null, []);
});
