import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { compare } from "../../state/compare.svelte";
import { startPushes } from "../../state/pushes";
import { Rehearsal, rehearsal } from "../../state/rehearsal.svelte";
import { runs } from "../../state/runs.svelte";
import ComparePlace from "./ComparePlace.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    Object.assign(rehearsal, {
        started: new Map(),
        alignment: null,
        standing: null,
        answered: 0,
        error: null,
        prompt: "",
    } satisfies Partial<Rehearsal>);
});

async function start(): Promise<() => void> {
    const stopListening = await startPushes();
    app.place = "compare";
    render(ComparePlace);
    await waitFor(() => expect(compare.columns.length).toBeGreaterThan(0));
    await compare.all();
    await fireEvent.click(screen.getByTestId("compare-tab-rehearsal"));
    await waitFor(() => expect(rehearsal.ready).toBe(true));
    await fireEvent.click(screen.getByTestId("rehearse-start"));
    return stopListening;
}

/** Whatever is asked until all runs are over. A card allows nothing until it was there for a moment. */
async function allowAll(): Promise<void> {
    while (!rehearsal.over) {
        const allow = await waitFor(() => {
            const button = screen.queryByTestId<HTMLButtonElement>("approve-once");
            expect(rehearsal.over || button?.disabled === false).toBe(true);
            return button;
        });
        await fireEvent.click(allow ?? document.body);
    }
}

it("plays one scene under five frameworks, asks, and lays the steps beside each other", async () => {
    const stopListening = await start();
    const asks = await screen.findByTestId("rehearse-approvals");
    expect(within(asks).getByTestId("approval-effect").textContent).toContain("conversion-table.md");
    await fireEvent.click(screen.getByTestId("rehearse-for-all"));
    await allowAll();
    await waitFor(() => expect(screen.getByTestId("aligned-table").dataset["aligned"]).toBe("true"));
    const decided = fake.calls.filter((made) => made.name === "run_decide").map((made) => made.args);
    expect(decided).toHaveLength(5);
    // Three run the same command; timing decides which of them ask while that answer is active.
    expect(screen.getByTestId("rehearse-standing").textContent).toMatch(/[12] calls? answered this way/);
    const last = screen.getAllByTestId("aligned-row")[6];
    expect(
        within(last ?? document.body)
            .getAllByTestId("aligned-step")
            .map((cell) => cell.textContent.includes("convert.py")),
    ).toEqual([true, true, true, true, true]);
    stopListening();
});

it("asks run by run where the answer is for one alone", async () => {
    const stopListening = await start();
    await waitFor(() => expect(screen.getByTestId("rehearse-approvals").dataset["waiting"]).toBe("4"));
    await waitFor(() => expect(screen.getByTestId("approve-once")).toHaveProperty("disabled", false));
    await fireEvent.click(screen.getByTestId("approve-deny"));
    await waitFor(() => expect(fake.calls.filter(({ name }) => name === "run_decide")).toHaveLength(1));
    await waitFor(() => expect(screen.getByTestId("approval-effect").textContent).toContain("convert.py"));
    expect(rehearsal.standing).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("approve-deny")));
    await fireEvent.click(screen.getByTestId("rehearse-stop"));
    await waitFor(() => expect(rehearsal.over).toBe(true));
    expect(document.activeElement).toBe(screen.getByTestId("rehearsal"));
    stopListening();
});

it("opens a run at the step that is clicked", async () => {
    const stopListening = await start();
    await screen.findByTestId("rehearse-approvals");
    await fireEvent.click(screen.getByTestId("rehearse-for-all"));
    await allowAll();
    await waitFor(() => expect(screen.getByTestId("aligned-table").dataset["aligned"]).toBe("true"));
    const cells = within(screen.getAllByTestId("aligned-row")[2] ?? document.body).getAllByTestId("aligned-step");
    await fireEvent.click(cells[3] ?? document.body);
    await waitFor(() => expect([app.place, runs.walk?.position]).toEqual(["traces", 2]));
    expect(runs.walk?.run).toBe(rehearsal.started.get("strands/seed"));
    stopListening();
});

it("says why a rehearsal cannot start", async () => {
    fake.on("rehearse", () => {
        throw { code: "invalid", message: "the screenplay is empty", hint: null, path: null, why: null };
    });
    const stopListening = await start();
    expect(await screen.findByText("the screenplay is empty")).toBeTruthy();
    stopListening();
});
