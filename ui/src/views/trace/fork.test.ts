import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { actionGroups } from "../../state/actions";
import { forks } from "../../state/fork.svelte";
import { handleKey } from "../../state/keys.svelte";
import { pairing } from "../../state/pair.svelte";
import { startPushes } from "../../state/pushes";
import { reviews } from "../../state/review.svelte";
import { runs } from "../../state/runs.svelte";
import { Walk } from "../../state/walk.svelte";
import { detail, walk } from "../../trace/sample";
import RunView from "./RunView.svelte";
import TracePlace from "./TracePlace.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    void startPushes();
    runs.walk = null;
    runs.list = null;
    pairing.shown = null;
    pairing.choosing = null;
    forks.draft = null;
    reviews.fixed = false;
    app.go("traces");
});

async function openStep(at: number) {
    render(TracePlace);
    await fireEvent.click((await screen.findAllByTestId("run-row"))[0]?.querySelector("button") ?? document.body);
    await screen.findByTestId("run-view");
    await fireEvent.click(screen.getAllByTestId("step-row")[at] ?? document.body);
}

async function press(key: string) {
    window.addEventListener("keydown", handleKey);
    await fireEvent.keyDown(document.body, { key });
    window.removeEventListener("keydown", handleKey);
}

const asked = () => fake.calls.find((call) => call.name === "run_fork")?.args;

it("forks at a call with another result and says what is changed", async () => {
    await openStep(2);
    const parent = runs.walk?.run;
    await fireEvent.click(screen.getByTestId("step-fork"));
    expect((await screen.findByTestId("fork-edited")).textContent.trim()).toBe("Nothing is edited. The skills are used as they are now.");
    await fireEvent.click(screen.getByTestId("fork-way-result"));
    expect(screen.getByTestId<HTMLTextAreaElement>("fork-text").value).toContain("Always round");
    await fireEvent.input(screen.getByTestId("fork-text"), { target: { value: "# Other" } });
    await fireEvent.change(screen.getByTestId("fork-harness"), { target: { value: "eino" } });
    expect(screen.getByTestId("fork-edited").textContent.trim()).toBe("Changed: the result, framework");
    expect(screen.getByTestId("fork-other")).toBeTruthy();
    await fireEvent.click(screen.getByTestId("fork-start"));
    await waitFor(() => expect(app.place).toBe("run"));
    expect(asked()).toMatchObject({ run: parent, step: 2, prompt: null, result: "# Other", harness: "eino", variant: null, model: null });
    expect(forks.draft).toBeNull();
});

it("gives another answer, whose calls are made", async () => {
    await openStep(1);
    await press("r");
    await fireEvent.click(await screen.findByTestId("fork-way-answer"));
    const text = screen.getByTestId<HTMLTextAreaElement>("fork-text");
    expect([text.value, screen.queryByTestId("fork-more")]).toEqual(["", null]);
    expect(screen.getByTestId<HTMLButtonElement>("fork-start").disabled).toBe(true);
    expect(dialog().getByText("The tools that this answer calls are called as before.")).toBeTruthy();
    await fireEvent.input(text, { target: { value: "I look it up." } });
    expect(screen.getByTestId<HTMLButtonElement>("fork-start").disabled).toBe(false);
    expect(screen.getByTestId("fork-edited").textContent.trim()).toBe("Changed: the answer");
    expect(forks.draft?.args()).toMatchObject({ step: 1, answer: "I look it up.", prompt: null, result: null });
});

it("ends a turn with another answer, after which the user may say more", async () => {
    await openStep(0);
    const last = walk().at(-1);
    if (last !== undefined) forks.ask(detail(walk(), {}).summary, last);
    await fireEvent.click(await screen.findByTestId("fork-way-answer"));
    const answer = screen.getByTestId<HTMLTextAreaElement>("fork-text");
    expect(answer.value).toBe("1 kg is about **2.20462 lb**.");
    await fireEvent.input(answer, { target: { value: " " } });
    expect(screen.getByTestId<HTMLButtonElement>("fork-start").disabled).toBe(true);
    await fireEvent.input(answer, { target: { value: "About two." } });
    expect(forks.draft?.args()).toMatchObject({ answer: "About two.", prompt: null });
    await fireEvent.input(screen.getByTestId("fork-more"), { target: { value: "Only about?" } });
    expect(screen.getByTestId("fork-edited").textContent.trim()).toBe("Changed: the answer, what you say");
    await fireEvent.click(screen.getByTestId("fork-start"));
    await waitFor(() => expect(asked()).toMatchObject({ answer: "About two.", prompt: "Only about?", images: [] }));
});

it("edits a prompt in its place, and leaves one that is not edited to the record", async () => {
    await openStep(0);
    await press("r");
    const text = await screen.findByTestId<HTMLTextAreaElement>("fork-text");
    expect(screen.queryByTestId("fork-way-say")).toBeNull();
    expect(forks.draft?.args().prompt).toBeNull();
    await fireEvent.input(text, { target: { value: " " } });
    expect(screen.getByTestId<HTMLButtonElement>("fork-start").disabled).toBe(true);
    await fireEvent.input(text, { target: { value: "And in stone?" } });
    await fireEvent.keyDown(text, { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(asked()).toMatchObject({ step: 0, prompt: "And in stone?", result: null, harness: null }));
});

/** The run that is shown has a field for pictures too. */
const dialog = () => within(screen.getByTestId("fork-dialog"));

it("says with other pictures, with those of the prompt, or with none", async () => {
    await openStep(0);
    await press("r");
    await screen.findByTestId("fork-text");
    const files = [new File(["\x89PNG"], "a.png", { type: "image/png" })];
    await fireEvent.change(dialog().getByTestId("picture-add"), { target: { files } });
    await dialog().findByTestId("picture-remove");
    expect(screen.getByTestId("fork-edited").textContent.trim()).toBe("Changed: its images");
    const { prompt } = forks.draft ?? { prompt: "" };
    expect(forks.draft?.args()).toMatchObject({ prompt, images: [{ mediaType: "image/png" }] });
    await fireEvent.click(dialog().getByTestId("picture-remove"));
    expect(forks.draft?.args()).toMatchObject({ prompt: null, images: null });
    await fireEvent.change(dialog().getByTestId("picture-add"), { target: { files } });
    await dialog().findByTestId("picture-remove");
    await fireEvent.click(screen.getByTestId("fork-start"));
    await waitFor(() => expect(asked()).toMatchObject({ step: 0, prompt, images: [{ mediaType: "image/png" }] }));
});

it("attaches pictures to what is said after a step, and to nothing else", async () => {
    await openStep(2);
    await press("r");
    await screen.findByTestId("fork-way-say");
    expect(dialog().queryByTestId("picture-add")).toBeNull();
    await fireEvent.click(screen.getByTestId("fork-way-say"));
    await fireEvent.input(screen.getByTestId("fork-text"), { target: { value: "And this?" } });
    const files = [new File(["GIF8"], "a.gif", { type: "image/gif" })];
    await fireEvent.change(dialog().getByTestId("picture-add"), { target: { files } });
    await dialog().findByTestId("picture-remove");
    expect(forks.draft?.args()).toMatchObject({ prompt: "And this?", images: [{ mediaType: "image/gif" }] });
    await fireEvent.click(screen.getByTestId("fork-way-again"));
    expect(forks.draft?.args()).toMatchObject({ prompt: null, images: null });
});

it("limits and confines the fork as a new run is, by the model that answers", async () => {
    await openStep(2);
    await press("r");
    const limit = await screen.findByTestId<HTMLInputElement>("run-limit-turns");
    expect(screen.queryByTestId("run-limit-cost")).toBeNull();
    expect(screen.queryByTestId("run-neutral")).toBeNull();
    await fireEvent.input(limit, { target: { value: "many" } });
    expect(screen.getByTestId<HTMLButtonElement>("fork-start").disabled).toBe(true);
    await fireEvent.input(limit, { target: { value: "3" } });
    await fireEvent.change(screen.getByTestId("run-sandbox-mode"), { target: { value: "require" } });
    await waitFor(() => expect(screen.getByTestId<HTMLInputElement>("run-network").disabled).toBe(false));
    await fireEvent.click(screen.getByTestId("run-network"));
    await fireEvent.click(screen.getByTestId("run-fidelity"));
    await fireEvent.click(screen.getByTestId("fork-start"));
    const chosen = { turns: 3, seconds: null, sandbox: "require", network: true, fidelity: true };
    await waitFor(() => expect(asked()).toMatchObject({ means: chosen }));
});

it("keeps the form with the reason if the fork is refused", async () => {
    fake.on("run_fork", () => {
        throw { code: "invalid", message: "no such fork", hint: "try another", path: null, why: null };
    });
    await openStep(1);
    await press("r");
    await fireEvent.click(await screen.findByTestId("fork-start"));
    expect((await screen.findByTestId("fork-error")).textContent).toContain("no such fork");
    expect(forks.draft?.ready).toBe(true);
});

it("leads from a fork to its parent, back, and to the comparison of both", async () => {
    await openStep(2);
    const parent = runs.walk?.run ?? "";
    const fork = await runs.fork({
        run: parent,
        step: 2,
        roots: null,
        prompt: null,
        images: null,
        result: "x",
        answer: null,
        harness: null,
        variant: null,
        model: null,
        screenplay: null,
        means: {
            turns: null,
            tokens: null,
            seconds: null,
            cost: null,
            pace: null,
            sandbox: null,
            network: false,
            fidelity: null,
            askAll: false,
        },
    });
    await waitFor(() => expect(runs.detail(fork)?.summary.status).toBe("done"));
    await forks.open(fork, 2);
    await fireEvent.click(await screen.findByTestId("fork-parent"));
    await waitFor(() => expect([runs.walk?.run, runs.walk?.position]).toEqual([parent, 2]));
    await fireEvent.click(await screen.findByTestId("fork-child"));
    await waitFor(() => expect([runs.walk?.run, runs.walk?.position]).toEqual([fork, 2]));
    // The same as lanes below the chart: each other run of the tree from the step at which it parts from this one.
    const lane = () => screen.getByTestId("fork-lane");
    await waitFor(() => expect([lane().dataset["run"], lane().dataset["from"]]).toEqual([parent, "2"]));
    expect(lane().textContent).toContain("this run was forked at step 3");
    await fireEvent.click(lane());
    await waitFor(() => expect([runs.walk?.run, runs.walk?.position]).toEqual([parent, 2]));
    await waitFor(() => expect([lane().dataset["run"], lane().dataset["from"]]).toEqual([fork, "2"]));
    await fireEvent.click(lane());
    await waitFor(() => expect([runs.walk?.run, runs.walk?.position]).toEqual([fork, 2]));
    await fireEvent.click(await screen.findByTestId("fork-compare"));
    expect([pairing.shown?.a, pairing.shown?.b]).toEqual([parent, fork]);
});

it("says that a parent is not here", async () => {
    const run = detail(walk(), {});
    const forked = { ...run.summary, setup: { ...run.summary.setup, forked: { run: "gone", step: 4 } } };
    render(RunView, { detail: { ...run, summary: forked }, walk: new Walk(run.summary.id), onback: () => undefined });
    expect((await screen.findByTestId("fork-gone")).textContent).toBe("From step 5 of a run that is not in the store");
});

it("offers the step in the palette, and nothing of it in a page that replays a run", async () => {
    const run = detail(walk(), {});
    reviews.fixed = true;
    const page = render(RunView, { detail: run, walk: new Walk(run.summary.id), onback: () => undefined });
    await press("r");
    await press("x");
    expect([forks.draft, pairing.choosing, screen.queryByTestId("step-fork")]).toEqual([null, null, null]);
    reviews.fixed = false;
    page.unmount();
    await openStep(2);
    const offered = actionGroups().flatMap(({ actions }) => actions);
    offered.find((action) => action.id === "action:fork")?.run();
    expect(forks.draft?.step.index).toBe(2);
});
